/* A list, and a stack before it. */
#include "selfplay/farm/farm_tasks.h"

#include <assert.h>
#include <stdlib.h>

int64_t farm_tasks_left(const struct farm_tasks *tasks)
{
    return tasks->count - tasks->next + tasks->first_count;
}

struct farm_task farm_tasks_take(struct farm_tasks *tasks)
{
    return tasks->first_count > 0 ? tasks->first[--tasks->first_count]
                                  : farm_tasks_take_listed(tasks);
}

struct farm_task farm_tasks_take_listed(struct farm_tasks *tasks)
{
    assert(tasks->next < tasks->count);
    return (struct farm_task){.number = tasks->list[tasks->next++]};
}

bool farm_tasks_put_first(struct farm_tasks *tasks, const struct farm_task *task)
{
    if (tasks->first_count == tasks->first_room) {
        int64_t room = 2 * tasks->first_room + 16;
        struct farm_task *grown = realloc(tasks->first, (size_t)room * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        tasks->first = grown;
        tasks->first_room = room;
    }
    tasks->first[tasks->first_count++] = *task;
    return true;
}

void farm_tasks_fini(struct farm_tasks *tasks)
{
    free(tasks->first);
    *tasks = (struct farm_tasks){0};
}
