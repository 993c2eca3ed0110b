/* From sign-up to the leaderboard: levels open by clean wins alone, and stay with the account. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Daemon, until, Visitor } from "../support.mjs";

const daemon = await new Daemon().start();

/* Plays a game against Beginner until it is won, before which a hint is asked for or not. */
async function win(visitor, rules, { hint = false } = {}) {
    for (;;) {
        await visitor.begin({ rules });
        let game = await visitor.turn();
        if (hint) {
            await visitor.page.click("button:has-text('Hint')");
            await visitor.sees(".notes", /opens no level \(a hint was shown\)/);
        }
        while (game.outcome === null) {
            await visitor.play(game, await daemon.advise(game, 6));
            game = await visitor.turn();
        }
        if (game.outcome.result === `${game.you[0]} wins`) {
            return;
        }
    }
}

async function levelIsLocked(visitor, level) {
    await visitor.go("/");
    const radio = visitor.page.locator(`input[name=level][value="${level}"]`);

    await radio.waitFor();
    return radio.isDisabled();
}

test("sign-up, a clean win, the next level, the leaderboard, log-out and back", async () => {
    const visitor = await Visitor.come(daemon);
    const { page } = visitor;

    await visitor.go("/#/account");
    const form = page.locator("form:has(h2:text-is('Sign up'))");
    await form.locator("input[name=name]").fill("Ann");
    await form.locator("input[name=password]").fill("correct horse");
    await form.locator("button").click();
    await visitor.sees(".code", /\w{4}/);
    await page.click("button:has-text('I have written it down')");
    await visitor.sees("header", /Ann/);

    assert.equal(await levelIsLocked(visitor, 2), true);
    await win(visitor, "international", { hint: true });
    assert.equal(await levelIsLocked(visitor, 2), true);
    await win(visitor, "international");
    await visitor.sees(".message", /Easy is open now/);
    assert.equal(await levelIsLocked(visitor, 2), false);

    await visitor.go("/#/leaderboard/international");
    await visitor.sees(".own", /1\s+Ann\s+Easy\s+2\s+\d+/);
    const stranger = await Visitor.come(daemon);
    await stranger.go("/#/leaderboard/international");
    await stranger.sees("tbody tr", /Ann/);
    await stranger.leave();

    await visitor.go("/#/account");
    await page.click("button:has-text('Log out')");
    await visitor.sees("header", /Log in/);
    assert.equal(await levelIsLocked(visitor, 2), true);
    await visitor.go("/#/account");
    const login = page.locator("form:has(h2:text-is('Log in'))");
    await login.locator("input[name=name]").fill("ann");
    await login.locator("input[name=password]").fill("wrong horse");
    await login.locator("button").click();
    await visitor.sees("form .message", /do(es)? not fit|did not work/i);
    await login.locator("input[name=password]").fill("correct horse");
    await login.locator("button").click();
    await visitor.sees("header", /Ann/);
    assert.equal(await levelIsLocked(visitor, 2), false);
    await visitor.leave();
});

test("an undo takes back to one's own turn and spoils the win, visibly", async () => {
    const visitor = await Visitor.come(daemon);

    await visitor.begin({ rules: "classic" });
    const game = await visitor.turn();
    await visitor.play(game, game.moves[0]);
    await visitor.turn();
    await visitor.page.click("button:has-text('Undo')");
    await until(async () => (await visitor.game()).ply === 0, "taken back");
    await visitor.sees(".notes", /opens no level \(a move was taken back\)/);
    await visitor.sees(".status", /Your move/);
    await visitor.leave();
});
