/* Hub's texts. Numbers are read strictly: `depth=abc` or `depth=9x` is refused, never taken for
 * something else. */
#include "engine/hub/hub_text.h"

#include <stdio.h>
#include <string.h>

#include "engine/base/number.h"
#include "engine/rules/notation.h"

static const double SECONDS_MIN = 1e-3, SECONDS_MAX = 1e6;

static const double LAG = 5e-3; /* seconds that the clock runs on, a move, while nobody thinks */

enum {
    MOVES_LEFT_GUESS = 30, /* when the clock is for all of the game */
    SHARES_MOST = 2, /* of the time left, for a move whose search is in the midst of an iteration */
};

static bool put_piece(const struct rules *rules, int square, char piece, struct position *out)
{
    bitboard set = bit(square_to_bit(rules, square));
    switch (piece) {
    case 'w':
        out->men[WHITE] |= set;
        return true;
    case 'b':
        out->men[BLACK] |= set;
        return true;
    case 'W':
        out->kings[WHITE] |= set;
        return true;
    case 'B':
        out->kings[BLACK] |= set;
        return true;
    default:
        return piece == 'e';
    }
}

bool hub_position_read(const struct rules *rules, const char *text, struct position *out,
                       struct err *err)
{
    size_t length = strlen(text), expected = (size_t)rules->squares + 1;
    struct position position = {0};
    if (length != expected) {
        return err_set(err, ERR_USAGE, "the position has %zu characters, %s has %zu", length,
                       rules->name, expected);
    }
    if (text[0] != 'W' && text[0] != 'B') {
        return err_set(err, ERR_USAGE, "the side to move is '%c', W or B is right", text[0]);
    }
    position.turn = text[0] == 'W' ? WHITE : BLACK;
    for (int square = 1; square <= rules->squares; square++) {
        if (!put_piece(rules, square, text[square], &position)) {
            return err_set(err, ERR_USAGE, "'%c' on square %d is none of w b W B e", text[square],
                           square);
        }
    }
    for (int colour = WHITE; colour <= BLACK; colour++) {
        bitboard wrong = position.men[colour] & far_row(rules, (enum colour)colour);
        if (wrong) {
            return err_set(err, ERR_USAGE, "a man stands on its far row, square %d",
                           bit_to_square(rules, bit_lowest(wrong)));
        }
    }
    *out = position;
    return true;
}

void hub_position_write(const struct rules *rules, const struct position *position, char *out)
{
    *out++ = position->turn == WHITE ? 'W' : 'B';
    for (int square = 1; square <= rules->squares; square++) {
        bitboard set = bit(square_to_bit(rules, square));
        *out++ = position->men[WHITE] & set     ? 'w'
                 : position->men[BLACK] & set   ? 'b'
                 : position->kings[WHITE] & set ? 'W'
                 : position->kings[BLACK] & set ? 'B'
                                                : 'e';
    }
    *out = '\0';
}

/* Reads an argument if it is there; *found is set then. */
static bool read_integer(const struct hub_line *line, const char *name, long long min,
                         long long max, long long *out, bool *found, struct err *err)
{
    const char *text = hub_line_value(line, name);
    if (text == NULL) {
        return true;
    }
    *found = true;
    return number_integer(text, name, min, max, out, err);
}

static bool read_seconds(const struct hub_line *line, const char *name, double *out, bool *found,
                         struct err *err)
{
    const char *text = hub_line_value(line, name);
    if (text == NULL) {
        return true;
    }
    *found = true;
    return number_real(text, name, 0, SECONDS_MAX, out, err);
}

bool hub_level_read(const struct hub_line *line, struct hub_level *out, struct err *err)
{
    struct hub_level level = {0};
    long long depth = 0, nodes = 0, moves = 0;
    bool found = false, timed = false;
    level.infinite = hub_line_value(line, "infinite") != NULL;
    if (!read_integer(line, "depth", 1, INT32_MAX, &depth, &found, err) ||
        !read_integer(line, "nodes", 1, INT64_MAX, &nodes, &found, err) ||
        !read_integer(line, "moves", 0, INT32_MAX, &moves, &level.clock, err) ||
        !read_seconds(line, "time", &level.time, &timed, err) ||
        !read_seconds(line, "inc", &level.inc, &level.clock, err) ||
        !read_seconds(line, "move-time", &level.move_time, &found, err)) {
        return false;
    }
    if (level.clock && !timed) {
        return err_set(err, ERR_USAGE, "level: moves and inc need time");
    }
    if (!found && !timed && !level.infinite) {
        return err_set(err, ERR_USAGE,
                       "level needs depth, nodes, move-time, time (with moves, inc) or infinite");
    }
    if (hub_line_value(line, "move-time") != NULL && level.move_time < SECONDS_MIN) {
        level.move_time = SECONDS_MIN;
    }
    level.clock = timed;
    level.depth = depth < SEARCH_PLIES ? (int)depth : SEARCH_PLIES - 1;
    level.nodes = (uint64_t)nodes;
    level.moves = (int)moves;
    *out = level;
    return true;
}

/* So many even shares of what the clock will still give, less what each move loses on its way to
 * the server. */
static double clock_shares(const struct hub_level *level, double shares)
{
    double moves = level->moves > 0 ? level->moves : MOVES_LEFT_GUESS;
    double all = level->time + level->inc * (moves - 1) - LAG * moves;
    double seconds = shares * all / moves, most = 0.9 * level->time - 0.02;
    seconds = seconds < most ? seconds : most;
    return seconds > SECONDS_MIN ? seconds : SECONDS_MIN;
}

static double level_seconds(const struct hub_level *level, double shares)
{
    if (level->infinite) {
        return 0;
    }
    double seconds = level->move_time;
    if (level->clock) {
        double clock = clock_shares(level, shares);
        seconds = seconds > 0 && seconds < clock ? seconds : clock;
    }
    return seconds;
}

double hub_level_seconds(const struct hub_level *level)
{
    return level_seconds(level, 1);
}

double hub_level_seconds_most(const struct hub_level *level)
{
    return level_seconds(level, SHARES_MOST);
}

void hub_info_write(const struct rules *rules, const struct search_result *result,
                    char out[HUB_ANSWER])
{
    double speed = result->seconds > 0 ? (double)result->nodes / result->seconds / 1e6 : 0;
    size_t used = (size_t)snprintf(
        out, HUB_ANSWER, "info depth=%d seldepth=%d score=%.2f nodes=%llu time=%.3f nps=%.3f pv=\"",
        result->depth, result->seldepth, result->score / 100.0, (unsigned long long)result->nodes,
        result->seconds, speed);
    for (int i = 0; i < result->pv_length; i++) {
        char move[MOVE_TEXT];
        move_write(rules, &result->pv[i], move);
        used += (size_t)snprintf(out + used, HUB_ANSWER - used, "%s%s", i > 0 ? " " : "", move);
    }
    snprintf(out + used, HUB_ANSWER - used, "\"\n");
}

void hub_done_write(const struct rules *rules, const struct search_result *result,
                    char out[HUB_ANSWER])
{
    char move[MOVE_TEXT], ponder[MOVE_TEXT];
    if (!result->has_move) {
        snprintf(out, HUB_ANSWER, "done\n");
        return;
    }
    move_write(rules, &result->best, move);
    if (result->pv_length < 2 || !move_equal(&result->pv[0], &result->best)) {
        snprintf(out, HUB_ANSWER, "done move=%s\n", move);
        return;
    }
    move_write(rules, &result->pv[1], ponder);
    snprintf(out, HUB_ANSWER, "done move=%s ponder=%s\n", move, ponder);
}

void hub_error_write(const char *message, char out[HUB_ANSWER])
{
    int used = snprintf(out, HUB_ANSWER, "error message=\"%s", message);
    for (char *at = strchr(out, '"') + 1; *at != '\0'; at++) {
        if (*at == '"') {
            *at = '\'';
        }
        if ((unsigned char)*at < ' ') {
            *at = '?';
        }
    }
    snprintf(out + used, HUB_ANSWER - (size_t)used, "\"\n");
}
