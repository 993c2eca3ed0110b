/* What all exports share: what there is to write, and a file that is whole or absent. */
#include "tuner/export.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/file.h"
#include "selfplay/store/run.h"
#include "tuner/export_format.h"
#include "tuner/stage.h"

struct format {
    const char *head;    /* first line of the file */
    const char *missing; /* what there is none of when nothing can be written */
    enum stage source;   /* the stage whose results they are */
    bool (*stage)(struct exporter *to, const struct variant *variant, int generation,
                  struct err *err);
    bool (*matches)(struct exporter *to, const struct variant *variant, struct err *err); /* NULL */
};

/* Every generation of a rule set whose stage is finished. */
static bool export_stages(struct exporter *to, const struct variant *variant,
                          const struct format *format, struct err *err)
{
    for (int generation = 0;; generation++) {
        struct stage_key key = stage_key_of(variant, generation, format->source);
        enum stage_state state;
        if (!catalogue_stage_state(to->catalogue, &key, &state, err)) {
            return false;
        }
        if (state != STAGE_FINISHED) {
            return true;
        }
        to->sources++;
        if (!format->stage(to, variant, generation, err)) {
            return false;
        }
    }
}

static bool export_all(struct exporter *to, const struct format *format, struct err *err)
{
    for (int i = 0; i < VARIANT_COUNT; i++) {
        const struct variant *variant = variant_at(i);
        if (!export_stages(to, variant, format, err) ||
            (format->matches && !format->matches(to, variant, err))) {
            return false;
        }
    }
    return to->sources > 0 ||
           err_set(err, ERR_USAGE, "%s: no %s is finished yet, `status` says how far it is",
                   to->directory, format->missing);
}

/* Writes through a temporary file. */
static bool export_file(struct exporter *to, const char *path, const struct format *format,
                        struct err *err)
{
    char temporary[FILE_PATH];

    if (!file_temporary(temporary, path, err)) {
        return false;
    }
    to->out = fopen(temporary, "w");
    if (!to->out) {
        return err_set(err, ERR_FAILED, "%s: %s", path, strerror(errno));
    }
    fputs(format->head, to->out);
    bool ok = export_all(to, format, err);
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

static bool export_run(const char *directory, const char *path, const struct format *format,
                       long long *count, struct err *err)
{
    struct exporter to = {.directory = directory};

    to.catalogue = run_catalogue(directory, err);
    if (!to.catalogue) {
        return false;
    }
    bool ok = export_file(&to, path, format, err);
    catalogue_close(to.catalogue);
    *count = to.count;
    return ok;
}

bool export_pdn(const char *directory, const char *path, long long *count, struct err *err)
{
    static const struct format PDN = {"", "stage with games", STAGE_SELFPLAY, export_stage_pdn,
                                      export_matches_pdn};

    return export_run(directory, path, &PDN, count, err);
}

bool export_csv(const char *directory, const char *path, long long *count, struct err *err)
{
    static const struct format CSV = {"rules,generation,game,ply,fen,score,best_move,result\n",
                                      "self-play stage", STAGE_SELFPLAY, export_stage_csv, NULL};

    return export_run(directory, path, &CSV, count, err);
}

bool export_weights(const char *directory, const char *path, long long *count, struct err *err)
{
    static const struct format WEIGHTS = {"rules,generation,feature,phase,weight,positions\n",
                                          "tune stage", STAGE_TUNE, export_stage_weights, NULL};

    return export_run(directory, path, &WEIGHTS, count, err);
}
