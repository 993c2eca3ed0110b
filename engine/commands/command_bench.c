/* `draughts bench`: the search's signature and speed. */
#include <inttypes.h>
#include <stdio.h>

#include "engine/base/number.h"
#include "engine/base/streams.h"
#include "engine/commands/draughts.h"
#include "engine/search/bench.h"
#include "engine/search/search.h"

/* Runs the rule set's positions, writes its line and adds to the total. */
static bool run_variant(const struct variant *variant, int depth, struct bench_result *total,
                        struct err *err)
{
    struct bench_result result;
    if (!bench_run(variant, depth, &result, err)) {
        return false;
    }
    printf("%s %" PRIu64 "\n", variant->rules->name, result.nodes);
    total->positions += result.positions;
    total->nodes += result.nodes;
    total->seconds += result.seconds;
    return output_flush(err);
}

bool command_bench(const struct invocation *invocation, struct err *err)
{
    const char *rules = NULL, *depth_text = NULL;
    const struct flag flags[] = {
        flag_rules(&rules),
        {0, "depth", "N", "search to this depth; the default makes the signature", &depth_text},
    };
    struct command_line line;
    if (!invocation_parse(invocation, flags, sizeof flags / sizeof flags[0], "", 0, &line, err)) {
        return false;
    }
    if (line.finished) {
        return true;
    }

    long long depth = BENCH_DEPTH;
    const struct variant *only = rules != NULL ? variant_by_name(rules, err) : NULL;
    if ((rules != NULL && only == NULL) ||
        (depth_text != NULL &&
         !number_integer(depth_text, "--depth", 1, SEARCH_PLIES - 1, &depth, err))) {
        return false;
    }
    struct bench_result total = {0};
    for (int i = 0; i < VARIANT_COUNT; i++) {
        if ((only == NULL || only == variant_at(i)) &&
            !run_variant(variant_at(i), (int)depth, &total, err)) {
            return false;
        }
    }
    printf("total %" PRIu64 "\n", total.nodes);
    printf("nodes/s %.0f\n", total.seconds > 0 ? (double)total.nodes / total.seconds : 0);
    return true;
}
