/* The catalogue as a file: its tables, opening and closing, transactions. Part of
 * selfplay/store/catalogue.h, which is what others use. */
#pragma once

#include "selfplay/store/catalogue.h"
#include "selfplay/store/database.h"

struct catalogue {
    struct database *database; /* owned */
    int version;               /* of its tables; an old one is read as it is */
};
