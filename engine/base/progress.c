/* Progress of long work. On a terminal one line is redrawn in place; elsewhere (a log file, a batch
 * job) a plain line appears now and then. */
#include "engine/base/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/clock.h"

enum { BAR = 24, FIGURES = 160, DURATION = 32 };

static const double REDRAW = 0.1; /* seconds between two bars */
static const double REPEAT = 10;  /* seconds between two plain lines */
static const double FIRST = 2;    /* seconds of silence before the first plain line */

static bool silent(const struct progress *progress)
{
    return progress->log == NULL || progress->log->out == NULL || progress->log->level < LOG_INFO;
}

struct progress progress_start(const struct log *log, const char *what, const char *unit,
                               int64_t total, int64_t done_before)
{
    struct progress progress = {.log = log,
                                .what = what,
                                .unit = unit,
                                .total = total,
                                .done_before = done_before,
                                .started = clock_seconds()};
    if (!silent(&progress)) {
        int fd = fileno(log->out);
        progress.terminal = fd >= 0 && isatty(fd) != 0;
    }
    progress.shown = progress.started - (progress.terminal ? REDRAW : REPEAT - FIRST);
    return progress;
}

/* Work per second since the start, without what was found done. */
static double rate_of(const struct progress *progress, int64_t done, double now)
{
    double elapsed = now - progress->started;
    return elapsed > 0 ? (double)(done - progress->done_before) / elapsed : 0;
}

/* "450/1000 games, 12.3/s, 45.0 s left" */
static void figures(const struct progress *progress, int64_t done, double now, char out[FIGURES])
{
    double rate = rate_of(progress, done, now);
    if (progress->total <= 0) {
        snprintf(out, FIGURES, "%lld %s, %.3g/s", (long long)done, progress->unit, rate);
        return;
    }
    char left[DURATION + 8] = "";
    if (rate > 0 && done < progress->total) {
        char duration[DURATION];
        clock_duration((double)(progress->total - done) / rate, duration, sizeof duration);
        snprintf(left, sizeof left, ", %s left", duration);
    }
    snprintf(out, FIGURES, "%lld/%lld %s, %.3g/s%s", (long long)done, (long long)progress->total,
             progress->unit, rate, left);
}

static void draw_bar(const struct progress *progress, int64_t done, const char *text)
{
    char bar[BAR + 4] = "";
    if (progress->total > 0) {
        double share = (double)done / (double)progress->total;
        size_t filled = share >= 1 ? BAR : share <= 0 ? 0 : (size_t)(share * BAR);
        bar[0] = '[';
        memset(bar + 1, '#', filled);
        memset(bar + 1 + filled, '.', BAR - filled);
        memcpy(bar + 1 + BAR, "] ", 3);
    }
    /* Return to the margin, draw, clear what an earlier, longer line left. */
    fprintf(progress->log->out, "\r%s %s%s\033[K", progress->what, bar, text);
    fflush(progress->log->out);
}

void progress_update(struct progress *progress, int64_t done)
{
    if (silent(progress)) {
        return;
    }
    double now = clock_seconds();
    if (now - progress->shown < (progress->terminal ? REDRAW : REPEAT)) {
        return;
    }
    progress->shown = now;
    char text[FIGURES];
    figures(progress, done, now, text);
    if (progress->terminal) {
        draw_bar(progress, done, text);
    } else {
        log_line(progress->log, LOG_INFO, "%s: %s", progress->what, text);
    }
}

void progress_end(struct progress *progress, int64_t done)
{
    if (silent(progress)) {
        return;
    }
    double now = clock_seconds();
    char duration[DURATION];
    clock_duration(now - progress->started, duration, sizeof duration);
    if (progress->terminal) {
        fputs("\r\033[K", progress->log->out);
    }
    char before[64] = "";
    if (progress->done_before > 0) {
        snprintf(before, sizeof before, " (%lld found done)", (long long)progress->done_before);
    }
    log_line(progress->log, LOG_INFO, "%s: %lld %s%s in %s, %.3g/s", progress->what,
             (long long)done, progress->unit, before, duration, rate_of(progress, done, now));
}
