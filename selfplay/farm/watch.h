/* How a game under way is told to give up. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Called before each ply and while an engine is waited for; false gives the game up. Within a farm:
 * farm_watch. */
struct play_watch {
    bool (*go_on)(void *context); /* NULL: never given up */
    void *context;
};

/* Whether the game should go on; watch may be NULL. */
static inline bool play_goes_on(const struct play_watch *watch)
{
    return watch == NULL || watch->go_on == NULL || watch->go_on(watch->context);
}
