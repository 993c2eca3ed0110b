/* How the players of a pool stand. */
#include "tuner/report/standings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- what is noted -----------------------------------------------------------------------------*/

enum { FIGURE = 32 };

static void figure_of(char out[FIGURE], const char *what, int pairing)
{
    snprintf(out, FIGURE, "%s %d", what, pairing);
}

static bool note_pairing(struct catalogue *catalogue, const struct match_pool *pool,
                         const struct stage_key *key, int pairing, struct err *err)
{
    char match[FIGURE], pairs[FIGURE];
    int64_t id;

    figure_of(match, "match", pairing);
    figure_of(pairs, "pairs", pairing);
    return match_make(catalogue, pool, pairing, &id, err) &&
           catalogue_set_figure(catalogue, key, match, (double)id, err) &&
           catalogue_set_figure(catalogue, key, pairs, (double)match_pairs(pool, pairing), err);
}

/* A test whose bounds are equal is none. */
static bool note_test(struct catalogue *catalogue, const struct stage_key *key,
                      const struct sprt *sprt, struct err *err)
{
    struct sprt test = sprt ? *sprt : (struct sprt){0};

    return catalogue_set_figure(catalogue, key, "elo0", test.elo0, err) &&
           catalogue_set_figure(catalogue, key, "elo1", test.elo1, err) &&
           catalogue_set_figure(catalogue, key, "alpha", test.alpha, err) &&
           catalogue_set_figure(catalogue, key, "beta", test.beta, err) &&
           catalogue_set_figure(catalogue, key, "scale", (double)test.scale, err);
}

bool standings_note(struct catalogue *catalogue, const struct match_pool *pool, int anchor,
                    double anchor_elo, struct err *err)
{
    const struct stage_key key = {pool->variant->rules->name, pool->generation, pool->stage};
    bool ok = catalogue_begin(catalogue, err) &&
              catalogue_set_figure(catalogue, &key, "players", pool->players, err) &&
              catalogue_set_figure(catalogue, &key, "anchor", anchor, err) &&
              catalogue_set_figure(catalogue, &key, "anchor_elo", anchor_elo, err) &&
              note_test(catalogue, &key, pool->sprt, err);

    for (int pairing = 0; ok && pairing < match_pairings(pool); pairing++) {
        ok = note_pairing(catalogue, pool, &key, pairing, err);
    }
    return ok && catalogue_commit(catalogue, err);
}

/* --- reading -----------------------------------------------------------------------------------*/

/* What the standings are read from. */
struct reading {
    struct catalogue *catalogue;
    const struct stage_key *key;
    const struct catalogue_match_row *rows; /* [count], all matches of the stage */
    size_t count;
};

/* A figure; 0 when it is missing. */
static bool read_figure(const struct reading *reading, const char *name, double *value,
                        struct err *err)
{
    bool found;

    *value = 0;
    return catalogue_figure(reading->catalogue, reading->key, name, value, &found, err);
}

static bool read_test(const struct reading *reading, struct standings *standings, struct err *err)
{
    struct sprt *test = &standings->test;
    double scale;

    bool ok = read_figure(reading, "elo0", &test->elo0, err) &&
              read_figure(reading, "elo1", &test->elo1, err) &&
              read_figure(reading, "alpha", &test->alpha, err) &&
              read_figure(reading, "beta", &test->beta, err) &&
              read_figure(reading, "scale", &scale, err);
    test->scale = ok && scale > 0 ? SPRT_NORMALISED : SPRT_LOGISTIC;
    standings->has_test = ok && test->elo0 < test->elo1;
    return ok;
}

/* Counts the pairs of the match that a standing is of. */
static bool count(struct catalogue *catalogue, const struct standings *standings,
                  struct standing *standing, struct err *err)
{
    int64_t limit = standing->wanted > 0 ? standing->wanted : INT64_MAX;
    struct catalogue_pair *pairs;
    size_t present;

    if (!catalogue_pairs(catalogue, standing->match, &pairs, &present, err)) {
        return false;
    }
    bool ok = match_count(pairs, present, limit, standings->has_test ? &standings->test : NULL,
                          &standing->results, err) &&
              match_efforts(catalogue, standings->variant, standing->match, standing->results.limit,
                            standing->effort, err);
    free(pairs);
    return ok;
}

static bool read_pairing(const struct reading *reading, struct standings *standings, int first,
                         int second, struct err *err)
{
    struct standing *standing = &standings->pairing[standings->pairings];
    char match[FIGURE], pairs[FIGURE];
    double id, wanted;

    figure_of(match, "match", standings->pairings);
    figure_of(pairs, "pairs", standings->pairings);
    if (!read_figure(reading, match, &id, err) || !read_figure(reading, pairs, &wanted, err)) {
        return false;
    }
    *standing = (struct standing){
        .first = first, .second = second, .match = (int64_t)id, .wanted = (int64_t)wanted};
    for (size_t i = 0; i < reading->count; i++) {
        if (reading->rows[i].id == standing->match) {
            memcpy(standings->name[first], reading->rows[i].first, CATALOGUE_NAME);
            memcpy(standings->name[second], reading->rows[i].second, CATALOGUE_NAME);
            standings->pairings++;
            return count(reading->catalogue, standings, standing, err);
        }
    }
    return err_set(err, ERR_FAILED, "run.db: the catalogue has lost match %" PRId64,
                   standing->match);
}

static bool read_all(const struct reading *reading, struct standings *standings, struct err *err)
{
    double players, anchor;
    bool ok = read_figure(reading, "players", &players, err) &&
              read_figure(reading, "anchor", &anchor, err) &&
              read_figure(reading, "anchor_elo", &standings->anchor_elo, err) &&
              read_test(reading, standings, err);

    if (ok && !(players >= 2 && players <= MATCH_PLAYERS_MAX && anchor >= 0 && anchor < players)) {
        return err_set(err, ERR_FAILED, "run.db: the catalogue speaks of %g players", players);
    }
    standings->players = ok ? (int)players : 0;
    standings->anchor = ok ? (int)anchor : 0;
    for (int first = 0; first < standings->players; first++) {
        for (int second = first + 1; ok && second < standings->players; second++) {
            ok = read_pairing(reading, standings, first, second, err);
        }
    }
    return ok;
}

static struct standings *make(const struct variant *variant, struct err *err)
{
    struct standings *standings = calloc(1, sizeof *standings);

    if (!standings) {
        err_set(err, ERR_FAILED, "out of memory for standings");
        return NULL;
    }
    standings->variant = variant;
    return standings;
}

bool standings_read(struct catalogue *catalogue, const struct variant *variant,
                    const struct stage_key *key, struct standings **out, struct err *err)
{
    struct reading reading = {.catalogue = catalogue, .key = key};
    struct catalogue_match_row *rows;
    double players;

    *out = NULL;
    if (!read_figure(&reading, "players", &players, err)) {
        return false;
    }
    if (!(players > 0)) {
        return true;
    }
    if (!catalogue_matches(catalogue, key, &rows, &reading.count, err)) {
        return false;
    }
    reading.rows = rows;
    struct standings *standings = make(variant, err);
    bool ok = standings && read_all(&reading, standings, err);
    free(rows);
    if (!ok) {
        free(standings);
        return false;
    }
    *out = standings;
    return true;
}

struct standings *standings_of_match(struct catalogue *catalogue, const struct variant *variant,
                                     const struct catalogue_match_row *row, struct err *err)
{
    struct standings *standings = make(variant, err);

    if (!standings) {
        return NULL;
    }
    standings->players = 2;
    standings->pairings = 1;
    standings->pairing[0] = (struct standing){.first = 0, .second = 1, .match = row->id};
    memcpy(standings->name[0], row->first, CATALOGUE_NAME);
    memcpy(standings->name[1], row->second, CATALOGUE_NAME);
    if (!count(catalogue, standings, &standings->pairing[0], err)) {
        free(standings);
        return NULL;
    }
    return standings;
}

/* --- what they say -----------------------------------------------------------------------------*/

static const struct standing *between(const struct standings *standings, int player, int other)
{
    for (int i = 0; i < standings->pairings; i++) {
        const struct standing *standing = &standings->pairing[i];
        if ((standing->first == player && standing->second == other) ||
            (standing->first == other && standing->second == player)) {
            return standing;
        }
    }
    return NULL;
}

int64_t standings_half_points(const struct standings *standings, int player, int other)
{
    const struct standing *standing = between(standings, player, other);

    if (!standing) {
        return 0;
    }
    const struct pentanomial *scores = &standing->results.scores;
    return 2 * (standing->first == player ? scores->wins : scores->losses) + scores->draws;
}

int64_t standings_games(const struct standings *standings, int player, int other)
{
    const struct standing *standing = between(standings, player, other);

    if (!standing) {
        return 0;
    }
    const struct pentanomial *scores = &standing->results.scores;
    return scores->wins + scores->draws + scores->losses;
}

/* Mean score of a player in all of its games. */
static double score_of(const struct standings *standings, int player)
{
    int64_t half_points = 0, games = 0;

    for (int other = 0; other < standings->players; other++) {
        half_points += standings_half_points(standings, player, other);
        games += standings_games(standings, player, other);
    }
    return games > 0 ? (double)half_points / 2 / (double)games : 0.5;
}

/* Sorts the ladder by the players' values, the lowest first; those alike stay as they stand.
 * Whether that moved anybody. */
static bool sort_ladder(int players, const double value[], int ladder[])
{
    bool moved = false;

    for (int i = 1; i < players; i++) {
        int player = ladder[i], at = i;
        for (; at > 0 && value[ladder[at - 1]] > value[player]; at--) {
            ladder[at] = ladder[at - 1];
            moved = true;
        }
        ladder[at] = player;
    }
    return moved;
}

/* Ratings, the prior being that of the neighbours on this ladder. */
static bool rate_ladder(const struct standings *standings, const int ladder[],
                        struct rating ratings[], struct err *err)
{
    struct rating_pairing pairings[MATCH_PAIRINGS_MAX];
    struct rating fitted[MATCH_PLAYERS_MAX];
    const char *names[MATCH_PLAYERS_MAX];
    int rung[MATCH_PLAYERS_MAX];
    double draws;

    for (int i = 0; i < standings->players; i++) {
        names[i] = standings->name[ladder[i]];
        rung[ladder[i]] = i;
    }
    for (int i = 0; i < standings->pairings; i++) {
        const struct standing *standing = &standings->pairing[i];
        const struct pentanomial *scores = &standing->results.scores;
        pairings[i] = (struct rating_pairing){
            .first = rung[standing->first],
            .second = rung[standing->second],
            .games = {(double)scores->wins, (double)scores->draws, (double)scores->losses}};
    }
    const struct rating_pool pool = {.names = names,
                                     .players = standings->players,
                                     .pairings = pairings,
                                     .pairings_count = standings->pairings,
                                     .anchor = rung[standings->anchor],
                                     .anchor_elo = standings->anchor_elo};
    if (!ratings_fit(&pool, fitted, &draws, err)) {
        return false;
    }
    for (int i = 0; i < standings->players; i++) {
        ratings[ladder[i]] = fitted[i];
    }
    return true;
}

/* Scores come in another order than ratings where opponents differ, as they do while a match is
 * under way, or the shares of draws. A better neighbour moves ratings little: one more fit is
 * nearly always enough. */
void standings_ends(const struct standings *standings, int64_t ends[], int64_t adjudicated[])
{
    memset(ends, 0, (END_QUIET + 1) * sizeof *ends);
    memset(adjudicated, 0, (ADJUDICATION_DRAWN + 1) * sizeof *adjudicated);
    for (int i = 0; i < standings->pairings; i++) {
        const struct match_results *results = &standings->pairing[i].results;
        for (int reason = 0; reason <= END_QUIET; reason++) {
            ends[reason] += results->ends[reason];
        }
        for (int verdict = 0; verdict <= ADJUDICATION_DRAWN; verdict++) {
            adjudicated[verdict] += results->adjudicated[verdict];
        }
    }
}

bool standings_rate(const struct standings *standings, int ladder[], struct rating ratings[],
                    struct err *err)
{
    enum { FITS = 8 };
    double value[MATCH_PLAYERS_MAX];
    int sorted[MATCH_PLAYERS_MAX];
    int players = standings->players;

    for (int i = 0; i < players; i++) {
        sorted[i] = i;
        value[i] = score_of(standings, i);
    }
    sort_ladder(players, value, sorted);
    for (int fits = 0; fits < FITS; fits++) {
        memcpy(ladder, sorted, (size_t)players * sizeof *ladder);
        if (!rate_ladder(standings, ladder, ratings, err)) {
            return false;
        }
        for (int i = 0; i < players; i++) {
            value[i] = ratings[i].elo;
        }
        if (!sort_ladder(players, value, sorted)) {
            break;
        }
    }
    return true;
}
