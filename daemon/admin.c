/* Commands over the store. The daemon sees what they have done with its next look: a session that
 * is none any more is refused. */
#include "daemon/admin.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "daemon/api/identity.h"
#include "daemon/loop/settings.h"
#include "daemon/store/store_people.h"
#include "daemon/store/store_progress.h"
#include "daemon/store/store_services.h"
#include "engine/base/commands.h"
#include "engine/base/file.h"
#include "engine/base/streams.h"

/* One command with the store open. */
struct admin {
    struct command_line line;
    struct store *store;
    struct names *names;
};

static const struct settings *settings_of(const struct invocation *invocation)
{
    return invocation->program->settings;
}

static bool admin_open(struct admin *admin, const struct invocation *invocation, struct err *err)
{
    const char *path = settings_of(invocation)->store_file;

    if (!file_exists(path)) {
        return err_set(err, ERR_USAGE, "there is no %s: store.file names the daemon's store", path);
    }
    admin->store = store_open(path, settings_of(invocation)->max_megabytes, err);
    admin->names = admin->store != NULL ? names_create(err) : NULL;
    return admin->names != NULL;
}

/* Parses the command line and lets `act` do the rest with the store open. */
static bool with_store(const struct invocation *invocation, const char *operands, size_t count,
                       bool (*act)(struct admin *admin, struct err *err), struct err *err)
{
    struct admin admin = {.store = NULL};

    if (!invocation_parse(invocation, NULL, 0, operands, count, &admin.line, err)) {
        return false;
    }
    if (admin.line.finished) {
        return true;
    }
    bool done = admin_open(&admin, invocation, err) && act(&admin, err);
    names_destroy(admin.names);
    store_close(admin.store);
    return done;
}

/* The player of the first operand. */
static bool find_player(struct admin *admin, struct person *player, struct err *err)
{
    const char *text = admin->line.operands[0];
    struct name name;
    bool found;

    *player = (struct person){0};
    if (!name_read(admin->names, text, &name, err)) {
        return err_prefix(err, "'%s'", text);
    }
    if (!store_person_named(admin->store, name.key, player, &found, err)) {
        return false;
    }
    return found || err_set(err, ERR_FAILED, "nobody is called '%s'", text);
}

/* Stores a change that happens now. */
static bool store_now(struct admin *admin, struct change *change, struct err *err)
{
    change->at = (int64_t)time(NULL);
    store_write(admin->store, change);
    return change->status == CHANGE_STORED || err_set(err, ERR_FAILED, "%s", change->detail);
}

/* --- players --------------------------------------------------------------------------------- */

static bool act_rename(struct admin *admin, struct err *err)
{
    struct change change = {.parts = CHANGE_RENAME};
    struct person player;

    if (!find_player(admin, &player, err)) {
        return false;
    }
    if (!name_read(admin->names, admin->line.operands[1], &change.name, err)) {
        return err_prefix(err, "'%s'", admin->line.operands[1]);
    }
    change.person = player.id;
    if (!store_now(admin, &change, err)) {
        return change.status == CHANGE_CONFLICT
                   ? err_set(err, ERR_FAILED, "somebody is called '%s', or looks like it",
                             change.name.text)
                   : false;
    }
    printf("%s is called %s now\n", player.name, change.name.text);
    return true;
}

static bool act_ban(struct admin *admin, struct err *err)
{
    struct change change = {.parts = CHANGE_BAN | CHANGE_LOGOUT, .all_ended = true, .banned = true};
    struct person player;

    if (!find_player(admin, &player, err)) {
        return false;
    }
    change.person = player.id;
    if (admin->line.operand_count > 1) {
        snprintf(change.label, sizeof change.label, "%s", admin->line.operands[1]);
    }
    if (!store_now(admin, &change, err)) {
        return false;
    }
    printf("%s is banned\n", player.name);
    return true;
}

static bool act_unban(struct admin *admin, struct err *err)
{
    struct change change = {.parts = CHANGE_BAN};
    struct person player;

    if (!find_player(admin, &player, err)) {
        return false;
    }
    change.person = player.id;
    if (!store_now(admin, &change, err)) {
        return false;
    }
    printf("%s may play again\n", player.name);
    return true;
}

static bool take_random(void *out, size_t size, struct err *err)
{
    return getrandom(out, size, 0) == (ssize_t)size ||
           err_set(err, ERR_FAILED, "no random numbers");
}

static bool act_reset(struct admin *admin, struct err *err)
{
    struct change change = {.parts = CHANGE_PASSWORD | CHANGE_RECOVERY | CHANGE_LOGOUT,
                            .all_ended = true};
    unsigned char bytes[RECOVERY_BYTES];
    struct person player;

    if (!find_player(admin, &player, err) || !take_random(bytes, sizeof bytes, err)) {
        return false;
    }
    change.person = player.id;
    recovery_make(bytes, change.recovery_code, change.recovery);
    if (!store_now(admin, &change, err)) {
        return false;
    }
    printf("recovery code of %s: %s\n", player.name, change.recovery_code);
    return true;
}

static bool act_delete(struct admin *admin, struct err *err)
{
    struct change change = {.parts = CHANGE_FORGET};
    struct person player;

    if (!find_player(admin, &player, err)) {
        return false;
    }
    change.person = player.id;
    if (!store_now(admin, &change, err)) {
        return false;
    }
    printf("%s is deleted\n", player.name);
    return true;
}

/* --- levels and keys ------------------------------------------------------------------------- */

/* a / b as text, "-" when b is 0. */
static void ratio(int64_t a, int64_t b, double scale, char out[16])
{
    if (b > 0) {
        snprintf(out, 16, "%.1f", scale * (double)a / (double)b);
    } else {
        snprintf(out, 16, "-");
    }
}

static bool act_levels(struct admin *admin, struct err *err)
{
    struct level_results rows[RESULTS_MAX];
    char clear_rate[16], to_clear[16], win_rate[16];
    int count;

    if (!store_results(admin->store, rows, &count, err)) {
        return false;
    }
    printf("%-13s %5s  %-8s %7s %7s %6s %8s %9s\n", "rules", "level", "name", "people", "clear %",
           "games", "won %", "to clear");
    for (int i = 0; i < count; i++) {
        ratio(rows[i].cleared, rows[i].people, 100.0, clear_rate);
        ratio(rows[i].wins, rows[i].games, 100.0, win_rate);
        ratio(rows[i].games_to_clear, rows[i].cleared, 1.0, to_clear);
        printf("%-13s %5d  %-8s %7" PRId64 " %7s %6" PRId64 " %8s %9s\n", rows[i].rules,
               rows[i].level, level_name(rows[i].level), rows[i].people, clear_rate, rows[i].games,
               win_rate, to_clear);
    }
    return true;
}

static bool list_keys(struct admin *admin, struct err *err)
{
    struct service_key keys[SERVICES_MAX];
    int count;

    if (!store_services(admin->store, keys, &count, err)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        printf("%s\t%" PRId64 " users%s\n", keys[i].name, keys[i].users,
               keys[i].revoked ? "\trevoked" : "");
    }
    return true;
}

static bool act_keys(struct admin *admin, struct err *err)
{
    struct change change = {.parts = 0};
    unsigned char bytes[TOKEN_BYTES];

    if (admin->line.operand_count == 0) {
        return list_keys(admin, err);
    }
    const char *verb = admin->line.operands[0];
    if (admin->line.operand_count != 2 ||
        (strcmp(verb, "add") != 0 && strcmp(verb, "revoke") != 0)) {
        return err_set(err, ERR_USAGE, "keys, keys add NAME or keys revoke NAME");
    }
    const bool add = strcmp(verb, "add") == 0;
    snprintf(change.label, sizeof change.label, "%s", admin->line.operands[1]);
    change.parts = add ? CHANGE_SERVICE : CHANGE_REVOKE;
    if (!take_random(bytes, sizeof bytes, err)) {
        return false;
    }
    token_make(bytes, change.secret, change.token);
    if (!store_now(admin, &change, err)) {
        return change.status == CHANGE_CONFLICT
                   ? err_set(err, ERR_FAILED, "%s key is called '%s'", add ? "another" : "no valid",
                             change.label)
                   : false;
    }
    if (add) {
        printf("key of %s: %s\n", change.label, change.secret);
    } else {
        printf("the key of %s is revoked\n", change.label);
    }
    return true;
}

/* --- the table ------------------------------------------------------------------------------- */

static bool command_rename(const struct invocation *invocation, struct err *err)
{
    return with_store(invocation, "NAME NEW", 2, act_rename, err);
}

static bool command_ban(const struct invocation *invocation, struct err *err)
{
    return with_store(invocation, "NAME [REASON]...", 1, act_ban, err);
}

static bool command_unban(const struct invocation *invocation, struct err *err)
{
    return with_store(invocation, "NAME", 1, act_unban, err);
}

static bool command_reset(const struct invocation *invocation, struct err *err)
{
    return with_store(invocation, "NAME", 1, act_reset, err);
}

static bool command_delete(const struct invocation *invocation, struct err *err)
{
    return with_store(invocation, "NAME", 1, act_delete, err);
}

static bool command_levels(const struct invocation *invocation, struct err *err)
{
    return with_store(invocation, "", 0, act_levels, err);
}

static bool command_keys(const struct invocation *invocation, struct err *err)
{
    return with_store(invocation, "[add NAME | revoke NAME]...", 0, act_keys, err);
}

static const struct command_entry COMMANDS[] = {
    {"rename", "Gives a player another name.", command_rename},
    {"ban", "Closes an account, its sessions too; REASON is told at log-in.", command_ban},
    {"unban", "Opens a closed account again.", command_unban},
    {"reset", "Makes a new recovery code, takes the password away and ends all sessions.",
     command_reset},
    {"delete", "Deletes a player, with the games that are theirs alone.", command_delete},
    {"levels", "Shows how people fare against each level.", command_levels},
    {"keys", "Lists the keys of other back ends, makes one, or revokes one.", command_keys},
};

int admin_main(int argc, char *argv[])
{
    struct settings settings;
    struct program program = {.name = "draughtsd admin",
                              .summary = "What an operator does to the store (store.file), while "
                                         "the daemon runs or not.",
                              .settings = &settings};
    struct invocation invocation;
    struct err err = {0};

    program.options = settings_table(&program.option_count);
    bool ok = streams_reserve(&err) && identity_init(&err) &&
              invocation_find(&program, COMMANDS, sizeof COMMANDS / sizeof COMMANDS[0], argc - 1,
                              argv + 1, &invocation, &err) &&
              (invocation.command == NULL || invocation.command->run(&invocation, &err)) &&
              output_flush(&err);
    return ok ? 0 : command_fail(&program, &err);
}
