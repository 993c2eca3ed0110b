/* What the two halves of decide.h share. */
#pragma once

#include "daemon/game/decide.h"

/* A refusal. */
struct verdict verdict_refuse(enum verdict_kind kind, const char *reason, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* An event without a text. */
struct verdict verdict_event(enum event_kind kind, enum colour side, int64_t at);

/* Whether somebody may do anything in this game at all; the colours played go to *sides, as
 * hosted_sides has them. */
bool may_act(const struct hosted *hosted, struct asking asking, unsigned *sides,
             struct verdict *refusal);
