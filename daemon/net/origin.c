/* Comparing hosts and origins with lists. */
#include "daemon/net/origin.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

static const char SEPARATORS[] = " ,\t";

/* Whether text[length] is an element of a list; letters alike. */
static bool listed(const char *text, size_t length, const char *list)
{
    while (*list != '\0') {
        list += strspn(list, SEPARATORS);
        size_t size = strcspn(list, SEPARATORS);
        if (size > 0 && size == length && strncasecmp(list, text, size) == 0) {
            return true;
        }
        list += size;
    }
    return false;
}

static bool is_address(int family, const char *text, size_t length)
{
    unsigned char address[sizeof(struct in6_addr)];
    char copy[INET6_ADDRSTRLEN];

    if (length >= sizeof copy) {
        return false;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    return inet_pton(family, copy, address) == 1;
}

/* Whether a text is a port with its colon, or nothing. */
static bool is_port(const char *text)
{
    return *text == '\0' || (*text == ':' && text[1 + strspn(text + 1, "0123456789")] == '\0');
}

bool origin_host_allowed(const char *host, const char *hosts)
{
    if (host == NULL) {
        return false;
    }
    if (host[0] == '[') {
        size_t length = strcspn(host, "]");
        return host[length] == ']' && is_port(host + length + 1) &&
               is_address(AF_INET6, host + 1, length - 1);
    }
    size_t length = strcspn(host, ":");
    return is_port(host + length) &&
           (is_address(AF_INET, host, length) || listed(host, length, "localhost") ||
            listed(host, length, hosts));
}

bool origin_allowed(const char *origin, const char *host, const char *origins)
{
    static const char *const SCHEMES[] = {"http://", "https://"};

    if (origin == NULL || listed(origin, strlen(origin), origins)) {
        return true;
    }
    for (size_t i = 0; i < sizeof SCHEMES / sizeof SCHEMES[0]; i++) {
        size_t length = strlen(SCHEMES[i]);
        if (host != NULL && strncasecmp(origin, SCHEMES[i], length) == 0 &&
            strcasecmp(origin + length, host) == 0) {
            return true;
        }
    }
    return false;
}
