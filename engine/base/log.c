/* Lines for people on stderr, each composed first and handed over whole. */
#include "engine/base/log.h"

#include <stdarg.h>

enum { LOG_LINE = 4096 };

struct log log_stderr(const char *program)
{
    return (struct log){.out = stderr, .level = LOG_INFO, .program = program};
}

static const char *label(enum log_level level)
{
    switch (level) {
    case LOG_ERROR:
        return "error: ";
    case LOG_WARNING:
        return "warning: ";
    case LOG_INFO:
    case LOG_DEBUG:
        break;
    }
    return "";
}

/* Length of the line that a printf-like call left in a buffer of `size`: what it would have
 * written, cut to what fits. */
static size_t fitted(int length, size_t size)
{
    if (length < 0) {
        return 0;
    }
    return (size_t)length < size ? (size_t)length : size - 1;
}

void log_line(const struct log *log, enum log_level level, const char *format, ...)
{
    if (log == NULL || log->out == NULL || level > log->level) {
        return;
    }
    char line[LOG_LINE];
    size_t used = 0;
    if (level <= LOG_WARNING) {
        bool named = log->program != NULL;
        used = fitted(snprintf(line, sizeof line, "%s%s%s", named ? log->program : "",
                               named ? ": " : "", label(level)),
                      sizeof line);
    }
    va_list arguments;
    va_start(arguments, format);
    used +=
        fitted(vsnprintf(line + used, sizeof line - used, format, arguments), sizeof line - used);
    va_end(arguments);
    line[used++] = '\n'; /* in the place of the NUL */
    fwrite(line, 1, used, log->out);
    fflush(log->out);
}
