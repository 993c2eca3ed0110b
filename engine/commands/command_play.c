/* `draughts play`: a game at a terminal, or from a script. What is said comes from
 * engine/commands/play_session.h; here are the flags, the input and the files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/number.h"
#include "engine/base/streams.h"
#include "engine/commands/draughts.h"
#include "engine/commands/play_session.h"

/* The command's flags as text; NULL: not given. */
struct play_flags {
    const char *rules, *fen, *moves, *level, *side, *seed, *weights;
};

/* A seed that differs from call to call. */
static uint64_t fresh_seed(void)
{
    char stamp[CLOCK_STAMP];
    uint64_t seed = (uint64_t)(clock_seconds() * 1e9) ^ (uint64_t)getpid() << 32;

    clock_stamp(stamp);
    for (const char *at = stamp; *at != '\0'; at++) {
        seed = 31 * seed + (unsigned char)*at;
    }
    return seed;
}

static bool read_side(const char *text, enum colour *out, struct err *err)
{
    if (text == NULL || strcmp(text, "white") == 0) {
        *out = WHITE;
    } else if (strcmp(text, "black") == 0) {
        *out = BLACK;
    } else {
        return err_set(err, ERR_USAGE, "--side: '%s' is neither white nor black", text);
    }
    return true;
}

/* The level that is asked for, with the weights it was measured with. */
static bool read_level(const struct invocation *invocation, const struct log *log,
                       const struct variant *variant, const struct play_flags *flags,
                       struct artefact *artefact, struct level *out, struct err *err)
{
    long long number;

    if (flags->level == NULL) {
        return err_set(err, ERR_USAGE, "--level is missing: 1 (Beginner) to %d (Master)",
                       LEVELS_MAX);
    }
    if (!number_integer(flags->level, "--level", 1, LEVELS_MAX, &number, err) ||
        !draughts_artefact(invocation, log, variant, flags->weights, artefact, err)) {
        return false;
    }
    if (artefact->levels.count == 0) {
        return err_set(err, ERR_USAGE,
                       "these weights have no measured levels, `draughts-train "
                       "calibrate` measures them");
    }
    *out = artefact->levels.level[number - 1];
    return true;
}

static bool read_setup(const struct play_flags *flags, struct play_setup *out, struct err *err)
{
    const char *no_colour = getenv("NO_COLOR");
    long long seed = 0;

    if (!read_side(flags->side, &out->side, err) ||
        (flags->seed != NULL && !number_integer(flags->seed, "--seed", 0, INT64_MAX, &seed, err))) {
        return false;
    }
    out->seed = flags->seed != NULL ? (uint64_t)seed : fresh_seed();
    out->colour = isatty(STDOUT_FILENO) && (no_colour == NULL || no_colour[0] == '\0');
    return true;
}

/* Writes the game to a file; what goes wrong is told and the game goes on. */
static bool save(const struct play *play, const char *path)
{
    struct err err = {0};
    char *text = NULL, date[CLOCK_STAMP];
    size_t size;

    clock_stamp(date);
    date[4] = date[7] = '.';
    date[10] = '\0';
    FILE *memory = open_memstream(&text, &size);
    if (memory == NULL) {
        return false;
    }
    play_write(play, date, memory);
    bool ok = fclose(memory) == 0;
    if (ok) {
        bool written = file_replace(path, text, size, &err);
        printf("%s%s\n", written ? "Saved as " : "Not saved: ", written ? path : err.text);
    }
    free(text);
    return ok;
}

/* Takes one line, without its end. *quit when it was the last. */
static bool take_line(struct play *play, char *line, bool *quit, struct err *err)
{
    enum play_wish wish;
    const char *file;

    line[strcspn(line, "\r\n")] = '\0';
    for (size_t length = strlen(line); length > 0 && line[length - 1] == ' '; length--) {
        line[length - 1] = '\0';
    }
    if (!play_line(play, line, stdout, &wish, &file, err)) {
        return false;
    }
    *quit = wish == PLAY_QUIT;
    if (wish == PLAY_SAVE && !save(play, file)) {
        return err_set(err, ERR_FAILED, "out of memory");
    }
    return true;
}

/* Lines from standard input until it ends. */
static bool play_lines(struct play *play, struct err *err)
{
    bool prompts = isatty(STDIN_FILENO), quit = false, ok = play_begin(play, stdout, err);
    char *line = NULL;
    size_t capacity = 0;

    while (ok && !quit) {
        if (prompts) {
            play_prompt(play, stdout);
        }
        ok = output_flush(err);
        if (!ok || getline(&line, &capacity, stdin) < 0) {
            break;
        }
        ok = take_line(play, line, &quit, err);
    }
    if (prompts && ok && !quit) {
        printf("\n"); /* behind the prompt that the end of the input answered */
    }
    free(line);
    return ok;
}

static bool run_play(const struct invocation *invocation, const struct log *log,
                     const struct play_flags *flags, struct err *err)
{
    struct play_setup setup;
    struct artefact artefact = {0};
    struct game game;
    struct play play = {0};
    const struct variant *variant = variant_of_flag(flags->rules, err);

    if (variant == NULL || !read_setup(flags, &setup, err) ||
        !game_of_flags(variant, flags->fen, flags->moves, &game, err)) {
        return false;
    }
    bool ok = read_level(invocation, log, variant, flags, &artefact, &setup.level, err) &&
              play_init(&play, &setup, &game, &artefact.weights, err) && play_lines(&play, err);
    play_fini(&play);
    game_fini(&game);
    weights_fini(&artefact.weights);
    return ok;
}

bool command_play(const struct invocation *invocation, struct err *err)
{
    struct play_flags given = {0};
    const struct flag flags[] = {
        flag_rules(&given.rules),
        {0, "level", "N", "the computer's, 1 (Beginner) to 6 (Master)", &given.level},
        {0, "side", "COLOUR", "yours: white (default) or black", &given.side},
        flag_position(&given.fen),
        flag_moves(&given.moves),
        {0, "seed", "N", "of the level's random choices; default: another each time", &given.seed},
        flag_weights(&given.weights),
    };
    struct command_line line;

    if (!invocation_parse(invocation, flags, sizeof flags / sizeof flags[0], "", 0, &line, err)) {
        return false;
    }
    return line.finished || run_play(invocation, &line.log, &given, err);
}
