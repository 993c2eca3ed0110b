/* Stage calibrate: a round robin of the six levels on the tuned or given weights; ratings;
 * RULES.h5. */
#include <stdio.h>

#include "engine/artefact/artefact.h"
#include "selfplay/match/match.h"
#include "tuner/calibrate.h"
#include "tuner/match_openings.h"
#include "tuner/pipeline.h"
#include "tuner/pool_play.h"

/* Collective: the file whose weights are calibrated. */
static bool weights_path(struct job *job, const struct variant *variant, int generation,
                         char path[FILE_PATH], struct err *err)
{
    const char *given = job->settings.calibrate.weights;
    int accepted = -1;

    if (given[0] != '\0') {
        return settings_path(given, variant, path, err);
    }
    if (!job_accepted_generation(job, variant, generation, &accepted, err)) {
        return false;
    }
    if (accepted < 0) {
        return err_set(err, ERR_FAILED,
                       "%s: the gate has accepted no weights that could have levels; more games or "
                       "another gate.elo0 are needed",
                       variant->rules->name);
    }
    return run_weights_path(path, job->directory, variant, accepted, err);
}

/* Weights (of the file `from`), levels and provenance together, under the name they are served
 * by. */
static bool write_artefact(struct job *job, const struct match_pool *pool, const char *from,
                           const struct level_set *levels, struct err *err)
{
    char to[FILE_PATH];
    struct artefact artefact;

    if (!artefact_path(to, job->directory, pool->variant, err) ||
        !artefact_read(from, pool->variant, &artefact, err)) {
        return false;
    }
    artefact.levels = *levels;
    bool written = artefact_write(to, &artefact, err);
    weights_fini(&artefact.weights);
    return written;
}

static bool rate(struct job *job, const struct match_pool *pool, const char *from,
                 struct level_set *levels, struct err *err)
{
    struct stage_key key = stage_key_of(pool->variant, pool->generation, STAGE_CALIBRATE);
    struct pentanomial scores[CALIBRATE_PAIRINGS];
    double draws;

    for (int pairing = 0; pairing < CALIBRATE_PAIRINGS; pairing++) {
        if (!match_scores(job->catalogue, pool, pairing, &scores[pairing], err)) {
            return false;
        }
    }
    return calibrate_rate(scores, levels, &draws, err) &&
           catalogue_set_figure(job->catalogue, &key, "draw_share", draws, err) &&
           catalogue_set_levels(job->catalogue, &key, levels, err) &&
           (calibrate_rising(levels, err) || err_prefix(err, "%s", key.rules)) &&
           write_artefact(job, pool, from, levels, err);
}

/* Collective: the games, ratings and artefact of a pool that has its openings. */
static bool measure(struct job *job, const struct match_pool *pool, const char *from,
                    struct level_set *levels, bool *stopped, struct err *err)
{
    if (!pool_play(job, pool, 0, 0, stopped, err)) {
        return false;
    }
    bool ok = job->comm.rank != 0 || *stopped || rate(job, pool, from, levels, err);
    return comm_agree(&job->comm, ok, err);
}

bool stage_calibrate(struct job *job, const struct variant *variant, int generation, bool *stopped,
                     struct err *err)
{
    char path[FILE_PATH];
    struct weights weights;
    struct level_set levels;
    struct match_player players[LEVELS_MAX];
    struct opening_file file;
    uint64_t stream = opening_stream(variant, OPENING_CALIBRATION, generation, 0);
    const struct openings_setting setting = {"calibrate.openings",
                                             job->settings.calibrate.openings};
    struct match_pool pool = {
        .variant = variant,
        .generation = generation,
        .stage = stage_name(STAGE_CALIBRATE),
        .use = OPENING_CALIBRATION,
        .seed = (uint64_t)job->settings.run.seed,
        .opening = {.plies = (int)job->settings.calibrate.opening_plies},
        .pairs = job->settings.calibrate.pairs,
        .players = LEVELS_MAX,
        .player = players,
    };

    calibrate_levels(&job->settings, &levels);
    for (int i = 0; i < LEVELS_MAX; i++) {
        players[i] = (struct match_player){
            .name = levels.level[i].name, .level = levels.level[i], .weights = &weights};
    }
    if (!weights_path(job, variant, generation, path, err) ||
        !job_read_weights(job, variant, path, &weights, err)) {
        return false;
    }
    if (!match_openings(job, variant, &setting, stream, &file, err)) {
        weights_fini(&weights);
        return false;
    }
    pool.file = file.count > 0 ? &file : NULL;
    match_openings_warn(job, &pool, &setting);
    bool ok = measure(job, &pool, path, &levels, stopped, err);
    opening_file_fini(&file);
    weights_fini(&weights);
    return ok;
}
