/* Reading: all of the text must be the number, and the error names the range that would be right.
 * Writing: plain digits. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/number.h"

enum { RANGE_TEXT = 96 };

static void integer_range(long long min, long long max, char out[RANGE_TEXT])
{
    if (max == LLONG_MAX) {
        snprintf(out, RANGE_TEXT, "at least %lld", min);
    } else {
        snprintf(out, RANGE_TEXT, "from %lld to %lld", min, max);
    }
}

static void real_range(double min, double max, char out[RANGE_TEXT])
{
    if (isinf(max)) {
        snprintf(out, RANGE_TEXT, "at least %g", min);
    } else {
        snprintf(out, RANGE_TEXT, "from %g to %g", min, max);
    }
}

/* strtoll and strtod also read leading blanks, hexadecimal, "inf" and "nan". */
static bool made_of(const char *text, const char *characters)
{
    return text[0] != '\0' && text[strspn(text, characters)] == '\0';
}

bool number_integer(const char *text, const char *what, long long min, long long max,
                    long long *out, struct err *err)
{
    char range[RANGE_TEXT];
    integer_range(min, max, range);
    char *end = NULL;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (!made_of(text, "+-0123456789") || end == text || *end != '\0') {
        return err_set(err, ERR_USAGE, "%s: '%.80s' is not a whole number, it must be one %s", what,
                       text, range);
    }
    if (errno == ERANGE || value < min || value > max) {
        return err_set(err, ERR_USAGE, "%s: %.80s is out of range, it must be %s", what, text,
                       range);
    }
    *out = value;
    return true;
}

bool number_real(const char *text, const char *what, double min, double max, double *out,
                 struct err *err)
{
    char range[RANGE_TEXT];
    real_range(min, max, range);
    char *end = NULL;
    double value = strtod(text, &end);
    if (!made_of(text, "+-.eE0123456789") || end == text || *end != '\0') {
        return err_set(err, ERR_USAGE, "%s: '%.80s' is not a number, it must be one %s", what, text,
                       range);
    }
    if (!isfinite(value) || value < min || value > max) {
        return err_set(err, ERR_USAGE, "%s: %.80s is out of range, it must be %s", what, text,
                       range);
    }
    *out = value;
    return true;
}

size_t number_write(char *out, int64_t number)
{
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    char digits[NUMBER_TEXT];
    size_t count = 0, used = 0;

    if (left < 100 && number >= 0) { /* most are squares */
        const bool two = left >= 10;
        out[0] = (char)('0' + left / 10);
        out[two] = (char)('0' + left % 10);
        return (size_t)two + 1;
    }
    do {
        digits[count++] = (char)('0' + left % 10);
        left /= 10;
    } while (left != 0);
    if (number < 0) {
        out[used++] = '-';
    }
    while (count > 0) {
        out[used++] = digits[--count];
    }
    return used;
}
