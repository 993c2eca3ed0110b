/* The table of a round robin. */
#include "tuner/crosstable.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "selfplay/match.h"

static int player_named(const struct crosstable *table, const char *name)
{
    for (int i = 0; i < table->players; i++) {
        if (strcmp(table->name[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Enters the match of two players. */
static void enter(struct crosstable *table, int first, int second,
                  const struct match_results *results, const struct match_effort effort[2])
{
    const struct pentanomial *scores = &results->scores;
    const int player[2] = {first, second};
    int64_t games = scores->wins + scores->draws + scores->losses;

    table->half_points[first][second] = 2 * scores->wins + scores->draws;
    table->half_points[second][first] = 2 * scores->losses + scores->draws;
    table->games[first][second] = table->games[second][first] = games;
    for (int side = 0; side < 2; side++) {
        table->draws[player[side]] += scores->draws;
        table->plies[player[side]] += results->plies;
        match_effort_add(&table->effort[player[side]], &effort[side]);
    }
}

static bool read_match(struct crosstable *table, struct catalogue *catalogue,
                       const struct variant *variant, const struct catalogue_match_row *row,
                       struct err *err)
{
    int first = player_named(table, row->first), second = player_named(table, row->second);
    struct catalogue_pair *pairs;
    struct match_results results;
    struct match_effort effort[2];
    size_t count;

    if (first < 0 || second < 0 || table->games[first][second] > 0) {
        return true;
    }
    if (!catalogue_pairs(catalogue, row->id, &pairs, &count, err)) {
        return false;
    }
    bool ok = match_count(pairs, count, INT64_MAX, NULL, &results, err) &&
              match_efforts(catalogue, variant, row->id, INT64_MAX, effort, err);
    free(pairs);
    if (ok) {
        enter(table, first, second, &results, effort);
    }
    return ok;
}

bool crosstable_read(struct crosstable *table, struct catalogue *catalogue,
                     const struct variant *variant, const struct stage_key *key, struct err *err)
{
    struct catalogue_match_row *rows;
    size_t count;

    if (!catalogue_matches(catalogue, key, &rows, &count, err)) {
        return false;
    }
    bool ok = true;
    while (ok && count-- > 0) {
        ok = read_match(table, catalogue, variant, &rows[count], err);
    }
    free(rows);
    return ok;
}

static void write_player(FILE *out, const struct crosstable *table, int player)
{
    const struct match_effort *effort = &table->effort[player];
    double depth = match_effort_depth(effort);
    int64_t half_points = 0, games = 0;
    char total[48];

    fprintf(out, "    %d %-12.12s", player + 1, table->name[player]);
    for (int other = 0; other < table->players; other++) {
        half_points += table->half_points[player][other];
        games += table->games[player][other];
        if (table->games[player][other] > 0) {
            fprintf(out, " %6.1f", (double)table->half_points[player][other] / 2);
        } else {
            fprintf(out, "      -");
        }
    }
    double divisor = games > 0 ? (double)games : 1;
    snprintf(total, sizeof total, "%.1f/%" PRId64, (double)half_points / 2, games);
    fprintf(out, " %12s %5.1f %% %6.1f", total, 100 * (double)table->draws[player] / divisor,
            (double)table->plies[player] / divisor);
    if (depth > 0) {
        fprintf(out, " %6.1f", depth);
    } else {
        fprintf(out, "      -");
    }
    if (effort->moves > 0) {
        fprintf(out, "  [%.2f ms a move]", match_effort_milliseconds(effort));
    }
    fprintf(out, "\n");
}

void crosstable_write(FILE *out, const struct crosstable *table)
{
    fprintf(out, "    depth: %s\n", match_effort_depth_note);
    fprintf(out, "    %-14s", "points against");
    for (int player = 0; player < table->players; player++) {
        fprintf(out, " %6d", player + 1);
    }
    fprintf(out, " %12s %7s %6s %6s\n", "of games", "drawn", "plies", "depth");
    for (int player = 0; player < table->players; player++) {
        write_player(out, table, player);
    }
}
