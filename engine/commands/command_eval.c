/* `draughts eval`: the static score, taken apart. */
#include <stdio.h>

#include "engine/commands/draughts.h"

/* What some weights add to the score, in hundredths of a man, from White's view. */
struct share {
    double opening, ending; /* with the full board's and the empty board's weights */
    double both;            /* interpolated by the phase */
};

static struct share interpolated(struct share share, int phase, double full)
{
    share.both = (share.opening * phase + share.ending * (full - phase)) / full;
    return share;
}

/* What a group of features adds. */
static struct share group_share(const struct rules *rules, const struct weights *weights,
                                const struct feature_list *list, enum feature_group group)
{
    struct feature_range range = feature_range(rules, group);
    struct share share = {0};
    for (int i = 0; i < list->count; i++) {
        int index = list->feature[i].index, value = list->feature[i].value;
        if (index < range.first || index >= range.first + range.count) {
            continue;
        }
        share.opening += value * weights->opening[index];
        share.ending += value * weights->ending[index];
    }
    return interpolated(share, list->phase, 2 * rules->men_each);
}

/* The same of all patterns together. */
static struct share pattern_share(const struct variant *variant, const struct position *position,
                                  const struct pattern_table *table, int phase)
{
    int windows = pattern_windows(variant->rules, table->set);
    uint32_t index[PATTERN_ACTIVE_MAX];
    struct share share = {0};
    table->set->indices(position->men, index);
    for (int k = 0; k < 2 * windows; k++) {
        const struct pattern_weight *weight = &table->weight[index[k]];
        share.opening += k < windows ? weight->opening : -weight->opening;
        share.ending += k < windows ? weight->ending : -weight->ending;
    }
    return interpolated(share, phase, 2 * variant->rules->men_each);
}

static void print_share(const char *name, struct share share, struct share *total)
{
    printf("%-16s %+10.0f %+10.0f %+10.2f\n", name, share.opening, share.ending, share.both);
    total->opening += share.opening;
    total->ending += share.ending;
    total->both += share.both;
}

static void print_table(const struct variant *variant, const struct position *position,
                        const struct weights *weights)
{
    const struct rules *rules = variant->rules;
    struct feature_list list;
    struct share total = {0};
    variant->features(position, &list);
    printf("score %d (hundredths of a man, for the side to move: %s)\n",
           variant->evaluate(position, weights), position->turn == WHITE ? "White" : "Black");
    int pieces = bit_count(pieces_all(position)), full = 2 * rules->men_each;
    printf("%d pieces: the opening's weights count %d/%d, the ending's %d/%d\n\n", pieces,
           list.phase, full, full - list.phase, full);
    printf("%-16s %10s %10s %10s\n", "for White", "opening", "ending", "adds");
    for (int group = 0; group < FEATURE_GROUPS; group++) {
        print_share(feature_range(rules, (enum feature_group)group).name,
                    group_share(rules, weights, &list, (enum feature_group)group), &total);
    }
    if (weights->patterns != NULL) {
        print_share("pattern", pattern_share(variant, position, weights->patterns, list.phase),
                    &total);
    }
    print_share("total", total, &(struct share){0});
    if (is_held(rules, position, total.both > 0 ? WHITE : BLACK)) {
        printf("a king holds this: the total counts 1/%d\n", HELD_DIVISOR);
    }
}

bool command_eval(const struct invocation *invocation, struct err *err)
{
    const char *rules = NULL, *fen = NULL, *moves = NULL, *path = NULL;
    const struct flag flags[] = {flag_rules(&rules), flag_position(&fen), flag_moves(&moves),
                                 flag_weights(&path)};
    struct command_line line;
    struct position position;
    struct weights weights;
    if (!invocation_parse(invocation, flags, sizeof flags / sizeof flags[0], "", 0, &line, err)) {
        return false;
    }
    if (line.finished) {
        return true;
    }
    const struct variant *variant = variant_of_flag(rules, err);
    if (variant == NULL || !position_of_flags(variant, fen, moves, &position, err) ||
        !draughts_weights(invocation, &line.log, variant, path, &weights, err)) {
        return false;
    }
    print_table(variant, &position, &weights);
    weights_fini(&weights);
    return true;
}
