/* A Hub session as the tests hold it. */
#pragma once

#include "engine/hub/hub.h"

struct session {
    struct hub hub;
    char answer[HUB_ANSWER]; /* to the last line taken */
};

/* cmocka's fixture: *state is a new session of the international rules. */
int setup_session(void **state);
int teardown_session(void **state);

/* What the session is to do after a line. */
enum hub_action take(struct session *session, const char *text);
