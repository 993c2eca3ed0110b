/* Headers that evhttp lets through and that must not pass: whoever reads a request otherwise than
 * the proxy before it can be made to read two where one was sent. */
#pragma once

#include <event2/keyvalq_struct.h>

#include "daemon/net/http.h"

/* Checks the headers of a request. False with *refusal filled when a name is not a token; Host is
 * missing (HTTP/1.1 and later) or there twice; Content-Length is there twice or is not digits only;
 * Transfer-Encoding is not exactly "chunked", stands beside Content-Length or in HTTP/1.0; or, if
 * `body_wanted`, neither tells a length. The connection is then to be closed behind the answer. */
bool framing_check(const struct evkeyvalq *headers, bool host_wanted, bool body_wanted,
                   struct response *refusal);
