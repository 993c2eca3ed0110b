/* Text in HTML. */
#include "tuner/report/html.h"

void html_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '&') {
            fputs("&amp;", out);
        } else if (*text == '<') {
            fputs("&lt;", out);
        } else {
            fputc((unsigned char)*text, out);
        }
    }
}
