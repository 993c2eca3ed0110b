/* From the settings to what requests are answered from: the store, the threads, the tables. */
#include "daemon/loop/service_open.h"

#include <sys/random.h>
#include <unistd.h>

#include "daemon/loop/play.h"

enum {
    WRITES_WAITING = 4096,
    HASHES_WAITING = 64, /* two seconds of one thread */
    DAY_SECONDS = 86400,
};

static int thread_count(const struct settings *settings)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);

    return settings->threads > 0 ? (int)settings->threads : processors > 0 ? (int)processors : 1;
}

/* Two connections to the store: one that is read on this thread, one that is written by another. */
static bool open_store(struct service *service, const struct settings *settings, struct err *err)
{
    struct store *writing = store_open(settings->store_file, settings->max_megabytes, err);

    if (writing == NULL) {
        return false;
    }
    service->writer = writer_create(writing, WRITES_WAITING, err);
    if (service->writer == NULL) {
        store_close(writing);
        return false;
    }
    struct store *reading = store_open(settings->store_file, 0, err);
    rooms_init(&service->rooms, reading, (int)settings->games_in_memory);
    return reading != NULL;
}

/* What accounts need: names, limits, threads that hash. */
static bool open_accounts(struct service *service, const struct settings *settings, struct err *err)
{
    unsigned char secret[16];

    if (getrandom(secret, sizeof secret, 0) != sizeof secret) {
        return err_set(err, ERR_FAILED, "no random numbers");
    }
    service->all_levels = settings->all_levels;
    service->session_seconds = settings->session_days * DAY_SECONDS;
    service->signups_per_hour = settings->signups_per_hour;
    service->logins_per_hour = settings->logins_per_hour;
    service->quota = quota_create(secret);
    if (service->quota == NULL) {
        return err_set(err, ERR_FAILED, "out of memory");
    }
    service->names = names_create(err);
    service->hasher = service->names != NULL
                          ? hasher_create((int)settings->hash_threads, HASHES_WAITING, err)
                          : NULL;
    return service->hasher != NULL;
}

/* The limits of an address, the access log. */
static bool open_guard(struct service *service, const struct settings *settings, struct err *err)
{
    const struct visitors_limits limits = {.connections = settings->connections_per_address,
                                           .requests = settings->requests_per_second,
                                           .unlimited = settings->unlimited};
    unsigned char secret[16];

    if (!random_take(&service->random, secret, sizeof secret)) {
        return err_set(err, ERR_FAILED, "no random numbers");
    }
    service->requests_per_second = settings->requests_per_second;
    service->forwarded = settings->forwarded;
    service->keep_alive = settings->keep_alive;
    service->visitors = visitors_create(&limits, secret);
    service->replays = replays_create();
    if (service->visitors == NULL || service->replays == NULL) {
        return err_set(err, ERR_FAILED, "out of memory");
    }
    service->access_log = access_log_open(settings->access_log, err);
    return service->access_log != NULL || settings->access_log[0] == '\0';
}

bool service_open(struct service *service, const struct settings *settings, struct err *err)
{
    service->timeout = settings->timeout;
    service->analysis_seconds = settings->analysis_seconds;
    service->queue = (int)settings->queue;
    service->claim_patience = settings->claim_patience;
    service->expire_patience = settings->expire_patience;
    service->lists = (struct origin_lists){.hosts = settings->hosts, .origins = settings->origins};
    service->echo = settings->echo;
    if (!identity_init(err) || !open_store(service, settings, err) ||
        !open_accounts(service, settings, err) || !open_guard(service, settings, err)) {
        return false;
    }
    service->pool = pool_create(thread_count(settings), (int)settings->queue, err);
    return service->pool != NULL;
}

void service_close(struct service *service)
{
    hasher_destroy(service->hasher);
    pool_destroy(service->pool);
    play_end(service);
    artefacts_release(service->artefacts);
    quota_destroy(service->quota);
    visitors_destroy(service->visitors);
    replays_destroy(service->replays);
    access_log_close(service->access_log);
    names_destroy(service->names);
}
