/* gnuplot as a child process: script on its standard input, SVG from its standard output. */
#include "tuner/report/plot.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* A file without a name that holds the script, read from its start. */
static FILE *script_file(const char *script, struct err *err)
{
    FILE *file = tmpfile();

    if (!file) {
        err_set(err, ERR_FAILED, "temporary file for gnuplot: %s", strerror(errno));
        return NULL;
    }
    if (fputs(script, file) < 0 || fflush(file) != 0) {
        err_set(err, ERR_FAILED, "temporary file for gnuplot: %s", strerror(errno));
        fclose(file);
        return NULL;
    }
    rewind(file);
    return file;
}

static bool start(int in, int out, int other, pid_t *child, struct err *err)
{
    char name[] = "gnuplot", defaults[] = "-d"; /* without the user's own ~/.gnuplot */
    char *const arguments[] = {name, defaults, NULL};
    posix_spawn_file_actions_t actions;

    if (posix_spawn_file_actions_init(&actions) != 0) {
        return err_set(err, ERR_FAILED, "out of memory for gnuplot");
    }
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, other);
    int status = posix_spawnp(child, name, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (status == ENOENT) {
        return err_set(err, ERR_FAILED,
                       "gnuplot, which draws the plots, is not installed (package gnuplot-nox)");
    }
    return status == 0 || err_set(err, ERR_FAILED, "gnuplot: %s", strerror(status));
}

/* All that can be read, with a NUL behind it. */
static char *read_all(int fd)
{
    char *text = NULL, block[4096];
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    ssize_t got;

    if (!out) {
        return NULL;
    }
    while ((got = read(fd, block, sizeof block)) > 0 || (got < 0 && errno == EINTR)) {
        if (got > 0) {
            fwrite(block, 1, (size_t)got, out);
        }
    }
    if (fclose(out) != 0 || got < 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* Cuts what stands before the root element: inside HTML there is no XML declaration. */
static char *root_element(char *text, struct err *err)
{
    char *root = text ? strstr(text, "<svg") : NULL;

    if (!root) {
        err_set(err, ERR_FAILED, "gnuplot gave no plot");
        free(text);
        return NULL;
    }
    memmove(text, root, strlen(root) + 1);
    return text;
}

char *plot_svg(const char *script, struct err *err)
{
    int ends[2], status = 0;
    pid_t child = 0;
    FILE *in = script_file(script, err);

    if (!in) {
        return NULL;
    }
    if (pipe(ends) != 0) {
        err_set(err, ERR_FAILED, "pipe for gnuplot: %s", strerror(errno));
        fclose(in);
        return NULL;
    }
    bool started = start(fileno(in), ends[1], ends[0], &child, err);
    close(ends[1]);
    fclose(in);
    char *text = started ? read_all(ends[0]) : NULL;
    close(ends[0]);
    if (!started) {
        return NULL;
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        free(text);
        bool killed = WIFSIGNALED(status);
        err_set(err, ERR_FAILED, "gnuplot failed, %s %d",
                killed ? "killed by signal" : "exit status",
                killed ? WTERMSIG(status) : WEXITSTATUS(status));
        return NULL;
    }
    return root_element(text, err);
}

bool plot_begin(struct plot *plot, struct err *err)
{
    *plot = (struct plot){0};
    plot->script = open_memstream(&plot->text, &plot->size);
    if (!plot->script) {
        return err_set(err, ERR_FAILED, "out of memory for a plot");
    }
    fputs("set terminal svg size 760,380 font 'sans-serif,13' background 'white'\n"
          "set grid lc rgb '#dddddd'\nset border lc rgb '#666666'\n",
          plot->script);
    return true;
}

bool plot_end(struct plot *plot, FILE *out, const char *caption, struct err *err)
{
    bool whole = fclose(plot->script) == 0 || err_set(err, ERR_FAILED, "out of memory for a plot");
    char *svg = whole ? plot_svg(plot->text, err) : NULL;

    free(plot->text);
    if (!svg) {
        return false;
    }
    fprintf(out, "<figure>%s<figcaption>%s</figcaption></figure>\n", svg, caption);
    free(svg);
    return true;
}
