/* One pair of games between two players of a pool. */
#include "selfplay/match/match_pair.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/rules/fen.h"
#include "engine/rules/notation.h"
#include "selfplay/farm/farm.h"
#include "selfplay/game/hash.h"
#include "selfplay/game/play.h"

int match_pairings(const struct match_pool *pool)
{
    return pool->players * (pool->players - 1) / 2;
}

void match_pairing(const struct match_pool *pool, int pairing, int *first, int *second)
{
    assert(pairing >= 0 && pairing < match_pairings(pool));
    *first = 0;
    while (pairing >= pool->players - 1 - *first) {
        pairing -= pool->players - 1 - *first;
        ++*first;
    }
    *second = *first + 1 + pairing;
}

static bool is_deterministic(const struct match_player *player)
{
    switch (player->kind) {
    case MATCH_LEVEL: /* without limits it moves at random */
        return player->level.noise == 0 && (player->level.nodes > 0 || player->level.depth > 0);
    case MATCH_SEARCH:
        return !(player->limits.seconds > 0) && player->threads <= 1;
    case MATCH_ENGINE:
        break;
    }
    return !(player->engine.limits.seconds > 0);
}

bool match_repeats(const struct match_pool *pool, int pairing)
{
    int first, second;

    match_pairing(pool, pairing, &first, &second);
    return is_deterministic(&pool->player[first]) && is_deterministic(&pool->player[second]);
}

int64_t match_pairs(const struct match_pool *pool, int pairing)
{
    bool capped = pool->file && pool->file->count < pool->pairs && match_repeats(pool, pairing);

    return capped ? pool->file->count : pool->pairs;
}

static void opening_text(const struct variant *variant, const struct game *game,
                         char out[CATALOGUE_OPENING])
{
    struct position start = position_start(variant->rules);
    size_t length = 0;

    out[0] = '\0';
    if (!position_equal(&game->positions[0], &start)) {
        fen_write(variant->rules, &game->positions[0], out);
        length = strlen(out);
    }
    for (int ply = 0; ply < game->plies; ply++) {
        char move[MOVE_TEXT];
        move_write(variant->rules, &game->moves[ply], move);
        if (length + strlen(move) + 2 > CATALOGUE_OPENING) {
            return;
        }
        length += (size_t)sprintf(out + length, "%s%s", length ? " " : "", move);
    }
}

/* Half points of the player who has `colour`. */
static int half_points(enum outcome outcome, enum colour colour)
{
    if (outcome == OUTCOME_DRAW) {
        return 1;
    }
    return (outcome == OUTCOME_WHITE_WINS) == (colour == WHITE) ? 2 : 0;
}

/* --- the crew ----------------------------------------------------------------------------------*/

static bool make_player(struct match_crew *crew, const struct match_pool *pool, int index,
                        struct err *err)
{
    const struct match_player *player = &pool->player[index];

    if (player->kind == MATCH_ENGINE) {
        crew->engine[index] = hub_client_create(pool->variant, &player->engine, err);
        return crew->engine[index] || err_prefix(err, "%s", player->name);
    }
    int bits = player->kind == MATCH_LEVEL ? LEVEL_TABLE_BITS : player->table_bits;
    crew->search[index] = search_create(pool->variant, player->weights, bits, err);
    return crew->search[index] != NULL &&
           (player->threads <= 1 || search_use_threads(crew->search[index], player->threads, err));
}

bool match_crew_init(struct match_crew *crew, const struct match_pool *pool, struct err *err)
{
    *crew = (struct match_crew){0};
    for (int i = 0; i < pool->players; i++) {
        if (!make_player(crew, pool, i, err)) {
            return false;
        }
    }
    if (!pool->file && pool->opening.bound > 0) {
        struct weights builtin;
        weights_builtin(pool->variant->rules, &builtin);
        crew->judge = search_create(pool->variant, &builtin, LEVEL_TABLE_BITS, err);
        return crew->judge != NULL;
    }
    return true;
}

void match_crew_fini(struct match_crew *crew)
{
    for (int i = 0; i < MATCH_PLAYERS_MAX; i++) {
        search_destroy(crew->search[i]);
        hub_client_destroy(crew->engine[i]);
    }
    search_destroy(crew->judge);
    *crew = (struct match_crew){0};
}

bool match_crew_start(struct match_crew *crew, const struct match_pool *pool, struct err *err)
{
    for (int i = 0; i < pool->players; i++) {
        if (crew->engine[i] && hub_client_new_game(crew->engine[i], NULL) != FAULT_NONE) {
            return err_set(err, ERR_USAGE, "%s, command '%s': %s", pool->player[i].name,
                           pool->player[i].engine.command, hub_client_detail(crew->engine[i]));
        }
    }
    return true;
}

/* --- a pair ------------------------------------------------------------------------------------*/

/* A pair on its way. */
struct pair_task {
    const struct match_pool *pool;
    int player[2];
    int64_t number;
    uint64_t stream; /* of the opening */
    uint64_t seed;   /* of the games */
    struct match_crew *crew;
    struct farm_seat *seat;
    struct match_result *result;
};

static struct player seat_player(const struct pair_task *task, int side)
{
    int index = task->player[side];
    const struct match_player *player = &task->pool->player[index];

    return (struct player){.engine = task->crew->engine[index],
                           .search = task->crew->search[index],
                           .level = player->kind == MATCH_LEVEL ? &player->level : NULL,
                           .limits = player->limits};
}

/* Notes how game `index` ended; the first player had `colour`. */
static void note_game(const struct pair_task *task, int index, enum colour colour,
                      const struct record *record)
{
    struct catalogue_pair *pair = &task->result->pair;

    pair->score[index] = half_points(record->outcome, colour);
    pair->reason[index] = record->reason;
    pair->fault[index] = record->fault;
    pair->adjudication[index] = record->adjudication;
    pair->plies[index] = record->plies;
    if (record->fault != FAULT_NONE) {
        int loser = task->player[pair->score[index] == 0 ? 0 : 1];
        snprintf(task->result->detail[index], HUB_CLIENT_DETAIL, "%s",
                 hub_client_detail(task->crew->engine[loser]));
    }
}

/* Keeps game `index` as bytes. */
static bool keep_game(const struct pair_task *task, int index, struct record *record,
                      struct err *err)
{
    struct match_result *result = task->result;

    record->timed = true;
    result->size[index] = record_size(record);
    result->record[index] = malloc(result->size[index]);
    if (!result->record[index]) {
        return err_set(err, ERR_FAILED, "out of memory for a game of %d plies", record->plies);
    }
    record_encode(record, task->pool->variant->rules, result->record[index]);
    return true;
}

/* Game `index` of the pair, on from its opening; the first player has `colour`. *finished is left
 * false when the game was given up. */
static bool play_on(const struct pair_task *task, int index, enum colour colour, struct game *game,
                    bool *finished, struct err *err)
{
    const struct play_watch watch = farm_watch(task->seat);
    const struct play_terms terms = {.seed = hash_mix(task->seed, (uint64_t)index),
                                     .number = 2 * task->number + index,
                                     .rules = &task->pool->ends};
    struct player players[2] = {0};
    struct record record;

    players[colour] = seat_player(task, 0);
    players[colour_other(colour)] = seat_player(task, 1);
    if (!play_game(players, &terms, &watch, game, &record, NULL, err)) {
        return false;
    }
    *finished = record.outcome != OUTCOME_OPEN;
    if (!*finished) {
        return true;
    }
    note_game(task, index, colour, &record);
    bool ok = keep_game(task, index, &record, err);
    record_fini(&record);
    return ok;
}

/* Begins *game with the pair's opening; the caller ends it. */
static bool play_opening(const struct pair_task *task, struct game *game, struct err *err)
{
    const struct match_pool *pool = task->pool;
    struct position start = position_start(pool->variant->rules);

    if (pool->file) {
        return opening_file_play(pool->file, task->result->pair.pair, game, err);
    }
    if (!game_init(game, pool->variant, &start)) {
        return err_set(err, ERR_FAILED, "out of memory for a game");
    }
    bool ok = opening_play(&pool->opening, pool->seed, task->stream, task->crew->judge, game, err);
    if (!ok) {
        game_fini(game);
    }
    return ok;
}

static bool play_half(const struct pair_task *task, int index, bool *finished, struct err *err)
{
    struct game game;

    if (!play_opening(task, &game, err)) {
        return false;
    }
    enum colour mover = (enum colour)game_now(&game)->turn;
    opening_text(task->pool->variant, &game, task->result->pair.opening);
    bool ok = play_on(task, index, index == 0 ? mover : colour_other(mover), &game, finished, err);
    game_fini(&game);
    return ok;
}

int match_side(const struct record *record, int game, enum colour colour)
{
    int mover = (record->start.turn + record->opening_plies) % 2;

    return ((int)colour == mover) == (game == 0) ? 0 : 1;
}

void match_result_fini(struct match_result *result)
{
    for (int index = 0; index < 2; index++) {
        free(result->record[index]);
        result->record[index] = NULL;
    }
}

static uint64_t hash_players(const struct pair_task *task)
{
    uint64_t hash = HASH_START;

    for (int side = 0; side < 2; side++) {
        const char *name = task->pool->player[task->player[side]].name;
        hash = hash_bytes(hash, name, strlen(name) + 1);
    }
    return hash;
}

bool match_play_pair(const struct match_pool *pool, int pairing, int64_t number,
                     struct match_crew *crew, struct farm_seat *seat, struct match_result *result,
                     bool *finished, struct err *err)
{
    struct pair_task task = {
        .pool = pool, .number = number, .crew = crew, .seat = seat, .result = result};

    match_pairing(pool, pairing, &task.player[0], &task.player[1]);
    task.stream = opening_stream(pool->variant, pool->use, pool->generation, number);
    task.seed = hash_mix(hash_mix(pool->seed, task.stream), hash_players(&task));
    memset(result, 0, sizeof *result);
    result->pair.pair = number;
    *finished = true;
    for (int index = 0; index < 2 && *finished; index++) {
        if (!play_half(&task, index, finished, err)) {
            return false;
        }
    }
    return true;
}
