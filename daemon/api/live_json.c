/* Events, snapshots and the rest as clients see them. */
#include "daemon/api/live_json.h"

#include <stdio.h>
#include <stdlib.h>

#include "daemon/api/game_json.h"
#include "daemon/think/describe.h"

/* Ends in a text; consumes the value. */
static char *to_text(json_t *value)
{
    char *text = value != NULL ? json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(6)) : NULL;

    json_decref(value);
    return text;
}

static json_t *present_of(const struct room *room)
{
    return json_pack("{s:b, s:b}", "white", room->present >> WHITE & 1, "black",
                     room->present >> BLACK & 1);
}

/* "4,27" as [4, 27]. */
static json_t *path_of(const char *text)
{
    json_t *path = json_array();
    char *end;

    for (; *text != '\0'; text = *end == ',' ? end + 1 : end) {
        json_array_append_new(path, json_integer(strtol(text, &end, 10)));
    }
    return path;
}

/* An event without the game. A hint's move is its player's alone, a friend's number nobody's. */
static json_t *describe_event(const struct event *event, int number)
{
    json_t *described = json_pack("{s:s, s:i, s:I}", "type", event_name(event->kind), "number",
                                  number, "at", (json_int_t)event->at);

    if (described == NULL) {
        return NULL;
    }
    if (event->kind != EVENT_EXPIRE) {
        json_object_set_new(described, "side", json_string(colour_word(event->side)));
    }
    if (event->kind == EVENT_MOVE) {
        json_object_set_new(described, "move", json_string(event->text));
    } else if (event->kind == EVENT_STEP) {
        json_object_set_new(described, "path", path_of(event->text));
    } else if (event->kind == EVENT_UNDO) {
        json_object_set_new(described, "plies", json_integer(atoi(event->text)));
    }
    return described;
}

char *live_snapshot(const struct room *room, int64_t person, const struct event *missed, int count)
{
    json_t *list = missed != NULL ? json_array() : json_null();

    for (int i = 0; missed != NULL && i < count; i++) {
        json_array_append_new(list,
                              describe_event(&missed[i], room->hosted.events - count + i + 1));
    }
    return to_text(json_pack("{s:s, s:i, s:o, s:o, s:o}", "type", "snapshot", "number",
                             room->hosted.events, "present", present_of(room), "missed", list,
                             "game", game_describe(room, person, NULL)));
}

char *live_event(const struct room *room, int64_t person, const struct event *event)
{
    json_t *described = describe_event(event, room->hosted.events);
    json_t *game = game_describe(room, person, NULL);

    if (described == NULL || json_object_set(described, "game", game) != 0) {
        json_decref(described);
        described = NULL;
    }
    json_decref(game);
    return to_text(described);
}

char *live_thinking(const struct room *room)
{
    return to_text(json_pack("{s:s, s:i, s:s}", "type", "thinking", "number", room->hosted.events,
                             "side", colour_word(colour_other(room->hosted.setup.host))));
}

char *live_over(const struct room *room)
{
    return to_text(json_pack("{s:s, s:i, s:o}", "type", "over", "number", room->hosted.events,
                             "outcome", game_outcome_json(&room->hosted)));
}

char *live_presence(const struct room *room)
{
    return to_text(json_pack("{s:s, s:i, s:o}", "type", "presence", "number", room->hosted.events,
                             "present", present_of(room)));
}

char *live_rematch(const struct room *room, enum colour side)
{
    return to_text(json_pack("{s:s, s:i, s:s}", "type", "rematch", "number", room->hosted.events,
                             "side", colour_word(side)));
}

char *live_problem(const struct room *room, const struct response *refusal)
{
    json_t *problem =
        refusal->body != NULL ? json_loadb(refusal->body, refusal->body_size, 0, NULL) : NULL;

    return to_text(json_pack("{s:s, s:i, s:o}", "type", "problem", "number", room->hosted.events,
                             "problem", problem));
}
