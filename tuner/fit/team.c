/* A rank alone needs nobody; see team.h. */
#include "tuner/fit/team.h"

#include <string.h>

void team_sum(const struct team *team, int64_t *values, size_t count)
{
    if (team->size > 1) {
        team->sum(team->context, values, count);
    }
}

void team_broadcast(const struct team *team, void *data, size_t size)
{
    if (team->size > 1) {
        team->broadcast(team->context, data, size);
    }
}

void team_sum_parts(const struct team *team, int64_t *values, int64_t *part, const size_t *first)
{
    if (team->size > 1) {
        team->sum_parts(team->context, values, part, first);
    } else {
        memcpy(part, values, first[1] * sizeof *part);
    }
}

void team_gather(const struct team *team, void *data, const size_t *first)
{
    if (team->size > 1) {
        team->gather(team->context, data, first);
    }
}

bool team_agree(const struct team *team, bool ok)
{
    int64_t failed = !ok;
    team_sum(team, &failed, 1);
    return failed == 0;
}
