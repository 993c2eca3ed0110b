/* What both exports share: the finished stages, and a file that is whole or absent. */
#include "tuner/export.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/file.h"
#include "selfplay/run.h"
#include "tuner/export_format.h"
#include "tuner/stage.h"

typedef bool export_function(struct exporter *to, const struct variant *variant, int generation,
                             struct err *err);

/* Every generation of a rule set whose self-play is finished. */
static bool export_variant(struct exporter *to, const struct variant *variant, export_function *put,
                           struct err *err)
{
    for (int generation = 0;; generation++) {
        struct stage_key key = stage_key_of(variant, generation, STAGE_SELFPLAY);
        enum stage_state state;
        if (!catalogue_stage_state(to->catalogue, &key, &state, err)) {
            return false;
        }
        if (state != STAGE_FINISHED) {
            return true;
        }
        to->stages++;
        if (!put(to, variant, generation, err)) {
            return false;
        }
    }
}

static bool export_all(struct exporter *to, export_function *put, struct err *err)
{
    for (int i = 0; i < VARIANT_COUNT; i++) {
        if (!export_variant(to, variant_at(i), put, err)) {
            return false;
        }
    }
    return to->stages > 0 ||
           err_set(err, ERR_USAGE, "%s: no self-play stage is finished", to->directory);
}

/* Writes through a temporary file. */
static bool export_file(struct exporter *to, const char *path, const char *head,
                        export_function *put, struct err *err)
{
    char temporary[FILE_PATH];

    if (!file_temporary(temporary, path, err)) {
        return false;
    }
    to->out = fopen(temporary, "w");
    if (!to->out) {
        return err_set(err, ERR_FAILED, "%s: %s", path, strerror(errno));
    }
    fputs(head, to->out);
    bool ok = export_all(to, put, err);
    if ((ferror(to->out) || fflush(to->out) != 0) && ok) {
        ok = err_set(err, ERR_FAILED, "%s: cannot write: %s", path, strerror(errno));
    }
    if (fclose(to->out) != 0 && ok) {
        ok = err_set(err, ERR_FAILED, "%s: cannot write: %s", path, strerror(errno));
    }
    if (!ok) {
        unlink(temporary);
        return false;
    }
    return file_commit(temporary, path, err);
}

static bool export_run(const char *directory, const char *path, const char *head,
                       export_function *put, long long *count, struct err *err)
{
    struct exporter to = {.directory = directory};

    to.catalogue = run_catalogue(directory, err);
    if (!to.catalogue) {
        return false;
    }
    bool ok = export_file(&to, path, head, put, err);
    catalogue_close(to.catalogue);
    *count = to.count;
    return ok;
}

bool export_pdn(const char *directory, const char *path, long long *count, struct err *err)
{
    return export_run(directory, path, "", export_stage_pdn, count, err);
}

bool export_csv(const char *directory, const char *path, long long *count, struct err *err)
{
    return export_run(directory, path, "rules,generation,game,ply,fen,score,best_move,result\n",
                      export_stage_csv, count, err);
}
