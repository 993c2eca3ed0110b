/* One finished game as a value, and its bytes: what the journal keeps, and what positions, PDN and
 * statistics are derived from by playing it again. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/rules/game.h"
#include "engine/search/search.h"
#include "selfplay/external/fault.h"
#include "selfplay/game/adjudication.h"

struct record_ply {
    struct move move;
    int16_t score; /* mover's view, hundredths of a man; SCORE_NONE for a ply of the opening */
    uint8_t depth; /* last completed iteration of the search; 0: none, or not told */
    uint32_t microseconds; /* that the player took */
};
struct record {
    int64_t number; /* game number within (run, rule set, generation), >= 0 */
    struct position start;
    int plies;
    int opening_plies; /* plies at the start, chosen by no player */
    bool timed;        /* to be encoded with depth and time, which differ from run to run */
    enum outcome outcome;
    enum end_reason reason;
    enum fault fault;               /* of the loser, an external engine; reason is END_NONE then */
    enum adjudication adjudication; /* that ended it; reason is END_NONE then */
    struct record_ply *ply;         /* [plies]; owned */
};

/* Describes a game that is over by the rules. notes[plies] have score, depth and time of each ply;
 * their moves are not looked at, nor are those of the opening plies at all. Not timed. False when
 * memory is out. */
bool record_make(const struct game *game, int64_t number, int opening_plies,
                 const struct record_ply *notes, struct record *out, struct err *err);

/* The same of a game that is open by the rules and that `loser` lost by a fault. */
bool record_make_fault(const struct game *game, int64_t number, int opening_plies,
                       const struct record_ply *notes, enum colour loser, enum fault fault,
                       struct record *out, struct err *err);

/* The same of a game that is open by the rules and was ended by an adjudication as `outcome`. */
bool record_make_adjudicated(const struct game *game, int64_t number, int opening_plies,
                             const struct record_ply *notes, enum adjudication adjudication,
                             enum outcome outcome, struct record *out, struct err *err);

/* Why the game ended, in words. */
const char *record_end_name(const struct record *record);

void record_fini(struct record *record);

/* Plays the record into *game, which the caller ends with game_fini. The record must have been
 * made or decoded here. False when memory is out. */
bool record_replay(const struct record *record, const struct variant *variant, struct game *game,
                   struct err *err);

/* Exact size and bytes of a record: little-endian, the layout described in docs/formats.md, the
 * same on every machine. `out` has room for record_size bytes. */
size_t record_size(const struct record *record);
void record_encode(const struct record *record, const struct rules *rules, uint8_t *out);

/* The reverse. Every field is checked, each move must be legal where it stands, and the end must
 * be the one that the rules give, or a fault or an adjudication where they give none. ERR_FAILED
 * names the game and what is wrong. */
bool record_decode(const uint8_t *data, size_t size, const struct variant *variant,
                   struct record *out, struct err *err);

/* The same without playing the game: the fields make sense, but the moves and the end need not be
 * what the rules allow. For bytes that stood under a checksum since a game was encoded into them.
 */
bool record_parse(const uint8_t *data, size_t size, const struct rules *rules, struct record *out,
                  struct err *err);

/* The game number of encoded bytes without decoding them; -1 when they are no record. */
int64_t record_number(const uint8_t *data, size_t size);

/* The same of the plies that a player chose, plies - opening_plies; -1 when they are no record. */
int64_t record_choices(const uint8_t *data, size_t size);
