/* The pieces of work, and how the programs' answers are read. */
#include "tests/bench/work.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/search/bench.h"

/* Perft of the opening position: to a depth that takes some tenths of a second, with the number of
 * leaves on record in tests/data/perft.tsv, and to one for counting instructions. By
 * variant_index. */
static const struct {
    int depth, counted_depth;
    uint64_t leaves;
} PERFT[VARIANT_COUNT] = {{9, 6, 41022423}, {10, 8, 18391564}, {10, 8, 18375375}};

/* The bench's positions, deeper than for its signature so that they take some tenths of a second,
 * and less deep for counting instructions. */
enum { SEARCH_DEPTH = BENCH_DEPTH + 2, SEARCH_COUNTED_DEPTH = BENCH_DEPTH - 6 };

const char *work_name(enum work_kind kind)
{
    static const char *const NAMES[WORK_KINDS] = {"perft", "search", "depth"};
    return NAMES[kind];
}

static void make_perft(struct work *work)
{
    const char *rules = work->variant->rules->name;
    int index = variant_index(work->variant);

    work->count = 1;
    work->expected = PERFT[index].leaves;
    snprintf(work->call[0], SAMPLE_CALL, "perft -q -r %s %d", rules, PERFT[index].depth);
    snprintf(work->counted, SAMPLE_CALL, "perft -q -r %s %d", rules, PERFT[index].counted_depth);
}

static void make_search(struct work *work)
{
    const char *rules = work->variant->rules->name;

    work->count = 1;
    snprintf(work->call[0], SAMPLE_CALL, "bench -q -r %s --depth %d", rules, SEARCH_DEPTH);
    snprintf(work->counted, SAMPLE_CALL, "bench -q -r %s --depth %d", rules, SEARCH_COUNTED_DEPTH);
}

/* One line of positions.tsv, "rules depth fen", if it is one of the rule set. */
static void take_position(struct work *work, const char *line)
{
    char rules[16], depth[8], fen[256];

    if (line[0] != '#' && sscanf(line, "%15s %7s %255s", rules, depth, fen) == 3 &&
        strcmp(rules, work->variant->rules->name) == 0 && work->count < WORK_POSITIONS) {
        snprintf(work->call[work->count++], SAMPLE_CALL, "search -q -r %s -p %s --depth %s", rules,
                 fen, depth);
    }
}

static bool make_depth(struct work *work, const char *positions, struct err *err)
{
    for (const char *line = positions; line && *line;) {
        const char *end = strchr(line, '\n');
        take_position(work, line);
        line = end ? end + 1 : NULL;
    }
    return work->count > 0 ||
           err_set(err, ERR_USAGE, "no positions of %s to be searched", work->variant->rules->name);
}

bool work_make(struct work *work, enum work_kind kind, const struct variant *variant,
               const char *positions, struct err *err)
{
    *work = (struct work){.kind = kind, .variant = variant};
    switch (kind) {
    case WORK_PERFT:
        make_perft(work);
        return true;
    case WORK_SEARCH:
        make_search(work);
        return true;
    default:
        return make_depth(work, positions, err);
    }
}

/* The last line that begins with `word`, or NULL. */
static const char *last_line(const char *output, const char *word)
{
    const char *found = NULL;
    size_t length = strlen(word);

    for (const char *line = output; line && *line;) {
        if (strncmp(line, word, length) == 0) {
            found = line;
        }
        const char *end = strchr(line, '\n');
        line = end ? end + 1 : NULL;
    }
    return found;
}

/* FNV-1a of a line. */
static uint64_t line_hash(const char *line)
{
    uint64_t hash = 0xcbf29ce484222325U;

    for (; *line && *line != '\n'; line++) {
        hash = (hash ^ (unsigned char)*line) * 0x100000001b3U;
    }
    return hash;
}

/* Nodes and move of a call's output. */
static bool read_answer(enum work_kind kind, const char *output, uint64_t *nodes, uint64_t *move)
{
    static const char *const LINES[WORK_KINDS] = {"", "total ", "info "};
    const char *line = last_line(output, LINES[kind]);
    const char *best = kind == WORK_DEPTH ? last_line(output, "bestmove ") : "";

    if (!line || !best) {
        return false;
    }
    *move = kind == WORK_DEPTH ? line_hash(best) : 0;
    switch (kind) {
    case WORK_PERFT:
        return sscanf(line, "%*d %" SCNu64, nodes) == 1;
    case WORK_SEARCH:
        return sscanf(line, "total %" SCNu64, nodes) == 1;
    default:
        line = strstr(line, " nodes ");
        return line && sscanf(line, " nodes %" SCNu64, nodes) == 1;
    }
}

/* The same call with depth 1. */
static void shallow(const char *call, char out[SAMPLE_CALL])
{
    const char *depth = strrchr(call, ' ');

    snprintf(out, SAMPLE_CALL, "%.*s 1", (int)(depth - call), call);
}

/* One call, its start taken off. */
static bool do_call(const struct work *work, int index, const char *program, struct sample *sample,
                    struct deed *out, struct err *err)
{
    char start[SAMPLE_CALL];
    uint64_t nodes;

    shallow(work->call[index], start);
    if (!sample_run(program, start, sample, err)) {
        return false;
    }
    out->seconds -= sample->seconds;
    if (!sample_run(program, work->call[index], sample, err)) {
        return false;
    }
    out->seconds += sample->seconds;
    if (!read_answer(work->kind, sample->output, &nodes, &out->move[index])) {
        return err_set(err, ERR_FAILED, "%s %s: its answer cannot be read", program,
                       work->call[index]);
    }
    if (work->expected && nodes != work->expected) {
        return err_set(err, ERR_FAILED, "%s %s: found %" PRIu64 ", right is %" PRIu64, program,
                       work->call[index], nodes, work->expected);
    }
    out->nodes += nodes;
    out->answer[index] = out->move[index] ^ nodes;
    return true;
}

bool work_do(const struct work *work, const char *program, struct deed *out, struct err *err)
{
    struct sample *sample = malloc(sizeof *sample);
    bool ok = true;

    if (!sample) {
        return err_set(err, ERR_FAILED, "out of memory");
    }
    *out = (struct deed){0};
    for (int i = 0; i < work->count && ok; i++) {
        ok = do_call(work, i, program, sample, out, err);
    }
    free(sample);
    return ok;
}

bool work_instructions(const struct work *work, const char *program, uint64_t *out, struct err *err)
{
    char start[SAMPLE_CALL];
    uint64_t before;

    shallow(work->counted, start);
    if (!sample_instructions(program, start, &before, err) ||
        !sample_instructions(program, work->counted, out, err)) {
        return false;
    }
    *out -= before;
    return true;
}
