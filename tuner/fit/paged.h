/* Growing arrays that live in memory, or in a file of no name when memory is not to hold them: then
 * the operating system keeps of it what fits and reads the rest again, in order, in each pass. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct paged {
    void *data;   /* NULL while there is no room */
    size_t bytes; /* room */
    bool in_file;
    int file; /* descriptor, where it is in a file */
};

/* Makes room for exactly `bytes` >= 1, keeping what fits. The file of a fresh array, where
 * `directory` is not NULL, is made there and has no name already when this returns. False: memory
 * or disk is out, and the array as it was. */
bool paged_resize(struct paged *paged, const char *directory, size_t bytes);

/* Gives all back; a zeroed one is fine. */
void paged_free(struct paged *paged);
