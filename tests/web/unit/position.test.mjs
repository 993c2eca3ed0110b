/* Squares, FEN, moves: the page's own arithmetic beside what the rules say. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
    afterMove,
    placeOf,
    positionAt,
    readFen,
    shortMove,
    squareAt,
    takenOf,
} from "../../../daemon/web/position.js";

test("square 1 lies in column 2 of row 1, the last one in the left of the last pair", () => {
    assert.deepEqual(placeOf(1, 10), { row: 0, column: 1 });
    assert.deepEqual(placeOf(50, 10), { row: 9, column: 8 });
    assert.deepEqual(placeOf(32, 8), { row: 7, column: 6 });
});

test("squareAt undoes placeOf, and light squares and the outside have no number", () => {
    for (const rows of [8, 10]) {
        for (let square = 1; square <= (rows * rows) / 2; square++) {
            const { row, column } = placeOf(square, rows);
            assert.equal(squareAt(row, column, rows), square);
        }
    }
    assert.equal(squareAt(0, 0, 8), null);
    assert.equal(squareAt(-1, 0, 8), null);
    assert.equal(squareAt(0, 9, 8), null);
});

test("a FEN with kings, ranges and an empty side", () => {
    const pieces = readFen("W:WK28,31-33:B.");
    assert.deepEqual([...pieces.keys()], [28, 31, 32, 33]);
    assert.deepEqual(pieces.get(28), { colour: "white", king: true });
    assert.deepEqual(pieces.get(33), { colour: "white", king: false });
});

test("a capture takes its pieces off and crowns where it ends on the far row", () => {
    const before = readFen("W:W15:B9,10,20");
    const after = afterMove(before, "15x4x10", 10);
    assert.deepEqual(
        [...after],
        [
            [9, { colour: "black", king: false }],
            [20, { colour: "black", king: false }],
            [4, { colour: "white", king: true }],
        ],
    );
    assert.equal(before.size, 4);
});

test("a game is replayed to any ply, and what was taken is counted", () => {
    const game = {
        rules: "classic",
        start: "B:W21-32:B1-12",
        played: ["11-15", "22-18", "15x22x18"],
    };
    assert.equal(positionAt(game, 0).size, 24);
    assert.equal(positionAt(game, 3).get(22).colour, "black");
    assert.deepEqual(takenOf(game, positionAt(game, 3)), { white: 1, black: 0 });
});

test("moves as score sheets have them", () => {
    assert.equal(shortMove("32-28"), "32-28");
    assert.equal(shortMove("26x37x31"), "26x37");
});
