/* The results of a match of two players as lines for people. */
#include "tuner/contest_text.h"

#include <inttypes.h>

static void write_games(FILE *out, const struct contest_heading *heading,
                        const struct match_results *results)
{
    const struct pentanomial *scores = &results->scores;
    int64_t games = scores->wins + scores->draws + scores->losses;
    double divisor = games > 0 ? (double)games : 1;

    fprintf(out, "%s: %s against %s, %" PRId64 " pairs\n", heading->title, heading->first,
            heading->second, games / 2);
    fprintf(out,
            "  games   won %" PRId64 ", drawn %" PRId64 ", lost %" PRId64
            " (%.1f %% drawn, %.1f plies a game)\n",
            scores->wins, scores->draws, scores->losses, 100 * (double)scores->draws / divisor,
            (double)results->plies / divisor);
    fprintf(out,
            "  pairs   of 0, 1/2, 1, 3/2, 2 points: %" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64
            ", %" PRId64 "\n",
            scores->pairs[0], scores->pairs[1], scores->pairs[2], scores->pairs[3],
            scores->pairs[4]);
}

static void write_elo(FILE *out, const struct pentanomial *scores)
{
    struct match_statistics statistics = match_statistics(scores);

    fprintf(out,
            "  Elo     %+.1f +- %.1f (95 %%, logistic), normalised %+.1f +- %.1f, likelihood of "
            "superiority %.1f %%\n",
            statistics.elo.value, statistics.elo.error, statistics.normalised_elo.value,
            statistics.normalised_elo.error, 100 * statistics.superiority);
}

static void write_test(FILE *out, const struct sprt *test, const struct match_results *results)
{
    static const char *const SCALES[] = {
        [SPRT_LOGISTIC] = "logistic", [SPRT_NORMALISED] = "normalised"};
    static const char *const DECISIONS[] = {[SPRT_CONTINUE] = "not decided",
                                            [SPRT_ACCEPT_ELO0] = "elo0 accepted",
                                            [SPRT_ACCEPT_ELO1] = "elo1 accepted"};

    fprintf(out, "  SPRT    %s Elo %g against %g: LLR %.3f within %.3f .. %.3f, %s\n",
            SCALES[test->scale], test->elo0, test->elo1,
            sprt_log_likelihood_ratio(test, &results->scores), sprt_lower_bound(test),
            sprt_upper_bound(test), DECISIONS[results->decision]);
}

/* Those of the counts that are not 0, by name. */
static void write_counts(FILE *out, const char *label, const int64_t *counts, int size,
                         const char *(*name)(int))
{
    const char *before = label;

    for (int i = 0; i < size; i++) {
        if (counts[i] > 0) {
            fprintf(out, "%s%s %" PRId64, before, name(i), counts[i]);
            before = ", ";
        }
    }
    if (before != label) {
        fprintf(out, "\n");
    }
}

static const char *reason_of(int reason)
{
    return end_reason_name((enum end_reason)reason);
}

static const char *fault_of(int fault)
{
    return fault_name((enum fault)fault);
}

/* Nothing of a player of whom no move was kept. */
static void write_effort(FILE *out, const char *player, const struct match_effort *effort)
{
    if (effort->moves == 0) {
        return;
    }
    double depth = match_effort_depth(effort);
    fprintf(out, "  moves   of %.80s: ", player);
    if (depth > 0) {
        fprintf(out, "depth %.1f (%s)", depth, match_effort_depth_note);
    } else {
        fprintf(out, "depth not told");
    }
    fprintf(out, "  [%.2f ms a move]\n", match_effort_milliseconds(effort));
}

void contest_write(FILE *out, const struct contest_heading *heading,
                   const struct match_results *results, const struct match_effort effort[2])
{
    write_games(out, heading, results);
    write_elo(out, &results->scores);
    if (heading->test) {
        write_test(out, heading->test, results);
    }
    write_counts(out, "  ends    ", results->ends, END_QUIET + 1, reason_of);
    write_effort(out, heading->first, &effort[0]);
    write_effort(out, heading->second, &effort[1]);
    for (int player = 0; player < 2; player++) {
        char label[128];
        snprintf(label, sizeof label,
                 "  faults  of %.80s: ", player == 0 ? heading->first : heading->second);
        write_counts(out, label, results->faults[player], FAULTS, fault_of);
    }
}
