/* The table of a round robin. */
#include "tuner/report/crosstable.h"

#include <inttypes.h>

struct crosstable_row crosstable_row(const struct standings *standings, int player)
{
    struct crosstable_row row = {0};

    for (int i = 0; i < standings->pairings; i++) {
        const struct standing *standing = &standings->pairing[i];
        if (standing->first != player && standing->second != player) {
            continue;
        }
        int other = standing->first == player ? standing->second : standing->first;
        row.half_points += standings_half_points(standings, player, other);
        row.games += standings_games(standings, player, other);
        row.draws += standing->results.scores.draws;
        row.plies += standing->results.plies;
        match_effort_add(&row.effort, &standing->effort[standing->first == player ? 0 : 1]);
    }
    return row;
}

static void write_player(FILE *out, const struct standings *standings, int player)
{
    const struct crosstable_row row = crosstable_row(standings, player);
    double divisor = row.games > 0 ? (double)row.games : 1;
    double depth = match_effort_depth(&row.effort);
    char total[48];

    fprintf(out, "   %2d %-12.12s", player + 1, standings->name[player]);
    for (int other = 0; other < standings->players; other++) {
        if (standings_games(standings, player, other) > 0) {
            fprintf(out, " %6.1f", (double)standings_half_points(standings, player, other) / 2);
        } else {
            fprintf(out, "      -");
        }
    }
    snprintf(total, sizeof total, "%.1f/%" PRId64, (double)row.half_points / 2, row.games);
    fprintf(out, " %12s %5.1f %% %6.1f", total, 100 * (double)row.draws / divisor,
            (double)row.plies / divisor);
    if (depth > 0) {
        fprintf(out, " %6.1f", depth);
    } else {
        fprintf(out, "      -");
    }
    if (row.effort.moves > 0) {
        fprintf(out, "  [%.2f ms a move]", match_effort_milliseconds(&row.effort));
    }
    fprintf(out, "\n");
}

void crosstable_write(FILE *out, const struct standings *standings)
{
    fprintf(out, "    depth: %s\n", match_effort_depth_note);
    fprintf(out, "    %-14s", "points against");
    for (int player = 0; player < standings->players; player++) {
        fprintf(out, " %6d", player + 1);
    }
    fprintf(out, " %12s %7s %6s %6s\n", "of games", "drawn", "plies", "depth");
    for (int player = 0; player < standings->players; player++) {
        write_player(out, standings, player);
    }
}
