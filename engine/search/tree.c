/* The search: principal-variation alpha-beta, fail-soft, over positions that are values.
 *
 * Nothing here uses floating point. All mutable state stands in struct tree, its move lists too,
 * one frame a ply, so that the stack stays small. */
#include "engine/search/tree.h"

#include <stdlib.h>
#include <string.h>

enum {
    SHARE_DEPTH = 4,       /* from here on moves that another thread is at come last */
    REDUCTION_DEPTH = 3,   /* late moves are reduced from here on */
    PROBE_DEPTH = 3,       /* from here on a node is probed before it is searched */
    PROBE_PERCENT = 40,    /* depth of the probe, of the node's */
    PROBE_MARGIN = 10,     /* hundredths of a man above beta, a ply of the node's depth */
    QUIET_PLIES_NEAR = 16, /* so many plies before the 25-move rule strikes, scores depend on it */
};

/* A position to be searched, as its parent sees it. */
struct node {
    const struct position *position;
    uint64_t key; /* position_key */
    int ply, depth, alpha, beta;
    bool is_probe; /* see is_far_above */
};

static int search_node(struct tree *tree, struct node *node);

/* Draws by the 25-move rule and by repetition. Within the tree the first repetition counts (what
 * was possible once is possible again); a position from before the root or the root itself only
 * when the rules say so. */
static bool is_drawn(const struct tree *tree, const struct position *position, int ply)
{
    const struct rules *rules = tree->variant->rules;
    const uint64_t *here = &tree->path[tree->past + ply];
    int back_max = tree->past + ply, occurrences = 1;

    if (position->quiet_plies >= rules->quiet_plies_to_draw) {
        return true;
    }
    if (back_max > position->quiet_plies) {
        back_max = position->quiet_plies;
    }
    for (int back = 4; back <= back_max; back += 2) {
        if (here[-back] == here[0]) {
            if (back < ply || ++occurrences == rules->repetitions_to_draw) {
                return true;
            }
        }
    }
    return false;
}

/* A level's blur; see struct search_limits. */
static int static_noise(const struct tree *tree, const struct position *position)
{
    uint64_t mixed = position_key(position) ^ tree->noise_seed;

    mixed = (mixed ^ mixed >> 32) * UINT64_C(0x9fb21c651e98df25);
    mixed = (mixed ^ mixed >> 28) * UINT64_C(0x9fb21c651e98df25);
    uint64_t range = 2 * (uint64_t)tree->noise + 1;
    return (int)((mixed >> 32) * range >> 32) - tree->noise;
}

static int static_score(const struct tree *tree, const struct position *position)
{
    int score = tree->variant->evaluate_folded(position, tree->evaluator);

    if (tree->noise > 0) {
        score += static_noise(tree, position);
    }
    if (score > SCORE_STATIC_MAX) {
        return SCORE_STATIC_MAX;
    }
    return score < -SCORE_STATIC_MAX ? -SCORE_STATIC_MAX : score;
}

/* The key under which a position's result is kept. Near the 25-move rule the score depends on how
 * near, so those positions are kept apart. */
static uint64_t table_key(const struct tree *tree, const struct position *position, uint64_t key)
{
    int near =
        position->quiet_plies - (tree->variant->rules->quiet_plies_to_draw - QUIET_PLIES_NEAR);

    return near > 0 ? key ^ (uint64_t)near * UINT64_C(0x9e3779b97f4a7c15) : key;
}

/* Whether a stored result settles the node; *score then holds it. */
static bool settles(const struct table_entry *entry, const struct node *node, int *score)
{
    *score = table_score_out(entry->score, node->ply);
    return entry->depth >= node->depth && ((entry->bound & BOUND_LOWER && *score >= node->beta) ||
                                           (entry->bound & BOUND_UPPER && *score <= node->alpha));
}

/* Whether even the nearest end of the game that can follow is no better than alpha, or no worse
 * than beta; *score is then that end's. In chess: mate-distance pruning. */
static bool is_too_far(const struct node *node, int *score)
{
    int won = SCORE_WON - (node->ply + 1), lost = -(SCORE_WON - node->ply);

    *score = won <= node->alpha ? won : lost;
    return won <= node->alpha || lost >= node->beta;
}

/* Plies that the n-th move is searched less deeply at first: about the product of the logarithms
 * of depth and number, in whole numbers. */
static int late_move_reduction(int depth, int n, bool pv)
{
    int depth_bits = 32 - __builtin_clz((unsigned)depth);
    int order_bits = 32 - __builtin_clz((unsigned)n + 1);
    int reduction = depth_bits * order_bits / 4 - pv;

    return reduction > 0 ? reduction : 0;
}

/* The child's score for its parent, at a depth and within a window of the parent's; what is done
 * to the child's members does not matter to the next call. */
static int search_within(struct tree *tree, struct node *child, int depth, int alpha, int beta)
{
    child->depth = depth;
    child->alpha = -beta;
    child->beta = -alpha;
    return -search_node(tree, child);
}

/* The score of a node's n-th move, whose position is `child`: with full window when it is the
 * first, else with a null window that asks whether it is better than the best so far, first at
 * reduced depth. */
static int search_child(struct tree *tree, const struct node *node, struct node *child, int depth,
                        int n, int reduction)
{
    int alpha = node->alpha, beta = node->beta, score = SCORE_INFINITE;

    if (n > 0) {
        score = search_within(tree, child, depth - reduction, alpha, alpha + 1);
        if (reduction > 0 && score > alpha && !tree->meter.cut) {
            score = search_within(tree, child, depth, alpha, alpha + 1);
        }
    }
    if (n == 0 || (score > alpha && score < beta && !tree->meter.cut)) {
        score = search_within(tree, child, depth, alpha, beta);
    }
    return score;
}

/* A move has become the best of its node: it starts the node's line, and the root's best line. */
static void take_line(struct tree *tree, int ply, const struct move *move, int score)
{
    struct frame *frame = &tree->frames[ply];
    const struct frame *below = &tree->frames[ply + 1];

    frame->pv[0] = *move;
    memcpy(&frame->pv[1], below->pv, (size_t)below->pv_length * sizeof below->pv[0]);
    frame->pv_length = below->pv_length + 1;
    if (ply == 0) {
        tree->best.score = score;
        tree->best.length = frame->pv_length;
        memcpy(tree->best.move, frame->pv, (size_t)frame->pv_length * sizeof frame->pv[0]);
    }
}

/* Asks for the table's entries of all moves' positions: a node whose first move has not settled it
 * mostly tries them all, and by then they have come. */
static void prefetch_children(const struct tree *tree, const struct node *node)
{
    const struct move_list *list = &tree->frames[node->ply].list;

    for (int i = 0; i < list->count; i++) {
        struct position next;
        position_play(tree->variant->rules, node->position, &list->move[i], &next);
        table_prefetch(tree->table, position_key(&next));
    }
}

/* Plies that a quiet move which does not crown is searched less deeply at first. */
static int reduction_of(const struct tree *tree, const struct node *node, const struct move *move,
                        int n)
{
    if (node->depth < REDUCTION_DEPTH || move->taken != 0) {
        return 0;
    }
    int reduction = late_move_reduction(node->depth, n, node->beta - node->alpha > 1);
    return reduction > 0 && move_crowns(tree->variant->rules, node->position, move) ? 0 : reduction;
}

/* Tries the moves of a node, best promise first. Returns the best score and, in *best_index, the
 * move that made it, TABLE_NO_MOVE when none exceeded alpha. */
static int search_moves(struct tree *tree, struct node *node, int child_depth, int *best_index)
{
    const struct rules *rules = tree->variant->rules;
    struct frame *frame = &tree->frames[node->ply];
    struct walk walk = {.busy = node->depth >= SHARE_DEPTH ? tree->busy : NULL,
                        .order = &frame->order,
                        .put_off = frame->put_off,
                        .key = node->key};
    struct position next;
    struct node child = {.position = &next, .ply = node->ply + 1};
    bool pv = node->beta - node->alpha > 1;
    int best = -SCORE_INFINITE;

    *best_index = TABLE_NO_MOVE;
    while (walk_next(&walk)) {
        const struct move *move = &frame->list.move[walk.at.index];
        if (walk.at.n == 1 && child_depth > 0) {
            prefetch_children(tree, node);
        }
        position_play(rules, node->position, move, &next);
        child.key = position_key(&next);
        if (walk.at.n == 0 && child_depth > 0) {
            table_prefetch(tree->table, child.key);
        }
        int reduction = reduction_of(tree, node, move, walk.at.n);
        walk_enter(&walk);
        int score = search_child(tree, node, &child, child_depth, walk.at.n, reduction);
        walk_leave(&walk);
        if (tree->meter.cut) {
            return best;
        }
        if (score > best) {
            best = score;
        }
        if (score > node->alpha) {
            *best_index = walk.at.index;
            node->alpha = score;
            if (pv) {
                take_line(tree, node->ply, move, score);
            }
            if (score >= node->beta) {
                if (node->depth > 0 && move->taken == 0) {
                    history_update(tree->history, &frame->order, walk.at.n, node->depth);
                }
                break;
            }
        }
    }
    return best;
}

/* Orders the moves of a node whose list is made; `first` is the index of the move the table holds,
 * or TABLE_NO_MOVE. */
static void order_moves(struct tree *tree, const struct node *node, int first)
{
    struct frame *frame = &tree->frames[node->ply];

    for (int i = 0; node->ply == 0 && node->depth > 1 && i < frame->list.count; i++) {
        if (move_equal(&frame->list.move[i], &tree->best.move[0])) {
            first = i;
        }
    }
    if (frame->list.count == 1) {
        first = 0;
    }
    frame->order.rules = tree->variant->rules;
    frame->order.position = node->position;
    frame->order.list = &frame->list;
    frame->order.history = tree->history;
    frame->order.first = first;
    frame->order.ranked = false;
}

/* The score of a position at the horizon whose side to move has nothing to capture: the static
 * score, or less when the opponent threatens to capture and every move, tried once with what
 * captures follow, falls short of it. */
static int search_horizon(struct tree *tree, struct node *node)
{
    enum colour them = colour_other((enum colour)node->position->turn);
    int best_index;

    if (tree->variant->count_moves(node->position) == 0) {
        return -(SCORE_WON - node->ply);
    }
    int score = static_score(tree, node->position);
    if (node->ply == SEARCH_PLIES - 1 || node->depth < 0 || score <= node->alpha ||
        !tree->variant->can_capture(node->position, them)) {
        return score;
    }
    node->beta = score < node->beta ? score : node->beta;
    tree->variant->moves(node->position, &tree->frames[node->ply].list);
    order_moves(tree, node, TABLE_NO_MOVE);
    int best = search_moves(tree, node, -1, &best_index);
    if (best >= score) {
        tree->frames[node->ply].pv_length = 0;
        return score;
    }
    return best;
}

/* `move` is the index of the move that made `best`, where it exceeded alpha; else of the one that
 * was found earlier, which is still the likeliest to. */
static void store(struct tree *tree, const struct node *node, uint64_t key, int alpha, int best,
                  int move)
{
    struct table_entry entry = {
        .key = key,
        .score = (int16_t)table_score_in(best, node->ply),
        .move = (uint16_t)move,
        .depth = (int8_t)node->depth,
        .bound = best >= node->beta ? BOUND_LOWER
                 : best > alpha     ? BOUND_EXACT
                                    : BOUND_UPPER,
    };

    table_store(tree->table, &entry);
}

/* Whether a shallower search puts the node so far above beta that the full one would hardly come
 * out below it; *score is then what it found. (M. Buro, "ProbCut: an effective selective extension
 * of the alpha-beta algorithm", ICCA Journal 18, 1995; here with a margin that is not fitted.) Not
 * where the full search may reach a draw by the 25-move rule, which the shallower one is blind to.
 */
static bool is_far_above(struct tree *tree, const struct node *node, int *score)
{
    int bound = node->beta + PROBE_MARGIN * node->depth;
    int quiet_plies = node->position->quiet_plies + node->depth;

    if (!tree->variant->probes || node->is_probe || node->depth < PROBE_DEPTH ||
        node->beta - node->alpha > 1 || abs(bound) > SCORE_STATIC_MAX ||
        quiet_plies >= tree->variant->rules->quiet_plies_to_draw) {
        return false;
    }
    struct node probe = {.position = node->position,
                         .key = node->key,
                         .ply = node->ply,
                         .depth = node->depth * PROBE_PERCENT / 100,
                         .alpha = bound - 1,
                         .beta = bound,
                         .is_probe = true};
    *score = search_node(tree, &probe);
    return *score >= bound;
}

/* Lost before drawn, drawn before anything else. */
static int search_node(struct tree *tree, struct node *node)
{
    const struct variant *variant = tree->variant;
    struct frame *frame = &tree->frames[node->ply];
    bool pv = node->beta - node->alpha > 1;
    struct table_entry entry = {.move = TABLE_NO_MOVE};
    int alpha = node->alpha, depth, score, best_index;

    frame->pv_length = 0;
    if (meter_node(&tree->meter)) {
        return 0;
    }
    tree->seldepth = node->ply > tree->seldepth ? node->ply : tree->seldepth;

    uint64_t key = node->key;
    tree->path[tree->past + node->ply] = key;
    if (node->ply > 0 && is_drawn(tree, node->position, node->ply)) {
        return variant->count_moves(node->position) > 0 ? 0 : -(SCORE_WON - node->ply);
    }
    if (node->ply > 0 && is_too_far(node, &score)) {
        return score;
    }
    if (node->depth > 0) {
        key = table_key(tree, node->position, key);
        if (table_probe(tree->table, key, &entry) && !pv && settles(&entry, node, &score)) {
            return score;
        }
    }
    if (node->depth <= 0 &&
        !variant->can_capture(node->position, (enum colour)node->position->turn)) {
        return search_horizon(tree, node);
    }
    if (is_far_above(tree, node, &score)) {
        return score;
    }
    variant->moves(node->position, &frame->list);
    if (frame->list.count == 0) {
        return -(SCORE_WON - node->ply);
    }
    if (node->ply == SEARCH_PLIES - 1) {
        return static_score(tree, node->position);
    }
    order_moves(tree, node, entry.move);
    depth = frame->list.count == 1 ? node->depth : node->depth - 1;
    int best = search_moves(tree, node, depth, &best_index);
    if (node->depth > 0 && !tree->meter.cut) {
        store(tree, node, key, alpha, best, best_index != TABLE_NO_MOVE ? best_index : entry.move);
    }
    return best;
}

void tree_start(struct tree *tree, const struct game *game)
{
    tree->root = game_now(game);
    tree->best = (struct line){.score = -SCORE_WON};
    meter_start(&tree->meter);
    tree->past = game->plies < TREE_PAST ? game->plies : TREE_PAST;
    memcpy(tree->path, &game->keys[game->plies - tree->past],
           ((size_t)tree->past + 1) * sizeof tree->path[0]);
}

int tree_search(struct tree *tree, int depth, int alpha, int beta)
{
    tree->seldepth = 0;
    struct node root = {.position = tree->root,
                        .key = position_key(tree->root),
                        .depth = depth,
                        .alpha = alpha,
                        .beta = beta};
    return search_node(tree, &root);
}
