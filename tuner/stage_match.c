/* Stage match: the tuned weights, or those that stay because the gate has rejected them, against
 * the built-in ones, from paired openings. */
#include <stdio.h>

#include "selfplay/match/match.h"
#include "selfplay/strength/score_model.h"
#include "tuner/match_openings.h"
#include "tuner/pipeline.h"
#include "tuner/pool_play.h"

/* Rank 0: the result as a rating over the built-in weights at 0. */
static bool rate(struct job *job, const struct match_pool *pool, struct err *err)
{
    struct stage_key key = stage_key_of(pool->variant, pool->generation, STAGE_MATCH);
    struct pentanomial scores;

    if (!match_scores(job->catalogue, pool, 0, &scores, err)) {
        return false;
    }
    struct catalogue_rating rating = stage_rating("tuned", &scores);
    if (!catalogue_set_rating(job->catalogue, &key, &rating, err)) {
        return false;
    }
    if (rating.elo + rating.error < 0) {
        return err_set(err, ERR_FAILED,
                       "%s: the tuned weights are weaker than the built-in ones (Elo %+.0f +- %.0f "
                       "from %lld pairs); the data or the fit is wrong",
                       key.rules, rating.elo, rating.error, (long long)rating.games / 2);
    }
    if (rating.elo - rating.error < 0) {
        log_line(&job->log, LOG_WARNING,
                 "%s: the tuned weights are not yet proven stronger than the built-in ones",
                 key.rules);
    }
    return true;
}

bool stage_match(struct job *job, const struct variant *variant, int generation, bool *stopped,
                 struct err *err)
{
    struct weights tuned, builtin;
    struct opening_file file;
    uint64_t stream = opening_stream(variant, OPENING_MATCH, generation, 0);
    const struct openings_setting setting = {"match.openings", job->settings.match.openings};
    struct match_player players[2] = {
        {.name = "tuned", .weights = &tuned},
        {.name = "built-in", .weights = &builtin},
    };
    struct match_pool pool = {
        .variant = variant,
        .generation = generation,
        .stage = stage_name(STAGE_MATCH),
        .use = OPENING_MATCH,
        .seed = (uint64_t)job->settings.run.seed,
        .opening = match_openings_random(&job->settings),
        .pairs = job->settings.match.pairs,
        .ends = settings_ends(&job->settings.match.ends),
        .players = 2,
        .player = players,
    };

    players[0].level.nodes = players[1].level.nodes = (uint64_t)job->settings.match.nodes;
    weights_builtin(variant->rules, &builtin);
    if (!job_accepted_weights(job, variant, generation, &tuned, err)) {
        return false;
    }
    if (!match_openings(job, variant, &setting, stream, &file, err)) {
        weights_fini(&tuned);
        return false;
    }
    pool.file = file.count > 0 ? &file : NULL;
    match_openings_warn(job, &pool, &setting);
    bool ok = pool_play(job, &pool, 1, 0, stopped, err) &&
              comm_agree(&job->comm, job->comm.rank != 0 || *stopped || rate(job, &pool, err), err);
    opening_file_fini(&file);
    weights_fini(&tuned);
    return ok;
}
