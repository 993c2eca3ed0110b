/* Text in HTML. */
#pragma once

#include <stdio.h>

/* Writes a text so that HTML shows it as it is, between tags. */
void html_text(FILE *out, const char *text);
