/* Match statistics from pair scores: moments, the two Elo scales and their intervals. */
#include "selfplay/strength/statistics.h"

#include <assert.h>
#include <math.h>

const double z95 = 1.959963984540054;
const double elo_per_logit = 173.71779276130073;

double pair_score(int index)
{
    return index / 4.0;
}

void pentanomial_add(struct pentanomial *match, int first_game, int second_game)
{
    const int games[2] = {first_game, second_game};

    for (int i = 0; i < 2; i++) {
        assert(games[i] >= 0 && games[i] <= 2);
        match->losses += games[i] == 0;
        match->draws += games[i] == 1;
        match->wins += games[i] == 2;
    }
    match->pairs[first_game + second_game]++;
}

double score_from_elo(double elo)
{
    return 1.0 / (1.0 + exp(-elo / elo_per_logit));
}

double elo_from_score(double score)
{
    assert(score > 0.0 && score < 1.0);
    return elo_per_logit * log(score / (1.0 - score));
}

/* Distribution of a pair's mean score per game: weights of 0, 1/4, 1/2, 3/4, 1. */
struct distribution {
    double weight[PAIR_SCORES];
    double total, mean, variance;
};

/* The pairs seen, with `correction` of a pair lost and as much won. A total of 0 gives mean 1/2. */
static struct distribution distribution_of(const struct pentanomial *match, double correction)
{
    struct distribution d = {.mean = 0.5};
    double sum = 0.0;
    double squares = 0.0;

    for (int i = 0; i < PAIR_SCORES; i++) {
        assert(match->pairs[i] >= 0);
        d.weight[i] = (double)match->pairs[i] + (i == 0 || i == PAIR_SCORES - 1 ? correction : 0.0);
        d.total += d.weight[i];
        sum += d.weight[i] * pair_score(i);
    }
    if (d.total > 0.0) {
        d.mean = sum / d.total;
        for (int i = 0; i < PAIR_SCORES; i++) {
            const double off = pair_score(i) - d.mean;
            squares += d.weight[i] * off * off;
        }
        d.variance = squares / d.total;
    }
    return d;
}

static struct estimate logistic_elo(const struct distribution *seen,
                                    const struct distribution *wide)
{
    const double margin = 1.0 / (8.0 * fmax(seen->total, 1.0));
    const double score = fmin(fmax(seen->mean, margin), 1.0 - margin);
    const double slope = elo_per_logit / (wide->mean * (1.0 - wide->mean));

    return (struct estimate){
        .value = elo_from_score(score),
        .error = z95 * slope * sqrt(wide->variance / wide->total),
    };
}

/* With z = (a - mean)/deviation and t = (mean - 1/2)/deviation, one pair of score a moves t by
 * z - t (z^2 - 1)/2 over the number of pairs; the mean square of that is the variance of t. */
static struct estimate normalised_elo(const struct distribution *seen,
                                      const struct distribution *wide)
{
    const struct distribution *central = seen->variance > 0.0 ? seen : wide;
    const double scale = elo_per_logit * 2.0 / sqrt(2.0);
    const double deviation = sqrt(wide->variance);
    const double t = (wide->mean - 0.5) / deviation;
    double squares = 0.0;

    for (int i = 0; i < PAIR_SCORES; i++) {
        const double z = (pair_score(i) - wide->mean) / deviation;
        const double influence = z - t * (z * z - 1.0) / 2.0;
        squares += wide->weight[i] * influence * influence;
    }
    return (struct estimate){
        .value = scale * (central->mean - 0.5) / sqrt(central->variance),
        .error = z95 * scale * sqrt(squares) / wide->total,
    };
}

struct match_statistics match_statistics(const struct pentanomial *match)
{
    const struct distribution seen = distribution_of(match, 0.0);
    const struct distribution wide = distribution_of(match, 0.5);
    struct match_statistics statistics = {
        .pairs = (int64_t)seen.total,
        .score = seen.mean,
        .variance = seen.variance,
        .elo = logistic_elo(&seen, &wide),
        .normalised_elo = normalised_elo(&seen, &wide),
    };
    const double errors = statistics.elo.value / (statistics.elo.error / z95);

    statistics.superiority = erfc(-errors / sqrt(2.0)) / 2.0;
    return statistics;
}
