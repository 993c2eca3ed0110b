/* Files that are whole or absent: a replacement that fails leaves the old content and no litter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/file.h"

/* Each test runs in a fresh directory; *state is its name. */
static int enter(void **state)
{
    static const char PATTERN[] = "/tmp/base_file.XXXXXX";
    char *directory = malloc(sizeof PATTERN);
    if (directory == NULL) {
        return -1;
    }
    memcpy(directory, PATTERN, sizeof PATTERN);
    *state = directory;
    return mkdtemp(directory) == NULL ? -1 : chdir(directory);
}

static int leave(void **state)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf '%s'", (const char *)*state);
    int status = chdir("/") == 0 ? system(command) : -1;
    free(*state);
    return status;
}

/* Entries of the present directory. */
static int entries(void)
{
    DIR *directory = opendir(".");
    assert_non_null(directory);
    int count = -2; /* . and .. */
    while (readdir(directory) != NULL) {
        count++;
    }
    closedir(directory);
    return count;
}

static void assert_content(const char *path, const char *expected)
{
    struct err err = {0};
    size_t size = 0;
    char *text = file_read(path, 1 << 20, &size, &err);
    assert_non_null(text);
    assert_int_equal(size, strlen(expected));
    assert_string_equal(text, expected);
    free(text);
}

static void replace_makes_and_replaces(void **state)
{
    (void)state;
    struct err err;
    assert_true(file_replace("a", "old", 3, &err));
    assert_content("a", "old");
    assert_true(file_replace("./a", "newer", 5, &err));
    assert_content("a", "newer");
    assert_true(file_replace("a", "", 0, &err));
    assert_content("a", "");
    assert_int_equal(entries(), 1);
}

/* A write that stops half-way, as on a full disk: here the limit on file sizes is reached. */
static void failed_write_keeps_the_old(void **state)
{
    (void)state;
    struct err err = {0};
    assert_true(file_replace("a", "old", 3, &err));
    static char big[100000];
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 4096;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    bool replaced = file_replace("a", big, sizeof big, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_false(replaced);
    assert_int_equal(err.code, ERR_FAILED);
    assert_string_equal(err.text, "a: cannot write it: File too large");
    assert_content("a", "old");
    assert_int_equal(entries(), 1);
}

static void failed_rename_leaves_no_litter(void **state)
{
    (void)state;
    struct err err = {0};
    assert_int_equal(mkdir("a", 0777), 0);
    assert_false(file_replace("a", "x", 1, &err));
    assert_string_equal(err.text, "a: cannot replace it: Is a directory");
    assert_int_equal(entries(), 1);
    assert_false(file_replace("nowhere/a", "x", 1, &err));
    assert_string_equal(err.text, "nowhere/a: cannot write it: No such file or directory");
}

static void devices_and_pipes_are_not_replaced(void **state)
{
    (void)state;
    struct err err = {0};
    struct stat status;
    assert_int_equal(mkfifo("a", 0666), 0);
    assert_false(file_replace("a", "x", 1, &err));
    assert_int_equal(err.code, ERR_USAGE);
    assert_string_equal(err.text, "a: cannot replace it: it is no ordinary file");
    assert_int_equal(stat("a", &status), 0);
    assert_true(S_ISFIFO(status.st_mode));
    assert_int_equal(entries(), 1);
}

static void commit_without_temporary_keeps_the_old(void **state)
{
    (void)state;
    struct err err = {0};
    assert_true(file_replace("a", "old", 3, &err));
    assert_false(file_commit("a.tmp", "a", &err));
    assert_string_equal(err.text, "a.tmp: No such file or directory");
    assert_content("a", "old");
}

static void temporary_lies_beside_the_file(void **state)
{
    (void)state;
    char name[FILE_PATH], expected[FILE_PATH];
    struct err err;
    assert_true(file_temporary(name, "runs/demo/a.h5", &err));
    snprintf(expected, sizeof expected, "runs/demo/a.h5.tmp.%ld", (long)getpid());
    assert_string_equal(name, expected);
}

static void read_refuses(void **state)
{
    (void)state;
    struct err err = {0};
    assert_null(file_read("a", 10, NULL, &err));
    assert_string_equal(err.text, "a: no such file");
    assert_int_equal(err.code, ERR_USAGE);
    assert_null(file_read(".", 10, NULL, &err));
    assert_string_equal(err.text, ".: is a directory, a file is needed");
    assert_true(file_replace("a", "0123456789", 10, &err));
    assert_content("a", "0123456789");
    assert_null(file_read("a", 9, NULL, &err));
    assert_string_equal(err.text, "a: over the limit of 9 bytes");
}

static void large_files_are_read_whole(void **state)
{
    (void)state;
    struct err err;
    static char big[70001];
    memset(big, 'x', sizeof big - 1);
    assert_true(file_replace("a", big, sizeof big - 1, &err));
    assert_content("a", big);
}

static void join_puts_one_slash(void **state)
{
    (void)state;
    char out[FILE_PATH];
    struct err err;
    assert_true(file_join(out, "runs", "demo", &err));
    assert_string_equal(out, "runs/demo");
    assert_true(file_join(out, "runs/", "demo", &err));
    assert_string_equal(out, "runs/demo");
    assert_true(file_join(out, "", "demo", &err));
    assert_string_equal(out, "demo");
    char longest[FILE_PATH];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_true(file_join(out, "", longest, &err));
    assert_false(file_join(out, "a", longest, &err));
    assert_int_equal(err.code, ERR_USAGE);
}

static void directories_are_made(void **state)
{
    struct err err = {0};
    assert_true(file_make_directories("a/b/c", &err));
    assert_true(file_exists("a/b/c"));
    assert_true(file_make_directories("a/b/c/", &err));
    char absolute[FILE_PATH];
    assert_true(file_join(absolute, *state, "x//y", &err));
    assert_true(file_make_directories(absolute, &err));
    assert_true(file_exists("x/y"));
    assert_true(file_replace("a/file", "x", 1, &err));
    assert_false(file_make_directories("a/file", &err));
    assert_string_equal(err.text, "a/file: cannot make the directory: File exists");
    assert_false(file_make_directories("a/file/b", &err));
}

#define IN_DIRECTORY(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(replace_makes_and_replaces),
        IN_DIRECTORY(failed_write_keeps_the_old),
        IN_DIRECTORY(failed_rename_leaves_no_litter),
        IN_DIRECTORY(devices_and_pipes_are_not_replaced),
        IN_DIRECTORY(commit_without_temporary_keeps_the_old),
        IN_DIRECTORY(temporary_lies_beside_the_file),
        IN_DIRECTORY(read_refuses),
        IN_DIRECTORY(large_files_are_read_whole),
        IN_DIRECTORY(join_puts_one_slash),
        IN_DIRECTORY(directories_are_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
