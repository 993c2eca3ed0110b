/* A friend's game in two browsers: the link, both boards, a draw, a rematch, a third who looks on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Daemon, until, Visitor } from "../support.mjs";

const daemon = await new Daemon().start();

async function pair(rules) {
    const host = await Visitor.come(daemon);
    const guest = await Visitor.come(daemon, { width: 360, height: 740 });

    await host.begin({ rules, opponent: "friend" });
    await host.sees(".status", /Waiting for your friend/);
    const link = await host.page.locator(".invitation input").inputValue();
    assert.ok(link.startsWith(daemon.url));
    await guest.page.goto(link);
    await guest.page.click("button:has-text('Join the game')");
    await guest.page.waitForSelector(".play .board");
    await host.sees(".status", /Your move/);
    return { host, guest };
}

test("two browsers play one game, each from its own side", async () => {
    const { host, guest } = await pair("classic");
    let game = await host.game();

    await host.play(game, game.moves[0]);
    await guest.sees(".status", /Your move/);
    game = await guest.game();
    assert.deepEqual(game.you, ["white"]);
    await guest.play(game, game.moves[0]);
    await host.sees(".status", /Your move/);
    assert.equal((await host.game()).ply, 2);
    await host.leave();
    await guest.leave();
});

test("a draw is offered, declined, offered again and agreed", async () => {
    const { host, guest } = await pair("flying");
    const answer = async (button) => {
        await host.page.click("button:has-text('Offer a draw')");
        await guest.sees(".question", /offered a draw/);
        await guest.page.click(`.question button:has-text('${button}')`);
    };

    await answer("Decline");
    await until(async () => (await host.game()).draw_offer === null, "the offer is gone");
    let game = await host.game();
    await host.play(game, game.moves[0]);
    await guest.sees(".status", /Your move/);
    game = await guest.game();
    await guest.play(game, game.moves[0]);
    await host.sees(".status", /Your move/);
    await answer("Accept");
    await host.sees(".status", /A draw: by agreement/);
    await guest.sees(".status", /A draw: by agreement/);
    await host.leave();
    await guest.leave();
});

test("a third visitor looks on and can move nothing", async () => {
    const { host, guest } = await pair("international");
    const third = await Visitor.come(daemon);
    const [, id] = /game\/(\w+)/.exec(host.page.url());

    await third.go(`/#/join/${id}`);
    await third.page.waitForSelector(".play .board");
    await third.sees(".notes", /looking on/);
    await third.tap(33);
    await third.tap(28);
    assert.equal((await host.game()).ply, 0);
    for (const visitor of [host, guest, third]) {
        await visitor.leave();
    }
});

test("resigning asks first, and tells both", async () => {
    const { host, guest } = await pair("classic");

    await host.page.click("button:has-text('Resign')");
    await host.page.click(".question:has-text('Resign this game?') button:has-text('No')");
    assert.equal((await host.game()).outcome, null);
    await host.page.click("button:has-text('Resign')");
    await host.page.click(".question:has-text('Resign this game?') button:has-text('Yes')");
    await host.sees(".status", /You have lost: by resignation/);
    await guest.sees(".status", /You have won: by resignation/);
    await host.leave();
    await guest.leave();
});
