/* The header lines of every answer, those for browsers' safety among them. */
#include "daemon/loop/headers.h"

#include <stdio.h>
#include <strings.h>

#include "daemon/api/identity.h"
#include "daemon/net/cors.h"
#include <time.h>

/* What the page may load and who may frame it: its own files, nobody; no script or style but from
 * files. Whatever is no page loads nothing. */
static const char PAGE_POLICY[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
static const char DATA_POLICY[] = "default-src 'none'; frame-ancestors 'none'";

static void add_security(struct evkeyvalq *headers, const struct response *response)
{
    evhttp_add_header(headers, "X-Content-Type-Options", "nosniff");
    evhttp_add_header(headers, "Content-Security-Policy",
                      response->page ? PAGE_POLICY : DATA_POLICY);
    if (response->page) {
        evhttp_add_header(headers, "Referrer-Policy", "no-referrer");
        evhttp_add_header(headers, "Cross-Origin-Opener-Policy", "same-origin");
        evhttp_add_header(headers, "Cross-Origin-Resource-Policy", "same-origin");
        evhttp_add_header(headers, "Permissions-Policy",
                          "camera=(), geolocation=(), microphone=(), payment=()");
    }
}

/* What has a tag may be kept if it is asked about each time, the page's files by shared caches too;
 * the rest, tokens above all, may not. */
static const char *caching_of(const struct response *response)
{
    return response->etag[0] == '\0' ? "no-store"
           : response->page          ? "no-cache"
                                     : "private, no-cache";
}

/* The session in a cookie that no script can read and no other site can have sent; over TLS only
 * when the proxy says that it came so. */
static void add_cookie(struct evhttp_request *http, const struct response *response)
{
    const char *scheme =
        evhttp_find_header(evhttp_request_get_input_headers(http), "X-Forwarded-Proto");
    char cookie[160];

    snprintf(cookie, sizeof cookie,
             SESSION_COOKIE "=%s; Path=/; HttpOnly; SameSite=Strict; Max-Age=%lld%s",
             response->session, (long long)response->session_seconds,
             scheme != NULL && strcasecmp(scheme, "https") == 0 ? "; Secure" : "");
    evhttp_add_header(evhttp_request_get_output_headers(http), "Set-Cookie", cookie);
}

/* RFC 9110: "Mon, 30 Nov 2026 14:20:59 GMT". */
static const char *date_now(struct date *date)
{
    static const char *const DAYS[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char *const MONTHS[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    time_t now = time(NULL);
    struct tm utc;

    if (now != date->second && gmtime_r(&now, &utc) != NULL) {
        snprintf(date->text, sizeof date->text, "%s, %02u %s %4u %02u:%02u:%02u GMT",
                 DAYS[utc.tm_wday], (unsigned)utc.tm_mday % 100, MONTHS[utc.tm_mon],
                 (unsigned)(utc.tm_year + 1900) % 10000, (unsigned)utc.tm_hour % 100,
                 (unsigned)utc.tm_min % 100, (unsigned)utc.tm_sec % 100);
        date->second = now;
    }
    return date->text;
}

void headers_add(struct evhttp_request *http, const struct response *response,
                 const struct sending *sending)
{
    struct evkeyvalq *headers = evhttp_request_get_output_headers(http);
    char seconds[16];

    evhttp_add_header(headers, "Date", date_now(sending->date));
    evhttp_add_header(headers, "X-Request-Id", sending->id);
    cors_add(http, response, sending->origins);
    if (response->content_type != NULL) {
        evhttp_add_header(headers, "Content-Type", response->content_type);
        add_security(headers, response);
    }
    if (response->packed) {
        evhttp_add_header(headers, "Content-Encoding", "gzip");
    }
    if (response->varies) {
        evhttp_add_header(headers, "Vary", "Accept-Encoding");
    }
    evhttp_add_header(headers, "Cache-Control", caching_of(response));
    if (response->allow[0] != '\0') {
        evhttp_add_header(headers, "Allow", response->allow);
    }
    if (response->etag[0] != '\0') {
        evhttp_add_header(headers, "ETag", response->etag);
    }
    if (response->location[0] != '\0') {
        evhttp_add_header(headers, "Location", response->location);
    }
    if (response->session[0] != '\0' || response->session_over) {
        add_cookie(http, response);
    }
    if (response->status == 401) {
        evhttp_add_header(headers, "WWW-Authenticate", "Bearer");
    }
    if (response->status == 426) {
        evhttp_add_header(headers, "Upgrade", "websocket");
        evhttp_add_header(headers, "Sec-WebSocket-Version", "13");
    }
    if (response->retry_after > 0) {
        snprintf(seconds, sizeof seconds, "%d", response->retry_after);
        evhttp_add_header(headers, "Retry-After", seconds);
    }
    if (sending->replayed) {
        evhttp_add_header(headers, "Idempotency-Replayed", "true");
    }
    if (sending->close) {
        evhttp_add_header(headers, "Connection", "close");
    }
}
