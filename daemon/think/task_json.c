/* Scores, moves and lines of a finished search as JSON. */
#include "daemon/think/task_json.h"

#include <math.h>

#include "daemon/net/problem.h"
#include "daemon/think/describe.h"
#include "engine/rules/fen.h"
#include "engine/rules/notation.h"

/* A score with its unit and the side it is seen from; with a fitted scale also what that side may
 * expect of the game, 1 a win, 0.5 a draw, and how likely each result is. null when nothing was
 * searched.
 *
 * The fit takes a draw for half a win: its loss is the likelihood of two independent halves, each
 * won with probability e = 1 / (1 + exp(-K * score / 100)). So the scale says P(win) = e^2, P(draw)
 * = 2 e (1 - e), P(loss) = (1 - e)^2, which is Davidson's model of ties with nu = 2 (Davidson,
 * "On extending the Bradley-Terry model to accommodate ties", JASA 65, 1970). */
static json_t *describe_score(const struct task *task, const struct search_result *result,
                              enum colour side)
{
    double scale = artefacts_of(task->artefacts, task->game.variant)->artefact.provenance.scale;

    if (result->depth == 0) {
        return json_null();
    }
    json_t *score = json_pack("{s:i, s:s, s:s}", "value", result->score, "unit",
                              "hundredths of a man", "side", colour_word(side));
    if (score == NULL || !(scale > 0.0)) {
        return score;
    }
    double e = 1.0 / (1.0 + exp(-scale * result->score / 100.0));
    json_t *likely = json_pack("{s:f, s:f, s:f, s:f}", "expected", e, "win", e * e, "draw",
                               2.0 * e * (1.0 - e), "loss", (1.0 - e) * (1.0 - e));
    if (likely == NULL || json_object_update(score, likely) != 0) {
        json_decref(score);
        score = NULL;
    }
    json_decref(likely);
    return score;
}

static const char *weights_of(const struct task *task)
{
    return artefacts_of(task->artefacts, task->game.variant)->weights_id;
}

struct response task_answer(struct task *task, const struct search_result *result)
{
    const struct rules *rules = task->game.variant->rules;
    enum colour side = (enum colour)game_now(&task->game)->turn;
    char move[MOVE_TEXT], fen[FEN_SIZE];

    if (!result->has_move || !game_play(&task->game, &result->best)) {
        return problem(PROBLEM_INTERNAL, NULL, "the search gave no move");
    }
    move_write(rules, &result->best, move);
    fen_write(rules, game_now(&task->game), fen);
    json_t *body =
        json_pack("{s:s, s:s, s:i, s:i, s:o, s:s, s:i, s:o, s:o, s:I, s:i, s:i, s:I, s:s}", "rules",
                  rules->name, "move", move, "from", bit_to_square(rules, result->best.from), "to",
                  bit_to_square(rules, result->best.to), "captures",
                  describe_squares(rules, result->best.taken), "fen", fen, "quiet_plies",
                  game_now(&task->game)->quiet_plies, "outcome", describe_outcome(&task->game),
                  "score", describe_score(task, result, side), "nodes", (json_int_t)result->nodes,
                  "depth", result->depth, "level", task->level.number, "seed",
                  (json_int_t)task->seed, "weights", weights_of(task));
    return response_json(200, "application/json", body);
}

/* The moves of the best line. */
static json_t *describe_line(const struct rules *rules, const struct search_result *result)
{
    json_t *line = json_array();
    char text[MOVE_TEXT];

    for (int i = 0; i < result->pv_length; i++) {
        move_write(rules, &result->pv[i], text);
        if (json_array_append_new(line, json_string(text)) != 0) {
            json_decref(line);
            return NULL;
        }
    }
    return line;
}

struct response task_analysis(const struct task *task, const struct search_result *result)
{
    const struct rules *rules = task->game.variant->rules;
    const struct position *now = game_now(&task->game);
    char move[MOVE_TEXT], fen[FEN_SIZE];

    if (!result->has_move) {
        return problem(PROBLEM_INTERNAL, NULL, "the search gave no move");
    }
    move_write(rules, &result->best, move);
    fen_write(rules, now, fen);
    json_t *body = json_pack(
        "{s:s, s:s, s:s, s:i, s:s, s:o, s:o, s:i, s:i, s:I, s:i, s:s}", "rules", rules->name, "fen",
        fen, "turn", colour_word((enum colour)now->turn), "quiet_plies", now->quiet_plies, "move",
        move, "line", describe_line(rules, result), "score",
        describe_score(task, result, (enum colour)now->turn), "depth", result->depth, "seldepth",
        result->seldepth, "nodes", (json_int_t)result->nodes, "time_ms",
        (int)(result->seconds * 1e3), "weights", weights_of(task));
    return response_json(200, "application/json", body);
}
