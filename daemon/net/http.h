/* One exchange as two values: what was asked, what is answered.
 *
 * Whatever decides takes a `struct request` and returns a `struct response`; sockets are known to
 * server.c and connection.c only, so that the whole API is tested without a network. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bits, so that the methods of a path fit one number. */
enum method {
    METHOD_GET = 1,
    METHOD_HEAD = 2,
    METHOD_POST = 4,
    METHOD_PUT = 8,
    METHOD_PATCH = 16,
    METHOD_DELETE = 32,
    METHOD_OPTIONS = 64,
    METHOD_OTHER = 128,
};

enum {
    BODY_MAX = 65536,   /* bytes of a request body */
    HEADER_MAX = 16384, /* of its first line and headers together */
    ALLOW_SIZE = 64,
    ETAG_SIZE = 40,
    LOCATION_SIZE = 48,
    RANDOM_BYTES = 96,
    SESSION_TEXT = 44,
};

struct hash_work;

struct request {
    enum method method;
    const char *path;         /* as sent, not decoded */
    const char *query;        /* behind the "?"; NULL: none */
    const char *content_type; /* NULL: none */
    const char *body;         /* body_size bytes, not ended by NUL */
    size_t body_size;
    const char *authorization, *if_none_match, *prefer, *accept, *accept_encoding; /* NULL: none */
    const char *host, *origin;                                                     /* the same */
    const char *upgrade, *connection; /* the same: towards a WebSocket */
    const char *socket_key, *socket_version, *socket_protocol;
    const char *user;                   /* X-User; NULL: none */
    const char *cookie;                 /* NULL: none */
    const char *address;                /* whose, as numbers; NULL: not known */
    const struct hash_work *hashed;     /* what it had hashed; NULL: nothing yet */
    uint64_t seed;                      /* fresh random bits, used where the client names no seed */
    unsigned char random[RANDOM_BYTES]; /* fresh; tokens and ids are made of them */
    int64_t person;                     /* who asks, where that is known; 0: the headers tell */
    bool last;                          /* it has waited for as long as it may: answer now */
    bool done; /* what it asked for has been stored: only the answer is left */
};

struct response {
    int status;
    const char *content_type;     /* static; NULL: no body */
    char *body;                   /* from malloc, owned; NULL: empty */
    const void *fixed;            /* static bytes in place of body; NULL: none */
    size_t body_size;             /* of either */
    bool page;                    /* of the page: the browser's policy for it goes with it */
    bool packed, varies;          /* in gzip; it would be sent otherwise to other clients */
    char allow[ALLOW_SIZE];       /* the Allow header; "": none */
    int retry_after;              /* seconds; 0: none */
    char etag[ETAG_SIZE];         /* with its quotes; "": none */
    char location[LOCATION_SIZE]; /* of what was made; "": none */
    char session[SESSION_TEXT];   /* a new token, for the cookie; "": none */
    int64_t session_seconds;      /* for how long */
    bool session_over;            /* the cookie is to be taken away */
};

/* The name of one method, "GET"; "?" for METHOD_OTHER. */
const char *method_name(enum method method);

/* Writes the methods of a set as Allow wants them: "GET, HEAD". */
void methods_write(unsigned methods, char out[ALLOW_SIZE]);

/* Whether a Content-Type says JSON in UTF-8: application/json, any case, no charset or utf-8. */
bool content_type_is_json(const char *content_type);

/* Cuts the next element off a header's list with commas, without the blanks around it; "" may be
 * one. False at the end. */
bool header_element(const char **list, const char **element, size_t *length);

/* Whether an If-None-Match (NULL: none) names an entity tag, or any; weak and strong tags alike. */
bool etag_matches(const char *if_none_match, const char *etag);

/* Whether an Accept-Encoding (NULL: none) takes gzip. */
bool accepts_gzip(const char *accept_encoding);

/* Whether an Accept (NULL: none) names text/html, as browsers do for what a person asked for. */
bool accepts_html(const char *accept);

/* A response of a JSON value, which is consumed. NULL (memory was out) becomes an empty 500. */
struct response response_json(int status, const char *content_type, json_t *value);

/* A response of a copy of some text. */
struct response response_text(int status, const char *content_type, const char *text, size_t size);

void response_fini(struct response *response);

/* Reads the one query parameter `name` of a query string into out[size], percent-decoded. False
 * with the offending text in out when another parameter stands there, it stands there twice, is
 * too long or is badly encoded. Without it out is "". */
bool query_read(const char *query, const char *name, char *out, size_t size);

/* The same for several: out[i] gets the parameter names[i]. *wrong is the text that is refused, at
 * most QUERY_TEXT - 1 bytes. */
enum { QUERY_TEXT = 64 };
bool query_read_all(const char *query, const char *const *names, char out[][QUERY_TEXT],
                    size_t count, char wrong[QUERY_TEXT]);
