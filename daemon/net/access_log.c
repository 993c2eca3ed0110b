/* Access lines, composed and handed over with one write each. */
#include "daemon/net/access_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TARGET_SIZE = 1024, LINE_SIZE = TARGET_SIZE + 512 };

struct access_log {
    char *path;
    int fd;
    time_t second; /* of `stamp` */
    char stamp[32];
};

static int open_path(const char *path, struct err *err)
{
    int fd = strcmp(path, "-") == 0 ? dup(STDERR_FILENO)
                                    : open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0640);

    if (fd < 0) {
        err_set(err, ERR_FAILED, "http.access_log: cannot open %s: %s", path, strerror(errno));
    }
    return fd;
}

struct access_log *access_log_open(const char *path, struct err *err)
{
    if (*path == '\0') {
        return NULL;
    }
    struct access_log *log = calloc(1, sizeof *log);
    if (log == NULL || (log->path = strdup(path)) == NULL) {
        free(log);
        err_set(err, ERR_FAILED, "out of memory");
        return NULL;
    }
    log->fd = open_path(path, err);
    if (log->fd < 0) {
        free(log->path);
        free(log);
        return NULL;
    }
    return log;
}

void access_log_close(struct access_log *log)
{
    if (log != NULL) {
        close(log->fd);
        free(log->path);
        free(log);
    }
}

bool access_log_reopen(struct access_log *log, struct err *err)
{
    if (log == NULL) {
        return true;
    }
    int fd = open_path(log->path, err);
    if (fd < 0) {
        return false;
    }
    close(log->fd);
    log->fd = fd;
    return true;
}

/* "30/Nov/2026:14:20:59 +0000": English whatever the locale. */
static const char *stamp(struct access_log *log)
{
    static const char *const MONTHS[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    time_t now = time(NULL);
    struct tm utc;

    if (now != log->second && gmtime_r(&now, &utc) != NULL) {
        char day[4], rest[24];
        strftime(day, sizeof day, "%d", &utc);
        strftime(rest, sizeof rest, "%Y:%H:%M:%S +0000", &utc);
        snprintf(log->stamp, sizeof log->stamp, "%s/%s/%s", day, MONTHS[utc.tm_mon], rest);
        log->second = now;
    }
    return log->stamp;
}

/* What a client sent, so that it can neither end its quotes nor its line. */
static void escape(const char *text, char out[TARGET_SIZE])
{
    size_t used = 0;

    for (; *text != '\0' && used + 5 < TARGET_SIZE; text++) {
        unsigned char c = (unsigned char)*text;
        if (c <= 0x20 || c >= 0x7f || c == '"' || c == '\\') {
            used += (size_t)snprintf(out + used, 5, "\\x%02x", c);
        } else {
            out[used++] = (char)c;
        }
    }
    out[used] = '\0';
}

void access_log_write(struct access_log *log, const struct access_line *line)
{
    char target[TARGET_SIZE], text[LINE_SIZE];

    if (log == NULL) {
        return;
    }
    escape(line->target, target);
    int length = snprintf(
        text, sizeof text, "%s - - [%s] \"%s %s HTTP/%d.%d\" %d %llu \"%s\" %.6f\n",
        line->address != NULL ? line->address : "-", stamp(log), line->method, target, line->major,
        line->minor, line->status, (unsigned long long)line->bytes, line->id, line->seconds);
    size_t size = length < 0 ? 0 : (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
    if (write(log->fd, text, size) < 0) {
        return;
    }
}
