/* Which generation's weights a run stands by. */
#include "tuner/accepted.h"

#include "tuner/stage.h"

bool accepted_generation(struct catalogue *catalogue, const struct variant *variant, int generation,
                         int *accepted, struct err *err)
{
    for (*accepted = generation; *accepted >= 0; --*accepted) {
        struct stage_key key = stage_key_of(variant, *accepted, STAGE_GATE);
        double verdict = 1;
        bool found;
        if (!catalogue_figure(catalogue, &key, "accepted", &verdict, &found, err)) {
            return false;
        }
        if (verdict != 0) {
            break;
        }
    }
    return true;
}
