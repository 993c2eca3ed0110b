#include "bout_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/rules/fen.h"

void bout_begin(struct bout *bout, const char *rules, const char *fen, enum opponent opponent,
                enum colour host)
{
    struct err err;
    struct hosted_setup setup = {.variant = variant_by_name(rules, &err),
                                 .opponent = opponent,
                                 .host = host,
                                 .host_person = ANN,
                                 .created = 1000,
                                 .level = {.number = opponent == OPPONENT_COMPUTER ? 2 : 0}};

    bout->now = 1000;
    setup.start = position_start(setup.variant->rules);
    setup.set_up = fen != NULL;
    assert_true(fen == NULL || fen_read(setup.variant->rules, fen, &setup.start, &err));
    assert_true(hosted_init(&bout->hosted, &setup));
}

struct asking bout_by(const struct bout *bout, int64_t person)
{
    return (struct asking){.person = person, .now = bout->now};
}

void bout_does(struct bout *bout, struct verdict verdict)
{
    struct err err;

    assert_int_equal(verdict.kind, VERDICT_EVENT);
    assert_true(bout->hosted.events < EVENTS_MAX);
    bout->events[bout->hosted.events] = verdict.event;
    assert_true(hosted_apply(&bout->hosted, &verdict.event, &err));
}

void bout_refuses(struct verdict verdict, enum verdict_kind kind, const char *reason)
{
    assert_int_equal(verdict.kind, kind);
    assert_string_equal(verdict.reason, reason);
    assert_true(verdict.text[0] != '\0');
}

void bout_moves(struct bout *bout, int64_t person, const char *move)
{
    bout_does(bout,
              decide_move(&bout->hosted, bout_by(bout, person), bout->hosted.game.plies, move));
}

void bout_replies(struct bout *bout, const char *text)
{
    struct move move;
    struct err err;

    assert_true(hosted_thinking(&bout->hosted));
    assert_true(
        move_read(bout->hosted.setup.variant, game_now(&bout->hosted.game), text, &move, &err));
    bout_does(bout, decide_reply(&bout->hosted, &move, bout->now));
}

struct verdict bout_path(const struct bout *bout, int ply, const int *squares)
{
    int count = 0;

    while (squares[count] != 0) {
        count++;
    }
    return decide_path(&bout->hosted, bout_by(bout, ANN), ply, squares, count);
}

void bout_end(struct bout *bout)
{
    struct hosted again;
    struct err err;
    const char *reason, *reason_again;

    assert_true(hosted_init(&again, &bout->hosted.setup));
    for (int i = 0; i < bout->hosted.events; i++) {
        assert_true(hosted_apply(&again, &bout->events[i], &err));
    }
    assert_int_equal(again.game.plies, bout->hosted.game.plies);
    assert_true(position_equal(game_now(&again.game), game_now(&bout->hosted.game)));
    assert_memory_equal(again.half, bout->hosted.half, (size_t)bout->hosted.half_count);
    assert_int_equal(again.half_count, bout->hosted.half_count);
    assert_int_equal(hosted_outcome(&again, &reason_again), hosted_outcome(&bout->hosted, &reason));
    assert_string_equal(reason_again, reason);
    assert_int_equal(again.undos, bout->hosted.undos);
    assert_int_equal(again.hints, bout->hosted.hints);
    hosted_fini(&again);
    hosted_fini(&bout->hosted);
}
