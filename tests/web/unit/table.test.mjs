/* A game at the board without a browser: double taps, refusals, late answers, the pause before a
 * reply. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Table } from "../../../daemon/web/table.js";

const quiet = (move) => {
    const [from, to] = move.split("-").map(Number);
    return { move, from, to, captures: [], paths: [[to]] };
};

function gameAt(events, more = {}) {
    return {
        id: "g",
        rules: "classic",
        opponent: "computer",
        start: "B:W21-32:B1-12",
        fen: "B:W21-32:B1-12",
        turn: "black",
        ply: 0,
        played: [],
        moves: ["9-13", "9-14", "12-16"].map(quiet),
        status: "playing",
        outcome: null,
        you: ["black"],
        half_made: null,
        hint: null,
        events,
        ...more,
    };
}

const AFTER = gameAt(1, {
    fen: "W:W21-32:B1-8,10-13",
    turn: "white",
    ply: 1,
    played: ["9-13"],
    moves: [quiet("22-18")],
    status: "thinking",
});

const REPLIED = gameAt(2, {
    fen: "B:W18,21,23-32:B1-8,10-13",
    ply: 2,
    played: ["9-13", "22-18"],
});

async function until(condition, what) {
    const end = Date.now() + 10_000;

    while (!condition()) {
        assert.ok(Date.now() < end, `in vain: ${what}`);
        await sleep(5);
    }
}

/* A table whose daemon answers each move by what `answer` promises. */
function tableWith(answer) {
    const asked = [];
    const told = [];
    const daemon = {
        move(id, move) {
            asked.push(move);
            return answer();
        },
    };
    const table = new Table(daemon, "g", {
        changed() {},
        tell: (what, detail) => told.push([what, detail]),
    });
    table.receive(gameAt(0));
    return { table, asked, told };
}

test("a double tap sends one move", async () => {
    const { table, asked } = tableWith(() => Promise.resolve(AFTER));

    table.tap(9);
    table.tap(13);
    table.tap(13);
    table.tap(9);
    await sleep(0);
    assert.deepEqual(asked, [{ ply: 0, path: [9, 13] }]);
    assert.equal(table.game.ply, 1);
});

test("the squares of a capture may be tapped quicker than the daemon answers", async () => {
    const capture = {
        move: "4x15x13x20x32",
        from: 4,
        to: 15,
        captures: [13, 20, 32],
        paths: [[27, 38, 15]],
    };
    const at = (events, path) =>
        gameAt(events, {
            rules: "international",
            turn: "white",
            you: ["white"],
            start: "W:WK4:B13,20,32",
            fen: "W:WK4:B13,20,32",
            moves: [capture],
            half_made: path && { path, captures: [] },
        });
    const answers = [at(2, [4, 27]), at(3, [4, 27, 38]), at(4, null)];
    const { table, asked } = tableWith(() => sleep(5, answers.shift()));

    table.receive(at(1, null));
    for (const square of [4, 27, 27, 38, 15]) {
        table.tap(square);
    }
    await until(() => answers.length === 0 && !table.busy, "all steps are answered");
    assert.deepEqual(
        asked.map(({ path }) => path.join()),
        ["4,27", "4,27,38", "4,27,38,15"],
    );
});

test("a move is seen before it is answered, and taken back when it is refused", async () => {
    const refused = Object.assign(new Error("no"), { type: "conflict", game: gameAt(0) });
    const { table, told } = tableWith(() => Promise.reject(refused));

    table.tap(9);
    table.tap(13);
    assert.ok(table.view().pieces.has(13));
    await sleep(0);
    assert.ok(!table.view().pieces.has(13));
    assert.deepEqual(told.at(-1), ["problem", refused]);
});

test("a piece that cannot move says why and sends nothing", () => {
    const { table, asked, told } = tableWith(() => Promise.resolve(AFTER));

    table.tap(1);
    assert.equal(told.at(-1)[1].reason, "piece-is-stuck");
    assert.deepEqual(asked, []);
});

test("an answer that is older than what is known changes nothing", () => {
    const { table } = tableWith(() => Promise.resolve(AFTER));

    table.receive(REPLIED);
    table.receive(AFTER);
    assert.equal(table.game.ply, 2);
});

test("the computer's reply is not seen sooner than 0.4 s after one's own move", async () => {
    const { table } = tableWith(() => Promise.resolve(AFTER));

    table.tap(9);
    table.tap(13);
    await sleep(0);
    table.receive(REPLIED);
    assert.equal(table.game.ply, 1);
    await until(() => table.game.ply === 2, "the reply is seen");
});

test("a reply that is told before the answer to one's own move is not lost", async () => {
    const { table } = tableWith(() => sleep(20, AFTER));

    table.tap(9);
    table.tap(13);
    table.receive(REPLIED);
    await until(() => table.game.ply === 2, "the reply is seen");
    assert.equal(table.busy, false);
});

test("a tap while looking back moves nothing", () => {
    const { table, asked } = tableWith(() => Promise.resolve(AFTER));

    table.receive(REPLIED);
    table.look(1);
    table.tap(9);
    table.tap(14);
    assert.deepEqual(asked, []);
    assert.ok(table.view().pieces.has(22));
});

test("what is told before the answer is the answer: the next tap counts", async () => {
    const { table, asked, told } = tableWith(async () => {
        await sleep(30);
        throw new Error("lost");
    });
    const again = { ...REPLIED, moves: ["10-14"].map(quiet) };

    table.tap(9);
    table.tap(13);
    table.receive(AFTER);
    assert.equal(table.busy, false);
    await sleep(450);
    table.receive(again);
    table.tap(10);
    table.tap(14);
    assert.deepEqual(asked.at(-1), { ply: 2, path: [10, 14] });
    assert.ok(!told.some(([what]) => what === "problem"), "a move that was made is not refused");
});

test("nothing can be moved while a reply waits to be seen", async () => {
    const { table, asked } = tableWith(() => Promise.resolve(AFTER));

    table.tap(9);
    table.tap(13);
    table.receive(REPLIED); // the socket was down when the first of the two was told
    await sleep(0);
    table.tap(12);
    table.tap(16);
    assert.equal(asked.length, 1);
    await until(() => table.toMove, "the reply is seen");
});

test("what happens beside the moves leaves a choice and a move under way alone", async () => {
    const { table } = tableWith(() => sleep(20, AFTER));

    table.tap(9);
    table.receive(gameAt(1, { draw_offer: "white" }));
    assert.deepEqual(table.trail, [9]);
    table.tap(13);
    table.receive(gameAt(2, { draw_offer: null }));
    assert.ok(table.view().pieces.has(13), "the move is still shown");
    assert.equal(table.busy, true);
    await until(() => !table.busy, "the move is answered");
});

test("a piece that has been taken up can be dragged", () => {
    const { table, asked } = tableWith(() => sleep(20, AFTER));

    table.tap(9);
    table.drag(9, 13);
    assert.deepEqual(asked, [{ ply: 0, path: [9, 13] }]);
});

test("a tap on the opponent's piece says whose it is", () => {
    const { table, told } = tableWith(() => Promise.resolve(AFTER));

    table.tap(21);
    assert.equal(told.at(-1)[1].reason, "not-your-piece");
});

test("where the most must be taken, a piece that would take fewer is told so", () => {
    const { table, told } = tableWith(() => Promise.resolve(AFTER));
    const most = { move: "37x28x31x32", from: 37, to: 28, captures: [31, 32], paths: [[26, 28]] };

    table.receive(gameAt(1, { rules: "international", moves: [most] }));
    table.tap(1);
    assert.equal(told.at(-1)[1].reason, "must-take-most");
});

test("the only move is shown without being asked for, until something moves", () => {
    const { table, asked } = tableWith(() => Promise.resolve(AFTER));

    table.showOnlyMove();
    assert.deepEqual(table.view().hint, [9, 13]);
    table.receive(REPLIED);
    assert.equal(table.view().hint, null);
    assert.deepEqual(asked, []);
});

test("a tap that can do nothing says why: not one's turn with a friend, a look back", () => {
    const idle = (more) => {
        const { table, told } = tableWith(() => Promise.resolve(AFTER));
        table.receive(gameAt(1, more));
        return {
            table,
            reasons: () =>
                told.filter(([what]) => what === "refused").map(([, { reason }]) => reason),
        };
    };
    const waiting = idle({ opponent: "friend", turn: "white" });

    waiting.table.tap(9);
    waiting.table.tap(null);
    assert.deepEqual(waiting.reasons(), ["not-your-turn"]);
    const back = idle({ ply: 1, played: ["9-13"] });
    back.table.look(0);
    back.table.tap(9);
    assert.deepEqual(back.reasons(), ["looking-back"]);
    const over = idle({ opponent: "friend", outcome: { result: "draw" }, status: "over" });
    over.table.tap(9);
    assert.deepEqual(over.reasons(), []);
});
