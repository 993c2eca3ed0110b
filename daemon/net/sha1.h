/* SHA-1 (RFC 3174), for the one place that still asks for it: the opening handshake of a WebSocket.
 * It protects nothing there. */
#pragma once

#include <stddef.h>

enum { SHA1_BYTES = 20 };

/* The digest of data[size]. */
void sha1(const unsigned char *data, size_t size, unsigned char digest[SHA1_BYTES]);
