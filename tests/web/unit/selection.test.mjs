/* What a tap means, on positions whose moves are known. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { choice, movable, onlyMoveTo, targets, travelled } from "../../../daemon/web/selection.js";

// international W:WK4:B13,20,32,37 as POST /v1/moves answers
const MOVES = [
    { move: "4x15x13x20x32", from: 4, to: 15, captures: [13, 20, 32], paths: [[27, 38, 15]] },
    { move: "4x15x13x20x37", from: 4, to: 15, captures: [13, 20, 37], paths: [[31, 42, 15]] },
];

test("only pieces with a move can be taken up", () => {
    assert.deepEqual([...movable(MOVES)], [4]);
});

test("an end square that two captures share is no target until they part", () => {
    assert.deepEqual(targets(MOVES, [4]), new Set([27, 31]));
    assert.deepEqual(targets(MOVES, [4, 27]), new Set([38, 15]));
});

test("a step asks for the path, the end of the only capture for the move", () => {
    assert.deepEqual(choice(MOVES, [4], 27), { path: [4, 27] });
    assert.deepEqual(choice(MOVES, [4, 27], 15), { move: "4x15x13x20x32" });
    assert.equal(choice(MOVES, [4], 15), null);
    assert.equal(choice(MOVES, [4], 5), null);
});

test("an ambiguous capture is never picked by its end square alone", () => {
    assert.equal(onlyMoveTo(MOVES, 15), null);
    assert.deepEqual(onlyMoveTo([MOVES[0]], 15), { move: "4x15x13x20x32" });
});

test("the way of a move, for its animation", () => {
    assert.deepEqual(travelled(MOVES, "4x15x13x20x37"), [4, 31, 42, 15]);
    assert.equal(travelled(MOVES, "1-2"), null);
});
