/* The opening handshake of a WebSocket (RFC 6455, section 4.2), as values. */
#pragma once

#include "daemon/net/http.h"

enum { HANDSHAKE_ACCEPT = 29 }; /* 28 characters of base64 and a NUL */

/* The subprotocol that a client may offer; next to it, "bearer.TOKEN" says who it is where a script
 * cannot send a header. */
#define HANDSHAKE_PROTOCOL "draughtsmith.v1"
#define HANDSHAKE_BEARER "bearer."

/* Checks a request. False with *refusal filled: no upgrade to WebSocket is asked for or another
 * version (426); the key is not 16 bytes of base64 (400). */
bool handshake_check(const struct request *request, struct response *refusal);

/* What Sec-WebSocket-Accept answers to a key. */
void handshake_accept(const char *key, char out[HANDSHAKE_ACCEPT]);

/* Whether a comma-separated header has an element, letters alike; NULL has none. */
bool handshake_has(const char *header, const char *element);

/* The first element that begins with a prefix: what follows it goes to out[size]. False: there is
 * none, or none that fits. */
bool handshake_rest(const char *header, const char *prefix, char *out, size_t size);
