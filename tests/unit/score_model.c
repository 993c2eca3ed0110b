/* The score-logistic model: its defining equations, and derivatives against differences. */
#include "selfplay/strength/score_model.h"

#include "selfplay/strength/statistics.h"
#include "tests/unit/close.h"

static const double draw_shares[] = {0.001, 0.1, 0.5, 0.8, 0.99};
enum { DRAW_SHARES = sizeof draw_shares / sizeof draw_shares[0] };

static void chances_obey_the_definition(void **state)
{
    (void)state;
    for (int i = 0; i < DRAW_SHARES; i++) {
        const double phi = (1.0 - draw_shares[i]) / (2.0 * draw_shares[i]);
        for (double gap = -1200.0; gap <= 1200.0; gap += 75.0) {
            const struct wdl p = score_model_chances(gap, draw_shares[i]);
            assert_close(p.wins + p.draws + p.losses, 1.0, 1e-12);
            assert_close(p.wins + p.draws / 2.0, score_from_elo(gap), 1e-12);
            assert_close(p.wins * p.losses / (p.draws * p.draws) / (phi * phi), 1.0, 1e-9);
        }
    }
}

/* The closed form for the draws, which says the same in another way. */
static void draws_obey_the_closed_form(void **state)
{
    (void)state;
    for (int i = 0; i < DRAW_SHARES; i++) {
        const double phi = (1.0 - draw_shares[i]) / (2.0 * draw_shares[i]);
        for (double gap = -800.0; gap <= 800.0; gap += 100.0) {
            const double s = score_from_elo(gap);
            const double v = s * (1.0 - s);
            const double draws = 4.0 * v / (1.0 + sqrt(1.0 + 4.0 * (4.0 * phi * phi - 1.0) * v));
            assert_close(score_model_chances(gap, draw_shares[i]).draws, draws, 1e-12);
        }
        assert_close(score_model_chances(0.0, draw_shares[i]).draws, draw_shares[i], 1e-12);
        const struct score_model_point at = score_model_point(0.0, draw_shares[i]);
        assert_close(score_model_draw_share(at.decision), draw_shares[i], 1e-12);
    }
}

static void check_derivatives(const struct wdl *games, struct score_model_point at)
{
    const double h = 1e-5;
    const struct score_model_point u0 = {at.logit - h, at.decision};
    const struct score_model_point u1 = {at.logit + h, at.decision};
    const struct score_model_point y0 = {at.logit, at.decision - h};
    const struct score_model_point y1 = {at.logit, at.decision + h};
    const struct score_model_likelihood here = score_model_likelihood(games, at);
    const struct score_model_likelihood lu = score_model_likelihood(games, u0);
    const struct score_model_likelihood ru = score_model_likelihood(games, u1);
    const struct score_model_likelihood ly = score_model_likelihood(games, y0);
    const struct score_model_likelihood ry = score_model_likelihood(games, y1);

    assert_close(here.by_logit, (ru.value - lu.value) / (2 * h), 1e-5);
    assert_close(here.by_decision, (ry.value - ly.value) / (2 * h), 1e-5);
    assert_close(-here.observed.logit_logit, (ru.by_logit - lu.by_logit) / (2 * h), 1e-4);
    assert_close(-here.observed.logit_decision, (ry.by_logit - ly.by_logit) / (2 * h), 1e-4);
    assert_close(-here.observed.decision_decision, (ry.by_decision - ly.by_decision) / (2 * h),
                 1e-4);
}

static void derivatives_agree_with_differences(void **state)
{
    (void)state;
    const struct wdl games = {7.0, 4.0, 2.0};

    for (int i = 0; i < DRAW_SHARES - 1; i++) {
        for (double gap = -700.0; gap <= 700.0; gap += 140.0) {
            check_derivatives(&games, score_model_point(gap, draw_shares[i]));
        }
    }
}

/* Games in the very proportions of the model: no slope, and both curvatures the same. */
static void expected_games_have_the_expected_curvature(void **state)
{
    (void)state;
    const struct wdl games = score_model_chances(123.0, 0.4);
    const struct score_model_likelihood here =
        score_model_likelihood(&games, score_model_point(123.0, 0.4));

    assert_close(here.by_logit, 0.0, 1e-12);
    assert_close(here.by_decision, 0.0, 1e-12);
    assert_close(here.observed.logit_logit, here.expected.logit_logit, 1e-12);
    assert_close(here.observed.logit_decision, here.expected.logit_decision, 1e-12);
    assert_close(here.observed.decision_decision, here.expected.decision_decision, 1e-12);
    assert_true(here.expected.logit_logit > 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chances_obey_the_definition),
        cmocka_unit_test(draws_obey_the_closed_form),
        cmocka_unit_test(derivatives_agree_with_differences),
        cmocka_unit_test(expected_games_have_the_expected_curvature),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
