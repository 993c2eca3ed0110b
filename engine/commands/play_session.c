/* A game against a level: whose turn it is, what is said, and how it ends. */
#include "engine/commands/play_session.h"

#include <string.h>

#include "engine/pdn/pdn_move.h"
#include "engine/pdn/pdn_write.h"
#include "engine/rules/fen.h"
#include "engine/rules/notation.h"
#include "engine/rules/refusal.h"
#include "engine/search/search.h"

/* Nodes of a hint and of the judgement of a draw offered, and the plies before which none is
 * agreed to. */
enum { JUDGE_NODES = 200000, DRAW_PLIES_MIN = 40 };

/* Half-moves without a capture or a man's move from which on they are shown by themselves. */
enum { QUIET_SHOWN = 20 };

static enum colour turn_of(const struct play *play)
{
    return (enum colour)game_now(&play->game)->turn;
}

static enum outcome outcome_of(const struct play *play, enum end_reason *reason)
{
    *reason = END_NONE;
    return play->given != OUTCOME_OPEN ? play->given : game_outcome(&play->game, reason);
}

static bool is_over(const struct play *play)
{
    enum end_reason reason;
    return outcome_of(play, &reason) != OUTCOME_OPEN;
}

/* --- what is shown --------------------------------------------------------------------------- */

void play_show_board(const struct play *play, FILE *out)
{
    char text[BOARD_TEXT];
    struct board_style style = {play->setup.side == BLACK, play->setup.colour};

    board_text(play->game.variant->rules, game_now(&play->game), style, text);
    fputs(text, out);
}

void play_show_moves(const struct play *play, FILE *out)
{
    struct move_list list;

    play->game.variant->moves(game_now(&play->game), &list);
    for (int i = 0; i < list.count; i++) {
        char text[PDN_MOVE_TEXT];
        pdn_move_write(play->game.variant, game_now(&play->game), &list.move[i], text);
        fprintf(out, "%s%s", text, i + 1 < list.count ? " " : "\n");
    }
    if (list.count == 0) {
        fprintf(out, "%s has no legal move.\n", colour_name(turn_of(play)));
    }
}

void play_show_counters(const struct play *play, FILE *out)
{
    const struct rules *rules = play->game.variant->rules;
    int times = game_repetitions(&play->game);

    fprintf(out,
            "This position has occurred %d time%s, the %drd is a draw; %d of %d half-moves without "
            "a capture or a man's move.\n",
            times, times == 1 ? "" : "s", rules->repetitions_to_draw,
            game_now(&play->game)->quiet_plies, rules->quiet_plies_to_draw);
}

void play_show_level(const struct play *play, FILE *out)
{
    const struct level *level = &play->setup.level;
    char budget[LEVEL_BUDGET];

    level_budget(level, budget);
    fprintf(out,
            "Level %d, %s: Elo %.0f over Beginner, +- %.0f against the mean of the levels; "
            "plays by %s.\n",
            level->number, level->name, level->elo, level->elo_error, budget);
}

static void show_end(const struct play *play, FILE *out)
{
    enum end_reason reason;
    enum outcome outcome = outcome_of(play, &reason);

    if (outcome == OUTCOME_DRAW) {
        fprintf(out, "Draw: %s.\n", reason == END_NONE ? "agreed" : end_reason_name(reason));
        return;
    }
    enum colour loser = outcome == OUTCOME_WHITE_WINS ? BLACK : WHITE;
    fprintf(out, "%s wins: %s %s.\n", colour_name(colour_other(loser)), colour_name(loser),
            reason == END_NONE        ? "resigns"
            : reason == END_NO_PIECES ? "has no piece left"
                                      : "has no legal move");
}

/* What a person has to know before moving. */
static void show_turn(const struct play *play, FILE *out)
{
    const struct position *now = game_now(&play->game);

    play_show_board(play, out);
    if (is_over(play)) {
        show_end(play, out);
        return;
    }
    if (now->quiet_plies >= QUIET_SHOWN || game_repetitions(&play->game) > 1) {
        play_show_counters(play, out);
    }
    if (play->game.variant->can_capture(now, turn_of(play))) {
        fputs("You must capture.\n", out);
    }
}

void play_prompt(const struct play *play, FILE *out)
{
    if (is_over(play)) {
        fputs("game over> ", out);
    } else {
        fprintf(out, "%s to move> ", colour_name(turn_of(play)));
    }
}

/* --- the game -------------------------------------------------------------------------------- */

bool play_init(struct play *play, const struct play_setup *setup, const struct game *game,
               const struct weights *weights, struct err *err)
{
    *play = (struct play){.setup = *setup, .given = OUTCOME_OPEN};
    bool ok = game_init(&play->game, game->variant, &game->positions[0]);
    for (int ply = 0; ok && ply < game->plies; ply++) {
        ok = game_play(&play->game, &game->moves[ply]);
    }
    if (!ok) {
        return err_set(err, ERR_FAILED, "out of memory");
    }
    play->search = search_create(game->variant, weights, LEVEL_TABLE_BITS, err);
    return play->search != NULL;
}

void play_fini(struct play *play)
{
    search_destroy(play->search);
    game_fini(&play->game);
    *play = (struct play){0};
}

static bool push(struct play *play, const struct move *move, struct err *err)
{
    return game_play(&play->game, move) || err_set(err, ERR_FAILED, "out of memory");
}

/* The computer's move, if it is its turn; then what the person has to know. */
static bool reply(struct play *play, FILE *out, struct err *err)
{
    if (!is_over(play) && turn_of(play) != play->setup.side) {
        char text[PDN_MOVE_TEXT];
        struct search_result result =
            level_play(&play->setup.level, play->search, &play->game, play->setup.seed);
        pdn_move_write(play->game.variant, game_now(&play->game), &result.best, text);
        fprintf(out, "%s (%s) plays %s\n", colour_name(turn_of(play)), play->setup.level.name,
                text);
        if (!push(play, &result.best, err)) {
            return false;
        }
    }
    show_turn(play, out);
    return true;
}

bool play_begin(struct play *play, FILE *out, struct err *err)
{
    fprintf(out, "%s. You play %s (%s). Type help for the commands.\n",
            play->game.variant->rules->title, colour_name(play->setup.side),
            play->setup.side == WHITE ? "w" : "b");
    play_show_level(play, out);
    return reply(play, out, err);
}

bool play_move(struct play *play, const char *text, FILE *out, struct err *err)
{
    struct move move;
    struct refusal refusal;

    if (is_over(play)) {
        fputs("The game is over: undo takes back, save FILE keeps it, quit leaves.\n", out);
        return true;
    }
    if (!move_read_or_explain(play->game.variant, game_now(&play->game), text, &move, &refusal)) {
        fprintf(out, "No: %s.\n", refusal.text);
        return true;
    }
    return push(play, &move, err) && reply(play, out, err);
}

void play_undo(struct play *play, FILE *out)
{
    if (play->given != OUTCOME_OPEN) {
        play->given = OUTCOME_OPEN;
    } else {
        int back = turn_of(play) == play->setup.side ? 2 : 1;
        if (play->game.plies < back) {
            fputs("You have made no move yet.\n", out);
            return;
        }
        while (back-- > 0) {
            game_take_back(&play->game);
        }
    }
    show_turn(play, out);
}

/* What a search thinks of the present position, the person being to move. */
static struct search_result judge(struct play *play)
{
    struct search_limits limits = {.nodes = JUDGE_NODES};

    search_clear(play->search);
    return search_run(play->search, &play->game, &limits, NULL, NULL);
}

void play_hint(struct play *play, FILE *out)
{
    char text[PDN_MOVE_TEXT];

    if (is_over(play)) {
        fputs("The game is over.\n", out);
        return;
    }
    struct search_result result = judge(play);
    pdn_move_write(play->game.variant, game_now(&play->game), &result.best, text);
    if (result.score > SCORE_OPEN_MAX || result.score < -SCORE_OPEN_MAX) {
        fprintf(out, "Hint: %s, it %s.\n", text, result.score > 0 ? "wins" : "loses all the same");
    } else {
        fprintf(out, "Hint: %s, worth %+.2f men for you.\n", text, result.score / 100.0);
    }
}

void play_resign(struct play *play, FILE *out)
{
    if (!is_over(play)) {
        play->given = play->setup.side == WHITE ? OUTCOME_BLACK_WINS : OUTCOME_WHITE_WINS;
    }
    show_end(play, out);
}

void play_draw(struct play *play, FILE *out)
{
    if (is_over(play)) {
        show_end(play, out);
        return;
    }
    play_show_counters(play, out);
    if (play->game.plies < DRAW_PLIES_MIN) {
        fprintf(out, "Declined: no draw is agreed before %d moves each.\n", DRAW_PLIES_MIN / 2);
    } else if (judge(play).score < 0) {
        fputs("Declined: the computer thinks that it is ahead.\n", out);
    } else {
        play->given = OUTCOME_DRAW;
        show_end(play, out);
    }
}

void play_write(const struct play *play, const char *date, FILE *out)
{
    char computer[64];
    enum end_reason reason;
    bool white = play->setup.side == WHITE;

    snprintf(computer, sizeof computer, "Draughtsmith, level %d %s", play->setup.level.number,
             play->setup.level.name);
    const struct pdn_tag tags[] = {
        {"Event", "Game at a terminal"},
        {"Date", date},
        {"White", white ? "Player" : computer},
        {"Black", white ? computer : "Player"},
    };
    pdn_write(out, tags, sizeof tags / sizeof tags[0], &play->game, outcome_of(play, &reason),
              NULL);
}
