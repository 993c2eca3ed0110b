/* A whole game against Beginner in each rule set, by taps alone; and what goes on beside the moves. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Daemon, until, Visitor } from "../support.mjs";

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

test("the computer says so when it declines a draw, and no question moves anything", async () => {
    const visitor = await Visitor.come(daemon, { width: 360, height: 740 });
    const { page } = visitor;
    const place = async () => (await page.locator(".move-list").boundingBox()).y;

    await visitor.begin({ rules: "classic" });
    await visitor.turn();
    const before = await place();
    await page.click("button:has-text('Offer a draw')");
    await visitor.sees(".message", /The computer plays on/);
    assert.equal(await place(), before);
    await page.click("button:has-text('Resign')");
    await page.click(".question button:has-text('No')");
    await page.click("button:has-text('Hint')");
    await visitor.sees(".notes", /Hint: /);
    assert.equal(await place(), before);
    await visitor.leave();
});

test("the only move is shown as a hint that costs nothing", async () => {
    const visitor = await Visitor.come(daemon);
    const answer = await visitor.context.request.post(`${daemon.url}/v1/games`, {
        data: { rules: "classic", opponent: "computer", level: 1, fen: "B:W18,32:B14,1" },
    });

    await visitor.go(`/#/game/${(await answer.json()).id}`);
    await visitor.turn();
    await visitor.page.click("button:has-text('Hint')");
    await visitor.sees(".message", /14x23, it is the only move/);
    assert.equal(await visitor.page.locator(".board .hint").count(), 1);
    assert.equal((await visitor.game()).hints, 0);
    await visitor.leave();
});

test("moves sound until the sound is turned off", async () => {
    const visitor = await Visitor.come(daemon);
    const { page } = visitor;
    const heard = () => page.evaluate(() => globalThis.heard);

    await page.addInitScript(() => {
        const Real = globalThis.AudioContext;
        globalThis.heard = 0;
        globalThis.AudioContext = class extends Real {
            createOscillator() {
                globalThis.heard++;
                return super.createOscillator();
            }
        };
    });
    await visitor.begin({ rules: "classic" });
    let game = await visitor.turn();
    await visitor.play(game, game.moves[0]);
    game = await visitor.turn();
    await until(async () => (await heard()) > 0, "a sound");
    await page.click("button:has-text('Sound')");
    const before = await heard();
    await visitor.play(game, game.moves[0]);
    await visitor.turn();
    assert.equal(await heard(), before);
    await visitor.leave();
});
