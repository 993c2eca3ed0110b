/* The settings of draughts-train: what the configuration file, -s, --help and --dump-config all
 * come from. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/base/options.h"
#include "engine/level.h"
#include "engine/variant.h"
#include "selfplay/run.h"
#include "selfplay/sprt.h"

/* Who plays one side of a match of two players named by the user. */
enum player_kind {
    PLAYER_NONE,     /* no such match: tuned weights against the built-in ones */
    PLAYER_SEARCH,   /* our search by its own limits */
    PLAYER_LEVEL,    /* a measured level of a RULES.h5 */
    PLAYER_EXTERNAL, /* another program, over Hub */
};

struct player_settings {
    int64_t kind; /* enum player_kind */
    char name[OPTION_VALUE], weights[OPTION_VALUE];
    int64_t level, nodes, depth;
    double time;
    int64_t table_bits;
    char command[OPTION_VALUE], parameters[OPTION_VALUE];
    double margin, start;
};

/* Settings of stages; each key is described in the table (settings.c). */
struct settings {
    struct {
        int64_t seed, generations;
        char rules[OPTION_VALUE];
    } run;
    struct {
        int64_t games, nodes, noise, table_bits, opening_plies, opening_bound, shard_rows;
        double sync_seconds;
    } selfplay;
    struct {
        int64_t first, end, generation;
    } part;
    struct {
        int64_t holdout, margin, passes;
        double prior, tolerance;
    } tune;
    struct {
        int64_t pairs, nodes, opening_plies, opening_bound;
        char openings[OPTION_VALUE];
    } match;
    struct player_settings player_one, player_two;
    struct {
        double elo0, elo1, alpha, beta;
        int64_t scale; /* enum sprt_scale */
    } sprt;
    struct {
        int64_t pairs, opening_plies;
        int64_t nodes[LEVELS_MAX], noise[LEVELS_MAX]; /* of level index + 1; not [0] */
    } calibrate;
};

const struct option *settings_table(size_t *count);

/* For run_open: the settings as text, with the keys and sections that a run may be continued with
 * although they changed. What matches and levels are played by stands with each of them in the
 * catalogue; a change counts for what is not finished. False when memory is out; else the caller
 * gives it back with settings_end. */
bool settings_begin(const struct settings *settings, struct run_settings *out, struct err *err);
void settings_end(struct run_settings *settings);

/* What options alone cannot say: run.rules names rule sets, each once; levels do not shrink; both
 * players of a match are whole or neither is there; the bounds of a test. ERR_USAGE names the
 * key. */
bool settings_check(const struct settings *settings, struct err *err);

/* The rule sets of run.rules in variants[VARIANT_COUNT]; returns how many. The settings have been
 * checked. */
int settings_variants(const struct settings *settings, const struct variant *variants[]);

/* Whether the user names two players. */
bool settings_have_players(const struct settings *settings);

/* The sequential test of such a match in *test; false when none is wanted, elo0 and elo1 being
 * equal. */
bool settings_test(const struct settings *settings, struct sprt *test);

/* Whether the games are a part of a generation's, for command merge. */
bool settings_are_of_part(const struct settings *settings);
