/* Stage gate: the weights just tuned against those that the generation was played with. Unless a
 * sequential test finds them weaker they take their place. */
#include <stdio.h>

#include "selfplay/match/match.h"
#include "tuner/match_openings.h"
#include "tuner/pipeline.h"
#include "tuner/pool_play.h"

/* Rank 0: the verdict, with the rating of the new weights over the last ones. */
static bool decide(struct job *job, const struct match_pool *pool, struct err *err)
{
    struct stage_key key = stage_key_of(pool->variant, pool->generation, STAGE_GATE);
    struct match_results results;

    if (!match_results(job->catalogue, pool, 0, &results, err)) {
        return false;
    }
    struct catalogue_rating rating = stage_rating("new", &results.scores);
    bool accepted = results.decision != SPRT_ACCEPT_ELO0;
    if (!accepted) {
        log_line(&job->log, LOG_WARNING,
                 "%s generation %d: the tuned weights are weaker than the last ones (Elo %+.0f +- "
                 "%.0f), which stay",
                 key.rules, key.generation, rating.elo, rating.error);
    }
    return catalogue_set_rating(job->catalogue, &key, &rating, err) &&
           catalogue_set_figure(job->catalogue, &key, "accepted", accepted, err);
}

/* Collective: the pool of the two. */
static bool play(struct job *job, const struct variant *variant, int generation,
                 const struct weights *tuned, const struct weights *last, bool *stopped,
                 struct err *err)
{
    struct opening_file file;
    const struct openings_setting setting = {"match.openings", job->settings.match.openings};
    struct match_player players[2] = {{.name = "new", .weights = tuned},
                                      {.name = "last", .weights = last}};
    const struct sprt test = settings_gate(&job->settings);
    uint64_t stream = opening_stream(variant, OPENING_GATE, generation, 0);
    struct match_pool pool = {
        .variant = variant,
        .generation = generation,
        .stage = stage_name(STAGE_GATE),
        .use = OPENING_GATE,
        .seed = (uint64_t)job->settings.run.seed,
        .opening = match_openings_random(&job->settings),
        .pairs = job->settings.gate.pairs,
        .ends = settings_ends(&job->settings.match.ends),
        .sprt = &test,
        .players = 2,
        .player = players,
    };

    players[0].level.nodes = players[1].level.nodes = (uint64_t)job->settings.match.nodes;
    if (!match_openings(job, variant, &setting, stream, &file, err)) {
        return false;
    }
    pool.file = file.count > 0 ? &file : NULL;
    match_openings_warn(job, &pool, &setting);
    bool ok =
        pool_play(job, &pool, 1, 0, stopped, err) &&
        comm_agree(&job->comm, job->comm.rank != 0 || *stopped || decide(job, &pool, err), err);
    opening_file_fini(&file);
    return ok;
}

bool stage_gate(struct job *job, const struct variant *variant, int generation, bool *stopped,
                struct err *err)
{
    struct weights tuned = {0}, last = {0};
    bool ok = job_tuned_weights(job, variant, generation, &tuned, err) &&
              job_playing_weights(job, variant, generation, &last, err) &&
              play(job, variant, generation, &tuned, &last, stopped, err);

    weights_fini(&tuned);
    weights_fini(&last);
    return ok;
}
