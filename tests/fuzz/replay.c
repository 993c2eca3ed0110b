/* A fuzz target without a fuzzer: gives it the files, and the files of the directories, named on
 * the command line. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>

#include "engine/base/file.h"
#include "fuzz.h"

enum { CLOCK_US = 2000 };

static const size_t INPUT_MAX = (size_t)1 << 20;

static bool replay_file(const char *path, struct err *err)
{
    size_t size = 0;
    char *bytes = file_read(path, INPUT_MAX, &size, err);

    if (bytes == NULL) {
        return false;
    }
    /* Of exact size, so that the sanitizers see a step beyond it. */
    char *exact = realloc(bytes, size > 0 ? size : 1);
    LLVMFuzzerTestOneInput((const uint8_t *)(exact != NULL ? exact : bytes), size);
    free(exact != NULL ? exact : bytes);
    return true;
}

static bool replay_directory(const char *path, int *count, struct err *err)
{
    DIR *directory = opendir(path);
    bool ok = true;

    if (directory == NULL) {
        return err_set(err, ERR_FAILED, "%s: cannot be opened", path);
    }
    for (struct dirent *entry; ok && (entry = readdir(directory)) != NULL;) {
        char file[FILE_PATH];
        if (entry->d_name[0] != '.') {
            ok = file_join(file, path, entry->d_name, err) && replay_file(file, err);
            *count += ok;
        }
    }
    closedir(directory);
    return ok;
}

static void on_clock(int number)
{
    (void)number;
}

/* The fuzzer looks at its clock by a signal, which may interrupt whatever waits: here it comes
 * often instead of seldom. */
static void start_clock(void)
{
    const struct sigaction action = {.sa_handler = on_clock};
    const struct timeval often = {.tv_usec = CLOCK_US};
    const struct itimerval interval = {.it_interval = often, .it_value = often};

    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &interval, NULL);
}

int main(int argc, char *argv[])
{
    struct err err = {0};
    int count = 0;

    start_clock();

    for (int i = 1; i < argc; i++) {
        struct stat status;
        bool directory = stat(argv[i], &status) == 0 && S_ISDIR(status.st_mode);
        if (!(directory ? replay_directory(argv[i], &count, &err) : replay_file(argv[i], &err))) {
            fprintf(stderr, "%s\n", err.text);
            return EXIT_FAILURE;
        }
        count += !directory;
    }
    printf("inputs %d\n", count);
    return count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
