/* realloc, or mmap of an unlinked file; see paged.h. */
#include "tuner/fit/paged.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/base/file.h"

/* A new file in the directory, whose name is gone already; -1: none can be made. */
static int nameless_file(const char *directory)
{
    char path[FILE_PATH];
    if (!file_join(path, directory, "positions-XXXXXX", NULL)) {
        return -1;
    }
    int file = mkstemp(path);
    if (file >= 0 && unlink(path) != 0) {
        close(file);
        return -1;
    }
    return file;
}

/* posix_fallocate, so that a full disk is an error here and no signal later. */
static bool resize_file(struct paged *paged, const char *directory, size_t bytes)
{
    int file = paged->data != NULL ? paged->file : nameless_file(directory);
    if (file < 0) {
        return false;
    }
    bool longer = bytes > paged->bytes;
    void *data = MAP_FAILED;
    if (!longer || posix_fallocate(file, 0, (off_t)bytes) == 0) {
        data = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    if (data == MAP_FAILED) {
        if (paged->data == NULL) {
            close(file);
        }
        return false;
    }
    if (paged->data != NULL) {
        munmap(paged->data, paged->bytes);
    }
    if (!longer) {
        (void)!ftruncate(file, (off_t)bytes); /* else the disk keeps the room */
    }
    posix_madvise(data, bytes, POSIX_MADV_SEQUENTIAL);
    *paged = (struct paged){.data = data, .bytes = bytes, .in_file = true, .file = file};
    return true;
}

bool paged_resize(struct paged *paged, const char *directory, size_t bytes)
{
    if (directory != NULL) {
        return resize_file(paged, directory, bytes);
    }
    void *data = realloc(paged->data, bytes);
    if (data == NULL) {
        return false;
    }
    *paged = (struct paged){.data = data, .bytes = bytes};
    return true;
}

void paged_free(struct paged *paged)
{
    if (paged->in_file) {
        munmap(paged->data, paged->bytes);
        close(paged->file);
    } else {
        free(paged->data);
    }
    *paged = (struct paged){0};
}
