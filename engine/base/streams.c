/* A closed stream's number is taken by /dev/null, opened the wrong way round. */
#include "engine/base/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

bool streams_reserve(struct err *err)
{
    static const int FLAGS[] = {
        [STDIN_FILENO] = O_WRONLY, [STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_RDONLY};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        /* All lower numbers are taken: open gives this one. */
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", FLAGS[fd]) != fd) {
            return err_set(err, ERR_FAILED, "/dev/null: %s", strerror(errno));
        }
    }
    return true;
}

bool output_flush(struct err *err)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) {
        return true;
    }
    return err_set(err, ERR_FAILED, "cannot write to standard output: %s",
                   errno != 0 ? strerror(errno) : "an earlier write failed");
}
