/* Patterns on small boards, in SVG. */
#include "tuner/report/report_patterns.h"

#include "engine/board/position.h"

enum {
    SHOWN = 6,  /* of the greatest weights, and of the least */
    SMALL = 14, /* pixels of a square's side */
    GAP = 26,   /* around each board; the weights stand in it */
};

static int worth(const struct pattern_table *table, int index)
{
    return table->weight[index].opening + table->weight[index].ending;
}

/* Puts an index where it belongs in a list that descends by sign * worth; returns its new length.
 */
static int insert(const struct pattern_table *table, int sign, int index, int *list, int count)
{
    int at = count < SHOWN ? count++ : SHOWN;
    while (at > 0 && sign * worth(table, index) > sign * worth(table, list[at - 1])) {
        if (at < SHOWN) {
            list[at] = list[at - 1];
        }
        at--;
    }
    if (at < SHOWN) {
        list[at] = index;
    }
    return count;
}

static void put_man(FILE *out, int x, int y, int owner)
{
    fprintf(out, "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"%s\" stroke=\"#333\"/>\n",
            x + SMALL / 2, y + SMALL / 2, SMALL / 2 - 2, owner == 1 ? "#fff" : "#333");
}

/* A pattern on a board whose corner is at (x, y). */
static void put_pattern(FILE *out, const struct rules *rules, const struct pattern_table *table,
                        int index, int x, int y)
{
    const struct pattern_set *set = table->set;
    int across = rules->row_squares - set->columns + 1;
    int window = index / pattern_states(set), state = index % pattern_states(set);
    int side = 2 * rules->row_squares * SMALL;

    fprintf(out,
            "<text x=\"%d\" y=\"%d\">%+d / %+d</text><rect x=\"%d\" y=\"%d\" width=\"%d\" "
            "height=\"%d\" fill=\"#f4f4f4\" stroke=\"#888\"/>\n",
            x + side / 2, y - 6, table->weight[index].opening, table->weight[index].ending, x, y,
            side, side);
    for (int column = 0; column < set->columns; column++) {
        for (int k = 0; k < set->rows; k++, state /= 3) {
            int row = 2 * (window / across) + k;
            int square = row * rules->row_squares + window % across + column + 1;
            int left = x + square_column(rules, square) * SMALL, top = y + row * SMALL;
            fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#b9c9b9\"/>\n",
                    left, top, SMALL, SMALL);
            if (state % 3 != 0) {
                put_man(out, left, top, state % 3);
            }
        }
    }
}

void report_patterns(FILE *out, const struct rules *rules, const struct pattern_table *table)
{
    int list[2][SHOWN], count[2] = {0}, step = 2 * rules->row_squares * SMALL + GAP;

    if (!table) {
        return;
    }
    for (int index = 0; index < table->count; index++) {
        int sign = worth(table, index) > 0 ? 1 : -1, line = sign > 0 ? 0 : 1;
        if (worth(table, index) != 0) {
            count[line] = insert(table, sign, index, list[line], count[line]);
        }
    }
    fprintf(out,
            "<figure><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" font-size=\"12\" text-anchor=\"middle\">\n",
            SHOWN * step + GAP, 2 * step + GAP, SHOWN * step + GAP, 2 * step + GAP);
    for (int line = 0; line < 2; line++) {
        for (int k = 0; k < count[line]; k++) {
            put_pattern(out, rules, table, list[line][k], GAP + k * step, GAP + line * step);
        }
    }
    fputs(
        "</svg><figcaption>The patterns of greatest and of least weight (opening / ending, "
        "hundredths of a man) for the owner of the white men, who moves up the board.</figcaption>"
        "</figure>\n",
        out);
}
