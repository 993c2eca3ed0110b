/* A reader for each kind of file: gives the games of importer->file to import_game. */
#pragma once

#include "tuner/import_store.h"

bool import_csv(struct importer *importer, struct err *err);
bool import_pdn(struct importer *importer, struct err *err);
