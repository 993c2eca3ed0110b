/* The Hub session: what each line is answered, above all the wrong ones. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/hub/hub_input.h"
#include "hub_support.h"

static const char START[] = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww";

static void initialise(struct session *session)
{
    assert_int_equal(take(session, "init"), HUB_INITIALISE);
    assert_true(hub_initialised(&session->hub, NULL));
}

/* The line is answered by one error line that holds `reason`, and asks for nothing. */
static void refused(struct session *session, const char *text, const char *reason)
{
    assert_int_equal(take(session, text), HUB_NOTHING);
    if (strncmp(session->answer, "error message=\"", 15) != 0 ||
        strstr(session->answer, reason) == NULL) {
        fail_msg("'%s' was answered '%s', not with '%s'", text, session->answer, reason);
    }
    assert_ptr_equal(strchr(session->answer, '\n'), session->answer + strlen(session->answer) - 1);
}

/* The line asks for `action` and is not answered at once. */
static void silent(struct session *session, const char *text, enum hub_action action)
{
    assert_int_equal(take(session, text), action);
    assert_string_equal(session->answer, "");
}

static void parses(const char *text, const char *expected)
{
    struct hub_line line;
    struct err err = {0};
    char *copy = strdup(text), shown[1024];
    assert_non_null(copy);
    if (hub_line_parse(copy, &line, &err)) {
        snprintf(shown, sizeof shown, "%s", line.command);
        for (int i = 0; i < line.count; i++) {
            size_t used = strlen(shown);
            snprintf(shown + used, sizeof shown - used, "|%s:%s", line.argument[i].name,
                     line.argument[i].value);
        }
    } else {
        assert_int_equal(err.code, ERR_USAGE);
        snprintf(shown, sizeof shown, "error");
    }
    assert_string_equal(shown, expected);
    free(copy);
}

static void lines(void **state)
{
    (void)state;
    parses("", "");
    parses("  \t\r", "");
    parses("ping", "ping");
    parses("  ping \r", "ping");
    parses("go think", "go|think:");
    parses("pos pos=We moves=\"32-28 19-23\"", "pos|pos:We|moves:32-28 19-23");
    parses("level depth = 5 infinite", "level|depth:5|infinite:");
    parses("x a=\"\" b", "x|a:|b:");
    parses("x a=\"b\"c", "x|a:b|c:");
    parses("x \"two words\"", "x|two words:");
    parses("x a=\"=\"", "x|a:=");
    parses("x a=", "error");
    parses("x a= ", "error");
    parses("x =5", "error");
    parses("=", "error");
    parses("x=5", "error");
    parses("x a=b=c", "error");
    parses("x a==", "error");
    parses("x a=\"b", "error");
    parses("\"", "error");
    parses("x a=b\"", "error");
    parses("x a\"b\"", "error");
    parses("x 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16",
           "x|1:|2:|3:|4:|5:|6:|7:|8:|9:|10:|11:|12:|13:|14:|15:|16:");
    parses("x 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17", "error");
}

static void introduces_itself(void **state)
{
    struct session *session = *state;
    assert_int_equal(take(session, "hub"), HUB_NOTHING);
    assert_int_equal(strncmp(session->answer, "id name=Draughtsmith version=", 29), 0);
    assert_non_null(strstr(session->answer, "\nparam name=variant value=normal type=enum "
                                            "values=\"normal classic flying\"\n"));
    assert_non_null(strstr(session->answer, "\nparam name=tt-size value=20 type=int min=10 max="));
    assert_non_null(
        strstr(session->answer, "\nparam name=threads value=1 type=int min=1 max=256\n"));
    assert_non_null(strstr(session->answer, "\nwait\n"));
    initialise(session);
    assert_ptr_equal(session->hub.variant, &variant_international);
}

static void chooses_the_variant(void **state)
{
    struct session *session = *state;
    silent(session, "set-param name=variant value=classic", HUB_NOTHING);
    silent(session, "set-param name=tt-size value=12", HUB_NOTHING);
    silent(session, "set-param name=threads value=3", HUB_NOTHING);
    assert_int_equal(session->hub.wanted_threads, 3);
    silent(session, "set-param name=book value=true", HUB_NOTHING);
    refused(session, "set-param name=variant value=suicide", "suicide");
    refused(session, "set-param name=tt-size value=many", "many");
    refused(session, "set-param name=tt-size value=99", "99");
    refused(session, "set-param name=threads value=0", "threads");
    refused(session, "set-param name=threads value=two", "two");
    refused(session, "set-param name=tt-size", "value");
    refused(session, "set-param", "name");
    initialise(session);
    assert_ptr_equal(session->hub.variant, &variant_classic);
    assert_int_equal(session->hub.wanted_table_bits, 12);
    silent(session, "pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves=\"11-15 23-19\"", HUB_NOTHING);
    assert_int_equal(session->hub.game.plies, 2);
    refused(session, "pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwwwe", "34");
}

static void plays_the_moves(void **state)
{
    struct session *session = *state;
    char line[256];
    initialise(session);
    snprintf(line, sizeof line, "pos pos=%s moves=\"32-28 19-23 28x19x23 14x23x19\"", START);
    silent(session, line, HUB_NOTHING);
    assert_int_equal(session->hub.game.plies, 4);
    silent(session, "pos moves=\"32-28\"", HUB_NOTHING);
    assert_int_equal(session->hub.game.plies, 1);
    silent(session, "pos", HUB_NOTHING);
    assert_int_equal(session->hub.game.plies, 0);
    silent(session, "go think", HUB_SEARCH);
    silent(session, "new-game", HUB_FORGET);
}

static void reads_positions(void **state)
{
    (void)state;
    const struct rules *rules = variant_international.rules;
    struct position position, start = position_start(rules);
    struct err err = {0};
    assert_true(hub_position_read(rules, START, &position, NULL));
    assert_true(position_equal(&position, &start));
    assert_true(hub_position_read(rules, "BeeeWWeeeeeeeeeeeeeeeeeeeweeeeeeeeewweBeeeeeeeeeBee",
                                  &position, NULL));
    assert_int_equal(position.turn, BLACK);
    assert_true(position.kings[WHITE] ==
                (bit(square_to_bit(rules, 4)) | bit(square_to_bit(rules, 5))));
    assert_int_equal(bit_count(position.men[WHITE]), 3);
    assert_true(position.kings[BLACK] ==
                (bit(square_to_bit(rules, 38)) | bit(square_to_bit(rules, 48))));
    assert_false(hub_position_read(rules, "Wweeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
                                   &position, &err));
    assert_non_null(strstr(err.text, "far row"));
    assert_false(hub_position_read(rules, "Weeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeb",
                                   &position, &err));
    assert_non_null(strstr(err.text, "far row, square 50"));
}

static void survives_faults(void **state)
{
    struct session *session = *state;
    refused(session, "go think", "init");
    refused(session, "pos", "init");
    silent(session, "stop", HUB_NOTHING);
    silent(session, "ponder-hit", HUB_NOTHING);
    silent(session, "new-game", HUB_NOTHING);
    initialise(session);
    refused(session, "level depth=abc", "abc");
    refused(session, "level depth=9x", "9x");
    refused(session, "level depth=1.5", "1.5");
    refused(session, "level depth=0", "depth");
    refused(session, "level nodes=-1", "nodes");
    refused(session, "level move-time=soon", "soon");
    refused(session, "level move-time=nan", "nan");
    refused(session, "level moves=5", "time");
    refused(session, "level", "needs");
    refused(session, "level colour=blue", "needs");
    refused(session, "pos pos=\"", "quote");
    refused(session, "go think", "no position"); /* not the one before */
    silent(session, "pos", HUB_NOTHING);
    hub_lose_line(&session->hub);
    refused(session, "go think", "no position");
    silent(session, "pos", HUB_NOTHING);
    refused(session, "pos pos=W", "characters");
    refused(session, "go think", "no position");
    silent(session, "pos", HUB_NOTHING);
    refused(session, "pos moves=\"32-28 32-28\"", "move 2");
    refused(session, "go think", "no position");
    silent(session, "pos", HUB_NOTHING);
    refused(session, "pos pos=Xbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww", "'X'");
    refused(session, "pos pos=Wxbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww", "square 1");
    silent(session, "castle kingside", HUB_NOTHING);
    silent(session, "\x01\x80\xff", HUB_NOTHING);
    silent(session, "", HUB_NOTHING);
    silent(session, "pos", HUB_NOTHING);
    silent(session, "go", HUB_SEARCH);
    silent(session, "quit", HUB_QUIT);
}

static void position_without_moves(void **state)
{
    struct session *session = *state;
    initialise(session);
    silent(session, "pos pos=Weeeeeeeeeeeeeeeeeeeebeeeeeeeeeeeeeeeeeeeeeeeeeeeee", HUB_NOTHING);
    assert_int_equal(take(session, "go think"), HUB_NOTHING);
    assert_int_equal(strncmp(session->answer, "error message=\"", 15), 0);
    assert_non_null(strstr(session->answer, "\"\ndone\n"));
}

static void limits_the_search(void **state)
{
    struct session *session = *state;
    initialise(session);
    silent(session, "level depth=7 nodes=1000", HUB_NOTHING);
    struct search_limits limits = hub_limits(&session->hub);
    assert_int_equal(limits.depth, 7);
    assert_int_equal(limits.nodes, 1000);
    assert_true(limits.seconds == 0);
    refused(session, "level depth=abc", "abc");
    assert_int_equal(hub_limits(&session->hub).depth, 7);
    silent(session, "level depth=1000000", HUB_NOTHING);
    assert_int_equal(hub_limits(&session->hub).depth, SEARCH_PLIES - 1);
    silent(session, "level move-time=0.25", HUB_NOTHING);
    assert_true(hub_limits(&session->hub).seconds == 0.25);
    silent(session, "level move-time=0", HUB_NOTHING);
    assert_true(hub_limits(&session->hub).seconds > 0);
    silent(session, "level infinite", HUB_NOTHING);
    assert_true(hub_limits(&session->hub).seconds == 0);
    assert_true(hub_limits(&session->hub).soft_seconds == 0);
    silent(session, "level moves=10 time=20", HUB_NOTHING);
    assert_true(hub_limits(&session->hub).seconds > 3.9);
    assert_true(hub_limits(&session->hub).seconds <= 4);
    assert_true(hub_limits(&session->hub).soft_seconds > 1);
    assert_true(hub_limits(&session->hub).soft_seconds < 2);
    silent(session, "level moves=1 time=20", HUB_NOTHING);
    assert_true(hub_limits(&session->hub).seconds < 20);
    silent(session, "level time=30 inc=1", HUB_NOTHING);
    double with_increment = hub_level_seconds(&session->hub.level);
    assert_true(with_increment > 1 && with_increment < 3);
    silent(session, "level time=30 move-time=0.5", HUB_NOTHING);
    assert_true(hub_limits(&session->hub).seconds == 0.5);
    silent(session, "level time=0", HUB_NOTHING);
    assert_true(hub_limits(&session->hub).seconds > 0);
}

/* Who uses all that is allowed, and loses some time on the way, never oversteps the clock. */
static void keeps_to_the_clock(void **state)
{
    enum { GAME = 200 };
    const double lag = 4e-3;
    static const struct hub_level clocks[] = {
        {.clock = true, .time = 60},
        {.clock = true, .time = 1},
        {.clock = true, .time = 5, .inc = 0.05},
        {.clock = true, .time = 0.5, .inc = 0.1},
        {.clock = true, .time = 60, .moves = 40},
        {.clock = true, .time = 3, .moves = 75},
        {.clock = true, .time = 10, .inc = 1, .moves = 5},
    };
    (void)state;
    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++) {
        struct hub_level level = clocks[i];
        for (int move = 0; move < GAME; move++) {
            double average = hub_level_seconds(&level), most = hub_level_seconds_most(&level);
            assert_true(average > 0 && average <= most);
            level.time -= most + lag;
            if (level.time <= 0) {
                /* Nothing is left that an engine could use. */
                assert_true(move > GAME / 4 && clocks[i].inc == 0 && clocks[i].moves == 0);
                break;
            }
            level.time += level.inc;
            if (level.moves > 0 && --level.moves == 0) {
                level.moves = clocks[i].moves;
                level.time += clocks[i].time;
            }
        }
    }
}

static void answers_during_a_search(void **state)
{
    struct session *session = *state;
    initialise(session);
    silent(session, "level move-time=2", HUB_NOTHING);
    silent(session, "go ponder", HUB_SEARCH);
    assert_true(hub_limits(&session->hub).seconds == 0);
    session->hub.searching = true;
    refused(session, "pos pos=\"", "quote");
    assert_true(session->hub.has_position);
    assert_int_equal(take(session, "ping"), HUB_NOTHING);
    assert_string_equal(session->answer, "pong\n");
    refused(session, "go think", "stop first");
    refused(session, "pos", "stop first");
    refused(session, "init", "stop first");
    silent(session, "ponder-hit", HUB_START_CLOCK);
    assert_true(hub_limits(&session->hub).seconds == 2);
    assert_false(hub_limits(&session->hub).analyse);
    silent(session, "ponder-hit", HUB_NOTHING);
    silent(session, "stop", HUB_STOP);
    session->hub.searching = false;
    silent(session, "stop", HUB_NOTHING);
    silent(session, "go analyze", HUB_SEARCH);
    assert_true(hub_limits(&session->hub).analyse);
}

static void writes_results(void **state)
{
    (void)state;
    const struct rules *rules = variant_international.rules;
    struct move_list list;
    struct position start = position_start(rules);
    variant_international.moves(&start, &list);
    struct search_result result = {.has_move = true,
                                   .best = list.move[0],
                                   .score = -125,
                                   .depth = 9,
                                   .seldepth = 20,
                                   .nodes = 3000000,
                                   .seconds = 2,
                                   .pv_length = 1,
                                   .pv = {list.move[0]}};
    char line[HUB_ANSWER];
    hub_info_write(rules, &result, line);
    assert_string_equal(line, "info depth=9 seldepth=20 score=-1.25 nodes=3000000 time=2.000 "
                              "nps=1.500 pv=\"31-26\"\n");
    hub_done_write(rules, &result, line);
    assert_string_equal(line, "done move=31-26\n");
    result.pv_length = 2;
    result.pv[1] = list.move[1];
    hub_done_write(rules, &result, line);
    assert_string_equal(line, "done move=31-26 ponder=31-27\n");
    hub_error_write("a \"b\"\n", line);
    assert_string_equal(line, "error message=\"a 'b'?\"\n");
}

/* The longest line fits its answer: a full line of captures of twenty pieces. */
static void longest_line_fits(void **state)
{
    (void)state;
    struct search_result result = {.has_move = true, .pv_length = SEARCH_PLIES};
    for (int i = 0; i < SEARCH_PLIES; i++) {
        result.pv[i] = (struct move){.taken = row_bits(variant_international.rules, 5) |
                                              row_bits(variant_international.rules, 6) |
                                              row_bits(variant_international.rules, 7) |
                                              row_bits(variant_international.rules, 8),
                                     .from = 0,
                                     .to = 53};
    }
    char line[HUB_ANSWER];
    hub_info_write(variant_international.rules, &result, line);
    assert_string_equal(line + strlen(line) - 2, "\"\n");
}

/* Random bytes and random words never harm the session. */
static void survives_garbage(void **state)
{
    static const char *const WORDS[] = {
        "pos",   "level",     "go",   "=",   "\"",       "moves", "32-28",
        "depth", "think",     "name", "hub", "new-game", "stop",  "99999999999999999999",
        "-1",    "ponder-hit"};
    struct session *session = *state;
    unsigned random = 1;
    initialise(session);
    for (int i = 0; i < 20000; i++) {
        char line[128] = "";
        for (int k = 0; k < 6; k++) {
            random = random * 1103515245 + 12345;
            size_t used = strlen(line);
            if (i % 2 == 0) {
                snprintf(line + used, sizeof line - used, "%c", (char)(random >> 16));
            } else {
                snprintf(line + used, sizeof line - used, "%s%s", WORDS[(random >> 16) % 16],
                         random & 1 << 25 ? " " : "");
            }
        }
        take(session, line);
        size_t length = strlen(session->answer);
        assert_true(length == 0 || session->answer[length - 1] == '\n');
    }
}

/* The end to write to; closed when all was written. */
static void *write_long_line(void *context)
{
    int *fd = context;
    bool written = true;
    for (int i = 0; i < 2 * HUB_LINE; i++) {
        written = write(*fd, "x", 1) == 1 && written;
    }
    written = write(*fd, "\nquit", 5) == 5 && written;
    return written && close(*fd) == 0 ? fd : NULL;
}

static void input_lines(void **state)
{
    (void)state;
    static struct hub_input input;
    static char line[HUB_LINE];
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    input = (struct hub_input){.fd = ends[0]};
    assert_int_equal(write(ends[1], "hub\nin", 6), 6);
    assert_int_equal(hub_input_next(&input, line), HUB_EVENT_LINE);
    assert_string_equal(line, "hub");
    assert_int_equal(write(ends[1], "it\na\0b\n", 7), 7);
    assert_int_equal(hub_input_next(&input, line), HUB_EVENT_LINE);
    assert_string_equal(line, "init");
    assert_int_equal(hub_input_next(&input, line), HUB_EVENT_LINE);
    assert_string_equal(line, "a?b");

    /* More than a line may hold, by a second thread, as a pipe holds less. */
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, write_long_line, &ends[1]), 0);
    assert_int_equal(hub_input_next(&input, line), HUB_EVENT_TOO_LONG);
    assert_int_equal(hub_input_next(&input, line), HUB_EVENT_LINE);
    assert_string_equal(line, "quit");
    assert_int_equal(hub_input_next(&input, line), HUB_EVENT_END);
    void *written;
    assert_int_equal(pthread_join(thread, &written), 0);
    assert_non_null(written);
    close(ends[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines),
        cmocka_unit_test_setup_teardown(introduces_itself, setup_session, teardown_session),
        cmocka_unit_test_setup_teardown(chooses_the_variant, setup_session, teardown_session),
        cmocka_unit_test_setup_teardown(plays_the_moves, setup_session, teardown_session),
        cmocka_unit_test(reads_positions),
        cmocka_unit_test_setup_teardown(survives_faults, setup_session, teardown_session),
        cmocka_unit_test_setup_teardown(position_without_moves, setup_session, teardown_session),
        cmocka_unit_test_setup_teardown(limits_the_search, setup_session, teardown_session),
        cmocka_unit_test(keeps_to_the_clock),
        cmocka_unit_test_setup_teardown(answers_during_a_search, setup_session, teardown_session),
        cmocka_unit_test(writes_results),
        cmocka_unit_test(longest_line_fits),
        cmocka_unit_test_setup_teardown(survives_garbage, setup_session, teardown_session),
        cmocka_unit_test(input_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
