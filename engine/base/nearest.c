/* The nearest known name by edit distance (V. Levenshtein, "Binary codes capable of correcting
 * deletions, insertions and reversals", 1966), kept to names of a few dozen letters. */
#include "engine/base/nearest.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static size_t least(size_t a, size_t b, size_t c)
{
    size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* Edits (insert, delete, change a letter) that turn `from` into `to`; both shorter than
 * NEAREST_NAME. */
static size_t edit_distance(const char *from, const char *to)
{
    size_t row[NEAREST_NAME];
    size_t width = strlen(to);
    for (size_t j = 0; j <= width; j++) {
        row[j] = j;
    }
    for (size_t i = 1; from[i - 1] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= width; j++) {
            size_t above = row[j];
            row[j] = least(above + 1, row[j - 1] + 1, diagonal + (from[i - 1] != to[j - 1]));
            diagonal = above;
        }
    }
    return row[width];
}

struct nearest nearest_start(const char *word)
{
    return (struct nearest){.word = word, .best = "", .distance = SIZE_MAX};
}

void nearest_offer(struct nearest *nearest, const char *name)
{
    if (strlen(nearest->word) >= NEAREST_NAME || strlen(name) >= NEAREST_NAME) {
        return;
    }
    size_t distance = edit_distance(nearest->word, name);
    if (distance >= nearest->distance) {
        return;
    }
    nearest->distance = distance;
    snprintf(nearest->best, sizeof nearest->best, "%s", name);
}

const char *nearest_found(const struct nearest *nearest)
{
    size_t allowed = strlen(nearest->best) / 3;
    if (allowed == 0) {
        allowed = 1;
    }
    return nearest->distance <= allowed ? nearest->best : NULL;
}
