/* A Hub engine that misbehaves on request: fake_hub MODE [GO]
 *
 * It plays the first legal move of each position until the GO-th `go` of its life (the first when
 * left out), where it does what MODE says; `well` plays on for ever. Modes that spoil the start do
 * so whatever GO is. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/hub/hub_line.h"
#include "engine/hub/hub_text.h"
#include "engine/rules/notation.h"

static const struct variant *variant = &variant_international;
static struct game game;

static void take_position(const struct hub_line *line)
{
    const char *position = hub_line_value(line, "pos"), *moves = hub_line_value(line, "moves");
    struct position start;
    struct err err;

    game_fini(&game);
    if (!position || !hub_position_read(variant->rules, position, &start, &err) ||
        !game_init(&game, variant, &start) || !game_play_text(&game, moves ? moves : "", &err)) {
        printf("error message=\"%s\"\n", err.text);
        exit(9);
    }
}

static void answer(void)
{
    struct move_list list;
    char text[MOVE_TEXT];

    variant->moves(game_now(&game), &list);
    move_write(variant->rules, &list.move[0], text);
    printf("info depth=1 score=-0.25 nodes=7 pv=\"%s\"\ndone move=%s\n", text, text);
}

static void flood(const char *text)
{
    for (;;) {
        fputs(text, stdout);
    }
}

static void misbehave(const char *mode)
{
    if (strcmp(mode, "crash") == 0) {
        raise(SIGKILL); /* which no sanitizer takes for itself */
    } else if (strcmp(mode, "exit") == 0) {
        exit(3);
    } else if (strcmp(mode, "close") == 0) {
        close(STDOUT_FILENO);
        pause();
    } else if (strcmp(mode, "hang") == 0) {
        pause();
    } else if (strcmp(mode, "late") == 0) {
        sleep(2);
        answer();
    } else if (strcmp(mode, "flood") == 0) {
        flood("info depth=1\n");
    } else if (strcmp(mode, "endless") == 0) {
        flood("no end of line ");
    } else if (strcmp(mode, "babble") == 0) {
        flood("Hello, world!\n");
    } else if (strcmp(mode, "mumble") == 0) {
        printf("thinking...\n"); /* and no more */
    } else if (strcmp(mode, "garbage") == 0) {
        printf("done move=\"\x01\xff nonsense\"\n");
    } else if (strcmp(mode, "illegal") == 0) {
        printf("done move=1-50\n");
    } else if (strcmp(mode, "none") == 0) {
        printf("done\n");
    } else if (strcmp(mode, "twice") == 0) {
        answer();
        answer();
    } else if (strcmp(mode, "last") == 0) {
        answer();
        exit(0);
    } else {
        answer();
    }
}

static void spoil_start(const char *mode, const char *command)
{
    if (strcmp(command, "hub") == 0 && strcmp(mode, "mute") == 0) {
        pause();
    }
    if (strcmp(command, "init") == 0) {
        if (strcmp(mode, "exit-init") == 0) {
            exit(4);
        }
        if (strcmp(mode, "unready") == 0) {
            pause();
        }
    }
}

static void set_parameter(const struct hub_line *line)
{
    const char *name = hub_line_value(line, "name"), *value = hub_line_value(line, "value");

    for (int i = 0; i < VARIANT_COUNT; i++) {
        if (strcmp(name, "variant") == 0 && strcmp(value, variant_at(i)->rules->hub_name) == 0) {
            variant = variant_at(i);
        }
    }
}

int main(int argc, char *argv[])
{
    const char *mode = argc > 1 ? argv[1] : "well";
    int wrong = argc > 2 ? atoi(argv[2]) : 1, asked = 0;
    static char text[HUB_LINE];
    struct hub_line line;

    while (fflush(stdout) == 0 && fgets(text, sizeof text, stdin) &&
           hub_line_parse(text, &line, NULL)) {
        spoil_start(mode, line.command);
        if (strcmp(line.command, "hub") == 0) {
            printf("id name=Fake version=1\n"
                   "param name=variant value=normal type=enum values=\"%s\"\nwait\n",
                   strcmp(mode, "narrow") == 0 ? "frisian" : "normal classic flying");
        } else if (strcmp(line.command, "set-param") == 0) {
            set_parameter(&line);
        } else if (strcmp(line.command, "init") == 0) {
            printf("ready\n");
        } else if (strcmp(line.command, "pos") == 0) {
            take_position(&line);
        } else if (strcmp(line.command, "go") == 0) {
            if (++asked == wrong) {
                misbehave(mode);
            } else {
                answer();
            }
        } else if (strcmp(line.command, "quit") == 0 && strcmp(mode, "stay") != 0) {
            return 0;
        }
    }
    return 0;
}
