/* The error value: one exit status and one line of text, filled where the fault is seen. */
#include "engine/base/err.h"

#include <stdarg.h>
#include <string.h>

bool err_set(struct err *err, enum err_code code, const char *format, ...)
{
    if (err == NULL) {
        return false;
    }
    err->code = code;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err->text, sizeof err->text, format, arguments);
    va_end(arguments);
    return false;
}

bool err_prefix(struct err *err, const char *format, ...)
{
    if (err == NULL) {
        return false;
    }
    char text[ERR_TEXT];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t used = length < 0 ? 0 : (size_t)length;
    if (used < sizeof text) {
        snprintf(text + used, sizeof text - used, ": %s", err->text);
    }
    memcpy(err->text, text, sizeof text);
    return false;
}
