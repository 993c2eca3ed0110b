/* The settings of draughts-train. */
#include "tuner/settings.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/fit.h"

#define PLACE(member) offsetof(struct settings, member)

static const struct option TABLE[] = {
    /* section, key, type, place, default, least, most, choices, help */
    {"run", "seed", OPTION_INT, PLACE(run.seed), "1", 0, 9e15, NULL,
     "all that is random follows from it"},
    {"run", "rules", OPTION_TEXT, PLACE(run.rules), "international classic flying", 0, 0, NULL,
     "rule sets, separated by spaces"},
    {"run", "generations", OPTION_INT, PLACE(run.generations), "1", 1, 1000, NULL,
     "self-play and tuning this many times, each with the weights of the one before; may be "
     "raised later"},
    {"selfplay", "games", OPTION_INT, PLACE(selfplay.games), "20000", 1, 1e12, NULL,
     "games a generation"},
    {"selfplay", "nodes", OPTION_INT, PLACE(selfplay.nodes), "1000", 1, 1e12, NULL,
     "search nodes a move"},
    {"selfplay", "noise", OPTION_INT, PLACE(selfplay.noise), "0", 0, 1000, NULL,
     "blur of the static score, hundredths of a man"},
    {"selfplay", "table_bits", OPTION_INT, PLACE(selfplay.table_bits), "14", 4, 30, NULL,
     "transposition table: 2^N entries of 16 bytes"},
    {"selfplay", "opening_plies", OPTION_INT, PLACE(selfplay.opening_plies), "8", 0, 60, NULL,
     "random half-moves at the start"},
    {"selfplay", "opening_bound", OPTION_INT, PLACE(selfplay.opening_bound), "0", 0, 30000, NULL,
     "openings are kept within this score, hundredths of a man; 0: all are"},
    {"selfplay", "shard_rows", OPTION_INT, PLACE(selfplay.shard_rows), "1000000", 1000, 1e9, NULL,
     "positions a shard, at most"},
    {"selfplay", "sync_seconds", OPTION_REAL, PLACE(selfplay.sync_seconds), "30", 0, 3600, NULL,
     "finished games are forced to disk this often; a killed process loses none anyway"},
    {"tune", "holdout", OPTION_INT, PLACE(tune.holdout), "10", 1, 50, NULL,
     "percent of the games held out"},
    {"tune", "margin", OPTION_INT, PLACE(tune.margin), "400", 0, 30000, NULL,
     "positions are dropped whose static and searched score differ by more, hundredths of a "
     "man; 0: none"},
    {"tune", "passes", OPTION_INT, PLACE(tune.passes), "200", 1, FIT_PASSES_MAX, NULL,
     "passes over the positions, at most"},
    {"tune", "prior", OPTION_REAL, PLACE(tune.prior), "0.5", 0.001, 100, NULL,
     "standard deviation of a weight around its start, log odds of the result"},
    {"tune", "tolerance", OPTION_REAL, PLACE(tune.tolerance), "1e-7", 0, 1, NULL,
     "the fit ends when it can gain less than this, log loss a position"},
    {"match", "pairs", OPTION_INT, PLACE(match.pairs), "500", 1, 1e9, NULL,
     "pairs of games, tuned against built-in weights"},
    {"match", "nodes", OPTION_INT, PLACE(match.nodes), "2000", 1, 1e12, NULL,
     "search nodes a move"},
    {"match", "opening_plies", OPTION_INT, PLACE(match.opening_plies), "8", 0, 30, NULL,
     "random half-moves at the start"},
    {"calibrate", "pairs", OPTION_INT, PLACE(calibrate.pairs), "200", 1, 1e9, NULL,
     "pairs of games of each two levels"},
    {"calibrate", "opening_plies", OPTION_INT, PLACE(calibrate.opening_plies), "6", 0, 30, NULL,
     "random half-moves at the start"},
    {"calibrate", "nodes_2", OPTION_INT, PLACE(calibrate.nodes[1]), "10", 0, 1e12, NULL,
     "search nodes a move of level 2 (level 1 moves at random)"},
    {"calibrate", "nodes_3", OPTION_INT, PLACE(calibrate.nodes[2]), "24", 0, 1e12, NULL,
     "search nodes a move of level 3"},
    {"calibrate", "nodes_4", OPTION_INT, PLACE(calibrate.nodes[3]), "130", 0, 1e12, NULL,
     "search nodes a move of level 4"},
    {"calibrate", "nodes_5", OPTION_INT, PLACE(calibrate.nodes[4]), "700", 0, 1e12, NULL,
     "search nodes a move of level 5"},
    {"calibrate", "nodes_6", OPTION_INT, PLACE(calibrate.nodes[5]), "6000", 0, 1e12, NULL,
     "search nodes a move of level 6"},
    {"calibrate", "noise_2", OPTION_INT, PLACE(calibrate.noise[1]), "900", 0, 10000, NULL,
     "blur of level 2's static score, hundredths of a man"},
    {"calibrate", "noise_3", OPTION_INT, PLACE(calibrate.noise[2]), "220", 0, 10000, NULL,
     "blur of level 3's static score, hundredths of a man"},
    {"calibrate", "noise_4", OPTION_INT, PLACE(calibrate.noise[3]), "50", 0, 10000, NULL,
     "blur of level 4's static score, hundredths of a man"},
    {"calibrate", "noise_5", OPTION_INT, PLACE(calibrate.noise[4]), "20", 0, 10000, NULL,
     "blur of level 5's static score, hundredths of a man"},
    {"calibrate", "noise_6", OPTION_INT, PLACE(calibrate.noise[5]), "0", 0, 10000, NULL,
     "blur of level 6's static score, hundredths of a man"},
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
