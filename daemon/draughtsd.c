/* draughtsd, the play daemon: settings, weights, then the server until a signal ends it. */
#include <stdio.h>
#include <string.h>

#include "daemon/admin.h"
#include "daemon/loop/server.h"
#include "daemon/loop/settings.h"
#include "daemon/maintain.h"
#include "daemon/net/listen.h"
#include "daemon/think/artefacts.h"
#include "engine/base/command.h"
#include "engine/base/streams.h"

static const struct command COMMAND = {
    .name = "",
    .operands = "",
    .summary = "serves rules, legal moves, games and the moves of six measured levels over HTTP",
};

/* One line for each rule set. */
static void log_artefacts(const struct log *log, const struct artefacts *artefacts)
{
    for (int i = 0; i < VARIANT_COUNT; i++) {
        const struct artefact_slot *slot = &artefacts->slot[i];
        const struct level_set *set = &slot->artefact.levels;
        if (slot->loaded && set->count > 0) {
            log_line(log, LOG_INFO, "%s: weights %s, %d levels from %.0f to %.0f Elo",
                     variant_at(i)->rules->name, slot->weights_id, set->count, set->level[0].elo,
                     set->level[set->count - 1].elo);
        }
    }
}

static bool serve(const struct settings *settings, const struct log *log, struct err *err)
{
    struct artefacts *artefacts = artefacts_load(settings->weights_dir, log, err);

    if (artefacts == NULL) {
        return false;
    }
    log_artefacts(log, artefacts);
    struct server *server = server_create(settings, artefacts, log, err);
    if (server == NULL) {
        artefacts_release(artefacts);
        return false;
    }
    bool served = server_run(server, err);
    server_destroy(server);
    return served;
}

static bool check(const void *settings, struct err *err)
{
    const struct settings *wanted = settings;

    return (listen_check(wanted->listen, err) || err_prefix(err, "http.listen")) &&
           (wanted->dxp_listen[0] == '\0' || listen_check(wanted->dxp_listen, err) ||
            err_prefix(err, "dxp.listen"));
}

int main(int argc, char *argv[])
{
    struct settings settings;
    struct program program = {
        .name = "draughtsd", .summary = "the play daemon", .settings = &settings, .check = check};
    struct command_line line;
    struct err err;

    if (maintain_is(argc, argv)) {
        return maintain_main(argc, argv);
    }
    if (argc > 1 && strcmp(argv[1], "admin") == 0) {
        return admin_main(argc, argv);
    }
    program.options = settings_table(&program.option_count);
    if (!streams_reserve(&err) || !command_parse(&program, &COMMAND, argc, argv, 1, &line, &err) ||
        !(line.finished ? output_flush(&err) : serve(&settings, &line.log, &err))) {
        return command_fail(&program, &err);
    }
    return 0;
}
