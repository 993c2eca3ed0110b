/* What the tests of the search share. */
#pragma once

#include "engine/search/search.h"

/* The built-in weights, and small ones, all different, for all else. */
struct weights test_weights(const struct variant *variant);

/* A search with these weights, one thread and a small table. */
struct search *make_search(const struct variant *variant);

/* Searches a position with a cleared table. */
struct search_result run_position(struct search *search, const struct variant *variant,
                                  const struct position *position,
                                  const struct search_limits *limits);

/* The same by a search of its own, so many half-moves after the last capture or man's move. */
struct search_result run_fen(const struct variant *variant, const char *fen, int quiet_plies,
                             struct search_limits limits);
