/* The results of a match of players named by the user as lines for people. */
#include "tuner/report/contest_text.h"

#include <inttypes.h>

#include "tuner/report/crosstable.h"

/* --- how far it is -----------------------------------------------------------------------------*/

static int64_t pairs_of(const struct standing *standing)
{
    const struct pentanomial *scores = &standing->results.scores;

    return (scores->wins + scores->draws + scores->losses) / 2;
}

void contest_pairs(FILE *out, const struct standings *standings)
{
    int64_t pairs = 0, wanted = 0;

    for (int i = 0; i < standings->pairings; i++) {
        pairs += pairs_of(&standings->pairing[i]);
        wanted += standings->pairing[i].wanted;
    }
    fprintf(out, "%" PRId64, pairs);
    if (standings->has_test && pairs < wanted) {
        bool open = standings->pairing[0].results.decision == SPRT_CONTINUE;
        fprintf(out, " of at most %" PRId64 " pairs; the test %s", wanted,
                open ? "may end the match earlier" : "has ended the match");
    } else if (pairs < wanted) {
        fprintf(out, " of %" PRId64 " pairs", wanted);
    } else {
        fprintf(out, " pairs");
    }
}

/* Openings are the same for all pairings, so one of them speaks for all. */
static void write_repeated(FILE *out, const struct standings *standings)
{
    const struct standing *most = &standings->pairing[0];

    for (int i = 1; i < standings->pairings; i++) {
        if (standings->pairing[i].results.repeated > most->results.repeated) {
            most = &standings->pairing[i];
        }
    }
    if (most->results.repeated > 0) {
        fprintf(out,
                "  again   %" PRId64 " of %" PRId64 " pairs have the opening of an earlier one: "
                "players limited by nodes or depth repeat its games\n",
                most->results.repeated, pairs_of(most));
    }
}

/* --- a match of two ----------------------------------------------------------------------------*/

static void write_games(FILE *out, const struct match_results *results)
{
    const struct pentanomial *scores = &results->scores;
    int64_t games = scores->wins + scores->draws + scores->losses;
    double divisor = games > 0 ? (double)games : 1;

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

const char *contest_scale(const struct sprt *test)
{
    return test->scale == SPRT_LOGISTIC ? "logistic" : "normalised";
}

const char *contest_decision(enum sprt_decision decision)
{
    static const char *const DECISIONS[] = {[SPRT_CONTINUE] = "not decided",
                                            [SPRT_ACCEPT_ELO0] = "elo0 accepted",
                                            [SPRT_ACCEPT_ELO1] = "elo1 accepted"};

    return DECISIONS[decision];
}

static void write_test(FILE *out, const struct sprt *test, const struct match_results *results)
{
    fprintf(out, "  SPRT    %s Elo %g against %g: LLR %.3f within %.3f .. %.3f, %s\n",
            contest_scale(test), test->elo0, test->elo1,
            sprt_log_likelihood_ratio(test, &results->scores), sprt_lower_bound(test),
            sprt_upper_bound(test), contest_decision(results->decision));
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

static const char *adjudication_of(int adjudication)
{
    return adjudication_name((enum adjudication)adjudication);
}

/* How games ended, by the rules and before them. */
static void write_ends(FILE *out, const int64_t ends[END_QUIET + 1],
                       const int64_t adjudicated[ADJUDICATION_DRAWN + 1])
{
    write_counts(out, "  ends    ", ends, END_QUIET + 1, reason_of);
    write_counts(out, "  adjudicated  ", adjudicated, ADJUDICATION_DRAWN + 1, adjudication_of);
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

static void write_faults(FILE *out, const char *player, const int64_t faults[FAULTS])
{
    char label[128];

    snprintf(label, sizeof label, "  faults  of %.80s: ", player);
    write_counts(out, label, faults, FAULTS, fault_of);
}

static void write_two(FILE *out, const struct standings *standings)
{
    const struct standing *standing = &standings->pairing[0];
    const struct match_results *results = &standing->results;

    write_games(out, results);
    write_repeated(out, standings);
    write_elo(out, &results->scores);
    if (standings->has_test) {
        write_test(out, &standings->test, results);
    }
    write_ends(out, results->ends, results->adjudicated);
    for (int player = 0; player < 2; player++) {
        write_effort(out, standings->name[player], &standing->effort[player]);
    }
    for (int player = 0; player < 2; player++) {
        write_faults(out, standings->name[player], results->faults[player]);
    }
}

/* --- a round robin -----------------------------------------------------------------------------*/

static void write_pairing(FILE *out, const struct standing *standing)
{
    const struct pentanomial *scores = &standing->results.scores;
    struct match_statistics statistics = match_statistics(scores);

    fprintf(out, "    %2d - %-2d  ", standing->first + 1, standing->second + 1);
    for (int i = 0; i < PAIR_SCORES; i++) {
        fprintf(out, " %5" PRId64, scores->pairs[i]);
    }
    fprintf(out, "  %+7.1f +- %-6.1f %+7.1f +- %-6.1f %5.1f %%\n", statistics.elo.value,
            statistics.elo.error, statistics.normalised_elo.value, statistics.normalised_elo.error,
            100 * statistics.superiority);
}

static void write_pairings(FILE *out, const struct standings *standings)
{
    fprintf(out,
            "  pairs of          0   1/2     1   3/2     2   Elo (95 %%)         normalised        "
            "superiority\n");
    for (int i = 0; i < standings->pairings; i++) {
        write_pairing(out, &standings->pairing[i]);
    }
    write_repeated(out, standings);
}

/* Strongest first; over what each interval is, is said in the heading. */
static void write_ratings(FILE *out, const struct standings *standings)
{
    struct rating ratings[MATCH_PLAYERS_MAX];
    int ladder[MATCH_PLAYERS_MAX];
    struct err err;

    if (!standings_rate(standings, ladder, ratings, &err)) {
        fprintf(out, "  ratings none yet: %s\n", err.text);
        return;
    }
    fprintf(out,
            "  ratings %s Elo, %s held at %g; +- 95 %%\n"
            "                       Elo   against it   against the mean   over the next below\n",
            score_model_name, standings->name[standings->anchor], standings->anchor_elo);
    for (int rung = standings->players - 1; rung >= 0; rung--) {
        const struct rating *rating = &ratings[ladder[rung]];
        fprintf(out, "   %2d %-12.12s %8.1f    +- %-8.1f   +- %.1f", ladder[rung] + 1,
                standings->name[ladder[rung]], rating->elo, rating->over_anchor.error,
                rating->over_mean.error);
        if (rung > 0) {
            fprintf(out, "%*s%.1f +- %.1f", rating->over_mean.error < 99.95 ? 12 : 11, "",
                    rating->over_below.value, rating->over_below.error);
        }
        fprintf(out, "\n");
    }
}

static void write_robin(FILE *out, const struct standings *standings)
{
    int64_t ends[END_QUIET + 1], adjudicated[ADJUDICATION_DRAWN + 1];
    int64_t faults[MATCH_PLAYERS_MAX][FAULTS] = {{0}};

    for (int i = 0; i < standings->pairings; i++) {
        const struct standing *standing = &standings->pairing[i];
        for (int fault = 0; fault < FAULTS; fault++) {
            faults[standing->first][fault] += standing->results.faults[0][fault];
            faults[standing->second][fault] += standing->results.faults[1][fault];
        }
    }
    crosstable_write(out, standings);
    write_pairings(out, standings);
    write_ratings(out, standings);
    standings_ends(standings, ends, adjudicated);
    write_ends(out, ends, adjudicated);
    for (int player = 0; player < standings->players; player++) {
        write_faults(out, standings->name[player], faults[player]);
    }
}

void contest_write(FILE *out, const struct standings *standings, const char *note)
{
    fprintf(out, "%s%s: ", standings->variant->rules->title, note);
    if (standings->players == 2) {
        fprintf(out, "%s against %s, ", standings->name[0], standings->name[1]);
    } else {
        fprintf(out, "%d players, ", standings->players);
    }
    contest_pairs(out, standings);
    fprintf(out, "\n");
    if (standings->players == 2) {
        write_two(out, standings);
    } else {
        write_robin(out, standings);
    }
}
