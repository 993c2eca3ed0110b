/* Reload, a lost network, a daemon killed in the middle of a game: it comes back as it was. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Daemon, Visitor } from "../support.mjs";

const daemon = await new Daemon().start();

test("after a reload the game stands as it was", async () => {
    const visitor = await Visitor.come(daemon);
    await visitor.begin({ rules: "flying" });
    const game = await visitor.turn();

    await visitor.play(game, game.moves[0]);
    await visitor.turn();
    await visitor.page.reload();
    await visitor.page.waitForSelector(".play .board");
    assert.equal(await visitor.page.locator(".moves button").count(), 2);
    await visitor.sees(".status", /Your move/);
    await visitor.go("/");
    await visitor.page.click("text=Continue your game");
    await visitor.sees(".status", /Your move/);
    await visitor.leave();
});

test("without a network it says that it is reconnecting, and then goes on", async () => {
    const visitor = await Visitor.come(daemon);
    await visitor.begin({ rules: "classic" });
    const game = await visitor.turn();

    await visitor.context.setOffline(true);
    await visitor.tap(game.moves[0].from);
    await visitor.tap(game.moves[0].to);
    await visitor.sees(".message", /cannot be reached/);
    await visitor.context.setOffline(false);
    await visitor.sees(".status", /Your move/);
    await visitor.sees(".message", /^$/);
    await visitor.play(game, game.moves[0]);
    await visitor.turn();
    await visitor.leave();
});

test("a screen that could not be loaded comes when the daemon does", async () => {
    const visitor = await Visitor.come(daemon);
    const { page } = visitor;

    await visitor.go("/#/about");
    await visitor.sees(".about td", /\d/);
    await daemon.kill();
    for (const screen of ["Leaderboard", "Play"]) {
        await page.click(`nav >> text=${screen}`);
        await visitor.sees("main .message", /cannot be reached. Trying again/);
    }
    await daemon.start();
    await page.waitForSelector("input[name=level]");
    assert.equal(await visitor.text("main .message"), "");
    await visitor.leave();
});

test("kill -9 of the daemon in mid-game loses nothing", async () => {
    const visitor = await Visitor.come(daemon);
    await visitor.begin({ rules: "international" });
    let game = await visitor.turn();

    await visitor.play(game, game.moves[0]);
    game = await visitor.turn();
    await daemon.kill();
    await visitor.sees(".status", /Reconnecting/);
    await daemon.start();
    await visitor.sees(".status", /Your move/);
    assert.deepEqual((await visitor.game()).played, game.played);
    await visitor.play(game, game.moves[0]);
    game = await visitor.turn();
    assert.equal(game.ply, 4);
    await visitor.leave();
});
