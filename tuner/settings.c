/* The settings of draughts-train. */
#include "tuner/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/search/search.h"
#include "selfplay/selfplay_game.h"
#include "tuner/fit/fit.h"

#define PLACE(member) offsetof(struct settings, member)

/* A row of the sections [player_NAME]. */
#define PLAYER(member) offsetof(struct player_settings, member)

static const struct option TABLE[] = {
    /* section, key, type, place, default, least, most, choices, help */
    {"run", "seed", OPTION_INT, PLACE(run.seed), "1", 0, 9e15, NULL,
     "all that is random follows from it"},
    {"run", "rules", OPTION_TEXT, PLACE(run.rules), "international classic flying", 0, 0, NULL,
     "rule sets, separated by spaces"},
    {"run", "generations", OPTION_INT, PLACE(run.generations), "1", 1, 1000, NULL,
     "self-play and tuning this many times, each with the weights of the one before; may be "
     "raised later"},
    {"run", "patience", OPTION_REAL, PLACE(run.patience), "3600", 0, 1e9, NULL,
     "seconds after which ranks that wait for one another take it that one is stuck, and end the "
     "job; 0: never"},
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
    {"selfplay", "opening_bound", OPTION_INT, PLACE(selfplay.opening_bound), "0", 0, SCORE_WON,
     NULL, "openings are kept within this score, hundredths of a man; 0: all are"},
    {"selfplay", "openings", OPTION_TEXT, PLACE(selfplay.openings), "", 0, 0, NULL,
     "file of openings, as match.openings, each for one game"},
    {"selfplay", "repeats", OPTION_BOOL, PLACE(selfplay.repeats), "no", 0, 0, NULL,
     "fewer openings than games will do: openings come again"},
    {"selfplay", "temperature_plies", OPTION_INT, PLACE(selfplay.temperature_plies), "0", 0, 1000,
     NULL, "half-moves after the opening that are drawn among the good moves; 0: none"},
    {"selfplay", "temperature", OPTION_INT, PLACE(selfplay.temperature), "10", 1, 1000, NULL,
     "and the loss that halves a move's chance, hundredths of a man"},
    {"selfplay", "resign_score", OPTION_INT, PLACE(selfplay.ends.resign_score), "0", 0, SCORE_WON,
     NULL,
     "a game ends when its searches say that one side is ahead by this, hundredths of a man; 0: no "
     "game does"},
    {"selfplay", "resign_plies", OPTION_INT, PLACE(selfplay.ends.resign_plies), "8", 1, 1000, NULL,
     "and have said so for this many half-moves in a row"},
    {"selfplay", "draw_score", OPTION_INT, PLACE(selfplay.ends.draw_score), "10", 0, SCORE_WON,
     NULL, "a game is drawn when its searches stay within this score, hundredths of a man ..."},
    {"selfplay", "draw_plies", OPTION_INT, PLACE(selfplay.ends.draw_plies), "0", 0, 1000, NULL,
     "... for this many half-moves in a row; 0: no game is ..."},
    {"selfplay", "draw_from", OPTION_INT, PLACE(selfplay.ends.draw_from), "60", 0, 10000, NULL,
     "... counted from this half-move of the game on"},
    {"selfplay", "control", OPTION_INT, PLACE(selfplay.control), "10", 0, 100, NULL,
     "percent of the games that are played to their end all the same; they show how often a game "
     "would have been ended wrongly"},
    {"selfplay", "earlier", OPTION_INT, PLACE(selfplay.earlier), "0", 0, 100, NULL,
     "percent of the games in which one side plays with the weights of an earlier generation"},
    {"selfplay", "earlier_span", OPTION_INT, PLACE(selfplay.earlier_span), "3", 1,
     SELFPLAY_EARLIER_MAX, NULL, "how many generations back that is, at most"},
    {"selfplay", "weights", OPTION_TEXT, PLACE(selfplay.weights), "", 0, 0, NULL,
     "RULES.h5 whose weights generation 0 plays with; none: the built-in ones; the word RULES in "
     "it stands for the rule set's name"},
    {"selfplay", "shard_rows", OPTION_INT, PLACE(selfplay.shard_rows), "16777216", 1000, 1e9, NULL,
     "positions a shard, at most; 2^24 of them are 64 MB and more"},
    {"selfplay", "sync_seconds", OPTION_REAL, PLACE(selfplay.sync_seconds), "30", 0, 3600, NULL,
     "finished games are forced to disk this often; a killed process loses none anyway"},
    {"rescore", "nodes", OPTION_INT, PLACE(rescore.nodes), "2000", 0, 1000000000000, NULL,
     "of each search of a stored position; 0: no limit by it"},
    {"rescore", "depth", OPTION_INT, PLACE(rescore.depth), "0", 0, 100, NULL,
     "the same, half-moves; 0: no limit by it"},
    {"part", "first", OPTION_INT, PLACE(part.first), "0", 0, 1e12, NULL,
     "first game of a part of a generation's games; --games sets it"},
    {"part", "end", OPTION_INT, PLACE(part.end), "0", 0, 1e12, NULL,
     "the game behind the last of the part; 0: no part, all games"},
    {"part", "generation", OPTION_INT, PLACE(part.generation), "0", 0, 999, NULL,
     "that the part is of; --generation sets it"},
    {"tune", "holdout", OPTION_INT, PLACE(tune.holdout), "10", 1, 50, NULL,
     "percent of the games held out"},
    {"tune", "margin", OPTION_INT, PLACE(tune.margin), "400", 0, SCORE_WON, NULL,
     "positions are dropped whose static and searched score differ by more, hundredths of a "
     "man; 0: none"},
    {"tune", "passes", OPTION_INT, PLACE(tune.passes), "200", 1, FIT_PASSES_MAX, NULL,
     "passes over the positions, at most"},
    {"tune", "pattern_least", OPTION_INT, PLACE(tune.pattern_least), "1", 1, 1e9, NULL,
     "patterns that occur in fewer positions keep the weight 0"},
    {"tune", "pattern_prior", OPTION_REAL, PLACE(tune.pattern_prior), "0", 0, 100, NULL,
     "standard deviation of a frequent pattern's weight, log odds of the result; 0: no patterns"},
    {"tune", "pattern_rare", OPTION_REAL, PLACE(tune.pattern_rare), "10", 0, 1e9, NULL,
     "a pattern that occurs in so many positions is held twice as strongly"},
    {"tune", "checkpoint_seconds", OPTION_REAL, PLACE(tune.checkpoint_seconds), "300", 0, 1e6, NULL,
     "the fit under way is saved this often, and when it is stopped; 0: only then"},
    {"tune", "merge", OPTION_CHOICE, PLACE(tune.merge), "no", 0, 0, "no yes",
     "whether equal training positions become one, with the mean of their results"},
    {"tune", "per_game", OPTION_INT, PLACE(tune.per_game), "0", 0, 10000, NULL,
     "training positions of a game, at most; 0: all"},
    {"tune", "score_share", OPTION_REAL, PLACE(tune.score_share), "0", 0, 1, NULL,
     "share of the search's score in what training positions are fitted to; the rest is the "
     "game's result"},
    {"tune", "scratch", OPTION_TEXT, PLACE(tune.scratch), "", 0, 0, NULL,
     "directory on a local disk for positions that are more than memory holds: each pass reads "
     "them there; none: memory"},
    {"tune", "window", OPTION_INT, PLACE(tune.window), "1", 1, 1000, NULL,
     "newest generations whose games are fitted"},
    {"tune", "windows", OPTION_CHOICE, PLACE(tune.windows), "4x2", 0, 0, "4x2 6x2",
     "what patterns are looked at: windows of so many rows by dark columns"},
    {"tune", "prior", OPTION_REAL, PLACE(tune.prior), "0.5", 0.001, 100, NULL,
     "standard deviation of a weight around its start, log odds of the result"},
    {"tune", "tolerance", OPTION_REAL, PLACE(tune.tolerance), "1e-7", 0, 1, NULL,
     "the fit ends when it can gain less than this, log loss a position"},
    {"match", "pairs", OPTION_INT, PLACE(match.pairs), "500", 1, 1e9, NULL,
     "pairs of games of each two players"},
    {"match", "nodes", OPTION_INT, PLACE(match.nodes), "2000", 1, 1e12, NULL,
     "search nodes a move"},
    {"match", "opening_plies", OPTION_INT, PLACE(match.opening_plies), "8", 0, 30, NULL,
     "random half-moves at the start"},
    {"match", "opening_bound", OPTION_INT, PLACE(match.opening_bound), "0", 0, SCORE_WON, NULL,
     "openings are kept within this score, hundredths of a man; 0: all are"},
    {"match", "openings", OPTION_TEXT, PLACE(match.openings), "", 0, 0, NULL,
     "file of openings, FEN or PDN, instead of random ones; RULES in its name stands for the rule "
     "set"},
    {"match", "anchor", OPTION_TEXT, PLACE(match.anchor), "", 0, 0, NULL,
     "name of the player whose rating in a round robin is given; none: the first player"},
    {"match", "anchor_elo", OPTION_REAL, PLACE(match.anchor_elo), "0", -10000, 10000, NULL,
     "and what it is"},
    {"match", "resign_score", OPTION_INT, PLACE(match.ends.resign_score), "0", 0, SCORE_WON, NULL,
     "as in selfplay; both players' searches count, those of a program that tells no score never"},
    {"match", "resign_plies", OPTION_INT, PLACE(match.ends.resign_plies), "8", 1, 1000, NULL,
     "as in selfplay"},
    {"match", "draw_score", OPTION_INT, PLACE(match.ends.draw_score), "10", 0, SCORE_WON, NULL,
     "as in selfplay"},
    {"match", "draw_plies", OPTION_INT, PLACE(match.ends.draw_plies), "0", 0, 1000, NULL,
     "as in selfplay; 0: no game is drawn by its scores"},
    {"match", "draw_from", OPTION_INT, PLACE(match.ends.draw_from), "60", 0, 10000, NULL,
     "as in selfplay"},
    {"gate", "pairs", OPTION_INT, PLACE(gate.pairs), "0", 0, 1e9, NULL,
     "pairs of games, at most, of each generation's weights against the last ones, played as in "
     "match; weights that the test finds weaker are not gone on with; 0: all are"},
    {"gate", "elo0", OPTION_REAL, PLACE(gate.elo0), "-10", -200, 200, NULL,
     "weights are rejected that are this much stronger (normalised Elo) rather than ..."},
    {"gate", "elo1", OPTION_REAL, PLACE(gate.elo1), "0", -200, 200, NULL, "... this much"},
    {"gate", "alpha", OPTION_REAL, PLACE(gate.alpha), "0.05", 1e-6, 0.5, NULL,
     "probability of taking elo0 for elo1"},
    {"gate", "beta", OPTION_REAL, PLACE(gate.beta), "0.05", 1e-6, 0.5, NULL,
     "probability of taking elo1 for elo0"},
    {"player_*", "", OPTION_FAMILY, PLACE(player), "", sizeof(struct player_settings),
     MATCH_PLAYERS_MAX, NULL,
     "a player of the command match, NAME being any word; with two or more of them each two meet, "
     "without any the tuned weights meet the built-in ones"},
    {"player_*", "kind", OPTION_CHOICE, PLAYER(kind), "unknown", 0, 0,
     "unknown search level external",
     "who plays: our search, a measured level, a program that speaks Hub"},
    {"player_*", "name", OPTION_TEXT, PLAYER(name), "", 0, 0, NULL,
     "what the results call the player; none: NAME"},
    {"player_*", "weights", OPTION_TEXT, PLAYER(weights), "", 0, 0, NULL,
     "RULES.h5 of search and level; none: the built-in weights; the word RULES in it stands for "
     "the rule set"},
    {"player_*", "level", OPTION_INT, PLAYER(level), "6", 1, LEVELS_MAX, NULL,
     "number of the level"},
    {"player_*", "nodes", OPTION_INT, PLAYER(nodes), "0", 0, 1e12, NULL,
     "search nodes a move; 0: no limit"},
    {"player_*", "depth", OPTION_INT, PLAYER(depth), "0", 0, SEARCH_PLIES - 1, NULL,
     "plies a move; 0: no limit"},
    {"player_*", "time", OPTION_REAL, PLAYER(time), "0", 0, 3600, NULL,
     "seconds a move; 0: no limit"},
    {"player_*", "table_bits", OPTION_INT, PLAYER(table_bits), "16", 4, 30, NULL,
     "transposition table of search: 2^N entries of 16 bytes"},
    {"player_*", "threads", OPTION_INT, PLAYER(threads), "1", 1, SEARCH_THREADS_MAX, NULL,
     "of search; with more than one a game is not the same again"},
    {"player_*", "command", OPTION_TEXT, PLAYER(command), "", 0, 0, NULL,
     "of the program, as the shell takes it; each rank starts one"},
    {"player_*", "parameters", OPTION_TEXT, PLAYER(parameters), "", 0, 0, NULL,
     "name=value name=value, sent to the program by set-param"},
    {"player_*", "margin", OPTION_REAL, PLAYER(margin), "5", 0.01, 3600, NULL,
     "seconds that the program may take beyond time before it counts as hung"},
    {"player_*", "start", OPTION_REAL, PLAYER(start), "10", 0.01, 3600, NULL,
     "seconds that the program may take to start"},
    {"sprt", "elo0", OPTION_REAL, PLACE(sprt.elo0), "0", -1000, 1000, NULL,
     "a match of two players ends when the first is either this much stronger ..."},
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
    {"calibrate", "openings", OPTION_TEXT, PLACE(calibrate.openings), "", 0, 0, NULL,
     "file of openings, as match.openings"},
    {"calibrate", "weights", OPTION_TEXT, PLACE(calibrate.weights), "", 0, 0, NULL,
     "RULES.h5 whose weights get levels; none: the run's tuned weights; the word RULES in it "
     "stands "
     "for the rule set's name"},
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

int settings_players(const struct settings *settings)
{
    int players = 0;

    while (players < MATCH_PLAYERS_MAX && settings->player[players].section[0] != '\0') {
        players++;
    }
    return players;
}

const char *settings_player_name(const struct player_settings *player)
{
    return player->name[0] != '\0' ? player->name : player->section;
}

int settings_player_named(const struct settings *settings, const char *name)
{
    int players = settings_players(settings);

    for (int i = 0; i < players; i++) {
        if (strcmp(settings_player_name(&settings->player[i]), name) == 0) {
            return i;
        }
    }
    return -1;
}

int settings_anchor(const struct settings *settings)
{
    int anchor = settings_player_named(settings, settings->match.anchor);

    return anchor < 0 ? 0 : anchor;
}

struct adjudication_rules settings_ends(const struct ends_settings *ends)
{
    return (struct adjudication_rules){
        .resign_score = (int)ends->resign_score,
        .resign_plies = (int)ends->resign_plies,
        .draw_score = (int)ends->draw_score,
        .draw_plies = (int)ends->draw_plies,
        .draw_from = (int)ends->draw_from,
    };
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

bool settings_have_gate(const struct settings *settings)
{
    return settings->gate.pairs > 0;
}

struct sprt settings_gate(const struct settings *settings)
{
    return (struct sprt){.scale = SPRT_NORMALISED,
                         .elo0 = settings->gate.elo0,
                         .elo1 = settings->gate.elo1,
                         .alpha = settings->gate.alpha,
                         .beta = settings->gate.beta};
}

bool settings_are_of_part(const struct settings *settings)
{
    return settings->part.end > 0;
}

bool settings_path(const char *given, const struct variant *variant, char path[FILE_PATH],
                   struct err *err)
{
    static const char WORD[] = "RULES";
    const char *word = strstr(given, WORD);
    int before = word ? (int)(word - given) : (int)strlen(given);
    int length = snprintf(path, FILE_PATH, "%.*s%s%s", before, given,
                          word ? variant->rules->name : "", word ? word + strlen(WORD) : "");

    return length < FILE_PATH || err_set(err, ERR_USAGE, "path too long");
}

static const char *const FREE_KEYS[] = {"run.generations",
                                        "run.patience",
                                        "selfplay.sync_seconds",
                                        "tune.checkpoint_seconds",
                                        "tune.scratch",
                                        "match.",
                                        "gate.",
                                        "calibrate.",
                                        "rescore.",
                                        "player_",
                                        "sprt.",
                                        NULL};

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
