/* A fit's team (tuner/fit/team.h) made of the ranks of an MPI job. */
#pragma once

#include "selfplay/farm/comm.h"
#include "selfplay/farm/stop.h"
#include "tuner/fit/team.h"

struct comm_team {
    const struct comm *comm; /* not owned */
    struct stop *stop;       /* asks this rank to stop; NULL: nobody does. Not owned */
    bool stopping;           /* seen on this rank */
};

/* The team; `ranks` stays with it. */
struct team comm_team(struct comm_team *ranks);

/* Whether this rank has been asked to stop. */
bool comm_team_stopping(struct comm_team *ranks);
