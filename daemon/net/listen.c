/* From the text of a setting to a listening socket. */
#include "daemon/net/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { BACKLOG = 1024 };

/* Reads "host:port" or "[host]:port", numbers only. The caller frees with freeaddrinfo. */
static struct addrinfo *parse(const char *address)
{
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE,
                                   .ai_socktype = SOCK_STREAM};
    const char *colon = strrchr(address, ':');
    const char *host = address;
    struct addrinfo *found;
    char text[INET6_ADDRSTRLEN];

    if (colon == NULL || strlen(colon) > sizeof ":65535" - 1 ||
        strspn(colon + 1, "0123456789") != strlen(colon + 1) ||
        strtol(colon + 1, NULL, 10) > 65535) {
        return NULL;
    }
    size_t length = (size_t)(colon - address);
    if (length > 2 && host[0] == '[' && host[length - 1] == ']') {
        host++;
        length -= 2;
    } else if (memchr(host, ':', length) != NULL) {
        return NULL; /* IPv6 needs its brackets */
    }
    if (length == 0 || length >= sizeof text || colon[1] == '\0') {
        return NULL;
    }
    memcpy(text, host, length);
    text[length] = '\0';
    return getaddrinfo(text, colon + 1, &hints, &found) == 0 ? found : NULL;
}

static struct addrinfo *parse_or_say(const char *address, struct err *err)
{
    struct addrinfo *where = parse(address);

    if (where == NULL) {
        err_set(err, ERR_USAGE, "'%s' is no address and port such as 127.0.0.1:8080 or [::1]:8080",
                address);
    }
    return where;
}

bool listen_check(const char *address, struct err *err)
{
    struct addrinfo *where = parse_or_say(address, err);

    if (where == NULL) {
        return false;
    }
    freeaddrinfo(where);
    return true;
}

struct evconnlistener *listen_open(struct event_base *base, const char *address, struct err *err)
{
    const unsigned flags =
        LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC | LEV_OPT_REUSEABLE | LEV_OPT_DISABLED;
    struct addrinfo *where = parse_or_say(address, err);

    if (where == NULL) {
        return NULL;
    }
    struct evconnlistener *listener = evconnlistener_new_bind(
        base, NULL, NULL, flags, BACKLOG, where->ai_addr, (int)where->ai_addrlen);
    if (listener == NULL) {
        err_set(err, ERR_FAILED, "cannot listen on %s: %s", address, strerror(errno));
    }
    freeaddrinfo(where);
    return listener;
}

struct evconnlistener *listen_adopt(struct event_base *base, int fd, struct err *err)
{
    const unsigned flags = LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC | LEV_OPT_DISABLED;
    struct evconnlistener *listener = evconnlistener_new(base, NULL, NULL, flags, 0, fd);

    if (listener == NULL) {
        err_set(err, ERR_FAILED, "cannot listen on the socket that was handed over");
    }
    return listener;
}

void listen_url(struct evconnlistener *listener, char out[URL_SIZE])
{
    struct sockaddr_storage where;
    socklen_t size = sizeof where;
    char host[INET6_ADDRSTRLEN] = "?";

    memset(&where, 0, sizeof where);
    if (getsockname(evconnlistener_get_fd(listener), (struct sockaddr *)&where, &size) != 0) {
        where.ss_family = AF_UNSPEC;
    }
    if (where.ss_family == AF_INET6) {
        const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)&where;
        inet_ntop(AF_INET6, &in6->sin6_addr, host, sizeof host);
        snprintf(out, URL_SIZE, "http://[%s]:%d", host, ntohs(in6->sin6_port));
    } else if (where.ss_family == AF_UNIX) { /* handed over; there is no URL for it */
        snprintf(out, URL_SIZE, "a socket of the file system");
    } else {
        const struct sockaddr_in *in = (const struct sockaddr_in *)&where;
        inet_ntop(AF_INET, &in->sin_addr, host, sizeof host);
        snprintf(out, URL_SIZE, "http://%s:%d", host, ntohs(in->sin_port));
    }
}
