/* Games as PDN: those of finished self-play, and those of matches. */
#include <stdlib.h>

#include "engine/pdn/pdn_write.h"
#include "selfplay/game/record.h"
#include "selfplay/match/match_pair.h"
#include "selfplay/selfplay.h"
#include "selfplay/store/journal.h"
#include "tuner/export_format.h"
#include "tuner/pipeline.h"

/* What the record says of each move, as the writer takes it. The caller frees it. */
static struct pdn_note *notes_of(const struct record *record, struct err *err)
{
    struct pdn_note *notes = malloc(((size_t)record->plies + 1) * sizeof *notes);

    if (!notes) {
        err_set(err, ERR_FAILED, "out of memory for a game of %d plies", record->plies);
        return NULL;
    }
    for (int ply = 0; ply < record->plies; ply++) {
        const struct record_ply *kept = &record->ply[ply];
        notes[ply] =
            (struct pdn_note){.score = kept->score,
                              .depth = record->timed ? kept->depth : 0,
                              .microseconds = record->timed ? (int64_t)kept->microseconds : -1};
    }
    return notes;
}

/* What a game's tags say. */
struct labels {
    char event[64], round[48];
    const char *player[2]; /* by enum colour */
};

static bool put_game(struct exporter *to, const struct variant *variant,
                     const struct labels *labels, const struct record *record, struct err *err)
{
    const struct pdn_tag tags[] = {
        {"Event", labels->event},
        {"Round", labels->round},
        {"White", labels->player[WHITE]},
        {"Black", labels->player[BLACK]},
        {"Termination", record_end_name(record)},
    };
    struct game game;

    struct pdn_note *notes = notes_of(record, err);
    bool ok = notes && record_replay(record, variant, &game, err);
    if (ok) {
        pdn_write(to->out, tags, sizeof tags / sizeof tags[0], &game, record->outcome, notes);
        game_fini(&game);
        to->count++;
    }
    free(notes);
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

static bool put_stage_game(struct exporter *to, const struct variant *variant, int generation,
                           const struct record *record, struct err *err)
{
    struct labels labels;
    char player[32];

    snprintf(labels.event, sizeof labels.event, "self-play of generation %d", generation);
    snprintf(labels.round, sizeof labels.round, "%lld", (long long)record->number);
    snprintf(player, sizeof player, "generation %d", generation);
    labels.player[WHITE] = labels.player[BLACK] = player;
    return put_game(to, variant, &labels, record, err);
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
            ok = put_stage_game(to, variant, generation, &record, err);
            record_fini(&record);
        }
    }
    journal_unmap(&map);
    return ok && all_there(to, variant, generation, to->count - before, path, err);
}

/* A match on its way out. */
struct match_export {
    struct exporter *to;
    const struct variant *variant;
    const struct catalogue_match_row *match;
};

static bool put_match_game(void *context, const struct catalogue_game *game, struct err *err)
{
    const struct match_export *out = context;
    const struct catalogue_match_row *match = out->match;
    const char *names[2] = {match->first, match->second};
    struct labels labels;
    struct record record;

    if (!record_decode(game->data, game->size, out->variant, &record, err)) {
        return err_prefix(err, "%s: match %lld, pair %lld, game %d", out->to->directory,
                          (long long)match->id, (long long)game->pair, game->game);
    }
    snprintf(labels.event, sizeof labels.event, "%.32s, generation %d", match->stage,
             match->generation);
    snprintf(labels.round, sizeof labels.round, "%lld.%d", (long long)game->pair + 1,
             game->game + 1);
    int white = match_side(&record, game->game, WHITE);
    labels.player[WHITE] = names[white];
    labels.player[BLACK] = names[1 - white];
    bool ok = put_game(out->to, out->variant, &labels, &record, err);
    record_fini(&record);
    return ok;
}

bool export_matches_pdn(struct exporter *to, const struct variant *variant, struct err *err)
{
    const struct stage_key all = {.rules = variant->rules->name};
    struct catalogue_match_row *rows;
    long long before = to->count;
    size_t count;

    if (!catalogue_matches(to->catalogue, &all, &rows, &count, err)) {
        return false;
    }
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        struct match_export out = {.to = to, .variant = variant, .match = &rows[i]};
        ok = catalogue_each_game(to->catalogue, rows[i].id, put_match_game, &out, err);
    }
    free(rows);
    to->sources += to->count > before;
    return ok;
}
