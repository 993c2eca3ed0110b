/* Records to bytes and back. The layout is described in docs/formats.md. */
#include "selfplay/game/record.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/board/bitboard.h"
#include "selfplay/game/bytes.h"

enum {
    FORMAT = 1,
    FORMAT_FAULT = 2,       /* of a game that ended by a fault */
    FORMAT_TIMED = 3,       /* with depth and time of each ply */
    FORMAT_ADJUDICATED = 4, /* of a game that an adjudication ended */
    HEADER = 56,            /* bytes before the plies */
    PLY = 5,                /* bytes of a ply that takes nothing */
    TIMED = 5,              /* bytes of its depth and time */
    PLIES_MAX = UINT16_MAX,
    SCORE_MAX = 30000,
};

/* The enums' numbers are the format's. */
_Static_assert(OUTCOME_WHITE_WINS == 1 && OUTCOME_BLACK_WINS == 2 && OUTCOME_DRAW == 3, "results");
_Static_assert(END_NO_PIECES == 1 && END_NO_MOVES == 2 && END_REPETITION == 3 && END_QUIET == 4,
               "reasons");
_Static_assert(FAULT_START == 1 && FAULT_CRASH == 2 && FAULT_HANG == 3 && FAULT_FLOOD == 4 &&
                   FAULT_NONSENSE == 5 && FAULT_ILLEGAL == 6 && FAULT_NO_MOVE == 7,
               "faults");
_Static_assert(ADJUDICATION_RESIGNED == 1 && ADJUDICATION_DRAWN == 2, "adjudications");
_Static_assert(WHITE == 0 && BLACK == 1, "colours");

/* All but the end. */
static bool take_game(const struct game *game, int64_t number, int opening_plies,
                      const struct record_ply *notes, struct record *out, struct err *err)
{
    assert(number >= 0 && opening_plies >= 0 && opening_plies <= game->plies);
    *out = (struct record){.number = number,
                           .start = game->positions[0],
                           .plies = game->plies,
                           .opening_plies = opening_plies};
    out->ply = calloc((size_t)game->plies + 1, sizeof *out->ply);
    if (out->ply == NULL) {
        return err_set(err, ERR_FAILED, "out of memory for a record of %d plies", game->plies);
    }
    for (int i = 0; i < game->plies; i++) {
        out->ply[i] = i < opening_plies ? (struct record_ply){.score = SCORE_NONE} : notes[i];
        out->ply[i].move = game->moves[i];
    }
    return true;
}

bool record_make(const struct game *game, int64_t number, int opening_plies,
                 const struct record_ply *notes, struct record *out, struct err *err)
{
    if (!take_game(game, number, opening_plies, notes, out, err)) {
        return false;
    }
    out->outcome = game_outcome(game, &out->reason);
    assert(out->outcome != OUTCOME_OPEN);
    return true;
}

bool record_make_fault(const struct game *game, int64_t number, int opening_plies,
                       const struct record_ply *notes, enum colour loser, enum fault fault,
                       struct record *out, struct err *err)
{
    assert(fault != FAULT_NONE && game_outcome(game, NULL) == OUTCOME_OPEN);
    if (!take_game(game, number, opening_plies, notes, out, err)) {
        return false;
    }
    out->outcome = loser == WHITE ? OUTCOME_BLACK_WINS : OUTCOME_WHITE_WINS;
    out->fault = fault;
    return true;
}

bool record_make_adjudicated(const struct game *game, int64_t number, int opening_plies,
                             const struct record_ply *notes, enum adjudication adjudication,
                             enum outcome outcome, struct record *out, struct err *err)
{
    assert(adjudication != ADJUDICATION_NONE && game_outcome(game, NULL) == OUTCOME_OPEN);
    if (!take_game(game, number, opening_plies, notes, out, err)) {
        return false;
    }
    out->outcome = outcome;
    out->adjudication = adjudication;
    return true;
}

const char *record_end_name(const struct record *record)
{
    if (record->fault != FAULT_NONE) {
        return fault_name(record->fault);
    }
    return record->adjudication != ADJUDICATION_NONE ? adjudication_name(record->adjudication)
                                                     : end_reason_name(record->reason);
}

void record_fini(struct record *record)
{
    free(record->ply);
    record->ply = NULL;
}

bool record_replay(const struct record *record, const struct variant *variant, struct game *game,
                   struct err *err)
{
    bool ok = game_init(game, variant, &record->start);
    for (int i = 0; ok && i < record->plies; i++) {
        ok = game_play(game, &record->ply[i].move);
        if (!ok) {
            game_fini(game);
        }
    }
    if (!ok) {
        err_set(err, ERR_FAILED, "out of memory for a game of %d plies", record->plies);
    }
    return ok;
}

size_t record_size(const struct record *record)
{
    size_t size = HEADER, ply = record->timed ? PLY + TIMED : PLY;
    for (int i = 0; i < record->plies; i++) {
        size += ply + (size_t)bit_count(record->ply[i].move.taken);
    }
    return size;
}

/* Writes a ply and returns where the next one begins. */
static uint8_t *encode_ply(const struct rules *rules, const struct record_ply *ply, bool timed,
                           uint8_t *out)
{
    bitboard taken = ply->move.taken;
    *out++ = (uint8_t)bit_to_square(rules, ply->move.from);
    *out++ = (uint8_t)bit_to_square(rules, ply->move.to);
    bytes_put16(out, (uint16_t)ply->score);
    out += 2;
    *out++ = (uint8_t)bit_count(taken);
    if (timed) {
        *out++ = ply->depth;
        bytes_put32(out, ply->microseconds);
        out += 4;
    }
    while (taken != 0) {
        *out++ = (uint8_t)bit_to_square(rules, bit_pop(&taken));
    }
    return out;
}

static uint8_t format_of(const struct record *record)
{
    if (record->timed) {
        return FORMAT_TIMED;
    }
    if (record->adjudication != ADJUDICATION_NONE) {
        return FORMAT_ADJUDICATED;
    }
    return record->fault == FAULT_NONE ? FORMAT : FORMAT_FAULT;
}

void record_encode(const struct record *record, const struct rules *rules, uint8_t *out)
{
    const struct position *start = &record->start;
    out[0] = format_of(record);
    out[1] = (uint8_t)record->outcome;
    out[2] = (uint8_t)record->reason;
    out[3] = start->turn;
    out[4] = start->quiet_plies;
    out[5] = (uint8_t)record->fault;
    bytes_put16(out + 6, (uint16_t)record->opening_plies);
    bytes_put32(out + 8, (uint32_t)record->plies);
    bytes_put32(out + 12, (uint32_t)record->adjudication);
    bytes_put64(out + 16, (uint64_t)record->number);
    bytes_put64(out + 24, bitboard_pack(rules, start->men[WHITE]));
    bytes_put64(out + 32, bitboard_pack(rules, start->men[BLACK]));
    bytes_put64(out + 40, bitboard_pack(rules, start->kings[WHITE]));
    bytes_put64(out + 48, bitboard_pack(rules, start->kings[BLACK]));
    out += HEADER;
    for (int i = 0; i < record->plies; i++) {
        out = encode_ply(rules, &record->ply[i], record->timed, out);
    }
}

int64_t record_number(const uint8_t *data, size_t size)
{
    if (size < HEADER || data[0] < FORMAT || data[0] > FORMAT_ADJUDICATED) {
        return -1;
    }
    uint64_t number = bytes_get64(data + 16);
    return number <= INT64_MAX ? (int64_t)number : -1;
}

/* The set of pieces at `data`; false when it leaves the board or meets *all, which it joins. */
static bool decode_set(const struct rules *rules, const uint8_t *data, bitboard *all, bitboard *set)
{
    uint64_t packed = bytes_get64(data);
    if (packed >> rules->squares != 0) {
        return false;
    }
    *set = bitboard_unpack(rules, packed);
    bool apart = (*set & *all) == 0;
    *all |= *set;
    return apart;
}

static bool decode_start(const struct rules *rules, const uint8_t *data, struct position *out)
{
    bitboard all = 0;
    *out = (struct position){.turn = data[3], .quiet_plies = data[4]};
    return out->turn <= BLACK && decode_set(rules, data + 24, &all, &out->men[WHITE]) &&
           decode_set(rules, data + 32, &all, &out->men[BLACK]) &&
           decode_set(rules, data + 40, &all, &out->kings[WHITE]) &&
           decode_set(rules, data + 48, &all, &out->kings[BLACK]) &&
           (out->men[WHITE] & far_row(rules, WHITE)) == 0 &&
           (out->men[BLACK] & far_row(rules, BLACK)) == 0;
}

static bool square_exists(const struct rules *rules, uint8_t square)
{
    return square >= 1 && square <= rules->squares;
}

/* Reads a ply at *at and moves *at behind it; false when the bytes are no ply. */
static bool decode_ply(const struct rules *rules, bool timed, const uint8_t **at,
                       const uint8_t *end, struct record_ply *out)
{
    const uint8_t *ply = *at, *taken = ply + (timed ? PLY + TIMED : PLY);
    if (end - ply < taken - ply || end - taken < ply[4]) {
        return false;
    }
    if (!square_exists(rules, ply[0]) || !square_exists(rules, ply[1])) {
        return false;
    }
    *out = (struct record_ply){.score = (int16_t)bytes_get16(ply + 2)};
    if (timed) {
        out->depth = ply[PLY];
        out->microseconds = bytes_get32(ply + PLY + 1);
    }
    out->move.from = (uint8_t)square_to_bit(rules, ply[0]);
    out->move.to = (uint8_t)square_to_bit(rules, ply[1]);
    for (int i = 0; i < ply[4]; i++) {
        if (!square_exists(rules, taken[i]) || (i > 0 && taken[i] <= taken[i - 1])) {
            return false;
        }
        out->move.taken |= bit(square_to_bit(rules, taken[i]));
    }
    *at = taken + ply[4];
    return true;
}

static bool is_legal(const struct game *game, const struct move *move)
{
    struct move_list list;
    game->variant->moves(game_now(game), &list);
    for (int i = 0; i < list.count; i++) {
        if (move_equal(&list.move[i], move)) {
            return true;
        }
    }
    return false;
}

/* The score is in range, and nobody searched in the opening. */
static bool note_fits(const struct record *record, int ply)
{
    const struct record_ply *note = &record->ply[ply];
    int score = note->score;
    if (ply < record->opening_plies) {
        return score == SCORE_NONE && note->depth == 0 && note->microseconds == 0;
    }
    return score >= -SCORE_MAX && score <= SCORE_MAX;
}

/* Reads the plies; *ply and *text are where and what is wrong. */
static bool parse_plies(const uint8_t *at, const uint8_t *end, const struct rules *rules,
                        struct record *out, const char **text, int *ply)
{
    for (*ply = 0; *ply < out->plies; ++*ply) {
        *text = "the bytes are no move";
        if (!decode_ply(rules, out->timed, &at, end, &out->ply[*ply])) {
            return false;
        }
        *text = "the score is out of range";
        if (!note_fits(out, *ply)) {
            return false;
        }
    }
    *text = "bytes follow the last ply";
    return at == end;
}

/* Whether the end is one that the rules give, or a fault or an adjudication where they give none.
 */
static bool end_fits(const struct record *record, const struct game *game)
{
    enum end_reason reason;
    enum outcome outcome = game_outcome(game, &reason);
    if (record->adjudication != ADJUDICATION_NONE) {
        return outcome == OUTCOME_OPEN && record->reason == END_NONE &&
               record->outcome != OUTCOME_OPEN && record->outcome <= OUTCOME_DRAW &&
               (record->outcome == OUTCOME_DRAW) == (record->adjudication == ADJUDICATION_DRAWN);
    }
    if (record->fault != FAULT_NONE) {
        return outcome == OUTCOME_OPEN && record->reason == END_NONE &&
               (record->outcome == OUTCOME_WHITE_WINS || record->outcome == OUTCOME_BLACK_WINS);
    }
    return outcome == record->outcome && reason == record->reason && outcome != OUTCOME_OPEN;
}

/* Plays the plies in `game`; *ply and *text as above. */
static bool check_plies(const struct record *record, struct game *game, const char **text, int *ply)
{
    for (*ply = 0; *ply < record->plies; ++*ply) {
        *text = "the game was over before";
        if (game_outcome(game, NULL) != OUTCOME_OPEN) {
            return false;
        }
        *text = "the move is not legal";
        if (!is_legal(game, &record->ply[*ply].move)) {
            return false;
        }
        *text = "out of memory";
        if (!game_play(game, &record->ply[*ply].move)) {
            return false;
        }
    }
    *text = "the result is not what the rules give";
    return end_fits(record, game);
}

/* False when the format and the number do not belong together. */
static bool decode_adjudication(const uint8_t *data, enum adjudication *adjudication)
{
    uint32_t number = bytes_get32(data + 12);

    *adjudication = (enum adjudication)number;
    return number <= ADJUDICATION_DRAWN &&
           (data[0] == FORMAT_TIMED ||
            (data[0] == FORMAT_ADJUDICATED) == (number != ADJUDICATION_NONE));
}

static bool refuse_ply(struct record *record, int ply, const char *text, struct err *err)
{
    record_fini(record);
    return err_set(err, ERR_FAILED, "game %lld, ply %d: %s", (long long)record->number, ply, text);
}

bool record_parse(const uint8_t *data, size_t size, const struct rules *rules, struct record *out,
                  struct err *err)
{
    *out = (struct record){.number = record_number(data, size)};
    if (out->number < 0) {
        return err_set(err, ERR_FAILED, "no game record of format %d to %d", FORMAT,
                       FORMAT_ADJUDICATED);
    }
    long long number = (long long)out->number;
    uint32_t plies = bytes_get32(data + 8);
    out->outcome = (enum outcome)data[1];
    out->reason = (enum end_reason)data[2];
    out->fault = (enum fault)data[5];
    out->timed = data[0] == FORMAT_TIMED;
    out->opening_plies = bytes_get16(data + 6);
    if (plies > PLIES_MAX || (uint32_t)out->opening_plies > plies || data[5] >= FAULTS ||
        (!out->timed && (data[5] != 0) != (data[0] == FORMAT_FAULT)) ||
        !decode_adjudication(data, &out->adjudication)) {
        return err_set(err, ERR_FAILED, "game %lld: the record's header makes no sense", number);
    }
    if (!decode_start(rules, data, &out->start)) {
        return err_set(err, ERR_FAILED, "game %lld: the start is no position of %s", number,
                       rules->name);
    }
    out->plies = (int)plies;
    out->ply = calloc((size_t)plies + 1, sizeof *out->ply);
    if (out->ply == NULL) {
        return err_set(err, ERR_FAILED, "game %lld: out of memory", number);
    }
    const char *text;
    int ply;
    return parse_plies(data + HEADER, data + size, rules, out, &text, &ply) ||
           refuse_ply(out, ply, text, err);
}

bool record_decode(const uint8_t *data, size_t size, const struct variant *variant,
                   struct record *out, struct err *err)
{
    struct game game;
    if (!record_parse(data, size, variant->rules, out, err)) {
        return false;
    }
    if (!game_init(&game, variant, &out->start)) {
        record_fini(out);
        return err_set(err, ERR_FAILED, "game %lld: out of memory", (long long)out->number);
    }
    const char *text;
    int ply;
    bool ok = check_plies(out, &game, &text, &ply);
    game_fini(&game);
    return ok || refuse_ply(out, ply, text, err);
}

int64_t record_choices(const uint8_t *data, size_t size)
{
    if (record_number(data, size) < 0) {
        return -1;
    }
    return (int64_t)bytes_get32(data + 8) - bytes_get16(data + 6);
}
