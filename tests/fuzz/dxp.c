/* A DXP session fed with messages, each ended by a NUL: what is said back are messages, the game
 * stays legal, and every message that is read is the same when it is written and read again. */
#include <string.h>

#include "daemon/dxp/dxp_session.h"
#include "fuzz.h"

static void check_again(const char *text, size_t size)
{
    struct dxp_message message, again;
    struct err err = {0};
    char out[DXP_SIZE], once_more[DXP_SIZE];

    if (!dxp_read(text, size, &message, &err)) {
        fuzz_require_refusal(&err);
        return;
    }
    size_t written = dxp_write(&message, out);
    fuzz_require(written <= DXP_SIZE && out[written - 1] == '\0', "a message fits");
    fuzz_require(written == size + 1, "a message is as long as it was");
    fuzz_require(dxp_read(out, written - 1, &again, &err), "a written message is a message");
    fuzz_require(dxp_write(&again, once_more) == written, "and as long");
    fuzz_require(memcmp(out, once_more, written) == 0, "and the same one");
}

static void check_reply(const struct dxp_reply *reply)
{
    size_t at = 0;

    while (at < reply->size) {
        struct dxp_message message;
        struct err err = {0};
        size_t length = strnlen(reply->text + at, reply->size - at);
        fuzz_require(at + length < reply->size, "a reply ends with a NUL");
        fuzz_require(dxp_read(reply->text + at, length, &message, &err), "a reply is a message");
        at += length + 1;
    }
}

/* Plays the first legal move whenever it is our turn. */
static void play_ours(struct dxp_session *session)
{
    struct dxp_reply reply;
    struct move_list moves;

    if (session->state == DXP_OURS) {
        variant_international.moves(game_now(&session->game), &moves);
        fuzz_require(moves.count > 0, "there is something to play");
        dxp_session_move(session, &moves.move[0], 1e9, &reply);
        check_reply(&reply);
        fuzz_require(session->state != DXP_OURS, "then it is not our turn");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    struct dxp_reply reply = {.close = false};
    struct dxp_session session;

    dxp_session_init(&session, &variant_international, "Draughtsmith");
    while (size > 0 && !reply.close) {
        size_t length = strnlen(text, size);
        check_again(text, length);
        dxp_session_receive(&session, text, length, &reply);
        check_reply(&reply);
        fuzz_require(!reply.close || session.state == DXP_IDLE, "no game outlives its connection");
        if (session.state != DXP_IDLE) {
            fuzz_require_position(variant_international.rules, game_now(&session.game));
        }
        play_ours(&session);
        length += length < size;
        text += length;
        size -= length;
    }
    dxp_session_fini(&session);
    return 0;
}
