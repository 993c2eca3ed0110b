/* How often somebody may do something: so many times an hour, and as many at once.
 *
 * A quota is a table of fixed size that forgets those who have not been seen for long: a full one
 * forgets the most harmless. Kept by the event loop's thread; nothing is stored. */
#pragma once

#include <stdint.h>

struct quota;

/* NULL when memory is out. secret[16] makes the table's order unknown to those who are counted. */
struct quota *quota_create(const unsigned char secret[16]);
/* Takes NULL. */
void quota_destroy(struct quota *quota);

/* Counts one doing of `what` by `who` at `now`, seconds. Returns 0 when it is granted, else after
 * how many seconds the next one will be. per_hour 0: no limit. */
int quota_take(struct quota *quota, const char *what, const char *who, int64_t per_hour,
               int64_t now);

/* Takes back the last one that was granted. */
void quota_give_back(struct quota *quota, const char *what, const char *who, int64_t per_hour);
