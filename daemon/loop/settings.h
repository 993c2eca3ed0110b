/* The daemon's settings. */
#pragma once

#include "engine/base/options.h"

struct settings {
    char listen[OPTION_VALUE];
    int64_t max_connections;
    double timeout, drain;                           /* seconds */
    char hosts[OPTION_VALUE], origins[OPTION_VALUE]; /* lists as origin.h has them */
    int64_t connections_per_address, keep_alive;
    double requests_per_second;
    char unlimited[OPTION_VALUE]; /* a list as visitors.h has it */
    bool forwarded;
    char access_log[OPTION_VALUE];
    char weights_dir[OPTION_VALUE];
    int64_t threads, queue;
    double analysis_seconds;
    char store_file[OPTION_VALUE];
    int64_t max_megabytes, games_in_memory;
    bool all_levels;
    int64_t games_days, guests_days;
    int64_t hash_threads, session_days;
    int64_t signups_per_hour, logins_per_hour;
    int64_t claim_patience, expire_patience; /* seconds */
    char dxp_listen[OPTION_VALUE];           /* "": none */
    int64_t dxp_level, dxp_clients;
    double dxp_patience; /* seconds */
    double ping;         /* seconds */
    int64_t live_buffer; /* kilobytes */
    bool echo;
};

/* The table that reads them. */
const struct option *settings_table(size_t *count);
