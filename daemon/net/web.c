/* Finding and answering the files that are compiled in. */
#include "daemon/net/web.h"

#include <stdio.h>
#include <string.h>

const struct web_file *web_find(const char *path)
{
    if (strcmp(path, "/") == 0) {
        path = "/index.html";
    }
    for (size_t i = 0; i < web_file_count; i++) {
        if (strcmp(web_files[i].path, path) == 0) {
            return &web_files[i];
        }
    }
    return NULL;
}

struct response web_response(const struct web_file *file, const struct request *request)
{
    const bool packed = file->gzip != NULL && accepts_gzip(request->accept_encoding);
    struct response response = {
        .status = 200, .page = true, .content_type = file->type, .varies = file->gzip != NULL};

    /* Two forms of one file are two entities, and must not share a tag (RFC 9110, 8.8.3.3). */
    snprintf(response.etag, sizeof response.etag, "\"%s%s\"", file->tag, packed ? "-gzip" : "");
    if (etag_matches(request->if_none_match, response.etag)) {
        response.status = 304;
        response.content_type = NULL;
        return response;
    }
    response.packed = packed;
    response.fixed = packed ? file->gzip : file->plain;
    response.body_size = packed ? file->gzip_size : file->plain_size;
    return response;
}

struct response web_nothing(const struct request *request)
{
    const struct request anew = {.accept_encoding = request->accept_encoding};
    struct response response = web_response(web_find("/404.html"), &anew);

    response.status = 404;
    response.etag[0] = '\0'; /* not to be kept: the path may be there with the next build */
    return response;
}
