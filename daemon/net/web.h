/* The page, and the description of the API: files that never change while the daemon runs.
 *
 * They are compiled in (embed.cmake), each beside its gzip form and a tag of its bytes: page and
 * API are of one build, and a daemon in a sandbox reads nothing for them. */
#pragma once

#include "daemon/net/http.h"

struct web_file {
    const char *path; /* as it is asked for: "/index.html" */
    const char *type; /* its media type */
    const char *tag;  /* 16 hexadecimal digits of a hash of its bytes */
    const unsigned char *plain;
    size_t plain_size;
    const unsigned char *gzip; /* NULL: not shorter */
    size_t gzip_size;
};

extern const struct web_file web_files[];
extern const size_t web_file_count;

/* The file at a path, "/index.html" at "/"; NULL: none. */
const struct web_file *web_find(const char *path);

/* Answers a GET: the bytes, packed if the client takes that, or 304 if it has them. */
struct response web_response(const struct web_file *file, const struct request *request);

/* Answers a person who asked for what is not there: the page 404.html, with that status. */
struct response web_nothing(const struct request *request);
