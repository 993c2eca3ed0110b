/* Plots, drawn by gnuplot as SVG. */
#pragma once

#include "engine/base/err.h"

/* Runs gnuplot on a script, which draws one plot; gives the SVG document, from "<svg" on, to be
 * freed by the caller. NULL when gnuplot is not installed (said so), or refuses the script. */
char *plot_svg(const char *script, struct err *err);
