/* Plots, drawn by gnuplot as SVG. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "engine/base/err.h"

/* Runs gnuplot on a script, which draws one plot; gives the SVG document, from "<svg" on, to be
 * freed by the caller. NULL when gnuplot is not installed (said so), or refuses the script. */
char *plot_svg(const char *script, struct err *err);

/* A figure of a report under way. */
struct plot {
    FILE *script; /* what gnuplot is to do goes here, behind the look that all figures share */
    char *text;
    size_t size;
};

/* False: memory is out. */
bool plot_begin(struct plot *plot, struct err *err);

/* Draws it and writes it to `out` as an HTML figure. Ends the plot in any case; errors as
 * plot_svg's. */
bool plot_end(struct plot *plot, FILE *out, const char *caption, struct err *err);
