/* The members of a game's state. */
#include "daemon/api/game_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "daemon/game/decide.h"
#include "daemon/game/idea.h"
#include "daemon/think/describe.h"
#include "engine/pdn/pdn_write.h"
#include "engine/rules/fen.h"

static const char *status_of(const struct hosted *hosted)
{
    return hosted_over(hosted)                                 ? "over"
           : hosted_waiting(hosted)                            ? "waiting"
           : hosted_thinking(hosted) || hosted_judging(hosted) ? "thinking"
                                                               : "playing";
}

static json_t *sides_of(const struct hosted *hosted, int64_t person)
{
    unsigned sides = hosted_sides(hosted, person);
    json_t *list = json_array();

    for (int side = 0; side < 2; side++) {
        if (sides >> side & 1) {
            json_array_append_new(list, json_string(colour_word((enum colour)side)));
        }
    }
    return list;
}

static json_t *played_of(const struct game *game)
{
    json_t *list = json_array();
    char text[MOVE_TEXT];

    for (int ply = 0; ply < game->plies; ply++) {
        move_write(game->variant->rules, &game->moves[ply], text);
        json_array_append_new(list, json_string(text));
    }
    return list;
}

json_t *game_outcome_json(const struct hosted *hosted)
{
    static const char *const RESULTS[] = {
        [OUTCOME_OPEN] = "none",
        [OUTCOME_WHITE_WINS] = "white wins",
        [OUTCOME_BLACK_WINS] = "black wins",
        [OUTCOME_DRAW] = "draw",
    };
    const char *reason;
    enum outcome outcome = hosted_outcome(hosted, &reason);

    return hosted_over(hosted)
               ? json_pack("{s:s, s:s}", "result", RESULTS[outcome], "reason", reason)
               : json_null();
}

/* The capture under way: where it has been, what it has taken and what still stands, where next. */
static json_t *half_of(const struct hosted *hosted)
{
    const struct rules *rules = hosted->setup.variant->rules;
    bitboard taken, next = decide_next(hosted, &taken);
    json_t *path = json_array();

    if (hosted->half_count == 0) {
        json_decref(path);
        return json_null();
    }
    for (int i = 0; i < hosted->half_count; i++) {
        json_array_append_new(path, json_integer(hosted->half[i]));
    }
    return json_pack("{s:o, s:o, s:o}", "path", path, "captures", describe_squares(rules, taken),
                     "next", describe_squares(rules, next));
}

/* With the weights that the computer plays with now. */
static json_t *level_of(const struct room *room)
{
    const struct hosted *hosted = &room->hosted;
    const struct level *level = &hosted->setup.level;
    const struct artefact_slot *slot = artefacts_of(room->artefacts, hosted->setup.variant);

    return hosted->setup.opponent == OPPONENT_COMPUTER
               ? json_pack("{s:i, s:s, s:s}", "number", level->number, "name", level->name,
                           "weights", slot->loaded ? slot->weights_id : hosted->setup.weights_id)
               : json_null();
}

/* The names of those who have one. */
static json_t *players_of(const struct room *room)
{
    const char *white = room->name[WHITE], *black = room->name[BLACK];

    return json_pack("{s:s?, s:s?}", "white", white[0] != '\0' ? white : NULL, "black",
                     black[0] != '\0' ? black : NULL);
}

static json_t *counters_of(const struct game *game)
{
    const struct rules *rules = game->variant->rules;

    return json_pack("{s:i, s:i, s:i, s:i}", "repetitions", game_repetitions(game),
                     "repetitions_to_draw", rules->repetitions_to_draw, "quiet_plies",
                     game_now(game)->quiet_plies, "quiet_plies_to_draw",
                     rules->quiet_plies_to_draw);
}

/* Why the move of the hint is a good one: {kind, text}; null without a hint, or for a spectator. */
static json_t *hint_idea_of(const struct hosted *hosted, int64_t person)
{
    const struct variant *variant = hosted->setup.variant;
    char text[IDEA_TEXT];
    struct move move;
    struct err err;

    if (hosted->hint[0] == '\0' || hosted_sides(hosted, person) == 0 ||
        !move_read(variant, game_now(&hosted->game), hosted->hint, &move, &err)) {
        return json_null();
    }
    enum idea idea = idea_of(variant, game_now(&hosted->game), &move);
    idea_write(idea, &move, text);
    return json_pack("{s:s, s:s}", "kind", idea_name(idea), "text", text);
}

/* What concerns the players and not the board. */
static json_t *around_of(const struct room *room, int64_t person, const char *token)
{
    const struct hosted *hosted = &room->hosted;
    char join[LOCATION_SIZE + 8], start[FEN_SIZE];
    bool open = hosted_waiting(hosted) && hosted_sides(hosted, person) != 0;

    snprintf(join, sizeof join, "/v1/games/%s/join", room->id);
    fen_write(hosted->setup.variant->rules, &hosted->setup.start, start);
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:s?, s:i, s:i, s:s?, s:o, s:s?, s:o, s:o, s:o, s:i, "
        "s:I, "
        "s:I,"
        " s:s*, s:s*}",
        "id", room->id, "opponent", opponent_name(hosted->setup.opponent), "status",
        status_of(hosted), "start", start, "you", sides_of(hosted, person), "players",
        players_of(room), "level", level_of(room), "spoiled_by",
        hosted->setup.opponent == OPPONENT_COMPUTER ? hosted_spoiled(hosted) : NULL, "undos",
        hosted->undos, "hints", hosted->hints, "hint",
        hosted->hint[0] != '\0' && hosted_sides(hosted, person) != 0 ? hosted->hint : NULL,
        "hint_idea", hint_idea_of(hosted, person), "draw_offer",
        hosted->offered ? colour_word(hosted->offerer) : NULL, "half_made", half_of(hosted),
        "counters", counters_of(&hosted->game), "played", played_of(&hosted->game), "events",
        hosted->events, "created", (json_int_t)hosted->setup.created, "changed",
        (json_int_t)hosted->changed, "invitation", open ? join : NULL, "token", token);
}

void game_etag(const struct room *room, int64_t person, char out[ETAG_SIZE])
{
    snprintf(out, ETAG_SIZE, "\"%d-%u\"", room->hosted.events, hosted_sides(&room->hosted, person));
}

json_t *game_describe(const struct room *room, int64_t person, const char *token)
{
    json_t *state = describe_moves(&room->hosted.game);
    json_t *around = around_of(room, person, token);
    json_t *outcome = game_outcome_json(&room->hosted);
    bool made =
        state != NULL && around != NULL && outcome != NULL &&
        json_object_update(state, around) == 0 && json_object_set(state, "outcome", outcome) == 0 &&
        (!hosted_over(&room->hosted) || json_object_set_new(state, "moves", json_array()) == 0);

    json_decref(around);
    json_decref(outcome);
    if (!made) {
        json_decref(state);
        return NULL;
    }
    return state;
}

struct response game_state(const struct room *room, int64_t person, int status, const char *token)
{
    struct response response =
        response_json(status, "application/json", game_describe(room, person, token));

    if (token == NULL) { /* what has a tag may be kept */
        game_etag(room, person, response.etag);
    }
    return response;
}

struct response game_pdn(const struct room *room)
{
    const struct hosted *hosted = &room->hosted;
    const bool computer = hosted->setup.opponent == OPPONENT_COMPUTER;
    struct response response = {.status = 500};
    char date[16] = "????.??.??", level[64];
    const char *name[2] = {room->name[WHITE], room->name[BLACK]}, *reason;
    struct tm utc;

    if (gmtime_r(&hosted->setup.created, &utc) != NULL) {
        strftime(date, sizeof date, "%Y.%m.%d", &utc);
    }
    snprintf(level, sizeof level, "Draughtsmith, level %d %s", hosted->setup.level.number,
             hosted->setup.level.name);
    if (computer) {
        name[colour_other(hosted->setup.host)] = level;
    }
    for (int side = 0; side < 2; side++) {
        name[side] = name[side][0] != '\0' ? name[side] : "Player";
    }
    const struct pdn_tag tags[] = {{"Event", "Game on draughtsd"},
                                   {"Site", room->id},
                                   {"Date", date},
                                   {"White", name[WHITE]},
                                   {"Black", name[BLACK]}};
    FILE *out = open_memstream(&response.body, &response.body_size);
    if (out == NULL) {
        return response;
    }
    pdn_write(out, tags, sizeof tags / sizeof tags[0], &hosted->game,
              hosted_outcome(hosted, &reason), NULL);
    if (fclose(out) != 0) {
        response_fini(&response);
        return response;
    }
    response.status = 200;
    response.content_type = "text/plain; charset=utf-8";
    return response;
}
