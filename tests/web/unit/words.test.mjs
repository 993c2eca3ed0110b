/* What a game and a refusal say in words. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { translator } from "../../../daemon/web/texts.js";
import { problemText, refusal, turnText, wonClean } from "../../../daemon/web/words.js";

const t = translator("en");
const problem = (more) => ({
    status: 400,
    reason: null,
    field: null,
    type: "unheard-of",
    retryAfter: 0,
    message: "in the daemon's words",
    ...more,
});

test("a problem is told by its reason, its field, its type, else in the daemon's words", () => {
    assert.match(problemText(t, problem({ reason: "stale", type: "conflict" })), /gone on/);
    assert.match(problemText(t, problem({ field: "/name", type: "bad-field" })), /A name has/);
    assert.match(problemText(t, problem({ field: "/name", type: "name-taken" })), /Somebody has/);
    assert.match(problemText(t, problem({ field: "/password", type: "bad-login" })), /current/);
    assert.match(problemText(t, problem({ status: 0, type: "network" })), /cannot be reached/);
    assert.match(problemText(t, problem({ status: 429, retryAfter: 7 })), /in 7 seconds/);
    assert.equal(problemText(t, problem()), "That did not work: in the daemon's words");
});

test("a refusal names the pieces that can move, where they help", () => {
    const moves = [40, 9].map((from) => ({ from, captures: [] }));

    assert.deepEqual([...refusal(t, "piece-is-stuck", moves).squares], [9, 40]);
    assert.match(refusal(t, "piece-is-stuck", moves).text, /: 9, 40\./);
    assert.deepEqual([...refusal(t, "not-your-piece", moves).squares], []);
});

test("with a move on its way it is the other's turn already", () => {
    const game = { opponent: "friend", status: "playing", you: ["white"], turn: "white" };

    assert.equal(turnText(t, { ...game, half_made: null }, false), "Your move");
    assert.equal(turnText(t, { ...game, half_made: {} }, true), "Your opponent is to move");
    assert.equal(turnText(t, { ...game, opponent: "computer" }, true), "Thinking …");
});

test("only one's own win without help opens a level", () => {
    const game = { opponent: "computer", you: ["black"], spoiled_by: null };

    assert.equal(wonClean({ ...game, outcome: { result: "black wins" } }), true);
    assert.equal(wonClean({ ...game, outcome: { result: "white wins" } }), false);
    assert.equal(wonClean({ ...game, outcome: null }), false);
    assert.equal(
        wonClean({ ...game, spoiled_by: "undo", outcome: { result: "black wins" } }),
        false,
    );
});
