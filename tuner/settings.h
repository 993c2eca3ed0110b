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
        int64_t holdout, margin, passes;
        double prior, tolerance;
    } tune;
    struct {
        int64_t pairs, nodes, opening_plies;
    } match;
    struct {
        int64_t pairs, opening_plies;
        int64_t nodes[LEVELS_MAX], noise[LEVELS_MAX]; /* of level index + 1; not [0] */
    } calibrate;
};

const struct option *settings_table(size_t *count);

/* For run_open: keys and sections that a run may be continued with although they changed. What
 * matches and levels are played by stands with each of them in the catalogue; a change counts for
 * what is not finished. */
const char *const *settings_free_keys(void);

/* What options alone cannot say: run.rules names rule sets, each once; levels do not shrink.
 * ERR_USAGE names the key. */
bool settings_check(const struct settings *settings, struct err *err);

/* The rule sets of run.rules in variants[VARIANT_COUNT]; returns how many. The settings have been
 * checked. */
int settings_variants(const struct settings *settings, const struct variant *variants[]);

/* As configuration text; the caller frees it. NULL when memory is out. */
char *settings_text(const struct settings *settings, struct err *err);
