/* A list in the order of turns. */
#include "daemon/think/lane.h"

#include <stddef.h>

void job_list_init(struct job_list *list)
{
    list->first = NULL;
    list->last = &list->first;
}

void job_list_append(struct job_list *list, struct job *job)
{
    job->next = NULL;
    *list->last = job;
    list->last = &job->next;
}

static bool list_remove(struct job_list *list, struct job *job)
{
    for (struct job **at = &list->first; *at != NULL; at = &(*at)->next) {
        if (*at == job) {
            *at = job->next;
            if (list->last == &job->next) {
                list->last = at;
            }
            return true;
        }
    }
    return false;
}

/* Puts a job in behind those whose turn is not later. */
static void list_insert(struct job_list *list, struct job *job)
{
    struct job **at = &list->first;

    while (*at != NULL && (*at)->turn <= job->turn) {
        at = &(*at)->next;
    }
    job->next = *at;
    *at = job;
    if (job->next == NULL) {
        list->last = &job->next;
    }
}

void lane_init(struct lane *lane)
{
    *lane = (struct lane){.count = 0};
    job_list_init(&lane->queue);
}

bool lane_remove(struct lane *lane, struct job *job)
{
    if (!list_remove(&lane->queue, job)) {
        return false;
    }
    lane->count--;
    lane->nodes -= task_nodes(job->task);
    return true;
}

static uint64_t turn_of(const struct lane *lane, uint64_t key)
{
    uint64_t turn = lane->turn;

    for (const struct job *job = lane->queue.first; job != NULL; job = job->next) {
        if (job->key == key && job->turn >= turn) {
            turn = job->turn + 1;
        }
    }
    return turn;
}

static struct job *last_of(const struct lane *lane)
{
    struct job *job = lane->queue.first;

    while (job != NULL && job->next != NULL) {
        job = job->next;
    }
    return job;
}

bool lane_add(struct lane *lane, struct job *job, int limit, struct job **out)
{
    job->turn = turn_of(lane, job->key);
    *out = NULL;
    if (lane->count >= limit) {
        struct job *last = last_of(lane);
        if (last == NULL || last->turn <= job->turn) {
            return false;
        }
        lane_remove(lane, last);
        *out = last;
    }
    list_insert(&lane->queue, job);
    lane->count++;
    lane->nodes += task_nodes(job->task);
    return true;
}

struct job *lane_take(struct lane *lane)
{
    struct job *job = lane->queue.first;

    if (job != NULL) {
        lane_remove(lane, job);
        lane->turn = job->turn;
    }
    return job;
}
