/* The table of the daemon's settings. */
#include "daemon/settings.h"

#include <stddef.h>

#include "engine/level.h"

static const struct option TABLE[] = {
    /* section, key, type, place, default, least, most, choices, help */
    {"http", "listen", OPTION_TEXT, offsetof(struct settings, listen), "127.0.0.1:8080", 0, 0, NULL,
     "address and port to listen on; [::1]:8080 for IPv6; port 0 takes a free one"},
    {"http", "max_connections", OPTION_INT, offsetof(struct settings, max_connections), "1000", 1,
     100000, NULL, "open connections at most; further ones wait to be accepted"},
    {"http", "timeout", OPTION_REAL, offsetof(struct settings, timeout), "10", 0.1, 3600, NULL,
     "seconds a request may take to arrive, seconds it may take to be answered"},
    {"http", "drain", OPTION_REAL, offsetof(struct settings, drain), "0", 0, 3600, NULL,
     "seconds between SIGTERM (/readyz says no) and the closing of the port"},
    {"http", "hosts", OPTION_TEXT, offsetof(struct settings, hosts), "", 0, 0, NULL,
     "names it is served under beside localhost and numeric addresses, with blanks between"},
    {"http", "origins", OPTION_TEXT, offsetof(struct settings, origins), "", 0, 0, NULL,
     "other sites whose pages may use it, https://example.org, with blanks between"},
    {"http", "connections_per_address", OPTION_INT,
     offsetof(struct settings, connections_per_address), "100", 0, 100000, NULL,
     "connections of one address, /64 in IPv6; one more is answered 429; 0: any number"},
    {"http", "requests_per_second", OPTION_REAL, offsetof(struct settings, requests_per_second),
     "50", 0, 1e6, NULL, "that one address may send, five seconds' worth at once; 0: any number"},
    {"http", "unlimited", OPTION_TEXT, offsetof(struct settings, unlimited), "127.0.0.1 ::1", 0, 0,
     NULL, "addresses without these two limits, with blanks between"},
    {"http", "forwarded", OPTION_BOOL, offsetof(struct settings, forwarded), "off", 0, 0, NULL,
     "the client's address is the last of X-Forwarded-For: only behind a proxy that adds it"},
    {"http", "keep_alive", OPTION_INT, offsetof(struct settings, keep_alive), "100000", 1, 1e9,
     NULL, "requests on one connection; behind the last it is closed"},
    {"http", "access_log", OPTION_TEXT, offsetof(struct settings, access_log), "", 0, 0, NULL,
     "file of a line for each request, opened anew by SIGHUP; -: standard error; empty: none"},
    {"weights", "dir", OPTION_TEXT, offsetof(struct settings, weights_dir), "data", 0, 0, NULL,
     "directory of international.h5, classic.h5 and flying.h5"},
    {"search", "threads", OPTION_INT, offsetof(struct settings, threads), "0", 0, 1024, NULL,
     "search threads; 0: one for each processor"},
    {"search", "queue", OPTION_INT, offsetof(struct settings, queue), "64", 1, 100000, NULL,
     "searches that may wait; one more is answered 503"},
    {"search", "analysis", OPTION_REAL, offsetof(struct settings, analysis_seconds), "5", 0.001,
     3600, NULL, "seconds an analysis may take, whatever it asks for"},
    {"store", "file", OPTION_TEXT, offsetof(struct settings, store_file), "draughtsd.db", 0, 0,
     NULL, "SQLite file of games, people and sessions; made when it is missing"},
    {"store", "max_megabytes", OPTION_INT, offsetof(struct settings, max_megabytes), "0", 0,
     1 << 24, NULL, "size it may have; above, what would be stored is answered 507; 0: any"},
    {"accounts", "hash_threads", OPTION_INT, offsetof(struct settings, hash_threads), "1", 1, 64,
     NULL, "threads that hash passwords, each with 19 MiB"},
    {"accounts", "session_days", OPTION_INT, offsetof(struct settings, session_days), "90", 1, 3650,
     NULL, "days after a log-in until the next one is needed"},
    {"accounts", "signups_per_hour", OPTION_INT, offsetof(struct settings, signups_per_hour), "20",
     0, 1000000, NULL, "accounts that one address may make in an hour; 0: any number"},
    {"accounts", "logins_per_hour", OPTION_INT, offsetof(struct settings, logins_per_hour), "30", 0,
     1000000, NULL,
     "log-ins that one address may get wrong in an hour, and for one name; 0: any number"},
    {"games", "in_memory", OPTION_INT, offsetof(struct settings, games_in_memory), "10000", 1,
     10000000, NULL, "games held in memory; others are read from the store when asked for"},
    {"games", "all_levels", OPTION_BOOL, offsetof(struct settings, all_levels), "no", 0, 0, NULL,
     "every level is open to everybody, as for a club; else a win on the one below opens it"},
    {"games", "claim", OPTION_INT, offsetof(struct settings, claim_patience), "300", 1, 31536000,
     NULL, "seconds after which the game of a friend who has gone can be claimed"},
    {"games", "expire", OPTION_INT, offsetof(struct settings, expire_patience), "1209600", 1,
     315360000, NULL, "seconds without any event after which a game is over without a result"},
    {"live", "ping", OPTION_REAL, offsetof(struct settings, ping), "30", 0.1, 3600, NULL,
     "seconds of silence before a WebSocket is pinged, and again before it is dropped"},
    {"live", "buffer", OPTION_INT, offsetof(struct settings, live_buffer), "256", 16, 1 << 20, NULL,
     "kilobytes that may wait for a WebSocket whose client reads slowly; more: it is dropped"},
    {"live", "echo", OPTION_BOOL, offsetof(struct settings, echo), "off", 0, 0, NULL,
     "serve /v1/echo, a WebSocket that sends back what it gets, for conformance runs"},
    {"dxp", "listen", OPTION_TEXT, offsetof(struct settings, dxp_listen), "", 0, 0, NULL,
     "address and port for programs that speak DXP, 127.0.0.1:27531; empty: none"},
    {"dxp", "level", OPTION_INT, offsetof(struct settings, dxp_level), "6", 1, LEVELS_MAX, NULL,
     "level of the international rules that they play"},
    {"dxp", "clients", OPTION_INT, offsetof(struct settings, dxp_clients), "8", 1, 1000, NULL,
     "programs at once; one more is closed"},
    {"dxp", "patience", OPTION_REAL, offsetof(struct settings, dxp_patience), "3600", 0.1, 1e6,
     NULL, "seconds a program may say nothing before it is closed"},
};

const struct option *settings_table(size_t *count)
{
    *count = sizeof TABLE / sizeof TABLE[0];
    return TABLE;
}
