/* Lines for people, on stderr. Results go to stdout and never through here.
 *
 * The log is a value owned by main and passed down; nothing is global. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

enum log_level { LOG_ERROR, LOG_WARNING, LOG_INFO, LOG_DEBUG };

struct log {
    FILE *out;            /* not owned; NULL drops every line */
    enum log_level level; /* lines above it are dropped: -q is LOG_WARNING, -v is LOG_DEBUG */
    const char *program;  /* printed before errors and warnings; not owned */
};

/* A log that writes to stderr at LOG_INFO. */
struct log log_stderr(const char *program);

/* Writes one line, whole, with one write, so that lines of several ranks or threads do not mix.
 * Errors and warnings read "program: error: text"; the rest is the bare text. log may be NULL. */
void log_line(const struct log *log, enum log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
