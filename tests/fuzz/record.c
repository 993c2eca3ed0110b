/* Game records, as journals hold them: what is decoded is a game by the rules, and encodes to the
 * same bytes. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "selfplay/game/record.h"

static void check_record(const struct record *record, const struct variant *variant,
                         const uint8_t *data, size_t size)
{
    struct game game;
    struct err err = {0};
    uint8_t *again = malloc(record_size(record));

    fuzz_require(again != NULL, "there is memory");
    fuzz_require(record_size(record) == size, "a record has its own size");
    record_encode(record, variant->rules, again);
    fuzz_require(memcmp(data, again, size) == 0, "a record encodes to the bytes it came from");
    free(again);

    fuzz_require(record_replay(record, variant, &game, &err), "there is memory");
    fuzz_require_position(variant->rules, &game.positions[0]);
    for (int ply = 0; ply < game.plies; ply++) {
        fuzz_require_legal(variant, &game.positions[ply], &game.moves[ply]);
    }
    enum outcome outcome = game_outcome(&game, NULL);
    bool decided = record->fault != FAULT_NONE || record->adjudication != ADJUDICATION_NONE;
    fuzz_require(decided ? outcome == OUTCOME_OPEN : outcome == record->outcome,
                 "a game ends as its record says");
    game_fini(&game);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const struct variant *variant = fuzz_variant(data[0]);
    struct record record;
    struct err err = {0};

    if (record_decode(data + 1, size - 1, variant, &record, &err)) {
        check_record(&record, variant, data + 1, size - 1);
        record_fini(&record);
    } else {
        fuzz_require(err.code == ERR_FAILED, "a damaged record is nobody's to mend");
        fuzz_require_line(err.text);
    }
    return 0;
}
