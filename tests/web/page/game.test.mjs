/* A whole game against Beginner in each rule set, by taps alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Daemon, Visitor } from "../support.mjs";

const daemon = await new Daemon().start();

/* What level 4 would play: a game that ends. */
async function advise(game) {
    const answer = await fetch(`${daemon.url}/v1/bestmove`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ rules: game.rules, fen: game.start, moves: game.played, level: 4 }),
    });
    const { move } = await answer.json();

    return game.moves.find((legal) => legal.move === move);
}

for (const rules of ["international", "classic", "flying"]) {
    test(`a game of ${rules} to its end`, async () => {
        const visitor = await Visitor.come(daemon);
        await visitor.begin({ rules });
        let game = await visitor.turn();

        assert.equal(game.rules, rules);
        while (game.outcome === null) {
            await visitor.play(game, await advise(game));
            game = await visitor.turn();
        }
        await visitor.sees(".status", /You have won|You have lost|A draw/);
        assert.equal(await visitor.page.locator(".moves button").count(), game.ply);
        await visitor.leave();
    });
}
