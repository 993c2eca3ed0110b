/* The loop of one game: ask the player to move, note what it says and takes, until the rules end
 * it. */
#include "selfplay/game/play.h"

#include <assert.h>
#include <stdlib.h>

#include "engine/base/clock.h"
#include "engine/base/rng.h"

/* What there is to say of the plies so far, grown as needed. */
struct notes {
    struct record_ply *note; /* without the moves */
    int count, capacity;
};

static bool add_note(struct notes *notes, const struct record_ply *note)
{
    if (notes->count == notes->capacity) {
        int capacity = 2 * notes->capacity + 128;
        struct record_ply *grown = realloc(notes->note, (size_t)capacity * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        notes->note = grown;
        notes->capacity = capacity;
    }
    notes->note[notes->count++] = *note;
    return true;
}

/* A game on its way. */
struct playing {
    const struct player *players; /* [2] */
    uint64_t seeds[2];
    struct rng sampling;
    const struct play_watch *watch;
    struct game *game;
    int opening_plies;
    struct notes notes;
    struct play_cost cost;
    struct adjudicator adjudicator;
    enum adjudication adjudication; /* that ended the game, as ... */
    enum outcome outcome;
    bool given_up;
    enum fault fault; /* of the side whose fault ended the game */
    enum colour loser;
};

/* What a player comes up with. */
struct choice {
    struct move move;
    int score, depth;
    uint64_t nodes;
};

/* Asked in the midst of a search: a long one is left when the game is given up. */
static bool go_on(void *context)
{
    struct playing *playing = context;

    playing->given_up = playing->given_up || !play_goes_on(playing->watch);
    return !playing->given_up;
}

/* Whether the move is to be drawn among the good ones. */
static bool is_sampled(const struct playing *playing, const struct player *player)
{
    return playing->game->plies - playing->opening_plies < player->sampling.plies;
}

/* False: memory is out. */
static bool search_move(struct playing *playing, const struct player *player, uint64_t seed,
                        struct search_result *result, struct err *err)
{
    struct search_limits limits = player->limits;
    bool ok = true;

    limits.noise_seed = seed;
    search_watch(player->search, go_on, playing);
    if (player->level != NULL) {
        *result = level_play(player->level, player->search, playing->game, seed);
    } else if (is_sampled(playing, player)) {
        ok = sampling_search(&player->sampling, &playing->sampling, player->search, &limits,
                             playing->game, result, err);
    } else {
        *result = search_run(player->search, playing->game, &limits, NULL, NULL);
    }
    search_watch(player->search, NULL, NULL);
    return ok;
}

/* Asks the side to move. False: memory is out. */
static bool choose(struct playing *playing, struct choice *choice, struct err *err)
{
    enum colour side = (enum colour)game_now(playing->game)->turn;
    const struct player *player = &playing->players[side];

    if (player->engine == NULL) {
        struct search_result result;
        if (!search_move(playing, player, playing->seeds[side], &result, err)) {
            return false;
        }
        assert(result.has_move);
        *choice = (struct choice){result.best, result.score, result.depth, result.nodes};
        return true;
    }
    struct hub_reply reply;
    if (!hub_client_move(player->engine, playing->game, playing->watch, &reply, err)) {
        return false;
    }
    playing->given_up = reply.given_up;
    playing->fault = reply.fault;
    playing->loser = side;
    *choice = (struct choice){reply.move, reply.score, reply.depth, reply.nodes};
    return true;
}

static struct record_ply note_of(const struct choice *choice, double seconds)
{
    double microseconds = 1e6 * seconds;

    return (struct record_ply){.score = (int16_t)choice->score,
                               .depth = (uint8_t)choice->depth,
                               .microseconds =
                                   microseconds < UINT32_MAX ? (uint32_t)microseconds : UINT32_MAX};
}

/* Plays the move and notes what it says. False: memory is out. */
static bool play_choice(struct playing *playing, const struct choice *choice, double seconds,
                        struct err *err)
{
    struct record_ply note = note_of(choice, seconds);
    enum colour mover = (enum colour)game_now(playing->game)->turn;
    int ply = playing->game->plies;

    if (!add_note(&playing->notes, &note) || !game_play(playing->game, &choice->move)) {
        return err_set(err, ERR_FAILED, "out of memory for a game of %d plies", ply);
    }
    if (playing->players[mover].engine != NULL && choice->depth == 0) {
        adjudicator_forget(&playing->adjudicator); /* it may have told no score */
    } else {
        playing->adjudication =
            adjudicator_add(&playing->adjudicator, ply, mover, choice->score, &playing->outcome);
    }
    return true;
}

/* Whether somebody is to move. */
static bool is_open(const struct playing *playing)
{
    return playing->fault == FAULT_NONE && playing->adjudication == ADJUDICATION_NONE &&
           game_outcome(playing->game, NULL) == OUTCOME_OPEN;
}

/* Plays until the game is over, a fault ends it or it is given up. False: memory is out. */
static bool play_on(struct playing *playing, struct err *err)
{
    while (is_open(playing)) {
        struct choice choice;
        double began = clock_seconds();
        playing->given_up = !play_goes_on(playing->watch);
        if (!playing->given_up && !choose(playing, &choice, err)) {
            return false;
        }
        if (playing->given_up) {
            return true;
        }
        double seconds = clock_seconds() - began;
        playing->cost.search_seconds += seconds;
        playing->cost.nodes += choice.nodes;
        if (playing->fault == FAULT_NONE && !play_choice(playing, &choice, seconds, err)) {
            return false;
        }
    }
    return true;
}

/* Makes the players ready; an engine that cannot be loses at once, White first. */
static void prepare(struct playing *playing)
{
    for (int side = WHITE; side <= BLACK && playing->fault == FAULT_NONE; side++) {
        const struct player *player = &playing->players[side];
        if (player->engine == NULL) {
            search_clear(player->search);
        } else {
            playing->fault = hub_client_new_game(player->engine, playing->watch);
            playing->loser = (enum colour)side;
        }
    }
}

static bool add_opening(struct playing *playing, struct err *err)
{
    const struct record_ply nobody = {.score = SCORE_NONE};

    for (int ply = 0; ply < playing->game->plies; ply++) {
        if (!add_note(&playing->notes, &nobody)) {
            return err_set(err, ERR_FAILED, "out of memory for a game of %d plies",
                           playing->game->plies);
        }
    }
    return true;
}

/* Describes the game, which is over. */
static bool describe(const struct playing *playing, int64_t number, struct record *record,
                     struct err *err)
{
    const struct game *game = playing->game;
    const struct record_ply *notes = playing->notes.note;
    int opening = playing->opening_plies;

    if (playing->fault != FAULT_NONE) {
        return record_make_fault(game, number, opening, notes, playing->loser, playing->fault,
                                 record, err);
    }
    if (game_outcome(game, NULL) == OUTCOME_OPEN) {
        return record_make_adjudicated(game, number, opening, notes, playing->adjudication,
                                       playing->outcome, record, err);
    }
    return record_make(game, number, opening, notes, record, err);
}

bool play_game(const struct player players[2], const struct play_terms *terms,
               const struct play_watch *watch, struct game *game, struct record *record,
               struct play_cost *cost, struct err *err)
{
    struct rng rng = rng_make(terms->seed, RNG_LEVEL, 0);
    bool shared = players[WHITE].search == players[BLACK].search; /* then one blur for the table */
    struct playing playing = {
        .players = players,
        .seeds = {rng_draw(&rng, WHITE), rng_draw(&rng, shared ? WHITE : BLACK)},
        .sampling = rng_make(terms->seed, RNG_SAMPLING, 0),
        .watch = watch,
        .game = game,
        .opening_plies = game->plies,
        .adjudicator = {.rules = terms->rules},
    };

    *record = (struct record){.outcome = OUTCOME_OPEN};
    prepare(&playing);
    bool ok = add_opening(&playing, err) && play_on(&playing, err);
    if (ok && (!playing.given_up || playing.fault != FAULT_NONE)) {
        ok = describe(&playing, terms->number, record, err);
    }
    free(playing.notes.note);
    if (cost != NULL) {
        *cost = playing.cost;
    }
    return ok;
}
