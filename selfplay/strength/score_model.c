/* The score-logistic model in a form without cancellation, with its first two derivatives.
 *
 * With win = phi e^x Z, draw = Z, loss = phi e^-x Z and Z their norm, the draw condition holds for
 * every x, and the score is logistic in u = gap ln10/400 when
 *     x = u/2 + asinh(sinh(u/2) / (2 phi)).
 * In x the likelihood is that of an exponential family; the chain rule does the rest. */
#include "selfplay/strength/score_model.h"

#include <assert.h>
#include <math.h>

#include "selfplay/strength/statistics.h"

const char score_model_name[] = "score-logistic";

struct score_model_point score_model_point(double gap, double draw_share)
{
    assert(draw_share > 0.0 && draw_share < 1.0);
    return (struct score_model_point){
        .logit = gap / elo_per_logit,
        .decision = log1p(-draw_share) - log(draw_share),
    };
}

double score_model_draw_share(double decision)
{
    return 1.0 / (1.0 + exp(decision));
}

/* x and its derivatives by u (logit) and y (decision = ln 2 phi). */
struct strength {
    double x, by_u, by_y, by_uu, by_uy, by_yy;
};

static struct strength strength_at(struct score_model_point at)
{
    const double odds = exp(at.decision);
    const double sh = sinh(at.logit / 2.0);
    const double ch = cosh(at.logit / 2.0);
    const double q = hypot(odds, sh);
    const double square = (odds / q) * (odds / q);

    return (struct strength){
        .x = at.logit / 2.0 + asinh(sh / odds),
        .by_u = (1.0 + ch / q) / 2.0,
        .by_y = -sh / q,
        .by_uu = sh / q * (1.0 - ch / q * (ch / q)) / 4.0,
        .by_uy = -ch / q * square / 2.0,
        .by_yy = sh / q * square,
    };
}

/* Logarithms of the chances at x: ln phi + x, 0 and ln phi - x less their common log sum. */
static struct wdl log_chances(double x, double decision)
{
    const double log_phi = decision - log(2.0);
    const double most = fmax(log_phi + fabs(x), 0.0);
    const double norm = most + log(exp(log_phi + x - most) + exp(-most) + exp(log_phi - x - most));

    return (struct wdl){log_phi + x - norm, -norm, log_phi - x - norm};
}

struct wdl score_model_chances(double gap, double draw_share)
{
    const struct score_model_point at = score_model_point(gap, draw_share);
    const struct wdl logs = log_chances(strength_at(at).x, at.decision);

    return (struct wdl){exp(logs.wins), exp(logs.draws), exp(logs.losses)};
}

/* Curvature of `games` games with these chances; `by_x` is the gradient by x, which counts for the
 * observed curvature and is 0 in expectation. */
static struct score_model_curvature curvature(const struct strength *s, const struct wdl *p,
                                              double games, double by_x)
{
    const double lead = p->wins - p->losses;
    const double decided = p->wins + p->losses;
    const double xx = games * (decided - lead * lead);
    const double xy = games * lead * p->draws;
    const double yy = games * decided * p->draws;

    return (struct score_model_curvature){
        .logit_logit = xx * s->by_u * s->by_u - by_x * s->by_uu,
        .logit_decision = (xy + xx * s->by_y) * s->by_u - by_x * s->by_uy,
        .decision_decision = yy + 2.0 * xy * s->by_y + xx * s->by_y * s->by_y - by_x * s->by_yy,
    };
}

struct score_model_likelihood score_model_likelihood(const struct wdl *games,
                                                     struct score_model_point at)
{
    const struct strength s = strength_at(at);
    const struct wdl logs = log_chances(s.x, at.decision);
    const struct wdl p = {exp(logs.wins), exp(logs.draws), exp(logs.losses)};
    const double total = games->wins + games->draws + games->losses;
    const double by_x = games->wins - games->losses - total * (p.wins - p.losses);
    const double by_y = games->wins + games->losses - total * (p.wins + p.losses);

    return (struct score_model_likelihood){
        .value = games->wins * logs.wins + games->draws * logs.draws + games->losses * logs.losses,
        .by_logit = by_x * s.by_u,
        .by_decision = by_y + by_x * s.by_y,
        .observed = curvature(&s, &p, total, by_x),
        .expected = curvature(&s, &p, total, 0.0),
    };
}
