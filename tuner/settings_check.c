/* What the settings say together: whether they make sense, and the rule sets that they name. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "tuner/settings.h"

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

static bool check_rescore(const struct settings *settings, struct err *err)
{
    return settings->rescore.nodes > 0 || settings->rescore.depth > 0 ||
           err_set(err, ERR_USAGE,
                   "rescore.nodes, rescore.depth: both are 0; one of them has to limit the search");
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

/* Whether a player has everything that its kind plays by. */
static bool check_kind(const struct player_settings *player, struct err *err)
{
    const char *section = player->section;
    bool limited = player->nodes > 0 || player->depth > 0 || player->time > 0;

    switch ((enum player_kind)player->kind) {
    case PLAYER_UNKNOWN:
        return err_set(err, ERR_USAGE, "player_%s.kind: is missing: search, level or external",
                       section);
    case PLAYER_LEVEL:
        return player->weights[0] != '\0' ||
               err_set(err, ERR_USAGE, "player_%s.weights: a level needs its RULES.h5", section);
    case PLAYER_EXTERNAL:
        if (player->command[0] == '\0') {
            return err_set(err, ERR_USAGE, "player_%s.command: is needed to start the program",
                           section);
        }
        break;
    case PLAYER_SEARCH:
        break;
    }
    return limited || err_set(err, ERR_USAGE, "player_%s: nodes, depth or time is needed", section);
}

static bool check_player(const struct settings *settings, int index, struct err *err)
{
    const struct player_settings *player = &settings->player[index];
    const char *name = settings_player_name(player);
    int other = settings_player_named(settings, name);

    if (!check_kind(player, err)) {
        return false;
    }
    if (strlen(name) >= CATALOGUE_NAME) {
        return err_set(err, ERR_USAGE, "player_%s.name: has more than %d bytes", player->section,
                       CATALOGUE_NAME - 1);
    }
    return other == index ||
           err_set(err, ERR_USAGE, "player_%s.name: '%s' is the name of player_%s already",
                   player->section, name, settings->player[other].section);
}

static bool check_match(const struct settings *settings, struct err *err)
{
    const char *anchor = settings->match.anchor;
    int players = settings_players(settings);
    struct sprt test;

    for (int i = 0; i < players; i++) {
        if (!check_player(settings, i, err)) {
            return false;
        }
    }
    if (players == 1) {
        return err_set(err, ERR_USAGE, "a match needs two players, only section player_%s is there",
                       settings->player[0].section);
    }
    if (anchor[0] != '\0' && settings_player_named(settings, anchor) < 0) {
        return err_set(err, ERR_USAGE, "match.anchor: no player is called '%s'", anchor);
    }
    if (!settings_test(settings, &test)) {
        return true;
    }
    if (players > 2) {
        return err_set(err, ERR_USAGE,
                       "sprt: a test ends a match of two players, here are %d; leave out "
                       "sprt.elo0 and sprt.elo1",
                       players);
    }
    return sprt_check(&test, err) || err_prefix(err, "sprt");
}

static bool check_gate(const struct settings *settings, struct err *err)
{
    struct sprt test = settings_gate(settings);

    return !settings_have_gate(settings) || sprt_check(&test, err) || err_prefix(err, "gate");
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
    return check_rules(settings, err) && check_rescore(settings, err) &&
           check_levels(settings, err) && check_match(settings, err) && check_gate(settings, err) &&
           check_part(settings, err);
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
