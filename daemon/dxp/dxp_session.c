/* From request to end of a game, and to the next one. */
#include "daemon/dxp/dxp_session.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "engine/rules/fen.h"

enum { VERSION = 1, SECONDS_MAX = 9999 };

void dxp_session_init(struct dxp_session *session, const struct variant *variant, const char *name)
{
    assert(variant->rules->squares == DXP_SQUARES);
    *session = (struct dxp_session){.state = DXP_IDLE, .variant = variant, .serving = true};
    snprintf(session->name, sizeof session->name, "%s", name);
}

/* Leaves the game. */
static void leave(struct dxp_session *session)
{
    if (session->state != DXP_IDLE) {
        game_fini(&session->game);
        session->state = DXP_IDLE;
    }
}

void dxp_session_fini(struct dxp_session *session)
{
    leave(session);
}

static void say(struct dxp_reply *reply, const struct dxp_message *message)
{
    assert(reply->size + DXP_SIZE <= sizeof reply->text);
    reply->size += dxp_write(message, reply->text + reply->size);
}

static void say_end(struct dxp_reply *reply, enum dxp_reason reason, int stop)
{
    const struct dxp_message end = {.kind = DXP_END, .reason = reason, .stop = stop};

    say(reply, &end);
}

void dxp_session_stop(struct dxp_session *session, struct dxp_reply *reply)
{
    *reply = (struct dxp_reply){.close = true};
    if (session->state == DXP_OURS || session->state == DXP_THEIRS) {
        say_end(reply, DXP_UNKNOWN, 1);
    }
    leave(session);
}

/* Says that the game is over, if it is; else waits for who is to move. */
static void go_on(struct dxp_session *session, struct dxp_reply *reply)
{
    enum outcome outcome = game_outcome(&session->game, NULL);
    enum outcome won = session->own == WHITE ? OUTCOME_WHITE_WINS : OUTCOME_BLACK_WINS;

    if (outcome != OUTCOME_OPEN) {
        say_end(reply,
                outcome == OUTCOME_DRAW ? DXP_DRAW
                : outcome == won        ? DXP_I_WIN
                                        : DXP_I_LOSE,
                0);
        session->state = DXP_ENDING;
    } else {
        session->state = game_now(&session->game)->turn == session->own ? DXP_OURS : DXP_THEIRS;
    }
}

/* --- a request for a game -------------------------------------------------------------------- */

/* The squares of one side as FEN has them. */
static size_t write_side(const struct dxp_message *message, char man, char king, char *out,
                         size_t size)
{
    size_t used = 0;

    for (int square = 1; square <= DXP_SQUARES; square++) {
        char piece = message->board[square - 1];
        if (piece == man || piece == king) {
            used += (size_t)snprintf(out + used, size - used, "%s%s%d", used > 0 ? "," : "",
                                     piece == king ? "K" : "", square);
        }
    }
    return used;
}

/* The position that a request names. False: it is none, or there is nothing to play. */
static bool read_start(const struct dxp_session *session, const struct dxp_message *message,
                       struct position *start)
{
    const struct rules *rules = session->variant->rules;
    char white[FEN_SIZE], black[FEN_SIZE], fen[2 * FEN_SIZE + 8];
    struct move_list moves;
    struct err err;

    *start = position_start(rules);
    if (message->set_up) {
        white[write_side(message, 'w', 'W', white, sizeof white)] = '\0';
        black[write_side(message, 'z', 'Z', black, sizeof black)] = '\0';
        snprintf(fen, sizeof fen, "%c:W%s:B%s", message->turn == WHITE ? 'W' : 'B', white, black);
        if (!fen_read(rules, fen, start, &err)) {
            return false;
        }
    }
    session->variant->moves(start, &moves);
    return moves.count > 0;
}

static void receive_request(struct dxp_session *session, const struct dxp_message *message,
                            struct dxp_reply *reply)
{
    struct dxp_message answer = {.kind = DXP_ACCEPT, .code = DXP_NOT_ACCEPTED};
    struct position start;

    snprintf(answer.name, sizeof answer.name, "%s", session->name);
    if (message->version != VERSION) {
        answer.code = DXP_OTHER_VERSION;
    } else if (session->state == DXP_IDLE && session->serving &&
               read_start(session, message, &start) &&
               game_init(&session->game, session->variant, &start)) {
        answer.code = DXP_ACCEPTED;
        session->own = message->colour;
        session->state = DXP_THEIRS;
        memcpy(session->opponent, message->name, sizeof session->opponent);
    }
    say(reply, &answer);
    if (answer.code == DXP_ACCEPTED) {
        go_on(session, reply);
    }
}

/* --- moves and ends -------------------------------------------------------------------------- */

static bool find_move(const struct dxp_session *session, const struct dxp_message *message,
                      struct move *found)
{
    const struct rules *rules = session->variant->rules;
    struct move wanted = {.from = (uint8_t)square_to_bit(rules, message->from),
                          .to = (uint8_t)square_to_bit(rules, message->to)};
    struct move_list moves;

    for (int i = 0; i < message->count; i++) {
        wanted.taken |= bit(square_to_bit(rules, message->taken[i]));
    }
    session->variant->moves(game_now(&session->game), &moves);
    for (int i = 0; i < moves.count; i++) {
        if (move_equal(&moves.move[i], &wanted)) {
            *found = wanted;
            return true;
        }
    }
    return false;
}

static void receive_move(struct dxp_session *session, const struct dxp_message *message,
                         struct dxp_reply *reply)
{
    struct move move;

    if (session->state == DXP_ENDING) {
        return; /* crossed our end */
    }
    if (session->state != DXP_THEIRS || !find_move(session, message, &move) ||
        !game_play(&session->game, &move)) {
        dxp_session_stop(session, reply);
        return;
    }
    go_on(session, reply);
}

static void receive_end(struct dxp_session *session, const struct dxp_message *message,
                        struct dxp_reply *reply)
{
    static const enum dxp_reason MIRROR[] = {
        [DXP_UNKNOWN] = DXP_UNKNOWN,
        [DXP_I_LOSE] = DXP_I_WIN,
        [DXP_DRAW] = DXP_DRAW,
        [DXP_I_WIN] = DXP_I_LOSE,
    };

    if (session->state == DXP_OURS || session->state == DXP_THEIRS) {
        say_end(reply, MIRROR[message->reason], message->stop);
    }
    leave(session);
    reply->close = message->stop != 0;
}

void dxp_session_receive(struct dxp_session *session, const char *text, size_t size,
                         struct dxp_reply *reply)
{
    static const struct dxp_message NO_WAY_BACK = {.kind = DXP_BACK_ANSWER, .code = 1};
    struct dxp_message message;
    struct err err;

    *reply = (struct dxp_reply){.size = 0};
    if (!dxp_read(text, size, &message, &err)) {
        dxp_session_stop(session, reply);
        return;
    }
    switch (message.kind) {
    case DXP_REQUEST:
        receive_request(session, &message, reply);
        return;
    case DXP_MOVE:
        receive_move(session, &message, reply);
        return;
    case DXP_END:
        receive_end(session, &message, reply);
        return;
    case DXP_BACK:
        say(reply, &NO_WAY_BACK);
        return;
    case DXP_CHAT:
        return;
    case DXP_ACCEPT: /* the follower asks for nothing that these answer */
    case DXP_BACK_ANSWER:
        break;
    }
    dxp_session_stop(session, reply);
}

void dxp_session_move(struct dxp_session *session, const struct move *move, double seconds,
                      struct dxp_reply *reply)
{
    const struct rules *rules = session->variant->rules;
    struct dxp_message message = {.kind = DXP_MOVE,
                                  .seconds = seconds < SECONDS_MAX ? (int)seconds : SECONDS_MAX,
                                  .from = bit_to_square(rules, move->from),
                                  .to = bit_to_square(rules, move->to)};

    assert(session->state == DXP_OURS);
    *reply = (struct dxp_reply){.size = 0};
    for (int square = 1; square <= rules->squares; square++) {
        if (move->taken & bit(square_to_bit(rules, square))) {
            message.taken[message.count++] = (uint8_t)square;
        }
    }
    if (!game_play(&session->game, move)) {
        dxp_session_stop(session, reply);
        return;
    }
    say(reply, &message);
    go_on(session, reply);
}
