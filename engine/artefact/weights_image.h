/* The group /weights of a RULES.h5. */
#pragma once

#include <stdbool.h>

#include "engine/artefact/image.h"
#include "engine/base/err.h"
#include "engine/rules/variant.h"

/* Reads the weights into *out, which the caller ends with weights_fini, also when this fails. The
 * patterns must be of a set of windows that the variant knows. ERR_USAGE says what is missing or
 * out of range. */
bool weights_image_read(const struct image *image, const struct variant *variant,
                        struct weights *out, struct err *err);

/* False: the library failed or memory is out. */
bool weights_image_write(struct image *image, const struct variant *variant,
                         const struct weights *weights);
