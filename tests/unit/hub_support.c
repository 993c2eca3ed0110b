/* A Hub session for tests. */
#include "hub_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int setup_session(void **state)
{
    struct session *session = calloc(1, sizeof *session);

    assert_non_null(session);
    hub_init(&session->hub, &variant_international);
    *state = session;
    return 0;
}

int teardown_session(void **state)
{
    struct session *session = *state;

    hub_fini(&session->hub);
    free(session);
    return 0;
}

enum hub_action take(struct session *session, const char *text)
{
    char *line = strdup(text); /* exactly as long as needed, so that ASan sees a step beyond */

    assert_non_null(line);
    enum hub_action action = hub_take(&session->hub, line, session->answer);
    free(line);
    return action;
}
