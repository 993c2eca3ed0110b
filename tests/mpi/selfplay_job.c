/* The self-play stage alone, for tests of many starts: selfplay_job DIRECTORY RULES GAMES NODES
 * [SILENCE [MAN]], the seconds after which a rank is lost (in the farm and outside it), and what is
 * added to the weight of a man. One line on stdout when it ends: what became of it, games found and
 * played, and the hash of all rows. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "selfplay/selfplay.h"

static int run(struct comm *comm, struct stop *stop, char *argv[], struct err *err)
{
    struct selfplay_settings settings = {.seed = 1,
                                         .table_bits = 14,
                                         .opening = {.plies = 8},
                                         .shard_rows = 5000,
                                         .sync_seconds = 30};
    struct log log = log_stderr("selfplay_job");
    const struct variant *variant = variant_by_name(argv[2], err);
    if (variant == NULL) {
        return err->code;
    }
    settings.end = atoll(argv[3]);
    settings.nodes = strtoull(argv[4], NULL, 10);
    settings.silence = argv[5] != NULL ? atof(argv[5]) : 0;
    comm->patience = settings.silence;
    int man = argv[5] != NULL && argv[6] != NULL ? atoi(argv[6]) : 0;
    struct weights weights;
    struct selfplay_result result;
    const struct selfplay_source source = {.variant = variant, .weights = &weights};
    weights_builtin(variant->rules, &weights);
    weights.opening[0] = (int16_t)(weights.opening[0] + man);
    if (!selfplay_stage(comm, stop, &log, argv[1], &settings, &source, NULL, &result, err)) {
        return err->code;
    }
    if (comm->rank == 0) {
        printf("%s found %" PRId64 " played %" PRId64 " games %" PRId64 " positions %" PRId64
               " hash %016" PRIx64 "\n",
               result.stopped ? "stopped" : "finished", result.found, result.played,
               result.data.games, result.data.positions, result.data.hash);
        fprintf(stderr, "%.1f games/s, %.0f nodes/s, %.2f %% of the ranks' time outside search\n",
                (double)result.played / result.seconds, (double)result.nodes / result.seconds,
                100 - 100 * result.search_seconds / (result.seconds * comm->size));
    }
    return 0;
}

int main(int argc, char *argv[])
{
    struct stop stop;
    struct err err = {0};
    stop_prepare(&stop);
    struct comm comm = comm_start(&argc, &argv);
    int status = ERR_USAGE;
    if (argc >= 5 && argc <= 7) {
        status = run(&comm, &stop, argv, &err);
    }
    if (status != 0 && comm.rank == 0) {
        fprintf(stderr, "selfplay_job: error: %s\n", err.text);
    }
    comm_finish();
    return status;
}
