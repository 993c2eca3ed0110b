/* The settings of draughts-train. */
#include "tuner/settings.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/fit.h"

#define PLACE(member) offsetof(struct settings, member)

/* What both players have. */
static const char KINDS[] = "none search level external";
static const char KIND_HELP[] = "who plays: our search, a measured level, a program that speaks "
                                "Hub; none: match plays tuned against built-in weights";
static const char NAME_HELP[] = "what the results call the player";
static const char WEIGHTS_HELP[] = "RULES.h5 of search and level; empty: the built-in weights";
static const char LEVEL_HELP[] = "number of the level";
static const char NODES_HELP[] = "search nodes a move; 0: no limit";
static const char DEPTH_HELP[] = "plies a move; 0: no limit";
static const char TIME_HELP[] = "seconds a move; 0: no limit";
static const char TABLE_HELP[] = "transposition table of search: 2^N entries of 16 bytes";
static const char COMMAND_HELP[] = "of the program, as the shell takes it; each rank starts one";
static const char PARAMETERS_HELP[] = "name=value name=value, sent to the program by set-param";
static const char MARGIN_HELP[] =
    "seconds that the program may take beyond time before it counts as hung";
static const char START_HELP[] = "seconds that the program may take to start";

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
    {"part", "first", OPTION_INT, PLACE(part.first), "0", 0, 1e12, NULL,
     "first game of a part of a generation's games; --games sets it"},
    {"part", "end", OPTION_INT, PLACE(part.end), "0", 0, 1e12, NULL,
     "the game behind the last of the part; 0: no part, all games"},
    {"part", "generation", OPTION_INT, PLACE(part.generation), "0", 0, 999, NULL,
     "that the part is of; --generation sets it"},
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
    {"match", "opening_bound", OPTION_INT, PLACE(match.opening_bound), "0", 0, 30000, NULL,
     "openings are kept within this score, hundredths of a man; 0: all are"},
    {"match", "openings", OPTION_TEXT, PLACE(match.openings), "", 0, 0, NULL,
     "file of openings, FEN or PDN, instead of random ones; RULES in its name stands for the rule "
     "set"},
    {"player_one", "kind", OPTION_CHOICE, PLACE(player_one.kind), "none", 0, 0, KINDS, KIND_HELP},
    {"player_one", "name", OPTION_TEXT, PLACE(player_one.name), "one", 0, 0, NULL, NAME_HELP},
    {"player_one", "weights", OPTION_TEXT, PLACE(player_one.weights), "", 0, 0, NULL, WEIGHTS_HELP},
    {"player_one", "level", OPTION_INT, PLACE(player_one.level), "6", 1, LEVELS_MAX, NULL,
     LEVEL_HELP},
    {"player_one", "nodes", OPTION_INT, PLACE(player_one.nodes), "0", 0, 1e12, NULL, NODES_HELP},
    {"player_one", "depth", OPTION_INT, PLACE(player_one.depth), "0", 0, 127, NULL, DEPTH_HELP},
    {"player_one", "time", OPTION_REAL, PLACE(player_one.time), "0", 0, 3600, NULL, TIME_HELP},
    {"player_one", "table_bits", OPTION_INT, PLACE(player_one.table_bits), "16", 4, 30, NULL,
     TABLE_HELP},
    {"player_one", "command", OPTION_TEXT, PLACE(player_one.command), "", 0, 0, NULL, COMMAND_HELP},
    {"player_one", "parameters", OPTION_TEXT, PLACE(player_one.parameters), "", 0, 0, NULL,
     PARAMETERS_HELP},
    {"player_one", "margin", OPTION_REAL, PLACE(player_one.margin), "5", 0.01, 3600, NULL,
     MARGIN_HELP},
    {"player_one", "start", OPTION_REAL, PLACE(player_one.start), "10", 0.01, 3600, NULL,
     START_HELP},
    {"player_two", "kind", OPTION_CHOICE, PLACE(player_two.kind), "none", 0, 0, KINDS, KIND_HELP},
    {"player_two", "name", OPTION_TEXT, PLACE(player_two.name), "two", 0, 0, NULL, NAME_HELP},
    {"player_two", "weights", OPTION_TEXT, PLACE(player_two.weights), "", 0, 0, NULL, WEIGHTS_HELP},
    {"player_two", "level", OPTION_INT, PLACE(player_two.level), "6", 1, LEVELS_MAX, NULL,
     LEVEL_HELP},
    {"player_two", "nodes", OPTION_INT, PLACE(player_two.nodes), "0", 0, 1e12, NULL, NODES_HELP},
    {"player_two", "depth", OPTION_INT, PLACE(player_two.depth), "0", 0, 127, NULL, DEPTH_HELP},
    {"player_two", "time", OPTION_REAL, PLACE(player_two.time), "0", 0, 3600, NULL, TIME_HELP},
    {"player_two", "table_bits", OPTION_INT, PLACE(player_two.table_bits), "16", 4, 30, NULL,
     TABLE_HELP},
    {"player_two", "command", OPTION_TEXT, PLACE(player_two.command), "", 0, 0, NULL, COMMAND_HELP},
    {"player_two", "parameters", OPTION_TEXT, PLACE(player_two.parameters), "", 0, 0, NULL,
     PARAMETERS_HELP},
    {"player_two", "margin", OPTION_REAL, PLACE(player_two.margin), "5", 0.01, 3600, NULL,
     MARGIN_HELP},
    {"player_two", "start", OPTION_REAL, PLACE(player_two.start), "10", 0.01, 3600, NULL,
     START_HELP},
    {"sprt", "elo0", OPTION_REAL, PLACE(sprt.elo0), "0", -1000, 1000, NULL,
     "a match of two players ends when player_one is either this much stronger ..."},
    {"sprt", "elo1", OPTION_REAL, PLACE(sprt.elo1), "0", -1000, 1000, NULL,
     "... or this much; both equal: all pairs are played"},
    {"sprt", "alpha", OPTION_REAL, PLACE(sprt.alpha), "0.05", 1e-6, 0.5, NULL,
     "probability of taking elo0 for elo1"},
    {"sprt", "beta", OPTION_REAL, PLACE(sprt.beta), "0.05", 1e-6, 0.5, NULL,
     "probability of taking elo1 for elo0"},
    {"sprt", "scale", OPTION_CHOICE, PLACE(sprt.scale), "normalised", 0, 0, "logistic normalised",
     "of elo0 and elo1"},
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

/* The next word of a list separated by spaces or commas; false at its end. */
static bool next_word(const char **at, char *word, size_t size)
{
    *at += strspn(*at, " ,\t");
    size_t length = strcspn(*at, " ,\t");
    snprintf(word, size, "%.*s", (int)length, *at);
    *at += length;
    return length > 0;
}

static bool check_rules(const struct settings *settings, struct err *err)
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
    return count > 0 || err_set(err, ERR_USAGE, "run.rules: no rule set is named");
}

static bool check_levels(const struct settings *settings, struct err *err)
{
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

/* A player of which everything is there that its kind plays by. */
static bool check_player(const struct player_settings *player, const char *section, struct err *err)
{
    bool limited = player->nodes > 0 || player->depth > 0 || player->time > 0;

    switch ((enum player_kind)player->kind) {
    case PLAYER_NONE:
        return err_set(err, ERR_USAGE, "%s.kind: a match needs two players", section);
    case PLAYER_LEVEL:
        return player->weights[0] != '\0' ||
               err_set(err, ERR_USAGE, "%s.weights: a level needs its RULES.h5", section);
    case PLAYER_EXTERNAL:
        if (player->command[0] == '\0') {
            return err_set(err, ERR_USAGE, "%s.command: is needed to start the program", section);
        }
        break;
    case PLAYER_SEARCH:
        break;
    }
    return limited || err_set(err, ERR_USAGE, "%s: nodes, depth or time is needed", section);
}

bool settings_have_players(const struct settings *settings)
{
    return settings->player_one.kind != PLAYER_NONE || settings->player_two.kind != PLAYER_NONE;
}

bool settings_test(const struct settings *settings, struct sprt *test)
{
    *test = (struct sprt){.scale = (enum sprt_scale)settings->sprt.scale,
                          .elo0 = settings->sprt.elo0,
                          .elo1 = settings->sprt.elo1,
                          .alpha = settings->sprt.alpha,
                          .beta = settings->sprt.beta};
    return test->elo0 < test->elo1 || test->elo0 > test->elo1;
}

static bool check_match(const struct settings *settings, struct err *err)
{
    struct sprt test;

    if (settings_have_players(settings)) {
        if (!check_player(&settings->player_one, "player_one", err) ||
            !check_player(&settings->player_two, "player_two", err)) {
            return false;
        }
        if (strcmp(settings->player_one.name, settings->player_two.name) == 0) {
            return err_set(err, ERR_USAGE, "player_two.name: both players are called '%s'",
                           settings->player_two.name);
        }
    }
    if (settings_test(settings, &test) && !sprt_check(&test, err)) {
        return err_prefix(err, "sprt");
    }
    return true;
}

static bool check_part(const struct settings *settings, struct err *err)
{
    int64_t first = settings->part.first, end = settings->part.end, all = settings->selfplay.games;

    return (first == 0 && end == 0) || (first < end && end <= all) ||
           err_set(err, ERR_USAGE,
                   "part.first, part.end: %lld:%lld is no part of the %lld games of a generation",
                   (long long)first, (long long)end, (long long)all);
}

bool settings_check(const struct settings *settings, struct err *err)
{
    return check_rules(settings, err) && check_levels(settings, err) &&
           check_match(settings, err) && check_part(settings, err);
}

bool settings_are_of_part(const struct settings *settings)
{
    return settings->part.end > 0;
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

static const char *const FREE_KEYS[] = {
    "run.generations", "selfplay.sync_seconds", "match.", "calibrate.",
    "player_one.",     "player_two.",           "sprt.",  NULL};

/* As configuration text; the caller frees it. NULL when memory is out. */
static char *text_of(const struct settings *settings, struct err *err)
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

bool settings_begin(const struct settings *settings, struct run_settings *out, struct err *err)
{
    struct settings initial;

    options_defaults(TABLE, sizeof TABLE / sizeof *TABLE, &initial);
    *out = (struct run_settings){
        .text = text_of(settings, err), .initial = text_of(&initial, err), .free_keys = FREE_KEYS};
    if (!out->text || !out->initial) {
        settings_end(out);
        return false;
    }
    return true;
}

void settings_end(struct run_settings *settings)
{
    free((char *)settings->text);
    free((char *)settings->initial);
    *settings = (struct run_settings){0};
}
