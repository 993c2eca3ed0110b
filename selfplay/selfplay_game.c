/* One game of self-play: what is drawn for it, its opening, and its players. */
#include "selfplay/selfplay_game.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "engine/base/rng.h"
#include "engine/base/version.h"

enum { PERCENT = 100 };

/* The game's own stream of everything that is drawn for it. */
static uint64_t stream_of(const struct selfplay_settings *settings,
                          const struct selfplay_source *source, int64_t number)
{
    return opening_stream(source->variant, OPENING_SELFPLAY, settings->generation, number);
}

struct selfplay_roles selfplay_roles(const struct selfplay_settings *settings,
                                     const struct selfplay_source *source, int64_t number)
{
    enum { WHETHER, WHICH, COLOUR }; /* draws */
    uint64_t stream = stream_of(settings, source, number);
    struct rng control = rng_make(settings->seed, RNG_CONTROL, stream);
    struct rng earlier = rng_make(settings->seed, RNG_EARLIER, stream);
    struct selfplay_roles roles = {.control = adjudication_is_on(&settings->rules) &&
                                              rng_below(&control, 0, PERCENT) <
                                                  (uint32_t)settings->control};

    if (source->earlier_count > 0 &&
        rng_below(&earlier, WHETHER, PERCENT) < (uint32_t)settings->earlier) {
        roles.weights[rng_below(&earlier, COLOUR, 2)] =
            1 + (int)rng_below(&earlier, WHICH, (uint32_t)source->earlier_count);
    }
    return roles;
}

bool selfplay_crew_init(struct selfplay_crew *crew, const struct selfplay_settings *settings,
                        const struct selfplay_source *source, struct err *err)
{
    assert(source->earlier_count >= 0 && source->earlier_count <= SELFPLAY_EARLIER_MAX);
    *crew = (struct selfplay_crew){0};
    for (int i = 0; i <= source->earlier_count; i++) {
        const struct weights *weights = i == 0 ? source->weights : &source->earlier[i - 1];
        crew->search[i] = search_create(source->variant, weights, settings->table_bits, err);
        if (crew->search[i] == NULL) {
            return false;
        }
    }
    return true;
}

void selfplay_crew_fini(struct selfplay_crew *crew)
{
    for (int i = 0; i <= SELFPLAY_EARLIER_MAX; i++) {
        search_destroy(crew->search[i]);
        crew->search[i] = NULL;
    }
}

/* Begins *game with its opening; the caller ends it. */
static bool begin(const struct selfplay_settings *settings, const struct selfplay_source *source,
                  struct selfplay_crew *crew, int64_t number, struct game *game, struct err *err)
{
    struct position start = position_start(source->variant->rules);

    if (source->file != NULL) {
        return opening_file_play(source->file, number, game, err);
    }
    if (!game_init(game, source->variant, &start)) {
        return err_set(err, ERR_FAILED, "out of memory for a game");
    }
    struct opening_settings opening = settings->opening;
    opening.skip = opening_plan_attempt(source->plan, number);
    bool ok = opening_play(&opening, settings->seed, stream_of(settings, source, number),
                           crew->search[0], game, err);
    if (!ok) {
        game_fini(game);
    }
    return ok;
}

bool selfplay_game(const struct selfplay_settings *settings, const struct selfplay_source *source,
                   struct selfplay_crew *crew, int64_t number, const struct play_watch *watch,
                   struct record *record, struct play_cost *cost, struct err *err)
{
    struct game game;
    if (source->again != NULL) {
        const struct search_limits limits = {
            .depth = settings->depth, .nodes = settings->nodes, .analyse = true};
        return rescore_game(source->again, source->variant, crew->search[0], &limits, number, watch,
                            record, cost, err);
    }
    if (!begin(settings, source, crew, number, &game, err)) {
        return false;
    }
    struct selfplay_roles roles = selfplay_roles(settings, source, number);
    struct rng rng = rng_make(settings->seed, RNG_LEVEL, stream_of(settings, source, number));
    const struct play_terms terms = {.seed = rng_draw(&rng, 0),
                                     .number = number,
                                     .rules = roles.control ? NULL : &settings->rules};
    struct player players[2];
    for (int side = WHITE; side <= BLACK; side++) {
        players[side] = (struct player){.search = crew->search[roles.weights[side]],
                                        .limits = {.depth = settings->depth,
                                                   .nodes = settings->nodes,
                                                   .noise = settings->noise},
                                        .sampling = settings->sampling};
    }
    bool ok = play_game(players, &terms, watch, &game, record, cost, err);
    game_fini(&game);
    return ok;
}

void selfplay_name(char out[GAMES_NAME], const struct variant *variant, int generation)
{
    snprintf(out, GAMES_NAME, "%s-g%d", variant->rules->name, generation);
}

/* Where openings come from, one line. */
static int about_openings(const struct selfplay_settings *settings,
                          const struct selfplay_source *source, char *out, size_t size)
{
    const struct opening_settings *random = &settings->opening;

    if (source->file != NULL) {
        return snprintf(out, size, "openings=%" PRId64 " listed, hash %016" PRIx64 "\n",
                        source->file->count, source->file->hash);
    }
    return snprintf(out, size, "openings=random, plies %d, bound %d, nodes %" PRIu64 "\n",
                    random->plies, random->bound, random->nodes);
}

void selfplay_about(const struct selfplay_settings *settings, const struct selfplay_source *source,
                    char out[JOURNAL_ABOUT_MAX])
{
    const struct rules *rules = source->variant->rules;
    const struct adjudication_rules *end = &settings->rules;
    const size_t size = JOURNAL_ABOUT_MAX;
    int length = snprintf(
        out, size,
        "draughtsmith games, format 1\nsoftware=%s\nrules=%s\ngeneration=%d\nseed=%" PRIu64
        "\nweights=%016" PRIx64 "\nnodes=%" PRIu64 "\ndepth=%d\nnoise=%d\ntable_bits=%d\n"
        "sampling=%d plies, half %d\nresign=%d for %d plies\ndraw=%d for %d plies from %d\n"
        "control=%d\nearlier=%d\n",
        version_source(), rules->name, settings->generation, settings->seed,
        weights_id(rules, source->weights), settings->nodes, settings->depth, settings->noise,
        settings->table_bits, settings->sampling.plies, settings->sampling.half, end->resign_score,
        end->resign_plies, end->draw_score, end->draw_plies, end->draw_from, settings->control,
        settings->earlier);
    length += about_openings(settings, source, out + length, size - (size_t)length);
    if (source->again != NULL) {
        length +=
            snprintf(out + length, size - (size_t)length,
                     "again=%" PRId64 " games of generation %d, hash %016" PRIx64 "\n",
                     source->again->games.count, source->again->generation, source->again->hash);
    }
    for (int i = 0; i < source->earlier_count; i++) {
        length +=
            snprintf(out + length, size - (size_t)length, "earlier_weights_%d=%016" PRIx64 "\n",
                     i + 1, weights_id(rules, &source->earlier[i]));
    }
    assert((size_t)length < size);
}
