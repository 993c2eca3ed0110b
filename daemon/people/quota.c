/* The generic cell rate algorithm (ITU-T I.371): for each key the time until which its past doings
 * count. */
#include "daemon/people/quota.h"

#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 1 << 16, NEIGHBOURS = 8, KEY_TEXT = 320, HOUR = 3600 };

struct cell {
    uint64_t key;
    double until; /* seconds */
};

struct quota {
    unsigned char secret[crypto_shorthash_KEYBYTES];
    struct cell cell[CELLS];
};

_Static_assert(crypto_shorthash_KEYBYTES == 16 && crypto_shorthash_BYTES == 8, "as quota.h says");

struct quota *quota_create(const unsigned char secret[16])
{
    struct quota *quota = calloc(1, sizeof *quota);

    if (quota != NULL) {
        memcpy(quota->secret, secret, sizeof quota->secret);
    }
    return quota;
}

void quota_destroy(struct quota *quota)
{
    free(quota);
}

/* The cell of a key; a new key takes the one of its neighbourhood that counts for the shortest. */
static struct cell *cell_of(struct quota *quota, const char *what, const char *who)
{
    char text[KEY_TEXT];
    uint64_t key;

    snprintf(text, sizeof text, "%s %s", what, who);
    crypto_shorthash((unsigned char *)&key, (const unsigned char *)text, strlen(text),
                     quota->secret);
    struct cell *least = &quota->cell[key % CELLS];
    for (uint64_t i = 0; i < NEIGHBOURS; i++) {
        struct cell *cell = &quota->cell[(key + i) % CELLS];
        if (cell->key == key) {
            return cell;
        }
        if (cell->until < least->until) {
            least = cell;
        }
    }
    *least = (struct cell){.key = key};
    return least;
}

int quota_take(struct quota *quota, const char *what, const char *who, int64_t per_hour,
               int64_t now)
{
    if (per_hour <= 0) {
        return 0;
    }
    struct cell *cell = cell_of(quota, what, who);
    const double each = (double)HOUR / (double)per_hour, at = (double)now;
    double until = (cell->until > at ? cell->until : at) + each;
    if (until - at > HOUR + 1e-6) {
        return (int)ceil(until - at - HOUR);
    }
    cell->until = until;
    return 0;
}

void quota_give_back(struct quota *quota, const char *what, const char *who, int64_t per_hour)
{
    if (per_hour > 0) {
        cell_of(quota, what, who)->until -= (double)HOUR / (double)per_hour;
    }
}
