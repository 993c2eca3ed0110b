/* The names of players: what may be one, how two are told to be the same, which look alike.
 *
 * A name is kept as NFC has it and shown so; it is found by its key, which knows neither case nor
 * the other ways to write the same letters (NFKC_Casefold). Two names look alike when one of their
 * skeletons (Unicode Technical Standard 39, section 4) is the same. */
#pragma once

#include "engine/base/err.h"

enum {
    NAME_CHARACTERS = 24, /* visible ones at most: grapheme clusters */
    NAME_BYTES = 128,
    NAME_KEY = 256,
    NAME_LOOKS = 2,
    PASSWORD_CHARACTERS = 8, /* at least: code points */
    PASSWORD_BYTES = 257,
};

struct name {
    char text[NAME_BYTES];           /* NFC */
    char key[NAME_KEY];              /* the same for the same name */
    char look[NAME_LOOKS][NAME_KEY]; /* as it stands, and in small letters */
};

/* The tables that names are read by. */
struct names;

/* NULL with ERR_FAILED when the library has no data. */
struct names *names_create(struct err *err);
/* Takes NULL. */
void names_destroy(struct names *names);

/* Reads a name from UTF-8 text: 1 to 24 visible characters, of letters, digits, spaces between
 * them and - _ . ' with at most two accents a letter, at least one letter or digit. ERR_USAGE says
 * what is wrong. */
bool name_read(const struct names *names, const char *text, struct name *out, struct err *err);

/* A password as it is hashed: NFC, so that every keyboard makes the same of it; at least 8
 * characters, at most 256 bytes. ERR_USAGE says what is wrong. */
bool password_read(const char *text, char out[PASSWORD_BYTES], struct err *err);
