/* ICU: normal forms, classes of characters, skeletons. */
#include "daemon/people/name.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uspoof.h>
#include <unicode/ustring.h>

enum { UNITS = 512, ACCENTS_MAX = 2 };

struct names {
    USpoofChecker *checker;
};

/* A text on its way, UTF-16. */
struct text {
    UChar unit[UNITS];
    int32_t length;
};

struct names *names_create(struct err *err)
{
    struct names *names = calloc(1, sizeof *names);
    UErrorCode status = U_ZERO_ERROR;

    if (names == NULL) {
        err_set(err, ERR_FAILED, "out of memory");
        return NULL;
    }
    names->checker = uspoof_open(&status);
    if (U_FAILURE(status)) {
        err_set(err, ERR_FAILED, "ICU has no table of look-alikes: %s", u_errorName(status));
        free(names);
        return NULL;
    }
    return names;
}

void names_destroy(struct names *names)
{
    if (names != NULL) {
        uspoof_close(names->checker);
        free(names);
    }
}

static bool too_long(struct err *err)
{
    return err_set(err, ERR_USAGE, "too long");
}

/* --- forms ----------------------------------------------------------------------------------- */

static bool from_utf8(const char *utf8, struct text *out, struct err *err)
{
    UErrorCode status = U_ZERO_ERROR;

    u_strFromUTF8(out->unit, UNITS, &out->length, utf8, -1, &status);
    return (U_SUCCESS(status) && out->length < UNITS) || too_long(err);
}

static bool to_utf8(const struct text *text, char *out, int size, struct err *err)
{
    UErrorCode status = U_ZERO_ERROR;
    int32_t length = 0;

    u_strToUTF8(out, size, &length, text->unit, text->length, &status);
    return (U_SUCCESS(status) && length < size) || too_long(err);
}

static bool normalise(const UNormalizer2 *form, const struct text *text, struct text *out,
                      struct err *err)
{
    UErrorCode status = U_ZERO_ERROR;

    out->length = unorm2_normalize(form, text->unit, text->length, out->unit, UNITS, &status);
    return (U_SUCCESS(status) && out->length < UNITS) || too_long(err);
}

static bool nfc(const struct text *text, struct text *out, struct err *err)
{
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2 *form = unorm2_getNFCInstance(&status);

    out->length = 0;
    return U_SUCCESS(status) ? normalise(form, text, out, err)
                             : err_set(err, ERR_FAILED, "ICU: %s", u_errorName(status));
}

static bool fold(const struct text *text, struct text *out, struct err *err)
{
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2 *form = unorm2_getNFKCCasefoldInstance(&status);

    out->length = 0;
    return U_SUCCESS(status) ? normalise(form, text, out, err)
                             : err_set(err, ERR_FAILED, "ICU: %s", u_errorName(status));
}

/* What a text looks like, in small letters. */
static bool look_of(const struct names *names, const struct text *text, char out[NAME_KEY],
                    struct err *err)
{
    UErrorCode status = U_ZERO_ERROR;
    struct text skeleton, folded;

    skeleton.length = uspoof_getSkeleton(names->checker, 0, text->unit, text->length, skeleton.unit,
                                         UNITS, &status);
    return ((U_SUCCESS(status) && skeleton.length < UNITS) || too_long(err)) &&
           fold(&skeleton, &folded, err) && to_utf8(&folded, out, NAME_KEY, err);
}

/* --- what may be a name ---------------------------------------------------------------------- */

static bool is_mark(UChar32 c)
{
    return (U_GET_GC_MASK(c) & (U_GC_MN_MASK | U_GC_MC_MASK)) != 0;
}

static bool is_letter_or_digit(UChar32 c)
{
    return (U_GET_GC_MASK(c) & (U_GC_L_MASK | U_GC_ND_MASK)) != 0 &&
           !u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
}

static bool characters_fit(const struct text *text, struct err *err)
{
    UErrorCode status = U_ZERO_ERROR;
    int accents = 0, letters = 0;
    UChar32 points[UNITS], before = ' ';
    int32_t count;

    u_strToUTF32(points, UNITS, &count, text->unit, text->length, &status);
    if (U_FAILURE(status)) {
        return err_set(err, ERR_USAGE, "no text that Unicode knows");
    }
    for (int32_t i = 0; i < count; i++) {
        const UChar32 c = points[i];
        bool letter = is_letter_or_digit(c);
        bool mark = is_mark(c) && !u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
        bool sign = c != 0 && c < 128 && strchr(" -_.'", (int)c) != NULL;
        accents = mark ? accents + 1 : 0;
        if (!letter && !mark && !sign) {
            return err_set(err, ERR_USAGE,
                           "U+%04" PRIX32
                           " cannot stand in a name: letters, digits, spaces and - _ . ' can",
                           (uint32_t)c);
        }
        if (accents > ACCENTS_MAX || (mark && before < 128 && !u_isalnum(before))) {
            return err_set(err, ERR_USAGE, "an accent stands on a letter, at most two on each");
        }
        if (c == ' ' && before == ' ') {
            return err_set(err, ERR_USAGE, "spaces stand between letters, one at a time");
        }
        letters += letter;
        before = c;
    }
    if (before == ' ') {
        return err_set(err, ERR_USAGE, "a name neither is empty nor ends with a space");
    }
    return letters > 0 || err_set(err, ERR_USAGE, "a name has a letter or a digit");
}

static bool length_fits(const struct text *text, struct err *err)
{
    UErrorCode status = U_ZERO_ERROR;
    UBreakIterator *clusters = ubrk_open(UBRK_CHARACTER, "", text->unit, text->length, &status);
    int count = 0;

    if (U_FAILURE(status)) {
        return err_set(err, ERR_FAILED, "ICU: %s", u_errorName(status));
    }
    while (count <= NAME_CHARACTERS && ubrk_next(clusters) != UBRK_DONE) {
        count++;
    }
    ubrk_close(clusters);
    return count <= NAME_CHARACTERS ||
           err_set(err, ERR_USAGE, "a name has at most %d characters", NAME_CHARACTERS);
}

bool name_read(const struct names *names, const char *text, struct name *out, struct err *err)
{
    struct text given, composed, folded;

    return from_utf8(text, &given, err) && nfc(&given, &composed, err) &&
           characters_fit(&composed, err) && length_fits(&composed, err) &&
           fold(&composed, &folded, err) && to_utf8(&composed, out->text, NAME_BYTES, err) &&
           to_utf8(&folded, out->key, NAME_KEY, err) &&
           look_of(names, &composed, out->look[0], err) &&
           look_of(names, &folded, out->look[1], err);
}

bool password_read(const char *text, char out[PASSWORD_BYTES], struct err *err)
{
    struct text given, composed;

    if (!from_utf8(text, &given, err) || !nfc(&given, &composed, err) ||
        !to_utf8(&composed, out, PASSWORD_BYTES, err)) {
        return false;
    }
    return u_countChar32(composed.unit, composed.length) >= PASSWORD_CHARACTERS ||
           err_set(err, ERR_USAGE, "a password has at least %d characters", PASSWORD_CHARACTERS);
}
