/* One line for each request, in the common log format that web servers share, with the request's id
 * and the seconds it took behind it:
 *
 *     127.0.0.1 - - [30/Nov/2026:14:20:59 +0000] "GET /v1/rules HTTP/1.1" 200 6041 "9f2c…" 0.000132
 */
#pragma once

#include <stdint.h>

#include "engine/base/err.h"

struct access_log;

struct access_line {
    const char *address; /* NULL: not known */
    const char *method, *target;
    int major, minor; /* of HTTP */
    int status;
    uint64_t bytes; /* of the body */
    const char *id;
    double seconds;
};

/* Opens a log: "" is none and gives NULL with *err untouched and code 0, "-" is standard error,
 * else a file that is appended to. NULL with err filled when it cannot be opened. */
struct access_log *access_log_open(const char *path, struct err *err);
/* Takes NULL. */
void access_log_close(struct access_log *log);

/* Opens the file anew, behind a rotation; on failure the old one stays. Takes NULL. */
bool access_log_reopen(struct access_log *log, struct err *err);

/* Writes a line, whole. What a full disk refuses is lost: the service goes on. Takes NULL. */
void access_log_write(struct access_log *log, const struct access_line *line);
