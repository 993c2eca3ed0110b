/* Captures and refusals, on positions that are set up over the API by the visitor. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Daemon, Visitor } from "../support.mjs";

const daemon = await new Daemon().start();

/* A game for two on this device from a position, opened on the page. */
async function open(rules, fen, options) {
    const visitor = await Visitor.come(daemon, options);
    const answer = await visitor.context.request.post(`${daemon.url}/v1/games`, {
        data: { rules, opponent: "local", fen },
    });

    assert.equal(answer.status(), 201);
    await visitor.go(`/#/game/${(await answer.json()).id}`);
    await visitor.page.waitForSelector(".play .board");
    return visitor;
}

const FOUR_WAYS = "W:WK4:B13,20,32,37"; // two captures that end on 15, by 27 or by 31

test("a multi-capture square by square; what is taken stands pale until the end", async () => {
    const visitor = await open("international", FOUR_WAYS);

    await visitor.tap(4);
    await visitor.tap(27);
    await visitor.sees(".status", /Go on capturing/);
    assert.equal(await visitor.page.locator(".piece.ghost").count(), 1);
    assert.equal((await visitor.game()).half_made.path.join(), "4,27");
    await visitor.tap(38);
    await visitor.tap(15);
    await visitor.sees(".moves", /4x15/);
    assert.deepEqual((await visitor.game()).played, ["4x15x13x20x32"]);
    assert.equal(await visitor.page.locator(".piece.ghost").count(), 0);
    await visitor.leave();
});

test("an ambiguous end square picks nothing; where it is plain it completes the capture", async () => {
    const visitor = await open("international", FOUR_WAYS);

    await visitor.tap(4);
    await visitor.tap(15);
    await visitor.sees(".message", /one by one|not a legal move|must/i);
    assert.deepEqual((await visitor.game()).played, []);
    await visitor.tap(4);
    await visitor.tap(31);
    await visitor.sees(".status", /Go on capturing/);
    await visitor.tap(15);
    await visitor.sees(".moves", /4x15/);
    assert.deepEqual((await visitor.game()).played, ["4x15x13x20x37"]);
    await visitor.leave();
});

test("a capture by dragging, leg by leg", async () => {
    const visitor = await open("classic", "W:W32:B27,18,5");

    await visitor.drag(32, 23);
    await visitor.sees(".status", /Go on capturing/);
    await visitor.drag(23, 14);
    await visitor.sees(".moves", /32x14/);
    await visitor.leave();
});

test("a forced capture: another piece says which ones must", async () => {
    const visitor = await open("classic", "W:W22,31,32:B18,1");

    await visitor.tap(31);
    await visitor.sees(".message", /You must capture\. Pieces that can: 22\./);
    assert.deepEqual((await visitor.game()).played, []);
    await visitor.leave();
});

test("the most must be taken: the shorter capture is refused with its reason", async () => {
    const visitor = await open("international", "W:W37:B31,21,32");

    await visitor.tap(37);
    await visitor.tap(28);
    await visitor.sees(".message", /You must take the most: 2/);
    await visitor.leave();
});

test("a piece without a move says so", async () => {
    const visitor = await open("classic", "W:W29,25,26:B22,21,1");

    await visitor.tap(29);
    await visitor.sees(".message", /must capture|cannot move/);
    await visitor.leave();
});

test("a move by dragging, and one dropped nowhere", async () => {
    const visitor = await open("international", "W:W31-50:B1-20");

    await visitor.drag(33, 44);
    await visitor.drag(33, 28);
    await visitor.sees(".moves", /33-28/);
    assert.deepEqual((await visitor.game()).played, ["33-28"]);
    await visitor.leave();
});

test("double taps send one move", async () => {
    const visitor = await open("international", "W:W31-50:B1-20");

    for (const square of [33, 28]) {
        const { x, y } = await visitor.middle(square);
        await visitor.page.mouse.dblclick(x, y); // takes the piece up, and does not put it down
    }
    await visitor.sees(".moves", /33-28/);
    assert.deepEqual((await visitor.game()).played, ["33-28"]);
    await visitor.leave();
});
