/* What went wrong, said once: an exit status and one line of text.
 *
 * Every function that can fail takes a caller-owned `struct err *` last and returns bool or a
 * pointer. On failure it fills the error and returns false or NULL; on success it leaves the
 * error alone. A text says what, where, and what would be right, has no newline and no prefix. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

enum err_code {
    ERR_NONE = 0,
    ERR_FAILED = 1, /* the outside world refused: a file, a disk, a peer */
    ERR_USAGE = 2,  /* the user can mend it: an option, a key, a notation, a wrong file */
};

enum { ERR_TEXT = 512 };

struct err {
    enum err_code code; /* also the exit status of a program that ends on it */
    char text[ERR_TEXT];
};

/* Fills *err (which may be NULL) and returns false, so that a caller can `return err_set(...)`.
 * A text longer than ERR_TEXT - 1 bytes loses its middle; control characters become '?'. */
bool err_set(struct err *err, enum err_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "context: " before the text that *err already has. Returns false. */
bool err_prefix(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
