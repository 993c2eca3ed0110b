/* `draughts hub`: the Hub session on standard input and output.
 *
 * The main thread reads and answers; a search runs in a second thread, which writes its own `info`
 * and `done` lines. They share no more than the flags in struct session: while a search runs, the
 * session takes no line that would change the game. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/commands/draughts.h"
#include "engine/hub/hub.h"
#include "engine/hub/hub_input.h"

struct session {
    struct hub hub;
    struct hub_input input;
    const struct invocation *invocation;
    const struct log *log;
    const char *weights; /* path of -w, or NULL */

    struct search *search;  /* NULL before init */
    struct weights playing; /* its weights */
    struct search_limits limits;
    double started;    /* the last `go`, a moment of clock_seconds */
    pthread_t thread;  /* of the search, while hub.searching */
    atomic_bool ended; /* set by the search before its `done` is written */
    atomic_bool deaf;  /* stdout takes nothing any more */
};

/* Writes whole lines at once; from either thread. */
static void put(struct session *session, const char *text)
{
    if (text[0] == '\0') {
        return;
    }
    if (fputs(text, stdout) == EOF || fflush(stdout) == EOF) {
        atomic_store(&session->deaf, true);
    }
}

static void put_error(struct session *session, const char *message)
{
    char line[HUB_ANSWER];
    hub_error_write(message, line);
    put(session, line);
}

/* A search_report. */
static void report(void *context, const struct search_result *result)
{
    struct session *session = context;
    char line[HUB_ANSWER];
    hub_info_write(session->hub.variant->rules, result, line);
    put(session, line);
    if (atomic_load(&session->deaf)) {
        search_stop(session->search);
    }
}

static void *search_thread(void *context)
{
    struct session *session = context;
    char line[HUB_ANSWER];
    struct search_result result =
        search_run(session->search, &session->hub.game, &session->limits, report, session);
    hub_done_write(session->hub.variant->rules, &result, line);
    atomic_store(&session->ended, true);
    put(session, line);
    return NULL;
}

static void start_search(struct session *session)
{
    session->limits = hub_limits(&session->hub);
    session->started = clock_seconds();
    atomic_store(&session->ended, false);
    search_allow(session->search);
    if (pthread_create(&session->thread, NULL, search_thread, session) == 0) {
        session->hub.searching = true;
    } else {
        put_error(session, "go: cannot start a thread");
    }
}

/* Waits until the search, if any, has written its `done`. */
static void await_search(struct session *session)
{
    if (!session->hub.searching) {
        return;
    }
    pthread_join(session->thread, NULL);
    session->hub.searching = false;
}

static void end_search(struct session *session)
{
    if (session->hub.searching) {
        search_stop(session->search);
    }
    await_search(session);
}

/* The move pondered on was played: the time it was searched counts for the iterations, but not
 * towards the end of the search. */
static void start_clock(struct session *session)
{
    struct search_limits limits = hub_limits(&session->hub);
    double soft = limits.soft_seconds > 0 ? session->started + limits.soft_seconds : 0;
    double deadline = limits.seconds > 0 ? clock_seconds() + limits.seconds : 0;
    search_limit_time(session->search, soft, deadline);
}

/* Loads the weights and makes the searcher of the rule set that is wanted. */
static bool initialise(struct session *session, struct err *err)
{
    struct hub *hub = &session->hub;
    struct weights weights;
    if (!draughts_weights(session->invocation, session->log, hub->wanted, session->weights,
                          &weights, err)) {
        return false;
    }
    struct search *search = search_create(hub->wanted, &weights, hub->wanted_table_bits, err);
    if (search == NULL || !search_use_threads(search, hub->wanted_threads, err) ||
        !hub_initialised(hub, err)) {
        search_destroy(search);
        weights_fini(&weights);
        return false;
    }
    search_destroy(session->search);
    weights_fini(&session->playing);
    session->search = search;
    session->playing = weights;
    return true;
}

/* Does what a line asked for. False: it was `quit`. */
static bool act(struct session *session, enum hub_action action)
{
    struct err err = {0};
    switch (action) {
    case HUB_NOTHING:
        return true;
    case HUB_INITIALISE:
        if (initialise(session, &err)) {
            put(session, "ready\n");
        } else {
            put_error(session, err.text);
        }
        return true;
    case HUB_FORGET:
        search_clear(session->search);
        return true;
    case HUB_SEARCH:
        start_search(session);
        return true;
    case HUB_STOP:
        end_search(session);
        return true;
    case HUB_START_CLOCK:
        start_clock(session);
        return true;
    case HUB_QUIT:
        break;
    }
    return false;
}

/* Takes what comes next. False when the session is over. */
static bool step(struct session *session)
{
    char line[HUB_LINE], answer[HUB_ANSWER];
    enum hub_event event = hub_input_next(&session->input, line);
    if (atomic_load(&session->ended)) {
        await_search(session);
    }
    switch (event) {
    case HUB_EVENT_LINE:
        break;
    case HUB_EVENT_TOO_LONG:
        hub_lose_line(&session->hub);
        put_error(session, "the line is too long and was dropped");
        return true;
    case HUB_EVENT_END:
        return false;
    }
    enum hub_action action = hub_take(&session->hub, line, answer);
    put(session, answer);
    return act(session, action) && !atomic_load(&session->deaf);
}

/* A stdout that took nothing ends it; main finds that out by its own last flush. */
static void run_session(struct session *session)
{
    while (step(session)) {
    }
    end_search(session);
    search_destroy(session->search);
    weights_fini(&session->playing);
    hub_fini(&session->hub);
}

bool command_hub(const struct invocation *invocation, struct err *err)
{
    const char *rules = NULL, *weights = NULL;
    const struct flag flags[] = {flag_rules(&rules), flag_weights(&weights)};
    struct command_line line;
    if (!invocation_parse(invocation, flags, sizeof flags / sizeof flags[0], "", 0, &line, err)) {
        return false;
    }
    if (line.finished) {
        return true;
    }
    const struct variant *variant = rules != NULL ? variant_by_name(rules, err) : variant_at(0);
    if (variant == NULL) {
        return false;
    }
    struct session *session = calloc(1, sizeof *session);
    if (session == NULL) {
        return err_set(err, ERR_FAILED, "out of memory");
    }
    session->invocation = invocation;
    session->log = &line.log;
    session->weights = weights;
    session->input.fd = STDIN_FILENO;
    hub_init(&session->hub, variant);
    run_session(session);
    free(session);
    return true;
}
