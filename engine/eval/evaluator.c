/* Folds weights; see evaluator.h. How the search reads them is in evaluator.inc. */
#include "engine/eval/evaluator.h"

#include <stdlib.h>

enum { DIGITS_MAX = 2 * PATTERN_ROWS_MAX };

/* The squares of the windows that were met so far. */
struct folding {
    const struct rules *rules;
    const struct pattern_set *set;
    const struct weights *weights;
    bitboard met;
};

static int64_t join(int opening, int ending)
{
    return (int64_t)opening * ((int64_t)1 << 32) + ending;
}

/* What the features give a man on a square, as its owner numbers the board. */
static int64_t worth_of_man(const struct folding *folding, int square)
{
    const struct rules *rules = folding->rules;
    const struct weights *weights = folding->weights;
    const int features[] = {
        feature_first(rules, FEATURE_MAN),
        feature_first(rules, FEATURE_MAN_SQUARE) + square - 1,
        feature_first(rules, FEATURE_CENTRE),
        feature_first(rules, FEATURE_BACK_ROW),
    };
    bitboard at = bit(square_to_bit(rules, square));
    bool has[] = {true, true, (central_squares(rules) & at) != 0,
                  (row_bits(rules, rules->rows - 1) & at) != 0};
    int64_t worth = 0;

    for (int i = 0; i < 4; i++) {
        worth += has[i] ? join(weights->opening[features[i]], weights->ending[features[i]]) : 0;
    }
    return worth;
}

/* What each digit, 0 to 2, of a window's state adds for men's own worth: for each square that no
 * window before has, the viewer's man, and the other's where no window has it in the other view.
 * For an empty square it adds nothing: worth[digit][0] stays 0. */
static void window_worths(struct folding *folding, int top, int left, int64_t worth[][3])
{
    const struct rules *rules = folding->rules;
    const struct pattern_set *set = folding->set;
    int covered = set->rows + 2 * (set->tops - 1);

    for (int digit = 0; digit < set->columns * set->rows; digit++) {
        int row = top + digit % set->rows, column = left + digit / set->rows;
        int square = row * rules->row_squares + column + 1;
        bitboard at = bit(square_to_bit(rules, square));
        bool first = (folding->met & at) == 0, seen_by_other = rules->rows - 1 - row < covered;
        worth[digit][1] = first ? worth_of_man(folding, square) : 0;
        worth[digit][2] =
            first && !seen_by_other ? -worth_of_man(folding, rules->squares + 1 - square) : 0;
        folding->met |= at;
    }
}

/* The band fields of a set of squares: of each window the digits, 0 or 1, of its first two rows. */
static uint64_t band_fields(const struct rules *rules, const struct pattern_set *set, int squares,
                            bool turned)
{
    const int width = rules->row_squares, across = width - set->columns + 1;
    uint64_t fields = 0, column_step = 1;

    for (int row = 0; row < set->rows; row++) {
        column_step *= 3;
    }
    for (int left = 0; left < across; left++) {
        uint64_t place = (uint64_t)1 << left * BAND_FIELD;
        for (int column = 0; column < set->columns; column++, place *= column_step) {
            for (int row = 0; row < 2; row++) {
                int square = row * width + left + column;
                square = turned ? 2 * width - 1 - square : square;
                fields += squares >> square & 1 ? (row == 0 ? place : 3 * place) : 0;
            }
        }
    }
    return fields;
}

/* Fills the sums of one window's states. */
static void fold_window(struct folding *folding, int window, int64_t *sum)
{
    const struct pattern_set *set = folding->set;
    const struct pattern_table *patterns = folding->weights->patterns;
    const int states = pattern_states(set);
    const int across = folding->rules->row_squares - set->columns + 1;
    int64_t worth[DIGITS_MAX][3] = {0};

    window_worths(folding, window / across * 2, window % across, worth);
    for (int state = 0; state < states; state++) {
        int64_t total = 0;
        for (int digit = 0, rest = state; rest > 0; digit++, rest /= 3) {
            total += worth[digit][rest % 3];
        }
        if (patterns != NULL) {
            struct pattern_weight weight = patterns->weight[window * states + state];
            total += join(weight.opening, weight.ending);
        }
        sum[state] = total;
    }
}

struct evaluator *evaluator_create(const struct rules *rules, const struct pattern_set *set,
                                   const struct weights *weights)
{
    const struct pattern_table *patterns = weights->patterns;
    struct folding folding = {rules, patterns != NULL ? patterns->set : set, weights, 0};
    size_t count = (size_t)pattern_count(rules, folding.set);
    struct evaluator *evaluator = malloc(sizeof *evaluator + count * sizeof evaluator->sum[0]);

    if (evaluator == NULL) {
        return NULL;
    }
    evaluator->weights = *weights;
    evaluator->weights.patterns = NULL;
    evaluator->set = folding.set;
    for (int squares = 0; squares < 1 << 2 * rules->row_squares; squares++) {
        evaluator->band[WHITE][squares] = band_fields(rules, folding.set, squares, false);
        evaluator->band[BLACK][squares] = band_fields(rules, folding.set, squares, true);
    }
    for (int window = 0; window < pattern_windows(rules, folding.set); window++) {
        fold_window(&folding, window, &evaluator->sum[window * pattern_states(folding.set)]);
    }
    return evaluator;
}
