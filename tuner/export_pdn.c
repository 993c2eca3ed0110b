/* Games as PDN, from the records of a finished stage. */
#include <stdlib.h>

#include "engine/pdn_write.h"
#include "selfplay/journal.h"
#include "selfplay/record.h"
#include "selfplay/selfplay.h"
#include "tuner/export_format.h"
#include "tuner/pipeline.h"

/* The scores that the game was played by, as the writer takes them. The caller frees them. */
static int16_t *scores_of(const struct record *record, struct err *err)
{
    int16_t *scores = malloc((size_t)record->plies * sizeof *scores + 1);

    if (!scores) {
        err_set(err, ERR_FAILED, "out of memory for a game of %d plies", record->plies);
        return NULL;
    }
    for (int ply = 0; ply < record->plies; ply++) {
        scores[ply] = record->ply[ply].score;
    }
    return scores;
}

static bool put_game(struct exporter *to, const struct variant *variant, int generation,
                     const struct record *record, struct err *err)
{
    char event[48], round[24], player[32];
    const struct pdn_tag tags[] = {
        {"Event", event}, {"Round", round}, {"White", player}, {"Black", player}};
    struct game game;

    snprintf(event, sizeof event, "self-play of generation %d", generation);
    snprintf(round, sizeof round, "%lld", (long long)record->number);
    snprintf(player, sizeof player, "generation %d", generation);
    int16_t *scores = scores_of(record, err);
    bool ok = scores && record_replay(record, variant, &game, err);
    if (ok) {
        pdn_write(to->out, tags, sizeof tags / sizeof tags[0], &game, record->outcome, scores);
        game_fini(&game);
        to->count++;
    }
    free(scores);
    return ok;
}

/* Reading ends where a file is damaged: whether all games came before that. */
static bool all_there(const struct exporter *to, const struct variant *variant, int generation,
                      long long games, const char *path, struct err *err)
{
    struct stage_key key = {variant->rules->name, generation, stage_name(STAGE_SELFPLAY)};
    double played = 0;
    bool found;

    if (!catalogue_figure(to->catalogue, &key, "games", &played, &found, err)) {
        return false;
    }
    return !found || (double)games == played ||
           err_set(err, ERR_USAGE, "%s: damaged: only %lld of %.0f games can be read", path, games,
                   played);
}

bool export_stage_pdn(struct exporter *to, const struct variant *variant, int generation,
                      struct err *err)
{
    char name[GAMES_NAME], path[FILE_PATH];
    struct journal_map map;
    const uint8_t *data;
    size_t size;
    long long before = to->count;
    bool ok = true;

    selfplay_name(name, variant, generation);
    if (!games_records_path(path, to->directory, name, err) ||
        !journal_map(&map, path, NULL, err)) {
        return false;
    }
    while (ok && (data = journal_next(&map, &size)) != NULL) {
        struct record record;
        ok = record_decode(data, size, variant, &record, err) || err_prefix(err, "%s", path);
        if (ok) {
            ok = put_game(to, variant, generation, &record, err);
            record_fini(&record);
        }
    }
    journal_unmap(&map);
    return ok && all_there(to, variant, generation, to->count - before, path, err);
}
