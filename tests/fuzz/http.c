/* Bytes to the port of the whole daemon, its threads and its store: what comes back are responses,
 * refusals are problems, and in the end the connection is closed. The first byte of the input tells
 * the size of the pieces in which the rest is sent; when it is odd, the client waits a little for
 * what is being stored or searched before it closes its end. */
#include <arpa/inet.h>
#include <errno.h>
#include <jansson.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "daemon/loop/server.h"
#include "engine/base/clock.h"
#include "served.h"

enum { ANSWER_MAX = 4 << 20, PIECES = 32, QUIET_MS = 8, PATIENCE_MS = 120000, LINE = 200 };

struct host {
    struct served served;
    struct settings settings;
    struct log log;
    struct server *server;
    pthread_t thread;
    struct sigaction drain; /* what the daemon does when it is told to end */
    in_port_t port;         /* in the network's order */
    char *answer;           /* ANSWER_MAX bytes */
};

/* --- the daemon ------------------------------------------------------------------------------ */

static void *serve(void *argument)
{
    struct host *host = argument;
    struct err err = {0};

    fuzz_require(server_run(host->server, &err), err.text);
    return NULL;
}

/* Waits until the log names the port. */
static in_port_t port_of(FILE *log)
{
    static const char LISTENING[] = "listening on http://127.0.0.1:";
    const struct timespec pause = {.tv_nsec = 1000000};

    for (int i = 0; i < PATIENCE_MS; i++) {
        char text[LINE] = "";
        (void)!pread(fileno(log), text, sizeof text - 1, 0);
        const char *at = strstr(text, LISTENING);
        if (at != NULL && strchr(at, '\n') != NULL) {
            return htons((uint16_t)strtol(at + sizeof LISTENING - 1, NULL, 10));
        }
        nanosleep(&pause, NULL);
    }
    fuzz_fail("the daemon listens");
}

/* The one daemon for all inputs. */
static struct host *host_of(void)
{
    static struct host *host;

    if (host == NULL) {
        host = calloc(1, sizeof *host);
        fuzz_require(host != NULL, "there is memory");
    }
    return host;
}

static void stop(void)
{
    struct host *host = host_of();

    sigaction(SIGTERM, &host->drain, NULL);
    kill(getpid(), SIGTERM);
    pthread_join(host->thread, NULL);
    server_destroy(host->server);
    served_remove(&host->served);
    fclose(host->log.out);
    free(host->answer);
    free(host);
}

/* Makes the daemon. Whoever ends this program means the fuzzer: its signals stay what they were. */
static void make_daemon(struct host *host)
{
    static const int SIGNALS[] = {SIGTERM, SIGINT, SIGHUP};
    struct sigaction before[3];
    struct err err = {0};

    for (int i = 0; i < 3; i++) {
        sigaction(SIGNALS[i], NULL, &before[i]);
    }
    host->server = server_create(&host->settings, host->served.artefacts, &host->log, &err);
    fuzz_require(host->server != NULL, err.text);
    sigaction(SIGTERM, NULL, &host->drain);
    for (int i = 0; i < 3; i++) {
        sigaction(SIGNALS[i], &before[i], NULL);
    }
}

static void start(struct host *host)
{
    struct settings *settings = &host->settings;
    size_t count;
    const struct option *table = settings_table(&count);

    options_defaults(table, count, settings);
    served_make(&host->served);
    host->answer = malloc(ANSWER_MAX);
    host->log = (struct log){.out = tmpfile(), .level = LOG_INFO, .program = "fuzz"};
    fuzz_require(host->answer != NULL && host->log.out != NULL, "there is memory");
    snprintf(settings->listen, sizeof settings->listen, "127.0.0.1:0");
    snprintf(settings->store_file, sizeof settings->store_file, "%s", host->served.store);
    settings->threads = 1;
    settings->echo = true;
    settings->games_in_memory = 100;
    settings->signups_per_hour = settings->logins_per_hour = 0;
    settings->analysis_seconds = 0.01;
    make_daemon(host);
    fuzz_require(pthread_create(&host->thread, NULL, serve, host) == 0, "a thread can be made");
    host->port = port_of(host->log.out);
    atexit(stop);
}

/* --- what comes back ------------------------------------------------------------------------- */

struct head {
    int status;
    bool problem, sized, whole;
    size_t size, body;
};

/* Reads a status line and the headers behind it. */
static struct head read_head(const char *text, size_t size)
{
    struct head head = {.whole = false};
    const char *end = memmem(text, size, "\r\n\r\n", 4);

    if (end == NULL) {
        return head; /* the daemon has closed in the middle, as the client had */
    }
    head.whole = true;
    head.size = (size_t)(end - text) + 4;
    fuzz_require(head.size > sizeof "HTTP/1.1 200" && strncmp(text, "HTTP/1.", 7) == 0,
                 "a response begins with its version");
    head.status = (int)strtol(text + 9, NULL, 10);
    fuzz_require(head.status >= 100 && head.status < 600 && head.status != 500, "a status");
    for (const char *line = text; line < end; line = strstr(line, "\r\n") + 2) {
        if (strncasecmp(line, "Content-Length: ", 16) == 0) {
            fuzz_require(!head.sized, "one length");
            head.sized = true;
            head.body = strtoul(line + 16, NULL, 10);
        }
        head.problem = head.problem ||
                       strncasecmp(line, "Content-Type: application/problem+json\r\n", 40) == 0;
    }
    return head;
}

/* The bytes of the body behind a head; those to a HEAD are none, whatever their length. */
static size_t body_behind(const struct head *head, const char *text, size_t size)
{
    const char *body = text + head->size;
    const size_t rest = size - head->size;

    if (head->status < 200 || head->status == 204 || head->status == 304 ||
        (rest >= 7 && strncmp(body, "HTTP/1.", 7) == 0)) {
        return 0;
    }
    return head->sized && head->body < rest ? head->body : rest;
}

static void check_answer(const char *text, size_t size)
{
    while (size > 0) {
        const struct head head = read_head(text, size);
        if (!head.whole || head.status == 101) {
            return;
        }
        const size_t body = body_behind(&head, text, size);
        fuzz_require(head.status < 400 || head.problem, "a refusal is a problem");
        fuzz_require(head.sized || head.status < 200 || head.status == 204 || head.status == 304 ||
                         text[7] == '0',
                     "a body has a length, or the version is 1.0");
        if (head.problem && body > 0 && body == head.body) {
            json_t *json = json_loadb(text + head.size, body, JSON_REJECT_DUPLICATES, NULL);
            fuzz_require(json_integer_value(json_object_get(json, "status")) == head.status,
                         "a problem has its status");
            json_decref(json);
        }
        text += head.size + body;
        size -= head.size + body;
    }
}

/* --- the client ------------------------------------------------------------------------------ */

/* Whether there is something to read within `patience`; the fuzzer's clock interrupts the wait. */
static bool is_readable(int fd, int patience)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    const double end = clock_seconds() + patience * 1e-3;
    int found;

    do {
        const double left = (end - clock_seconds()) * 1e3;
        found = poll(&ready, 1, left > 0.0 ? (int)left + 1 : 0);
    } while (found < 0 && errno == EINTR);
    fuzz_require(found >= 0, "a connection can be waited for");
    return found > 0;
}

/* Reads what is there within `patience` of the last byte; true at the end. */
static bool take(int fd, char *answer, size_t *size, int patience)
{
    while (is_readable(fd, patience)) {
        fuzz_require(*size + 1 < ANSWER_MAX, "an answer has an end");
        ssize_t got = recv(fd, answer + *size, ANSWER_MAX - 1 - *size, MSG_DONTWAIT);
        if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) {
            return true;
        }
        *size += got > 0 ? (size_t)got : 0;
    }
    return false;
}

/* A connection to the daemon. */
static int open_connection(const struct host *host)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = host->port};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int failed;

    do {
        failed = connect(fd, (const struct sockaddr *)&address, sizeof address);
    } while (failed != 0 && errno == EINTR);
    fuzz_require(failed == 0 || errno == EISCONN, "the daemon takes connections");
    return fd;
}

/* Sends all, a piece at a time; false: the daemon has closed. */
static bool send_pieces(int fd, const uint8_t *data, size_t size, size_t piece)
{
    for (size_t at = 0; at < size;) {
        ssize_t sent = send(fd, data + at, piece < size - at ? piece : size - at, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR) {
            return false;
        }
        at += sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct host *host = host_of();
    size_t got = 0;

    if (host->server == NULL) {
        start(host);
        return LLVMFuzzerTestOneInput(data, size);
    }
    if (size == 0) {
        return 0;
    }
    int fd = open_connection(host);
    bool ended = !send_pieces(fd, data + 1, size - 1, (size - 1) / PIECES + data[0] / 2 + 1);
    if (!ended && data[0] % 2 == 1) {
        ended = take(fd, host->answer, &got, QUIET_MS);
    }
    shutdown(fd, SHUT_WR);
    fuzz_require(ended || take(fd, host->answer, &got, PATIENCE_MS), "a connection is closed");
    close(fd);
    host->answer[got] = '\0';
    check_answer(host->answer, got);
    return 0;
}
