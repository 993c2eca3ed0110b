/* Writes RULES.h5 files for tests of the daemon: built-in weights, and six levels whose ratings
 * are made up and whose searches are short.
 *
 *     make_artefacts DIRECTORY [RULES...]      all rule sets when none is named */
#include <stdio.h>

#include "engine/artefact/artefact.h"
#include "engine/base/file.h"

static void fill_levels(struct level_set *set)
{
    set->count = LEVELS_MAX;
    snprintf(set->model, LEVEL_MODEL, "score-logistic");
    for (int i = 0; i < LEVELS_MAX; i++) {
        struct level *level = &set->level[i];
        level->number = i + 1;
        snprintf(level->name, LEVEL_NAME, "%s", level_name(i + 1));
        level->nodes = i == 0 ? 0 : UINT64_C(200) << i;
        level->depth = i;
        level->elo = 800 + 200 * i;
        level->elo_error = 20;
        level->games = 1000;
    }
    /* Long enough to be interrupted by the tests of deadlines and queues. */
    set->level[LEVELS_MAX - 1].nodes = 50000000;
    set->level[LEVELS_MAX - 1].depth = 0;
}

static bool write_one(const char *directory, const struct variant *variant, struct err *err)
{
    char path[FILE_PATH];
    struct artefact artefact;

    artefact_builtin(variant, &artefact);
    fill_levels(&artefact.levels);
    artefact.provenance.scale = 0.6;
    return artefact_path(path, directory, variant, err) && artefact_write(path, &artefact, err);
}

int main(int argc, char *argv[])
{
    struct err err;

    for (int i = 0; argc > 1 && i < (argc > 2 ? argc - 2 : VARIANT_COUNT); i++) {
        const struct variant *variant =
            argc > 2 ? variant_by_name(argv[i + 2], &err) : variant_at(i);
        if (variant == NULL || !write_one(argv[1], variant, &err)) {
            fprintf(stderr, "make_artefacts: %s\n", err.text);
            return err.code;
        }
    }
    return argc > 1 ? 0 : ERR_USAGE;
}
