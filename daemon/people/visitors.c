/* A table of addresses with a bucket of requests each. */
#include "daemon/people/visitors.h"

#include <arpa/inet.h>
#include <math.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { SEATS = 1 << 15, NEIGHBOURS = 8 };

struct visitor {
    uint64_t key; /* 0: an empty seat */
    int connections;
    double until; /* what has been asked counts until then: clock_seconds */
};

struct visitors {
    struct visitors_limits limits;
    unsigned char secret[crypto_shorthash_KEYBYTES];
    struct visitor seat[SEATS];
};

_Static_assert(crypto_shorthash_KEYBYTES == 16 && crypto_shorthash_BYTES == 8,
               "as visitors.h says");

struct visitors *visitors_create(const struct visitors_limits *limits,
                                 const unsigned char secret[16])
{
    struct visitors *visitors = calloc(1, sizeof *visitors);

    if (visitors != NULL) {
        visitors->limits = *limits;
        memcpy(visitors->secret, secret, sizeof visitors->secret);
    }
    return visitors;
}

void visitors_destroy(struct visitors *visitors)
{
    free(visitors);
}

static bool is_unlimited(const struct visitors *visitors, const char *address)
{
    const char *list = visitors->limits.unlimited;
    size_t size = strlen(address);

    while (*list != '\0') {
        list += strspn(list, " ,");
        size_t length = strcspn(list, " ,");
        if (length == size && memcmp(list, address, size) == 0) {
            return true;
        }
        list += length;
    }
    return false;
}

/* The bits of an address that are counted, hashed. */
static uint64_t key_of(const struct visitors *visitors, const char *address)
{
    struct in6_addr bits;
    uint64_t key;

    memset(&bits, 0, sizeof bits);
    if (inet_pton(AF_INET6, address, &bits) == 1) {
        memset(bits.s6_addr + 8, 1, 8); /* so that no IPv4 address has the same */
    } else if (inet_pton(AF_INET, address, bits.s6_addr) != 1) {
        return 1;
    }
    crypto_shorthash((unsigned char *)&key, bits.s6_addr, sizeof bits.s6_addr, visitors->secret);
    return key != 0 ? key : 1;
}

/* The seat of an address, given to it if it has none; NULL when all near it are taken by addresses
 * with connections. */
static struct visitor *seat_of(struct visitors *visitors, const char *address)
{
    uint64_t key = key_of(visitors, address);
    struct visitor *free_seat = NULL;

    for (uint64_t i = 0; i < NEIGHBOURS; i++) {
        struct visitor *seat = &visitors->seat[(key + i) % SEATS];
        if (seat->key == key) {
            return seat;
        }
        if (seat->connections == 0 && (free_seat == NULL || seat->until < free_seat->until)) {
            free_seat = seat;
        }
    }
    if (free_seat != NULL) {
        *free_seat = (struct visitor){.key = key};
    }
    return free_seat;
}

bool visitors_enter(struct visitors *visitors, const char *address)
{
    if (visitors->limits.connections == 0 || is_unlimited(visitors, address)) {
        return true;
    }
    struct visitor *seat = seat_of(visitors, address);
    if (seat == NULL || seat->connections >= visitors->limits.connections) {
        return false;
    }
    seat->connections++;
    return true;
}

void visitors_leave(struct visitors *visitors, const char *address)
{
    if (visitors->limits.connections == 0 || is_unlimited(visitors, address)) {
        return;
    }
    struct visitor *seat = seat_of(visitors, address);
    if (seat != NULL && seat->connections > 0) {
        seat->connections--;
    }
}

int visitors_ask(struct visitors *visitors, const char *address, double now)
{
    const double rate = visitors->limits.requests;

    if (!(rate > 0.0) || is_unlimited(visitors, address)) {
        return 0;
    }
    struct visitor *seat = seat_of(visitors, address);
    if (seat == NULL) {
        return 0; /* its connections are what is counted then */
    }
    /* The generic cell rate algorithm (ITU-T I.371): each request counts for 1 / rate seconds. */
    double after = (seat->until > now ? seat->until : now) + 1.0 / rate;
    if (after - now > VISITORS_BURST + 1.0 / rate) {
        return (int)ceil(after - now - VISITORS_BURST);
    }
    seat->until = after;
    return 0;
}

bool visitors_forwarded(const char *forwarded_for, char *out, int size)
{
    unsigned char bits[sizeof(struct in6_addr)];

    if (forwarded_for == NULL) {
        return false;
    }
    const char *last = strrchr(forwarded_for, ',');
    last = last != NULL ? last + 1 : forwarded_for;
    last += strspn(last, " \t");
    size_t length = strcspn(last, " \t");
    if (length >= (size_t)size || last[length + strspn(last + length, " \t")] != '\0') {
        return false;
    }
    memcpy(out, last, length);
    out[length] = '\0';
    return inet_pton(AF_INET, out, bits) == 1 || inet_pton(AF_INET6, out, bits) == 1;
}
