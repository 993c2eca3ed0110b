/* getrandom, by the page. */
#include "daemon/base/random.h"

#include <assert.h>
#include <string.h>
#include <sys/random.h>

bool random_take(struct random_pool *pool, void *out, size_t size)
{
    assert(size <= RANDOM_POOL);
    if (pool->left < size) {
        size_t have = 0;
        while (have < RANDOM_POOL) {
            ssize_t got = getrandom(pool->bytes + have, RANDOM_POOL - have, 0);
            if (got <= 0) {
                return false;
            }
            have += (size_t)got;
        }
        pool->left = RANDOM_POOL;
    }
    unsigned char *from = pool->bytes + RANDOM_POOL - pool->left;
    memcpy(out, from, size);
    memset(from, 0, size);
    pool->left -= size;
    return true;
}
