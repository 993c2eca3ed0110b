/* A friend's game in two browsers: the link, both boards, a draw, a rematch, a win claimed from who
 * has gone, a third who looks on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Daemon, until, Visitor } from "../support.mjs";

const daemon = await new Daemon(["games.claim=1"]).start();

/* Both at one board; `meanwhile(link)` is done before the guest joins. */
async function pair(rules, meanwhile = () => {}) {
    const host = await Visitor.come(daemon);
    const guest = await Visitor.come(daemon, { width: 360, height: 740 });

    await host.begin({ rules, opponent: "friend" });
    await host.sees(".status", /Waiting for your friend/);
    const link = await host.page.locator(".invitation input").inputValue();
    assert.ok(link.startsWith(daemon.url));
    await guest.page.goto(link);
    await meanwhile(link);
    const read = await guest.page.locator(".join a").getAttribute("href");
    assert.equal(read, `/en/rules.html#${rules}`);
    await guest.page.click("button:has-text('Join the game')");
    await guest.page.waitForSelector(".play .board");
    await host.sees(".status", /Your move/);
    return { host, guest };
}

test("two browsers play one game; the win is claimed from who has gone, and only then", async () => {
    const { host, guest } = await pair("classic");
    const claim = host.page.locator("button:has-text('Claim the win')");
    let game = await host.game();

    await host.play(game, game.moves[0]);
    await guest.sees(".status", /Your move/);
    game = await guest.game();
    assert.deepEqual(game.you, ["white"]);
    await guest.play(game, game.moves[0]);
    await host.sees(".status", /Your move/);
    game = await host.game();
    assert.equal(game.ply, 2);
    await host.play(game, game.moves[0]);
    await guest.sees(".status", /Your move/);
    assert.equal(await claim.isVisible(), false);
    await guest.leave();
    await host.sees(".player", /away/);
    await until(async () => {
        await claim.click({ timeout: 500 }).catch(() => {}); // too early, or granted meanwhile
        return /You have won: the opponent has gone/.test(await host.text(".status"));
    }, "the win is claimed");
    await host.leave();
});

test("a draw is offered, declined, offered again and agreed", async () => {
    const { host, guest } = await pair("flying");
    const answer = async (button) => {
        await host.page.click("button:has-text('Offer a draw')");
        await guest.sees(".question", /offered a draw/);
        await guest.page.click(`.question button:has-text('${button}')`);
    };

    await answer("Decline");
    await host.sees(".message", /Your offer of a draw was declined/);
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
    const third = await Visitor.come(daemon);
    const { host, guest } = await pair("international", async (link) => {
        await third.page.goto(link);
        await third.page.waitForSelector("button:has-text('Join the game')");
    });

    await third.page.click("button:has-text('Join the game')"); // the seat is taken by now
    await third.page.waitForSelector(".play .board");
    await third.sees(".notes", /looking on/);
    await third.tap(33);
    await third.tap(28);
    assert.equal((await host.game()).ply, 0);
    for (const visitor of [host, guest, third]) {
        await visitor.leave();
    }
});

test("resigning asks first and tells both; who asks for a rematch second joins it", async () => {
    const { host, guest } = await pair("classic");

    await host.page.click("button:has-text('Resign')");
    await host.page.click(".question:has-text('Resign this game?') button:has-text('No')");
    assert.equal((await host.game()).outcome, null);
    await host.page.click("button:has-text('Resign')");
    await host.page.click(".question:has-text('Resign this game?') button:has-text('Yes')");
    await host.sees(".status", /You have lost: by resignation/);
    await guest.sees(".status", /You have won: by resignation/);

    await host.page.click("button:has-text('Rematch')");
    await host.sees(".invitation", /by pressing Rematch, too/);
    await guest.sees(".notes", /Your friend wants a rematch/);
    await guest.page.click("button:has-text('Rematch')");
    await guest.sees(".status", /Your move/);
    await host.sees(".status", /Your opponent is to move/);
    assert.equal(guest.page.url(), host.page.url());
    assert.deepEqual((await guest.game()).you, ["black"]);
    assert.match(await guest.page.title(), /^Your move/);
    await host.leave();
    await guest.leave();
});
