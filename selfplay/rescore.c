/* Searching the positions of old games again; see rescore.h. */
#include "selfplay/rescore.h"

#include <inttypes.h>
#include <stdlib.h>

#include "selfplay/game/hash.h"

bool rescore_open(struct rescore *rescore, const char *directory, const char *name, int generation,
                  struct err *err)
{
    *rescore = (struct rescore){.generation = generation, .hash = HASH_START};
    if (!games_look(&rescore->games, directory, name, NULL, err)) {
        return false;
    }
    const struct games *games = &rescore->games;
    for (int64_t i = 0; i < games->count; i++) {
        rescore->hash = hash_bytes(rescore->hash, games->entry[i].data, games->entry[i].size);
    }
    return games->count > 0 || err_set(err, ERR_USAGE,
                                       "%s: no games of %s to be searched again (imported "
                                       "positions have none)",
                                       directory, name);
}

void rescore_close(struct rescore *rescore)
{
    games_close(&rescore->games);
}

static int compare_numbers(const void *key, const void *entry)
{
    int64_t number = *(const int64_t *)key, other = ((const struct games_entry *)entry)->number;
    return (number > other) - (number < other);
}

static bool goes_on(void *context)
{
    return play_goes_on(context);
}

/* Searches the positions of a game under way, and notes their scores. False: memory is out.
 * *given_up: the watch said so. */
static bool search_again(struct search *search, const struct search_limits *limits,
                         const struct play_watch *watch, struct game *game, struct record *record,
                         struct play_cost *cost, bool *given_up, struct err *err)
{
    for (int ply = 0; ply < record->plies && !*given_up; ply++) {
        struct record_ply *kept = &record->ply[ply];
        if (ply >= record->opening_plies) {
            struct search_result result = search_run(search, game, limits, NULL, NULL);
            kept->score = (int16_t)result.score;
            cost->nodes += result.nodes;
            cost->search_seconds += result.seconds;
        }
        *given_up = !play_goes_on(watch);
        if (!game_play(game, &kept->move)) {
            return err_set(err, ERR_FAILED, "out of memory for a game");
        }
    }
    return true;
}

bool rescore_game(const struct rescore *rescore, const struct variant *variant,
                  struct search *search, const struct search_limits *limits, int64_t number,
                  const struct play_watch *watch, struct record *record, struct play_cost *cost,
                  struct err *err)
{
    const struct games *games = &rescore->games;
    const struct games_entry *entry =
        bsearch(&number, games->entry, (size_t)games->count, sizeof *games->entry, compare_numbers);
    struct play_watch asked = watch ? *watch : (struct play_watch){0};
    struct game game;
    bool given_up = false;
    *cost = (struct play_cost){0};
    if (entry == NULL) {
        return err_set(err, ERR_FAILED, "game %" PRId64 " of %s, to be searched again, is missing",
                       number, games->name);
    }
    if (!record_decode(entry->data, entry->size, variant, record, err)) {
        return err_prefix(err, "%s", games->name);
    }
    if (!game_init(&game, variant, &record->start)) {
        record_fini(record);
        return err_set(err, ERR_FAILED, "out of memory for a game");
    }
    search_clear(search);
    search_watch(search, goes_on, &asked);
    bool ok = search_again(search, limits, &asked, &game, record, cost, &given_up, err);
    search_watch(search, NULL, NULL);
    game_fini(&game);
    if (!ok || given_up) {
        record_fini(record);
        record->outcome = OUTCOME_OPEN;
    }
    return ok;
}
