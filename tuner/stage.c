/* Names of the stages. */
#include "tuner/stage.h"

const char *stage_name(enum stage stage)
{
    static const char *const NAMES[STAGES] = {
        [STAGE_SELFPLAY] = "selfplay",
        [STAGE_TUNE] = "tune",
        [STAGE_MATCH] = "match",
        [STAGE_CALIBRATE] = "calibrate",
    };
    return NAMES[stage];
}

struct stage_key stage_key_of(const struct variant *variant, int generation, enum stage stage)
{
    return (struct stage_key){variant->rules->name, generation, stage_name(stage)};
}
