/* Strict checks of the headers that decide where a request ends and whom it is for. */
#include "daemon/net/framing.h"

#include <string.h>
#include <strings.h>

#include "daemon/net/problem.h"

struct counts {
    int host, length, encoding;
};

/* RFC 9110: 1*tchar. */
static bool is_token(const char *text)
{
    const char *at = text;

    while ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') ||
           (*at != '\0' && strchr("!#$%&'*+-.^_`|~", *at) != NULL)) {
        at++;
    }
    return at > text && *at == '\0';
}

static bool is_number(const char *text)
{
    size_t digits = strspn(text, "0123456789");

    return digits > 0 && digits <= 18 && text[digits] == '\0';
}

static bool check_one(const struct evkeyval *header, struct counts *counts,
                      struct response *refusal)
{
    if (!is_token(header->key)) {
        *refusal = problem(PROBLEM_BAD_REQUEST, NULL, "a header's name is not a token");
        return false;
    }
    if (strcasecmp(header->key, "Host") == 0) {
        counts->host++;
    } else if (strcasecmp(header->key, "Content-Length") == 0) {
        counts->length++;
        if (!is_number(header->value)) {
            *refusal = problem(PROBLEM_BAD_REQUEST, "Content-Length", "not a whole number");
            return false;
        }
    } else if (strcasecmp(header->key, "Transfer-Encoding") == 0) {
        counts->encoding++;
        if (strcasecmp(header->value, "chunked") != 0) {
            *refusal = problem(PROBLEM_BAD_REQUEST, "Transfer-Encoding", "only chunked is read");
            return false;
        }
    }
    return true;
}

bool framing_check(const struct evkeyvalq *headers, bool host_wanted, bool body_wanted,
                   struct response *refusal)
{
    struct counts counts = {.host = 0};

    for (const struct evkeyval *header = headers->tqh_first; header != NULL;
         header = header->next.tqe_next) {
        if (!check_one(header, &counts, refusal)) {
            return false;
        }
    }
    if (counts.host > 1 || (host_wanted && counts.host == 0)) {
        *refusal = problem(PROBLEM_BAD_REQUEST, "Host", "must be there exactly once");
        return false;
    }
    if (counts.length + counts.encoding > 1) {
        *refusal =
            problem(PROBLEM_BAD_REQUEST, "Content-Length", "the body's length is told twice");
        return false;
    }
    if (counts.encoding > 0 && !host_wanted) {
        *refusal = problem(PROBLEM_BAD_REQUEST, "Transfer-Encoding", "not in HTTP/1.0");
        return false;
    }
    if (body_wanted && counts.length + counts.encoding == 0) {
        *refusal = problem(PROBLEM_LENGTH, "Content-Length", "missing");
        return false;
    }
    return true;
}
