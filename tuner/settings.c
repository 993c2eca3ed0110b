/* The settings of draughts-train. */
#include "tuner/settings.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/fit.h"

/* A key and the member that it fills, named once so that they cannot disagree. */
#define WHOLE(group, field, initial_value, low, high, text)                                        \
    {                                                                                              \
        .section = #group, .key = #field, .type = OPTION_INT,                                      \
        .offset = offsetof(struct settings, group.field), .initial = (initial_value),              \
        .min = (low), .max = (high), .help = (text)                                                \
    }
#define LEVEL_WHOLE(field, number, initial_value, high, text)                                      \
    {                                                                                              \
        .section = "calibrate", .key = #field "_" #number, .type = OPTION_INT,                     \
        .offset = offsetof(struct settings, calibrate.field[(number)-1]),                          \
        .initial = (initial_value), .min = 0, .max = (high), .help = (text)                        \
    }

static const struct option TABLE[] = {
    WHOLE(run, seed, "1", 0, 9e15, "all that is random follows from it"),
    {.section = "run",
     .key = "rules",
     .type = OPTION_TEXT,
     .offset = offsetof(struct settings, run.rules),
     .initial = "international classic flying",
     .help = "rule sets, separated by spaces"},
    WHOLE(run, generations, "1", 1, 1000,
          "self-play and tuning this many times, each with the weights of the one before; may be "
          "raised later"),
    WHOLE(selfplay, games, "20000", 1, 1e12, "games a generation"),
    WHOLE(selfplay, nodes, "1000", 1, 1e12, "search nodes a move"),
    WHOLE(selfplay, noise, "0", 0, 1000, "blur of the static score, hundredths of a man"),
    WHOLE(selfplay, table_bits, "14", 4, 30, "transposition table: 2^N entries of 16 bytes"),
    WHOLE(selfplay, opening_plies, "8", 0, 60, "random half-moves at the start"),
    WHOLE(selfplay, opening_bound, "0", 0, 30000,
          "openings are kept within this score, hundredths of a man; 0: all are"),
    WHOLE(selfplay, shard_rows, "1000000", 1000, 1e9, "positions a shard, at most"),
    {.section = "selfplay",
     .key = "sync_seconds",
     .type = OPTION_REAL,
     .offset = offsetof(struct settings, selfplay.sync_seconds),
     .initial = "30",
     .min = 0,
     .max = 3600,
     .help = "finished games are forced to disk this often; a killed process loses none anyway"},
    WHOLE(tune, holdout, "10", 1, 50, "percent of the games held out"),
    WHOLE(tune, margin, "400", 0, 30000,
          "positions are dropped whose static and searched score differ by more, hundredths of a "
          "man; 0: none"),
    WHOLE(tune, passes, "200", 1, FIT_PASSES_MAX, "passes over the positions, at most"),
    {.section = "tune",
     .key = "prior",
     .type = OPTION_REAL,
     .offset = offsetof(struct settings, tune.prior),
     .initial = "0.5",
     .min = 0.001,
     .max = 100,
     .help = "standard deviation of a weight around its start, log odds of the result"},
    {.section = "tune",
     .key = "tolerance",
     .type = OPTION_REAL,
     .offset = offsetof(struct settings, tune.tolerance),
     .initial = "1e-7",
     .min = 0,
     .max = 1,
     .help = "the fit ends when it can gain less than this, log loss a position"},
    WHOLE(match, pairs, "500", 1, 1e9, "pairs of games, tuned against built-in weights"),
    WHOLE(match, nodes, "2000", 1, 1e12, "search nodes a move"),
    WHOLE(match, opening_plies, "8", 0, 30, "random half-moves at the start"),
    WHOLE(calibrate, pairs, "200", 1, 1e9, "pairs of games of each two levels"),
    WHOLE(calibrate, opening_plies, "6", 0, 30, "random half-moves at the start"),
    LEVEL_WHOLE(nodes, 2, "10", 1e12, "search nodes a move of level 2 (level 1 moves at random)"),
    LEVEL_WHOLE(nodes, 3, "24", 1e12, "search nodes a move of level 3"),
    LEVEL_WHOLE(nodes, 4, "130", 1e12, "search nodes a move of level 4"),
    LEVEL_WHOLE(nodes, 5, "700", 1e12, "search nodes a move of level 5"),
    LEVEL_WHOLE(nodes, 6, "6000", 1e12, "search nodes a move of level 6"),
    LEVEL_WHOLE(noise, 2, "900", 10000, "blur of level 2's static score, hundredths of a man"),
    LEVEL_WHOLE(noise, 3, "220", 10000, "blur of level 3's static score, hundredths of a man"),
    LEVEL_WHOLE(noise, 4, "50", 10000, "blur of level 4's static score, hundredths of a man"),
    LEVEL_WHOLE(noise, 5, "20", 10000, "blur of level 5's static score, hundredths of a man"),
    LEVEL_WHOLE(noise, 6, "0", 10000, "blur of level 6's static score, hundredths of a man"),
};

const struct option *settings_table(size_t *count)
{
    *count = sizeof TABLE / sizeof *TABLE;
    return TABLE;
}

const char *const *settings_free_keys(void)
{
    static const char *const KEYS[] = {"run.generations", "selfplay.sync_seconds", "match.",
                                       "calibrate.", NULL};

    return KEYS;
}

/* The next word of a list separated by spaces or commas; false at its end. */
static bool next_word(const char **at, char *word, size_t size)
{
    *at += strspn(*at, " ,\t");
    size_t length = strcspn(*at, " ,\t");
    snprintf(word, size, "%.*s", (int)length, *at);
    *at += length;
    return length > 0;
}

bool settings_check(const struct settings *settings, struct err *err)
{
    const char *at = settings->run.rules;
    char word[OPTION_VALUE];
    bool seen[VARIANT_COUNT] = {false};
    int count = 0;

    for (; next_word(&at, word, sizeof word); count++) {
        const struct variant *variant = variant_by_name(word, err);
        if (!variant) {
            return err_prefix(err, "run.rules");
        }
        if (seen[variant_index(variant)]) {
            return err_set(err, ERR_USAGE, "run.rules: '%s' is named twice", word);
        }
        seen[variant_index(variant)] = true;
    }
    if (count == 0) {
        return err_set(err, ERR_USAGE, "run.rules: no rule set is named");
    }
    for (int i = 1; i < LEVELS_MAX; i++) {
        int64_t below = i > 1 ? settings->calibrate.nodes[i - 1] : 1;
        if (settings->calibrate.nodes[i] < below) {
            return err_set(err, ERR_USAGE,
                           "calibrate.nodes_%d: %lld; a level has at least one node and no fewer "
                           "than the level below",
                           i + 1, (long long)settings->calibrate.nodes[i]);
        }
    }
    return true;
}

int settings_variants(const struct settings *settings, const struct variant *variants[])
{
    const char *at = settings->run.rules;
    char word[OPTION_VALUE];
    int count = 0;

    while (next_word(&at, word, sizeof word)) {
        assert(count < VARIANT_COUNT);
        variants[count] = variant_by_name(word, NULL);
        assert(variants[count]);
        count++;
    }
    return count;
}

char *settings_text(const struct settings *settings, struct err *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (!out) {
        err_set(err, ERR_FAILED, "out of memory for the settings");
        return NULL;
    }
    options_dump(TABLE, sizeof TABLE / sizeof *TABLE, settings, out);
    if (fclose(out) != 0) {
        free(text);
        err_set(err, ERR_FAILED, "out of memory for the settings");
        return NULL;
    }
    return text;
}
