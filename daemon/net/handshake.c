/* Checks before a connection becomes a WebSocket. */
#include "daemon/net/handshake.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "daemon/net/problem.h"
#include "daemon/net/sha1.h"

enum { KEY_BYTES = 16, KEY_TEXT = 24 };

bool handshake_has(const char *header, const char *element)
{
    const size_t wanted = strlen(element);
    const char *at;
    size_t length;

    while (header != NULL && header_element(&header, &at, &length)) {
        if (length == wanted && strncasecmp(at, element, wanted) == 0) {
            return true;
        }
    }
    return false;
}

bool handshake_rest(const char *header, const char *prefix, char *out, size_t size)
{
    const size_t wanted = strlen(prefix);
    const char *at;
    size_t length;

    while (header != NULL && header_element(&header, &at, &length)) {
        if (length >= wanted && length - wanted < size && strncmp(at, prefix, wanted) == 0) {
            memcpy(out, at + wanted, length - wanted);
            out[length - wanted] = '\0';
            return true;
        }
    }
    return false;
}

static bool is_key(const char *key)
{
    unsigned char bytes[KEY_BYTES];
    size_t size;

    return key != NULL && strlen(key) == KEY_TEXT &&
           sodium_base642bin(bytes, sizeof bytes, key, KEY_TEXT, NULL, &size, NULL,
                             sodium_base64_VARIANT_ORIGINAL) == 0 &&
           size == KEY_BYTES;
}

bool handshake_check(const struct request *request, struct response *refusal)
{
    if (!handshake_has(request->upgrade, "websocket") ||
        !handshake_has(request->connection, "upgrade")) {
        *refusal = problem(PROBLEM_UPGRADE, "Upgrade", "this path is a WebSocket");
    } else if (request->socket_version == NULL || strcmp(request->socket_version, "13") != 0) {
        *refusal = problem(PROBLEM_UPGRADE, "Sec-WebSocket-Version", "only 13 is spoken");
    } else if (!is_key(request->socket_key)) {
        *refusal = problem(PROBLEM_BAD_REQUEST, "Sec-WebSocket-Key", "not 16 bytes in base64");
    } else {
        return true;
    }
    return false;
}

void handshake_accept(const char *key, char out[HANDSHAKE_ACCEPT])
{
    static const char MAGIC[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    char text[KEY_TEXT + sizeof MAGIC];
    unsigned char digest[SHA1_BYTES];

    snprintf(text, sizeof text, "%.24s%s", key, MAGIC);
    sha1((const unsigned char *)text, strlen(text), digest);
    sodium_bin2base64(out, HANDSHAKE_ACCEPT, digest, sizeof digest, sodium_base64_VARIANT_ORIGINAL);
}
