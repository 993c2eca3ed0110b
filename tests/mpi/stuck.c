/* A job whose last rank gets stuck where the others wait for it. */
#include <signal.h>

#include "selfplay/farm/comm.h"

int main(int argc, char *argv[])
{
    struct comm comm = comm_start(&argc, &argv);
    comm.patience = 1;
    comm_barrier(&comm);
    if (comm.rank == comm.size - 1) {
        raise(SIGSTOP);
    }
    comm_barrier(&comm);
    comm_finish();
    return 0;
}
