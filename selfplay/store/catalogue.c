/* Rows in and out: one statement a function, the columns in the order of the tables in
 * catalogue_file.c. */
#include "selfplay/store/catalogue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/clock.h"
#include "selfplay/game/hash.h"
#include "selfplay/store/catalogue_file.h"

static void take_integer(const struct cursor *cursor, void *value)
{
    *(int64_t *)value = cursor_integer(cursor, 0);
}

static void take_real(const struct cursor *cursor, void *value)
{
    *(double *)value = cursor_real(cursor, 0);
}

bool catalogue_add_start(struct catalogue *catalogue, const char *software, const char *host,
                         const char *configuration, int ranks, struct err *err)
{
    char now[CLOCK_STAMP];

    clock_stamp(now);
    return database_execute(catalogue->database, err,
                            "INSERT INTO starts (moment, software, host, configuration, ranks)"
                            " VALUES (?, ?, ?, ?, ?)",
                            "tttti", now, software, host, configuration, ranks);
}

bool catalogue_stage_begin(struct catalogue *catalogue, const struct stage_key *key,
                           struct err *err)
{
    char now[CLOCK_STAMP];

    clock_stamp(now);
    return database_execute(
        catalogue->database, err,
        "INSERT INTO stages (rules, generation, stage, started) VALUES (?, ?, ?, ?)"
        " ON CONFLICT DO NOTHING",
        "titt", key->rules, key->generation, key->stage, now);
}

bool catalogue_stage_finish(struct catalogue *catalogue, const struct stage_key *key,
                            struct err *err)
{
    char now[CLOCK_STAMP];

    clock_stamp(now);
    return database_execute(catalogue->database, err,
                            "UPDATE stages SET finished = coalesce(finished, ?)"
                            " WHERE rules = ? AND generation = ? AND stage = ?",
                            "ttit", now, key->rules, key->generation, key->stage);
}

bool catalogue_stage_state(struct catalogue *catalogue, const struct stage_key *key,
                           enum stage_state *state, struct err *err)
{
    int64_t finished = 0;
    bool found;
    struct cursor *cursor = database_query(catalogue->database, err,
                                           "SELECT finished IS NOT NULL FROM stages"
                                           " WHERE rules = ? AND generation = ? AND stage = ?",
                                           "tit", key->rules, key->generation, key->stage);
    if (!cursor_only_row(cursor, take_integer, &finished, &found, err)) {
        return false;
    }
    *state = !found ? STAGE_MISSING : finished ? STAGE_FINISHED : STAGE_BEGUN;
    return true;
}

bool catalogue_set_figure(struct catalogue *catalogue, const struct stage_key *key,
                          const char *name, double value, struct err *err)
{
    return database_execute(
        catalogue->database, err,
        "INSERT INTO figures (rules, generation, stage, name, value)"
        " VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
        "tittr", key->rules, key->generation, key->stage, name, value);
}

bool catalogue_figure(struct catalogue *catalogue, const struct stage_key *key, const char *name,
                      double *value, bool *found, struct err *err)
{
    struct cursor *cursor =
        database_query(catalogue->database, err,
                       "SELECT value FROM figures WHERE rules = ? AND generation = ? AND stage = ?"
                       " AND name = ?",
                       "titt", key->rules, key->generation, key->stage, name);
    return cursor_only_row(cursor, take_real, value, found, err);
}

bool catalogue_add_shard(struct catalogue *catalogue, const char *rules, int generation,
                         const struct catalogue_shard *shard, struct err *err)
{
    char hash[HASH_TEXT];

    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)shard->hash);
    return database_execute(catalogue->database, err,
                            "INSERT OR REPLACE INTO shards"
                            " (rules, generation, name, first_game, games, rows, hash)"
                            " VALUES (?, ?, ?, ?, ?, ?, ?)",
                            "titlllt", rules, generation, shard->name, shard->first_game,
                            shard->games, shard->rows, hash);
}

static void take_shard(const struct cursor *cursor, void *element)
{
    struct catalogue_shard *shard = element;
    char hash[HASH_TEXT];

    cursor_text(cursor, 0, shard->name, sizeof shard->name);
    shard->first_game = cursor_integer(cursor, 1);
    shard->games = cursor_integer(cursor, 2);
    shard->rows = cursor_integer(cursor, 3);
    cursor_text(cursor, 4, hash, sizeof hash);
    shard->hash = strtoull(hash, NULL, 16);
}

bool catalogue_shards(struct catalogue *catalogue, const char *rules, int generation,
                      struct catalogue_shard **shards, size_t *count, struct err *err)
{
    struct cursor *cursor =
        database_query(catalogue->database, err,
                       "SELECT name, first_game, games, rows, hash FROM shards"
                       " WHERE rules = ? AND generation = ? ORDER BY first_game",
                       "ti", rules, generation);
    return cursor_collect(cursor, sizeof **shards, take_shard, (void **)shards, count, err);
}

bool catalogue_match(struct catalogue *catalogue, const struct catalogue_match *match, int64_t *id,
                     struct err *err)
{
    if (!database_execute(catalogue->database, err,
                          "INSERT INTO matches (rules, generation, stage, first, second, settings)"
                          " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                          "titttt", match->rules, match->generation, match->stage, match->first,
                          match->second, match->settings)) {
        return false;
    }
    return catalogue_find_match(catalogue, match, id, err);
}

bool catalogue_find_match(struct catalogue *catalogue, const struct catalogue_match *match,
                          int64_t *id, struct err *err)
{
    struct cursor *cursor =
        database_query(catalogue->database, err,
                       "SELECT match FROM matches WHERE rules = ? AND generation = ? AND stage = ?"
                       " AND first = ? AND second = ? AND settings = ?",
                       "titttt", match->rules, match->generation, match->stage, match->first,
                       match->second, match->settings);
    bool found;

    *id = 0;
    return cursor_only_row(cursor, take_integer, id, &found, err);
}

static void take_match(const struct cursor *cursor, void *element)
{
    struct catalogue_match_row *row = element;

    row->id = cursor_integer(cursor, 0);
    cursor_text(cursor, 1, row->first, sizeof row->first);
    cursor_text(cursor, 2, row->second, sizeof row->second);
    row->generation = (int)cursor_integer(cursor, 3);
    cursor_text(cursor, 4, row->stage, sizeof row->stage);
}

bool catalogue_matches(struct catalogue *catalogue, const struct stage_key *key,
                       struct catalogue_match_row **rows, size_t *count, struct err *err)
{
    struct cursor *cursor =
        database_query(catalogue->database, err,
                       "SELECT match, first, second, generation, stage FROM matches"
                       " WHERE rules = ?1 AND (?3 = '' OR (generation = ?2 AND stage = ?3))"
                       " ORDER BY match",
                       "tit", key->rules, key->generation, key->stage ? key->stage : "");
    return cursor_collect(cursor, sizeof **rows, take_match, (void **)rows, count, err);
}

/* How a game ended, in words: by the rules, a fault or an adjudication. */
static const char *end_text(const struct catalogue_pair *pair, int game)
{
    if (pair->fault[game] != FAULT_NONE) {
        return fault_name(pair->fault[game]);
    }
    return pair->adjudication[game] != ADJUDICATION_NONE
               ? adjudication_name(pair->adjudication[game])
               : end_reason_name(pair->reason[game]);
}

bool catalogue_add_pair(struct catalogue *catalogue, int64_t match,
                        const struct catalogue_pair *pair, struct err *err)
{
    return database_execute(catalogue->database, err,
                            "INSERT INTO pairs (match, pair, opening, score_0, reason_0, plies_0,"
                            " score_1, reason_1, plies_1) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
                            " ON CONFLICT DO NOTHING",
                            "lltitiiti", match, pair->pair, pair->opening, pair->score[0],
                            end_text(pair, 0), pair->plies[0], pair->score[1], end_text(pair, 1),
                            pair->plies[1]);
}

static enum end_reason reason_named(const char *name)
{
    for (int reason = END_NONE; reason <= END_QUIET; reason++) {
        if (strcmp(name, end_reason_name((enum end_reason)reason)) == 0) {
            return (enum end_reason)reason;
        }
    }
    return END_NONE;
}

static void take_pair(const struct cursor *cursor, void *element)
{
    struct catalogue_pair *pair = element;
    char reason[CATALOGUE_NAME];

    pair->pair = cursor_integer(cursor, 0);
    cursor_text(cursor, 1, pair->opening, sizeof pair->opening);
    for (int game = 0; game < 2; game++) {
        cursor_text(cursor, 3 + 3 * game, reason, sizeof reason);
        pair->score[game] = (int)cursor_integer(cursor, 2 + 3 * game);
        pair->reason[game] = reason_named(reason);
        pair->fault[game] = fault_named(reason);
        pair->adjudication[game] = adjudication_named(reason);
        pair->plies[game] = (int)cursor_integer(cursor, 4 + 3 * game);
    }
}

bool catalogue_pairs(struct catalogue *catalogue, int64_t match, struct catalogue_pair **pairs,
                     size_t *count, struct err *err)
{
    struct cursor *cursor =
        database_query(catalogue->database, err,
                       "SELECT pair, opening, score_0, reason_0, plies_0, score_1,"
                       " reason_1, plies_1 FROM pairs WHERE match = ? ORDER BY pair",
                       "l", match);
    return cursor_collect(cursor, sizeof **pairs, take_pair, (void **)pairs, count, err);
}

bool catalogue_set_curve(struct catalogue *catalogue, const char *rules, int generation,
                         const struct catalogue_pass *passes, size_t count, struct err *err)
{
    bool ok = database_execute(catalogue->database, err,
                               "DELETE FROM passes WHERE rules = ? AND generation = ?", "ti", rules,
                               generation);

    for (size_t i = 0; ok && i < count; i++) {
        ok = database_execute(catalogue->database, err,
                              "INSERT INTO passes (rules, generation, pass, training, heldout)"
                              " VALUES (?, ?, ?, ?, ?)",
                              "tiirr", rules, generation, passes[i].pass, passes[i].training,
                              passes[i].heldout);
    }
    return ok;
}

static void take_pass(const struct cursor *cursor, void *element)
{
    struct catalogue_pass *pass = element;

    pass->pass = (int)cursor_integer(cursor, 0);
    pass->training = cursor_real(cursor, 1);
    pass->heldout = cursor_real(cursor, 2);
}

bool catalogue_curve(struct catalogue *catalogue, const char *rules, int generation,
                     struct catalogue_pass **passes, size_t *count, struct err *err)
{
    struct cursor *cursor = database_query(catalogue->database, err,
                                           "SELECT pass, training, heldout FROM passes"
                                           " WHERE rules = ? AND generation = ? ORDER BY pass",
                                           "ti", rules, generation);
    return cursor_collect(cursor, sizeof **passes, take_pass, (void **)passes, count, err);
}

bool catalogue_set_rating(struct catalogue *catalogue, const struct stage_key *key,
                          const struct catalogue_rating *rating, struct err *err)
{
    return database_execute(catalogue->database, err,
                            "INSERT OR REPLACE INTO ratings"
                            " (rules, generation, stage, player, model, elo, error, games)"
                            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                            "titttrrl", key->rules, key->generation, key->stage, rating->player,
                            rating->model, rating->elo, rating->error, rating->games);
}

static void take_rating(const struct cursor *cursor, void *element)
{
    struct catalogue_rating *rating = element;

    cursor_text(cursor, 0, rating->player, sizeof rating->player);
    cursor_text(cursor, 1, rating->model, sizeof rating->model);
    rating->elo = cursor_real(cursor, 2);
    rating->error = cursor_real(cursor, 3);
    rating->games = cursor_integer(cursor, 4);
}

bool catalogue_ratings(struct catalogue *catalogue, const struct stage_key *key,
                       struct catalogue_rating **ratings, size_t *count, struct err *err)
{
    struct cursor *cursor =
        database_query(catalogue->database, err,
                       "SELECT player, model, elo, error, games FROM ratings"
                       " WHERE rules = ? AND generation = ? AND stage = ? ORDER BY elo, player",
                       "tit", key->rules, key->generation, key->stage);
    return cursor_collect(cursor, sizeof **ratings, take_rating, (void **)ratings, count, err);
}

static bool set_level(struct catalogue *catalogue, const struct stage_key *key,
                      const struct level *level, const char *model, struct err *err)
{
    struct catalogue_rating rating = {
        .elo = level->elo, .error = level->elo_error, .games = level->games};

    snprintf(rating.player, sizeof rating.player, "%s", level->name);
    snprintf(rating.model, sizeof rating.model, "%s", model);
    return catalogue_set_rating(catalogue, key, &rating, err) &&
           database_execute(catalogue->database, err,
                            "INSERT OR REPLACE INTO levels"
                            " (rules, generation, number, name, nodes, depth, noise)"
                            " VALUES (?, ?, ?, ?, ?, ?, ?)",
                            "tiitlii", key->rules, key->generation, level->number, level->name,
                            (int64_t)level->nodes, level->depth, level->noise);
}

bool catalogue_set_levels(struct catalogue *catalogue, const struct stage_key *key,
                          const struct level_set *levels, struct err *err)
{
    for (int i = 0; i < levels->count; i++) {
        if (!set_level(catalogue, key, &levels->level[i], levels->model, err)) {
            return false;
        }
    }
    return true;
}

static void take_level(const struct cursor *cursor, struct level_set *levels)
{
    struct level *level = &levels->level[levels->count++];

    level->number = (int)cursor_integer(cursor, 0);
    cursor_text(cursor, 1, level->name, sizeof level->name);
    level->nodes = (uint64_t)cursor_integer(cursor, 2);
    level->depth = (int)cursor_integer(cursor, 3);
    level->noise = (int)cursor_integer(cursor, 4);
    level->elo = cursor_real(cursor, 5);
    level->elo_error = cursor_real(cursor, 6);
    level->games = cursor_integer(cursor, 7);
    cursor_text(cursor, 8, levels->model, sizeof levels->model);
}

bool catalogue_levels(struct catalogue *catalogue, const struct stage_key *key,
                      struct level_set *levels, struct err *err)
{
    struct cursor *cursor =
        database_query(catalogue->database, err,
                       "SELECT number, name, nodes, depth, noise, elo, error, games, model"
                       " FROM levels JOIN ratings USING (rules, generation)"
                       " WHERE rules = ? AND generation = ? AND stage = ? AND player = name"
                       " ORDER BY number",
                       "tit", key->rules, key->generation, key->stage);
    bool more = false, ok = cursor != NULL;

    memset(levels, 0, sizeof *levels);
    while (ok && (ok = cursor_next(cursor, &more, err)) && more && levels->count < LEVELS_MAX) {
        take_level(cursor, levels);
    }
    cursor_close(cursor);
    return ok;
}
