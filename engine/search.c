/* The search: principal-variation alpha-beta, fail-soft, over positions that are values.
 *
 * Nothing here uses floating point but the clock. All mutable state stands in struct search, its
 * move lists too, one frame a ply, so that the stack stays small. */
#include "engine/search.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/clock.h"
#include "engine/order.h"
#include "engine/table.h"

enum {
    SCORE_INFINITE = SCORE_WON + 1,
    SCORE_STATIC_MAX = SCORE_MATED_MAX - 1,
    CLOCK_NODES = 1024,    /* the clock and the stop flag are looked at every so many nodes */
    REDUCTION_DEPTH = 3,   /* late moves are reduced from here on */
    QUIET_PLIES_NEAR = 16, /* so many plies before the 25-move rule strikes, scores depend on it */
    PAST_MAX = 256,        /* earlier positions that may still be repeated: quiet_plies is 8 bits */
};

struct frame {
    struct move_list list;
    struct order order;
    int pv_length;
    struct move pv[SEARCH_PLIES];
};

struct search {
    const struct variant *variant;
    struct weights weights;
    struct table table;
    struct history history;
    atomic_bool stop;

    /* Of the running search. */
    struct search_limits limits;
    struct search_result result;
    double started;
    bool limited; /* depth 1 is complete: limits and the stop flag count */
    bool cut;     /* one of them was met: what is being returned means nothing */
    int seldepth; /* deepest ply entered in this iteration */
    int past;     /* path[past + ply]: key of the line's position at ply */
    uint64_t path[PAST_MAX + SEARCH_PLIES];
    struct frame frames[SEARCH_PLIES];
};

/* A position to be searched, as its parent sees it. */
struct node {
    const struct position *position;
    int ply, depth, alpha, beta;
};

static int search_node(struct search *search, struct node node);

struct search *search_create(const struct variant *variant, const struct weights *weights,
                             int table_bits, struct err *err)
{
    struct search *search = calloc(1, sizeof *search);

    if (search == NULL || !table_init(&search->table, table_bits)) {
        free(search);
        err_set(err, ERR_FAILED, "no memory for a search with a table of 2^%d entries", table_bits);
        return NULL;
    }
    search->variant = variant;
    search->weights = *weights;
    atomic_init(&search->stop, false);
    return search;
}

void search_destroy(struct search *search)
{
    if (search != NULL) {
        table_fini(&search->table);
        free(search);
    }
}

void search_clear(struct search *search)
{
    table_clear(&search->table);
    search->history = (struct history){0};
}

void search_stop(struct search *search)
{
    atomic_store_explicit(&search->stop, true, memory_order_relaxed);
}

void search_allow(struct search *search)
{
    atomic_store_explicit(&search->stop, false, memory_order_relaxed);
}

/* Whether a limit is met or the search was asked to stop. */
static bool is_cut(struct search *search)
{
    const struct search_limits *limits = &search->limits;
    uint64_t nodes = search->result.nodes;

    if (search->cut || !search->limited) {
        return search->cut;
    }
    if (limits->nodes != 0 && nodes >= limits->nodes) {
        search->cut = true;
    } else if (nodes % CLOCK_NODES == 0) {
        search->cut = atomic_load_explicit(&search->stop, memory_order_relaxed) ||
                      (limits->seconds > 0 && clock_seconds() - search->started >= limits->seconds);
    }
    return search->cut;
}

/* Draws by the 25-move rule and by repetition. Within the tree the first repetition counts (what
 * was possible once is possible again); a position from before the root or the root itself only
 * when the rules say so. */
static bool is_drawn(const struct search *search, const struct position *position, int ply)
{
    const struct rules *rules = search->variant->rules;
    const uint64_t *here = &search->path[search->past + ply];
    int back_max = search->past + ply, occurrences = 1;

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
static int static_noise(const struct search *search, const struct position *position)
{
    uint64_t mixed = position_key(position) ^ search->limits.noise_seed;

    mixed = (mixed ^ mixed >> 32) * UINT64_C(0x9fb21c651e98df25);
    mixed = (mixed ^ mixed >> 28) * UINT64_C(0x9fb21c651e98df25);
    uint64_t range = 2 * (uint64_t)search->limits.noise + 1;
    return (int)((mixed >> 32) * range >> 32) - search->limits.noise;
}

static int static_score(const struct search *search, const struct position *position)
{
    int score = search->variant->evaluate(position, &search->weights);

    if (search->limits.noise > 0) {
        score += static_noise(search, position);
    }
    if (score > SCORE_STATIC_MAX) {
        return SCORE_STATIC_MAX;
    }
    return score < -SCORE_STATIC_MAX ? -SCORE_STATIC_MAX : score;
}

/* The key under which a position's result is kept. Near the 25-move rule the score depends on how
 * near, so those positions are kept apart. */
static uint64_t table_key(const struct search *search, const struct position *position,
                          uint64_t key)
{
    int near =
        position->quiet_plies - (search->variant->rules->quiet_plies_to_draw - QUIET_PLIES_NEAR);

    return near > 0 ? key ^ (uint64_t)near * UINT64_C(0x9e3779b97f4a7c15) : key;
}

/* Whether a stored result settles the node; *score then holds it. */
static bool settles(const struct table_entry *entry, const struct node *node, int *score)
{
    *score = table_score_out(entry->score, node->ply);
    return entry->depth >= node->depth && ((entry->bound & BOUND_LOWER && *score >= node->beta) ||
                                           (entry->bound & BOUND_UPPER && *score <= node->alpha));
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

/* The score of a node's n-th move: with full window when it is the first, else with a null window
 * that asks whether it is better than the best so far, first at reduced depth. */
static int search_child(struct search *search, const struct node *node, const struct position *next,
                        int n, int depth, int reduction)
{
    struct node child = {next, node->ply + 1, depth - reduction, -node->alpha - 1, -node->alpha};
    int score = SCORE_INFINITE;

    if (n > 0) {
        score = -search_node(search, child);
        if (reduction > 0 && score > node->alpha && !search->cut) {
            child.depth = depth;
            score = -search_node(search, child);
        }
    }
    if (n == 0 || (score > node->alpha && score < node->beta && !search->cut)) {
        child.depth = depth;
        child.alpha = -node->beta;
        score = -search_node(search, child);
    }
    return score;
}

/* A move has become the best of its node: it starts the node's line, and the root's result. */
static void take_line(struct search *search, int ply, const struct move *move, int score)
{
    struct frame *frame = &search->frames[ply];
    const struct frame *below = &search->frames[ply + 1];

    frame->pv[0] = *move;
    memcpy(&frame->pv[1], below->pv, (size_t)below->pv_length * sizeof below->pv[0]);
    frame->pv_length = below->pv_length + 1;
    if (ply == 0) {
        search->result.best = *move;
        search->result.score = score;
        search->result.pv_length = frame->pv_length;
        memcpy(search->result.pv, frame->pv, (size_t)frame->pv_length * sizeof frame->pv[0]);
    }
}

/* Tries the moves of a node, best promise first. Returns the best score and, in *best_index, the
 * move that made it, TABLE_NO_MOVE when none exceeded alpha. */
static int search_moves(struct search *search, struct node *node, int child_depth, int *best_index)
{
    const struct rules *rules = search->variant->rules;
    struct frame *frame = &search->frames[node->ply];
    bool pv = node->beta - node->alpha > 1;
    bool may_reduce = node->depth >= REDUCTION_DEPTH && frame->list.move[0].taken == 0 &&
                      node->alpha < SCORE_MATED_MAX && node->beta > -SCORE_MATED_MAX;
    int best = -SCORE_INFINITE;

    *best_index = TABLE_NO_MOVE;
    for (int n = 0; n < frame->list.count; n++) {
        int index = order_pick(&frame->order, n);
        const struct move *move = &frame->list.move[index];
        struct position next = position_after(rules, node->position, move);
        int reduction = may_reduce && !move_crowns(rules, node->position, move)
                            ? late_move_reduction(node->depth, n, pv)
                            : 0;
        int score = search_child(search, node, &next, n, child_depth, reduction);
        if (search->cut) {
            return best;
        }
        if (score > best) {
            best = score;
        }
        if (score > node->alpha) {
            *best_index = index;
            node->alpha = score;
            if (pv) {
                take_line(search, node->ply, move, score);
            }
            if (score >= node->beta) {
                if (node->depth > 0 && move->taken == 0) {
                    history_update(&search->history, (enum colour)node->position->turn,
                                   &frame->list, &frame->order, n, node->depth);
                }
                break;
            }
        }
    }
    return best;
}

/* Orders the moves of a node whose list is made. */
static void order_moves(struct search *search, const struct node *node,
                        const struct table_entry *entry)
{
    struct frame *frame = &search->frames[node->ply];
    int first = entry != NULL ? entry->move : TABLE_NO_MOVE;

    for (int i = 0; node->ply == 0 && search->result.depth > 0 && i < frame->list.count; i++) {
        if (move_equal(&frame->list.move[i], &search->result.best)) {
            first = i;
        }
    }
    order_init(&frame->order, search->variant->rules, node->position, &frame->list,
               &search->history, first);
}

/* The score of a quiet position at the horizon: the static score, or less when the opponent
 * threatens to capture and every move, tried once with what captures follow, falls short of it. */
static int search_horizon(struct search *search, struct node node)
{
    enum colour them = colour_other((enum colour)node.position->turn);
    int score = static_score(search, node.position), best_index;

    if (node.depth < 0 || score <= node.alpha ||
        !search->variant->can_capture(node.position, them)) {
        return score;
    }
    node.beta = score < node.beta ? score : node.beta;
    order_moves(search, &node, NULL);
    int best = search_moves(search, &node, -1, &best_index);
    if (best >= score) {
        search->frames[node.ply].pv_length = 0;
        return score;
    }
    return best;
}

static void store(struct search *search, const struct node *node, uint64_t key, int alpha, int best,
                  int best_index)
{
    struct table_entry entry = {
        .key = key,
        .score = (int16_t)table_score_in(best, node->ply),
        .move = (uint16_t)best_index,
        .depth = (int8_t)node->depth,
        .bound = best >= node->beta ? BOUND_LOWER
                 : best > alpha     ? BOUND_EXACT
                                    : BOUND_UPPER,
    };

    table_store(&search->table, entry);
}

/* Lost before drawn, drawn before anything else. */
static int search_node(struct search *search, struct node node)
{
    const struct variant *variant = search->variant;
    struct frame *frame = &search->frames[node.ply];
    bool pv = node.beta - node.alpha > 1;
    const struct table_entry *entry = NULL;
    int alpha = node.alpha, depth, score, best_index;

    frame->pv_length = 0;
    if (is_cut(search)) {
        return 0;
    }
    search->result.nodes++;
    search->seldepth = node.ply > search->seldepth ? node.ply : search->seldepth;

    uint64_t key = position_key(node.position);
    search->path[search->past + node.ply] = key;
    if (node.ply > 0 && is_drawn(search, node.position, node.ply)) {
        return variant->count_moves(node.position) > 0 ? 0 : -(SCORE_WON - node.ply);
    }
    if (node.depth > 0) {
        key = table_key(search, node.position, key);
        entry = table_probe(&search->table, key);
        if (entry != NULL && !pv && settles(entry, &node, &score)) {
            return score;
        }
    }
    variant->moves(node.position, &frame->list);
    if (frame->list.count == 0) {
        return -(SCORE_WON - node.ply);
    }
    if (node.ply == SEARCH_PLIES - 1) {
        return static_score(search, node.position);
    }
    if (node.depth <= 0 && frame->list.move[0].taken == 0) {
        return search_horizon(search, node);
    }
    order_moves(search, &node, entry);
    depth = frame->list.count == 1 ? node.depth : node.depth - 1;
    int best = search_moves(search, &node, depth, &best_index);
    if (node.depth > 0 && !search->cut) {
        store(search, &node, key, alpha, best, best_index);
    }
    return best;
}

/* Whether deeper iterations would change nothing: the end is within the depth searched. */
static bool is_settled(const struct search *search, int last_score)
{
    int score = search->result.score;

    return score == last_score && abs(score) > SCORE_MATED_MAX &&
           SCORE_WON - abs(score) <= search->result.depth;
}

static void start(struct search *search, const struct game *game,
                  const struct search_limits *limits)
{
    search->limits = *limits;
    search->result = (struct search_result){.score = -SCORE_WON};
    search->started = clock_seconds();
    search->limited = search->cut = false;
    search->past = game->plies < PAST_MAX ? game->plies : PAST_MAX;
    memcpy(search->path, &game->keys[game->plies - search->past],
           ((size_t)search->past + 1) * sizeof search->path[0]);
    table_grow_old(&search->table);
}

struct search_result search_run(struct search *search, const struct game *game,
                                const struct search_limits *limits, search_report *report,
                                void *context)
{
    struct search_result *result = &search->result;
    int legal = search->variant->count_moves(game_now(game));
    int last = limits->depth > 0 && limits->depth < SEARCH_PLIES ? limits->depth : SEARCH_PLIES - 1;

    start(search, game, limits);
    result->has_move = legal > 0;
    for (int depth = 1; depth <= last && legal > 0; depth++) {
        int last_score = result->score;
        search->seldepth = 0;
        search_node(search, (struct node){.position = game_now(game),
                                          .depth = depth,
                                          .alpha = -SCORE_INFINITE,
                                          .beta = SCORE_INFINITE});
        result->seconds = clock_seconds() - search->started;
        if (search->cut) {
            break;
        }
        search->limited = true;
        result->depth = depth;
        result->seldepth = search->seldepth;
        if (report != NULL) {
            report(context, result);
        }
        if (legal == 1 || is_settled(search, last_score)) {
            break;
        }
    }
    return *result;
}
