/* The error value: one exit status and one line of text, filled where the fault is seen. */
#include "engine/base/err.h"

#include <stdarg.h>
#include <string.h>

enum { FULL_TEXT = 8192 };

/* Copies `full` as one line: what is too long loses its middle, because the reason stands at the
 * end; a control character, which a file name or an argument may bring in, becomes '?'. */
static void keep(char out[ERR_TEXT], const char *full)
{
    static const char GAP[] = "...";
    size_t length = strlen(full), room = ERR_TEXT - 1;
    if (length <= room) {
        snprintf(out, ERR_TEXT, "%s", full);
    } else {
        size_t head = room / 2, tail = room - head - strlen(GAP);
        snprintf(out, ERR_TEXT, "%.*s%s%s", (int)head, full, GAP, full + length - tail);
    }
    for (char *at = out; *at != '\0'; at++) {
        if ((unsigned char)*at < ' ' || *at == '\x7f') {
            *at = '?';
        }
    }
}

bool err_set(struct err *err, enum err_code code, const char *format, ...)
{
    if (err == NULL) {
        return false;
    }
    char full[FULL_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(full, sizeof full, format, arguments);
    va_end(arguments);
    err->code = code;
    keep(err->text, full);
    return false;
}

bool err_prefix(struct err *err, const char *format, ...)
{
    if (err == NULL) {
        return false;
    }
    char full[FULL_TEXT];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(full, sizeof full - ERR_TEXT - 2, format, arguments);
    va_end(arguments);
    if (length < 0) {
        full[0] = '\0';
    }
    size_t used = strlen(full);
    snprintf(full + used, sizeof full - used, ": %s", err->text);
    keep(err->text, full);
    return false;
}
