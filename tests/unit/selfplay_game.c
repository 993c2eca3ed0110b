/* One game of self-play as a function of its settings: moves drawn among the good ones, games ended
 * by their scores, control games, earlier weights, listed openings; and what all games come to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games_support.h"
#include "selfplay/census.h"

enum { GAMES = 60 };

static const struct variant *const VARIANT = &variant_classic;

/* Everything that a game is made from; the fields may be changed before `play`. */
struct table {
    struct selfplay_settings settings;
    struct weights weights, earlier[2];
    struct selfplay_source source;
};

static void set(struct table *table)
{
    *table = (struct table){
        .settings = {.seed = 4, .nodes = 40, .table_bits = 8, .opening = {.plies = 4}},
        .source = {.variant = VARIANT, .weights = &table->weights, .earlier = table->earlier}};
    weights_builtin(VARIANT->rules, &table->weights);
    weights_builtin(VARIANT->rules, &table->earlier[0]);
    weights_builtin(VARIANT->rules, &table->earlier[1]);
}

static struct record play(const struct table *table, int64_t number)
{
    struct selfplay_crew crew;
    struct record record;
    struct err err = {0};

    assert_true(selfplay_crew_init(&crew, &table->settings, &table->source, &err));
    assert_true(
        selfplay_game(&table->settings, &table->source, &crew, number, NULL, &record, NULL, &err));
    selfplay_crew_fini(&crew);
    return record;
}

static bool same(const struct record *a, const struct record *b)
{
    size_t size, other;
    uint8_t *one = encoded(VARIANT, a, &size), *two = encoded(VARIANT, b, &other);
    bool equal = size == other && memcmp(one, two, size) == 0;

    free(one);
    free(two);
    return equal;
}

/* Whether game `number` is the same under both. */
static bool plays_same(const struct table *a, const struct table *b, int64_t number)
{
    struct record one = play(a, number), other = play(b, number);
    bool equal = same(&one, &other);

    record_fini(&one);
    record_fini(&other);
    return equal;
}

/* What the games 0..GAMES - 1 come to. */
static struct census_figures count(const struct table *table)
{
    struct census census = census_begin(&table->settings, &table->source);

    for (int64_t number = 0; number < GAMES; number++) {
        struct record record = play(table, number);
        assert_true(census_add(&census, &record, NULL));
        record_fini(&record);
    }
    return census_end(&census);
}

static void test_sampling_weight(void **state)
{
    (void)state;
    const struct sampling sampling = {.plies = 1, .half = 10};

    assert_int_equal(sampling_weight(&sampling, 0), 65536);
    assert_int_equal(sampling_weight(&sampling, 5), 49152);
    assert_int_equal(sampling_weight(&sampling, 10), 32768);
    assert_int_equal(sampling_weight(&sampling, 30), 8192);
    assert_int_equal(sampling_weight(&sampling, 159), 1);
    assert_int_equal(sampling_weight(&sampling, 160), 0);
    assert_int_equal(sampling_weight(&sampling, 60000), 0);
    for (int loss = 0; loss < 200; loss++) {
        assert_true(sampling_weight(&sampling, loss) >= sampling_weight(&sampling, loss + 1));
    }
}

/* Drawn moves part the games of one opening, and are the same at every try. */
static void test_sampling(void **state)
{
    (void)state;
    struct table plain, drawn;
    int64_t apart = 0;

    set(&plain);
    set(&drawn);
    plain.settings.opening.plies = drawn.settings.opening.plies = 0;
    drawn.settings.sampling = (struct sampling){.plies = 6, .half = 20};
    assert_int_equal(count(&plain).repeated, GAMES - 1);
    assert_true(count(&drawn).repeated < GAMES / 10);
    for (int64_t number = 0; number < 10; number++) {
        assert_true(plays_same(&drawn, &drawn, number));
        apart += !plays_same(&plain, &drawn, number);
    }
    assert_true(apart > 5);
}

/* Control games are what all games would be without adjudication; the others end earlier, as the
 * control games show in the mean. */
static void test_adjudication(void **state)
{
    (void)state;
    struct table plain, judged;
    int64_t controls = 0;

    set(&plain);
    set(&judged);
    judged.settings.rules = (struct adjudication_rules){
        .resign_score = 150, .resign_plies = 4, .draw_score = 5, .draw_plies = 8, .draw_from = 30};
    judged.settings.control = 30;
    for (int64_t number = 0; number < GAMES; number++) {
        struct record whole = play(&plain, number), record = play(&judged, number);
        bool control = selfplay_roles(&judged.settings, &judged.source, number).control;
        controls += control;
        assert_int_equal(same(&whole, &record), record.adjudication == ADJUDICATION_NONE);
        assert_true(!control || record.adjudication == ADJUDICATION_NONE);
        assert_true(record.plies <= whole.plies);
        assert_int_equal(memcmp(record.ply, whole.ply, sizeof *record.ply), 0);
        record_fini(&whole);
        record_fini(&record);
    }
    assert_in_range(controls, GAMES / 10, GAMES / 2);

    struct census_figures figures = count(&judged);
    assert_int_equal(figures.games, GAMES);
    assert_int_equal(figures.control, controls);
    assert_true(figures.adjudicated[ADJUDICATION_RESIGNED] > GAMES / 4);
    assert_true(figures.judged[ADJUDICATION_RESIGNED] > 0);
    assert_true(figures.spared_plies > 0 && figures.spared_plies < figures.control_plies);

    /* With nothing but control games their verdicts are those that the others were ended by. */
    judged.settings.control = 0;
    struct census_figures ended = count(&judged);
    assert_int_equal(ended.control, 0);
    judged.settings.control = 100;
    struct census_figures held = count(&judged);
    assert_int_equal(held.control, GAMES);
    for (int kind = ADJUDICATION_RESIGNED; kind <= ADJUDICATION_DRAWN; kind++) {
        assert_int_equal(held.adjudicated[kind], 0);
        assert_int_equal(held.judged[kind], ended.adjudicated[kind]);
    }
}

/* A verdict is wrong when the game's true result is another one. */
static void test_wrong(void **state)
{
    (void)state;
    struct table table;

    set(&table);
    table.settings.rules = (struct adjudication_rules){.draw_score = 30000, .draw_plies = 1};
    table.settings.control = 100;
    struct census census = census_begin(&table.settings, &table.source);
    int64_t decided = 0;
    for (int64_t number = 0; number < GAMES; number++) {
        struct record record = play(&table, number);
        decided += record.outcome != OUTCOME_DRAW;
        assert_true(census_add(&census, &record, NULL));
        record_fini(&record);
    }
    struct census_figures figures = census_end(&census);
    assert_int_equal(figures.judged[ADJUDICATION_DRAWN], GAMES);
    assert_int_equal(figures.wrong[ADJUDICATION_DRAWN], decided);
    assert_int_equal(figures.judged[ADJUDICATION_RESIGNED], 0);
}

static void test_earlier(void **state)
{
    (void)state;
    struct table plain, mixed;
    int64_t with = 0, white = 0, second = 0;

    set(&plain);
    set(&mixed);
    mixed.earlier[0].opening[0] = (int16_t)(mixed.earlier[0].opening[0] + 40);
    mixed.settings.earlier = 40;
    mixed.source.earlier_count = 2;
    for (int64_t number = 0; number < 400; number++) {
        struct selfplay_roles roles = selfplay_roles(&mixed.settings, &mixed.source, number);
        assert_true(roles.weights[WHITE] == 0 || roles.weights[BLACK] == 0);
        with += roles.weights[WHITE] + roles.weights[BLACK] > 0;
        white += roles.weights[WHITE] > 0;
        second += roles.weights[WHITE] + roles.weights[BLACK] == 2;
    }
    assert_in_range(with, 120, 200);
    assert_in_range(white, with / 3, with * 2 / 3);
    assert_in_range(second, with / 3, with * 2 / 3);
    for (int64_t number = 0; number < 10; number++) {
        struct selfplay_roles roles = selfplay_roles(&mixed.settings, &mixed.source, number);
        bool alone = roles.weights[WHITE] == 0 && roles.weights[BLACK] == 0;
        assert_true(!alone || plays_same(&plain, &mixed, number));
        assert_true(plays_same(&mixed, &mixed, number));
    }
}

/* Each listed opening is played, and by the number of the game alone. */
static void test_listed(void **state)
{
    (void)state;
    static const char LIST[] = "B:W21-32:B1-12\nB:W21-32:B1-10,15,16\nW:W21-32:B1-10,12,16\n";
    struct table table;
    struct opening_file file;

    set(&table);
    assert_true(opening_file_read(&file, VARIANT, "list.fen", LIST, strlen(LIST), NULL));
    table.source.file = &file;
    for (int64_t number = 0; number < 6; number++) {
        struct record record = play(&table, number);
        assert_true(position_equal(&record.start, &file.opening[number % 3].positions[0]));
        assert_int_equal(record.opening_plies, 0);
        record_fini(&record);
    }
    assert_int_equal(count(&table).repeated, GAMES - 3);
    opening_file_fini(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sampling_weight), cmocka_unit_test(test_sampling),
        cmocka_unit_test(test_adjudication),    cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_earlier),         cmocka_unit_test(test_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
