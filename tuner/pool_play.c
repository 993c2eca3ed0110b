/* From a pool to its stored games. */
#include "tuner/pool_play.h"

#include "selfplay/match/match.h"
#include "tuner/report/standings.h"

bool pool_play(struct job *job, const struct match_pool *pool, int anchor, double anchor_elo,
               bool *stopped, struct err *err)
{
    const struct match_watch watch = {job_progress, job};
    bool noted =
        job->comm.rank != 0 || standings_note(job->catalogue, pool, anchor, anchor_elo, err);

    return comm_agree(&job->comm, noted, err) &&
           match_play(&job->comm, job->stop, &job->log, job->catalogue, pool, &watch, stopped, err);
}
