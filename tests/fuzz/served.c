#include "served.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/rules/fen.h"

enum { ANN = 11, BEN, CREATED = 1000000000 };

static const int64_t NEVER = INT64_C(1) << 40;

static struct artefacts *make_artefacts(void)
{
    struct artefacts *artefacts = artefacts_create();

    fuzz_require(artefacts != NULL, "there is memory");
    for (int i = 0; i < VARIANT_COUNT; i++) {
        struct artefact artefact;
        artefact_builtin(variant_at(i), &artefact);
        artefact.levels.count = LEVELS_MAX;
        artefact.provenance.scale = 0.6;
        snprintf(artefact.levels.model, LEVEL_MODEL, "score-logistic");
        for (int n = 0; n < LEVELS_MAX; n++) {
            struct level *level = &artefact.levels.level[n];
            *level = (struct level){
                .number = n + 1, .nodes = n == 0 ? 0 : 20u << n, .depth = n, .elo = 200.0 * n};
            snprintf(level->name, LEVEL_NAME, "%s", level_name(n + 1));
        }
        artefacts_put(artefacts, &artefact);
    }
    return artefacts;
}

static void store_one(struct store *store, struct change change)
{
    store_write(store, &change);
    fuzz_require(change.status == CHANGE_STORED, change.detail);
}

/* A change that gives a person a session, or a back end its key. */
static struct change with_token(struct served *served, int who, unsigned parts)
{
    struct change change = {.parts = parts, .at = CREATED, .expires = NEVER};
    unsigned char bytes[TOKEN_BYTES];

    memset(bytes, who + 1, sizeof bytes);
    token_make(bytes, served->token[who], change.token);
    return change;
}

static void add_people(struct served *served, struct store *store)
{
    struct change ann =
        with_token(served, SERVED_ANN, CHANGE_PERSON | CHANGE_ACCOUNT | CHANGE_SESSION);
    struct change ben = with_token(served, SERVED_BEN, CHANGE_PERSON | CHANGE_SESSION);
    struct change shop = with_token(served, SERVED_SHOP, CHANGE_SERVICE);

    ann.person = ANN;
    snprintf(ann.name.text, sizeof ann.name.text, "Ann");
    snprintf(ann.name.key, sizeof ann.name.key, "ann");
    snprintf(ann.name.look[0], sizeof ann.name.look[0], "ann");
    snprintf(ann.name.look[1], sizeof ann.name.look[1], "ann");
    snprintf(ann.password, sizeof ann.password, "hash");
    recovery_hash("abcde-fghij-klmno-pqrst", ann.recovery);
    ben.person = BEN;
    snprintf(shop.label, sizeof shop.label, "shop");
    store_one(store, ann);
    store_one(store, ben);
    store_one(store, shop);
}

static void add_game(struct store *store, const char *id, const struct variant *variant,
                     enum opponent opponent, const char *fen)
{
    struct change change = {.parts = CHANGE_GAME, .person = ANN, .at = CREATED};
    struct hosted_setup *setup = &change.setup;
    struct err err;

    snprintf(change.game, sizeof change.game, "%s", id);
    *setup = (struct hosted_setup){.variant = variant,
                                   .start = position_start(variant->rules),
                                   .opponent = opponent,
                                   .host = variant->rules->opener,
                                   .host_person = ANN,
                                   .seed = 4711,
                                   .created = CREATED};
    if (fen != NULL) {
        fuzz_require(fen_read(variant->rules, fen, &setup->start, &err), err.text);
        setup->set_up = true;
        setup->host = (enum colour)setup->start.turn;
    }
    if (opponent == OPPONENT_COMPUTER) {
        setup->level = (struct level){.number = 2, .nodes = 24, .depth = 3};
        snprintf(setup->level.name, LEVEL_NAME, "%s", level_name(2));
    }
    store_one(store, change);
}

static void add_event(struct store *store, const char *id, int number, enum event_kind kind,
                      enum colour side, const char *text, unsigned parts)
{
    struct change change = {.parts = CHANGE_EVENT | parts,
                            .person = ANN,
                            .at = CREATED + 1,
                            .number = number,
                            .event = {.kind = kind, .side = side, .at = CREATED + 1},
                            .outcome = OUTCOME_WHITE_WINS,
                            .result = RESULT_LOST};

    snprintf(change.game, sizeof change.game, "%s", id);
    snprintf(change.event.text, sizeof change.event.text, "%s", text);
    store_one(store, change);
}

static void add_games(struct store *store)
{
    char ben[24];

    snprintf(ben, sizeof ben, "%d", (int)BEN);
    add_game(store, "computer", &variant_international, OPPONENT_COMPUTER, NULL);
    add_event(store, "computer", 1, EVENT_MOVE, WHITE, "32-28", 0);
    add_event(store, "computer", 2, EVENT_MOVE, BLACK, "18-23", 0);
    add_game(store, "capture", &variant_international, OPPONENT_LOCAL, "W:WK4,50:B1,13,20,32,37");
    add_game(store, "waiting", &variant_classic, OPPONENT_FRIEND, NULL);
    add_game(store, "friend", &variant_flying, OPPONENT_FRIEND, NULL);
    add_event(store, "friend", 1, EVENT_JOIN, BLACK, ben, 0);
    add_game(store, "over", &variant_classic, OPPONENT_COMPUTER, NULL);
    add_event(store, "over", 1, EVENT_RESIGN, BLACK, "", CHANGE_END | CHANGE_RESULT);
}

void served_make(struct served *served)
{
    struct err err = {0};

    fuzz_require(identity_init(&err), err.text);
    snprintf(served->directory, sizeof served->directory, "/tmp/fuzz.XXXXXX");
    fuzz_require(mkdtemp(served->directory) != NULL, "a temporary directory can be made");
    snprintf(served->store, sizeof served->store, "%s/games.db", served->directory);
    served->artefacts = make_artefacts();
    struct store *store = store_open(served->store, 0, &err);
    fuzz_require(store != NULL, err.text);
    add_people(served, store);
    add_games(store);
    store_close(store);
}

void served_remove(const struct served *served)
{
    static const char *const SUFFIXES[] = {"", "-wal", "-shm"};
    char path[sizeof served->store + 8];

    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s%s", served->store, SUFFIXES[i]);
        unlink(path);
    }
    rmdir(served->directory);
}
