/* A whole game against Beginner in each rule set, by taps alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Daemon, Visitor } from "../support.mjs";

const daemon = await new Daemon().start();

for (const rules of ["international", "classic", "flying"]) {
    test(`a game of ${rules} to its end`, async () => {
        const visitor = await Visitor.come(daemon);
        await visitor.begin({ rules });
        let game = await visitor.turn();

        assert.equal(game.rules, rules);
        while (game.outcome === null) {
            await visitor.play(game, await daemon.advise(game, 4));
            game = await visitor.turn();
        }
        await visitor.sees(".status", /You have won|You have lost|A draw/);
        assert.equal(await visitor.page.locator(".moves button").count(), game.ply);
        await visitor.leave();
    });
}
