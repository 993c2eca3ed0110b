/* What a generation's games are made from. */
#include "tuner/selfplay_material.h"

#include <inttypes.h>

#include "tuner/match_openings.h"
#include "tuner/rescored.h"

static struct selfplay_settings settings_of(const struct settings *settings, int generation)
{
    bool part = settings_are_of_part(settings);

    return (struct selfplay_settings){
        .seed = (uint64_t)settings->run.seed,
        .generation = generation,
        .first = settings->part.first,
        .end = part ? settings->part.end : settings->selfplay.games,
        .nodes = (uint64_t)settings->selfplay.nodes,
        .noise = (int)settings->selfplay.noise,
        .table_bits = (int)settings->selfplay.table_bits,
        .sampling = {.plies = (int)settings->selfplay.temperature_plies,
                     .half = (int)settings->selfplay.temperature},
        .opening = {.plies = (int)settings->selfplay.opening_plies,
                    .bound = (int)settings->selfplay.opening_bound,
                    .nodes = (uint64_t)settings->selfplay.nodes},
        .rules = settings_ends(&settings->selfplay.ends),
        .control = (int)settings->selfplay.control,
        .repeats = settings->selfplay.repeats,
        .earlier = (int)settings->selfplay.earlier,
        .shard_rows = part ? 0 : settings->selfplay.shard_rows,
        .sync_seconds = settings->selfplay.sync_seconds,
    };
}

int selfplay_earlier_count(const struct settings *settings, int generation)
{
    int span = (int)settings->selfplay.earlier_span;

    if (settings->selfplay.earlier == 0) {
        return 0;
    }
    return generation < span ? generation : span;
}

/* Collective: the k-th set of earlier weights is what the k-th generation before played with. */
static bool load_earlier(struct selfplay_material *material, struct job *job,
                         const struct variant *variant, int generation, struct err *err)
{
    int count = selfplay_earlier_count(&job->settings, generation);

    for (int back = 1; back <= count; back++) {
        if (!job_playing_weights(job, variant, generation - back, &material->earlier[back - 1],
                                 err)) {
            return false;
        }
        material->source.earlier_count = back;
    }
    return true;
}

/* Collective. */
static bool load_openings(struct selfplay_material *material, struct job *job,
                          const struct variant *variant, int generation, struct err *err)
{
    const struct settings *settings = &job->settings;
    const struct openings_setting setting = {"selfplay.openings", settings->selfplay.openings};
    uint64_t stream = opening_stream(variant, OPENING_SELFPLAY, generation, 0);
    const struct opening_file *file = &material->file;

    if (!match_openings(job, variant, &setting, stream, &material->file, err)) {
        return false;
    }
    material->source.file = file->count > 0 ? file : NULL;
    return file->count == 0 || file->count >= settings->selfplay.games ||
           settings->selfplay.repeats ||
           err_set(err, ERR_USAGE,
                   "selfplay.openings: %" PRId64 " openings of %s for %" PRId64
                   " games; selfplay.repeats = yes begins with them again",
                   file->count, variant->rules->name, settings->selfplay.games);
}

/* Collective: games that are searched again, and by what limits; nothing is drawn for them. */
static bool load_again(struct selfplay_material *material, const struct job *job,
                       const struct variant *variant, int generation, int origin, struct err *err)
{
    struct selfplay_settings *settings = &material->settings;
    char name[GAMES_NAME];

    selfplay_name(name, variant, generation - 1);
    material->source.again = &material->again;
    settings->nodes = (uint64_t)job->settings.rescore.nodes;
    settings->depth = (int)job->settings.rescore.depth;
    settings->noise = settings->control = settings->earlier = 0;
    settings->sampling = (struct sampling){0};
    settings->rules = (struct adjudication_rules){0};
    return comm_agree(&job->comm, rescore_open(&material->again, job->directory, name, origin, err),
                      err);
}

bool selfplay_material_init(struct selfplay_material *material, struct job *job,
                            const struct variant *variant, int generation, struct err *err)
{
    *material = (struct selfplay_material){
        .settings = settings_of(&job->settings, generation),
        .source = {.variant = variant, .weights = &material->weights, .earlier = material->earlier},
    };
    int origin = generation;
    if (!load_openings(material, job, variant, generation, err) ||
        !job_playing_weights(job, variant, generation, &material->weights, err) ||
        !rescored_origin(job, variant, generation, &origin, err)) {
        return false;
    }
    return origin == generation ? load_earlier(material, job, variant, generation, err)
                                : load_again(material, job, variant, generation, origin, err);
}

void selfplay_material_fini(struct selfplay_material *material)
{
    opening_file_fini(&material->file);
    rescore_close(&material->again);
    weights_fini(&material->weights);
    for (int i = 0; i < SELFPLAY_EARLIER_MAX; i++) {
        weights_fini(&material->earlier[i]);
    }
}
