/* The tasks that nobody has been given yet: a list that is worked off in order, and what goes
 * before it, the latest first. Rank 0's side of a farm. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* What a rank is told of a task. */
struct farm_task {
    int64_t number;
    int64_t about[3]; /* of one that goes before the list; else 0 */
};

struct farm_tasks {
    const int64_t *list; /* [count], numbers; not owned */
    int64_t count, next;
    struct farm_task *first; /* [first_count]; owned */
    int64_t first_count, first_room;
};

/* How many there are. */
int64_t farm_tasks_left(const struct farm_tasks *tasks);

/* Takes the next, one that goes before the list if there is one; there must be one. */
struct farm_task farm_tasks_take(struct farm_tasks *tasks);

/* Takes the next of the list; there must be one. */
struct farm_task farm_tasks_take_listed(struct farm_tasks *tasks);

/* Puts a task before the list. False: memory is out. */
bool farm_tasks_put_first(struct farm_tasks *tasks, const struct farm_task *task);

void farm_tasks_fini(struct farm_tasks *tasks);
