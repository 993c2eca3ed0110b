/* The settings of draughts-train: what the configuration file, -s, --help and --dump-config all
 * come from. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/base/file.h"
#include "engine/base/options.h"
#include "engine/rules/variant.h"
#include "engine/search/level.h"
#include "selfplay/game/adjudication.h"
#include "selfplay/match/match_pair.h"
#include "selfplay/store/run.h"
#include "selfplay/strength/sprt.h"

/* What plays as a player named by the user, in a section [player_NAME]. */
enum player_kind {
    PLAYER_UNKNOWN,  /* not said, which is refused */
    PLAYER_SEARCH,   /* our search by its own limits */
    PLAYER_LEVEL,    /* a measured level of a RULES.h5 */
    PLAYER_EXTERNAL, /* another program, over Hub */
};

struct player_settings {
    char section[OPTION_NAME]; /* the NAME of its section */
    int64_t kind;              /* enum player_kind */
    char name[OPTION_VALUE];   /* "": that of the section; see settings_player_name */
    char weights[OPTION_VALUE];
    int64_t level, nodes, depth;
    double time;
    int64_t table_bits, threads;
    char command[OPTION_VALUE], parameters[OPTION_VALUE];
    double margin, start;
};

/* How games end before the rules end them, as in struct adjudication_rules. */
struct ends_settings {
    int64_t resign_score, resign_plies, draw_score, draw_plies, draw_from;
};

/* Settings of stages; each key is described in the table (settings.c). */
struct settings {
    struct {
        int64_t seed, generations;
        char rules[OPTION_VALUE];
        double patience;
    } run;
    struct {
        int64_t games, nodes, noise, table_bits, shard_rows;
        int64_t opening_plies, opening_bound;
        char openings[OPTION_VALUE], weights[OPTION_VALUE];
        bool repeats;
        int64_t temperature_plies, temperature;
        struct ends_settings ends;
        int64_t control;
        int64_t earlier, earlier_span;
        double sync_seconds;
    } selfplay;
    struct {
        int64_t nodes, depth;
    } rescore;
    struct {
        int64_t first, end, generation;
    } part;
    struct {
        char scratch[OPTION_VALUE];
        int64_t holdout, margin, passes, window, per_game, merge;
        double prior, pattern_prior, pattern_rare, tolerance, score_share, checkpoint_seconds;
        int64_t pattern_least, windows; /* an index of variant.pattern_sets */
    } tune;
    struct {
        int64_t pairs, nodes, opening_plies, opening_bound;
        char openings[OPTION_VALUE], anchor[OPTION_VALUE];
        double anchor_elo;
        struct ends_settings ends;
    } match;
    struct {
        int64_t pairs;
        double elo0, elo1, alpha, beta;
    } gate;
    struct player_settings player[MATCH_PLAYERS_MAX]; /* in the order of their sections */
    struct {
        double elo0, elo1, alpha, beta;
        int64_t scale; /* enum sprt_scale */
    } sprt;
    struct {
        int64_t pairs, opening_plies;
        char openings[OPTION_VALUE], weights[OPTION_VALUE];
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

/* What options alone cannot say: run.rules names rule sets, each once; levels do not shrink;
 * players are none, or two or more, each whole and with a name of its own; the anchor is one of
 * them; the bounds of a test, which is for two players. ERR_USAGE names the key. */
bool settings_check(const struct settings *settings, struct err *err);

/* The rule sets of run.rules in variants[VARIANT_COUNT]; returns how many. The settings have been
 * checked. */
int settings_variants(const struct settings *settings, const struct variant *variants[]);

/* How many players the user names: 0, or 2 and more. */
int settings_players(const struct settings *settings);

/* What results call a player: the key `name`, else the NAME of its section. */
const char *settings_player_name(const struct player_settings *player);

/* The index of the player whom results call so; -1: none. */
int settings_player_named(const struct settings *settings, const char *name);

/* The index of the player at whose rating the others are measured: match.anchor, else the first. */
int settings_anchor(const struct settings *settings);

/* The same for those who play. */
struct adjudication_rules settings_ends(const struct ends_settings *ends);

/* The sequential test of a match of two in *test; false when none is wanted, elo0 and elo1 being
 * equal. */
bool settings_test(const struct settings *settings, struct sprt *test);

/* Whether new weights have to pass a gate, and the test that may reject them. */
bool settings_have_gate(const struct settings *settings);
struct sprt settings_gate(const struct settings *settings);

/* Whether the games are a part of a generation's, for command merge. */
bool settings_are_of_part(const struct settings *settings);

/* A file name of the settings, with the rule set in the place of the word RULES. ERR_USAGE: too
 * long. */
bool settings_path(const char *given, const struct variant *variant, char path[FILE_PATH],
                   struct err *err);
