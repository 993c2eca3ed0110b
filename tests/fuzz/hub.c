/* A whole Hub session fed with any bytes, as `draughts hub` runs it but without a second thread: a
 * search that a line asks for is done some lines later, or when a line stops it, and is small
 * whatever the level says. Every `go` that is taken gets one `done` with a legal move, and each
 * answer is made of whole lines that the protocol has. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/hub/hub.h"
#include "engine/hub/hub_input.h"
#include "engine/rules/notation.h"
#include "fuzz.h"

enum { TABLE_BITS = 10, SEARCH_NODES = 40, SEARCH_DEPTH = 3 };

struct session {
    struct hub hub;
    struct hub_input input;
    struct search *search; /* NULL before init */
    int lines_left;        /* until the running search comes to its end by itself */
    int owed;              /* `done` lines not yet written */
};

static bool begins_with(const char *text, const char *word)
{
    size_t length = strlen(word);

    return strncmp(text, word, length) == 0 && strchr(" \n", text[length]) != NULL;
}

/* Counts a line of ours that came to its end. */
static void check_line(struct session *session, const char *line, size_t length)
{
    static const char *const WORDS[] = {"id",   "param", "wait",  "ready",
                                        "info", "done",  "error", "pong"};
    bool known = false;

    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        known = known || begins_with(line, WORDS[i]);
    }
    fuzz_require(known, "an answer is a line of the protocol");
    for (size_t i = 0; i < length; i++) {
        fuzz_require((unsigned char)line[i] >= ' ', "an answer has no control character");
    }
    session->owed -= begins_with(line, "done");
    fuzz_require(session->owed >= 0, "a done follows a go");
}

static void put(struct session *session, const char *answer)
{
    fuzz_require(strlen(answer) < HUB_ANSWER - 1, "an answer fits HUB_ANSWER");
    while (*answer != '\0') {
        size_t length = strcspn(answer, "\n");
        fuzz_require(answer[length] == '\n', "an answer ends with its line");
        check_line(session, answer, length);
        answer += length + 1;
    }
}

static void report(void *context, const struct search_result *result)
{
    struct session *session = context;
    char line[HUB_ANSWER];

    hub_info_write(session->hub.variant->rules, result, line);
    put(session, line);
}

static void check_result(const struct game *game, const struct search_result *result)
{
    struct position position = *game_now(game);

    fuzz_require(result->has_move, "a search with a legal move finds one");
    fuzz_require_legal(game->variant, &position, &result->best);
    for (int i = 0; i < result->pv_length; i++) {
        fuzz_require_legal(game->variant, &position, &result->pv[i]);
        position = position_after(game->variant->rules, &position, &result->pv[i]);
    }
}

/* Does the search that is said to be running. */
static void finish_search(struct session *session)
{
    struct hub *hub = &session->hub;
    struct search_limits limits = hub_limits(hub);
    char line[HUB_ANSWER];

    if (!hub->searching) {
        return;
    }
    fuzz_require(limits.depth >= 0 && limits.depth < SEARCH_PLIES && limits.seconds >= 0,
                 "limits can be searched to");
    limits = (struct search_limits){.depth = SEARCH_DEPTH, .nodes = SEARCH_NODES};
    struct search_result result = search_run(session->search, &hub->game, &limits, report, session);
    check_result(&hub->game, &result);
    hub_done_write(hub->variant->rules, &result, line);
    put(session, line);
    hub->searching = false;
}

static void initialise(struct session *session)
{
    struct hub *hub = &session->hub;
    struct weights weights;
    struct err err = {0};

    fuzz_require(hub->wanted_table_bits >= 1 && hub->wanted_table_bits < 40,
                 "a table's size is bounded");
    fuzz_require(hub->wanted_threads >= 1 && hub->wanted_threads <= SEARCH_THREADS_MAX,
                 "threads are bounded");
    search_destroy(session->search);
    weights_builtin(hub->wanted->rules, &weights);
    session->search = search_create(hub->wanted, &weights, TABLE_BITS, &err);
    fuzz_require(session->search != NULL && hub_initialised(hub, &err), "there is memory");
    put(session, "ready\n");
}

/* Does what a line asked for. False: it was `quit`. */
static bool act(struct session *session, enum hub_action action)
{
    struct hub *hub = &session->hub;

    switch (action) {
    case HUB_INITIALISE:
        fuzz_require(!hub->searching, "no init during a search");
        initialise(session);
        break;
    case HUB_FORGET:
        fuzz_require(!hub->searching && session->search != NULL, "only a searcher at rest forgets");
        search_clear(session->search);
        break;
    case HUB_SEARCH:
        fuzz_require(!hub->searching && session->search != NULL && hub->has_position,
                     "a search has a searcher and a position");
        hub->searching = true;
        session->lines_left = 3;
        session->owed++;
        break;
    case HUB_STOP:
        finish_search(session);
        break;
    case HUB_START_CLOCK:
        fuzz_require(hub->searching && !hub->pondering, "a hit ends pondering");
        break;
    case HUB_NOTHING:
        break;
    case HUB_QUIT:
        return false;
    }
    return true;
}

/* A `go` in a position without a move is answered at once: then and only then a `done` comes with
 * the answer itself. */
static void expect_done(struct session *session, const char *answer)
{
    const char *done = strstr(answer, "\ndone\n");

    if (done != NULL) {
        fuzz_require(session->hub.has_position && !session->hub.searching &&
                         session->hub.variant->count_moves(game_now(&session->hub.game)) == 0,
                     "only a go without a legal move is answered at once");
        session->owed++;
    }
}

static bool step(struct session *session)
{
    char line[HUB_LINE], answer[HUB_ANSWER];
    enum hub_event event = hub_input_next(&session->input, line);

    if (session->hub.searching && --session->lines_left == 0) {
        finish_search(session);
    }
    if (event != HUB_EVENT_LINE) {
        if (event == HUB_EVENT_TOO_LONG) {
            hub_lose_line(&session->hub);
        }
        return event != HUB_EVENT_END;
    }
    char *exact = fuzz_text((const uint8_t *)line, strlen(line));
    enum hub_action action = hub_take(&session->hub, exact, answer);
    free(exact);
    expect_done(session, answer);
    put(session, answer);
    return act(session, action);
}

/* A descriptor that gives the bytes. */
static int input_of(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH];

    fuzz_file(data, size, path);
    int fd = open(path, O_RDONLY);
    fuzz_require(fd >= 0 && unlink(path) == 0, "a temporary file can be read");
    return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    struct session *session = calloc(1, sizeof *session);

    fuzz_require(session != NULL, "there is memory");
    session->input.fd = input_of(data + 1, size - 1);
    hub_init(&session->hub, fuzz_variant(data[0]));
    while (step(session)) {
    }
    finish_search(session);
    fuzz_require(session->owed == 0, "every go is answered by done");
    search_destroy(session->search);
    hub_fini(&session->hub);
    close(session->input.fd);
    free(session);
    return 0;
}
