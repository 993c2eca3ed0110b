/* How many connections each address has open, and how quickly it asks: who comes too often is told
 * to wait.
 *
 * An address is an IPv4 address or the first 64 bits of an IPv6 one. The table has a fixed size; it
 * forgets first who has nothing open and has asked for nothing lately. On the event loop's thread;
 * nothing is stored. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct visitors;

struct visitors_limits {
    int64_t connections;   /* of one address; 0: any number */
    double requests;       /* a second, in the long run; 0: any number */
    const char *unlimited; /* addresses that are not limited, blanks between; not owned */
};

enum { VISITORS_BURST = 5 }; /* seconds of the long-run rate that may come at once */

/* secret[16] makes the table's order unknown to those who are in it. NULL when memory is out. */
struct visitors *visitors_create(const struct visitors_limits *limits,
                                 const unsigned char secret[16]);
/* Takes NULL. */
void visitors_destroy(struct visitors *visitors);

/* Counts a connection of a numeric address; false: it has as many as it may, and is not counted. */
bool visitors_enter(struct visitors *visitors, const char *address);
/* The end of a connection that was counted. */
void visitors_leave(struct visitors *visitors, const char *address);

/* Counts a request at `now`, clock_seconds. Returns 0 when it is granted, else the seconds until
 * the next one will be, rounded up. */
int visitors_ask(struct visitors *visitors, const char *address, double now);

/* Whose request it is where a proxy stands before the daemon: the last address of X-Forwarded-For,
 * which that proxy has added, in out[size]; false when there is none that can be read. */
bool visitors_forwarded(const char *forwarded_for, char *out, int size);
