/* The port a daemon listens on. */
#pragma once

#include <event2/event.h>
#include <event2/listener.h>

#include "engine/base/err.h"

enum { URL_SIZE = 80 };

/* Whether a text is an address to listen on, see below; ERR_USAGE. */
bool listen_check(const char *address, struct err *err);

/* Listens on "127.0.0.1:8080" or "[::1]:8080"; port 0 takes a free one. NULL with ERR_USAGE for a
 * text that is no numeric address with a port, with ERR_FAILED when the system refuses (taken, not
 * an address of this machine). The listener has no callback yet. */
struct evconnlistener *listen_open(struct event_base *base, const char *address, struct err *err);

/* The same with a socket that listens already, which the listener closes. */
struct evconnlistener *listen_adopt(struct event_base *base, int fd, struct err *err);

/* Where a listener listens: "http://127.0.0.1:8080". */
void listen_url(struct evconnlistener *listener, char out[URL_SIZE]);
