/* From a guest's win to the leaderboard: a level opens by a clean win, stays with the account, and
 * the account is found again without its password. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Daemon, until, Visitor } from "../support.mjs";

const daemon = await new Daemon().start();

/* Plays games against Beginner until one is won. */
async function win(visitor, rules) {
    for (;;) {
        await visitor.begin({ rules });
        let game = await visitor.turn();
        while (game.outcome === null) {
            await visitor.play(game, await daemon.advise(game, 6));
            game = await visitor.turn();
        }
        if (game.outcome.result === `${game.you[0]} wins`) {
            return;
        }
    }
}

/* Signs up on the account's screen; the recovery code. */
async function signUp(visitor, name) {
    const form = visitor.page.locator("form:has(h2:text-is('Sign up'))");

    await form.locator("input[name=name]").fill(name);
    await form.locator("input[name=password]").fill("correct horse");
    await form.locator("button").click();
    await visitor.sees(".code", /\w{4}/);
    const code = await visitor.text(".code");
    await visitor.page.click("button:has-text('I have written it down')");
    await visitor.sees("header", new RegExp(name));
    return code;
}

async function levelIsLocked(visitor, level) {
    await visitor.go("/#/play/classic");
    await visitor.page.reload();
    const radio = visitor.page.locator(`input[name=level][value="${level}"]`);

    await radio.waitFor();
    return radio.isDisabled();
}

test("a guest's clean win, the next level, sign-up, the leaderboard, log-out and back", async () => {
    const visitor = await Visitor.come(daemon);
    const { page } = visitor;

    assert.equal(await levelIsLocked(visitor, 2), true);
    await win(visitor, "classic");
    await visitor.sees(".message", /Easy is open now/);
    assert.match(await page.locator(".actions .primary >> visible=true").innerText(), /New game/);
    await page.click("text=Sign up to keep it");
    await signUp(visitor, "Ann");
    assert.equal(await levelIsLocked(visitor, 2), false);
    assert.equal(await page.isChecked('input[name=level][value="2"]'), true);

    await visitor.go("/#/leaderboard/classic");
    await visitor.sees(".own", /1\s+Ann\s+Easy\s+1\s+\d+/);
    const stranger = await Visitor.come(daemon);
    await stranger.go("/#/leaderboard/classic");
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
    await visitor.sees("form .message", /Name and password do not fit/);
    await login.locator("input[name=password]").fill("correct horse");
    await login.locator("button").click();
    await visitor.sees("header", /Ann/);
    assert.equal(await levelIsLocked(visitor, 2), false);
    await visitor.leave();
});

test("a lost password is replaced by the recovery code", async () => {
    const visitor = await Visitor.come(daemon);
    const { page } = visitor;

    await visitor.go("/#/account");
    const code = await signUp(visitor, "Ben");
    await page.click("button:has-text('Log out')");
    await page.click("summary:has-text('lost my password')");
    const form = page.locator("form:has(summary)");
    const ask = async (with_code) => {
        await form.locator("input[name=name]").fill("Ben");
        await form.locator("input[name=code]").fill(with_code);
        await form.locator("input[name=password]").fill("battery staple");
        await form.locator("button").click();
    };
    await ask(code.replace(/\w/g, "a"));
    await visitor.sees("form:has(summary) .message", /Name and recovery code do not fit/);
    await ask(code);
    await visitor.sees(".code", /\w{4}/);
    assert.notEqual(await visitor.text(".code"), code);
    await visitor.sees("header", /Ben/);
    await visitor.leave();
});

test("what is amiss is named: the name is taken, the current password is another", async () => {
    const visitor = await Visitor.come(daemon, { width: 360, height: 740 });
    const { page } = visitor;
    const fill = async (title, values) => {
        const form = page.locator(`form:has(h2:text-is('${title}'))`);

        for (const [field, value] of Object.entries(values)) {
            await form.locator(`input[name=${field}]`).fill(value);
        }
        await form.locator("button").click();
        return form.locator(".message");
    };
    const says = (place, pattern) =>
        until(async () => pattern.test(await place.innerText()), `${pattern}`);

    await visitor.go("/#/account");
    await signUp(visitor, "Cleo");
    await page.click("button:has-text('Log out')");
    await visitor.sees("main [role=status]", /Logged out/);
    await says(
        await fill("Sign up", { name: "cleo", password: "correct horse" }),
        /Somebody has this name/,
    );
    await fill("Log in", { name: "Cleo", password: "correct horse" });
    await visitor.sees("h2", /Cleo/);
    const wrong = { password: "wrong" };
    await says(await fill("Delete account", wrong), /not the current password/);
    await fill("Delete account", { password: "correct horse" });
    const done = page.locator("main [role=status]:has-text('Account deleted')");
    await done.waitFor();
    const box = await done.boundingBox();
    assert.ok(box.y > 0 && box.y < 740, `told at ${box.y}, where it is seen`);
    await visitor.leave();
});

test("what is refused is told in the visitor's language", async () => {
    const visitor = await Visitor.come(daemon, { language: "fr-FR" });
    const form = visitor.page.locator("form:has(h2:text-is('S’inscrire'))");

    await visitor.go("/#/account");
    await form.locator("input[name=name]").fill("<b>");
    await form.locator("input[name=password]").fill("correct horse");
    await form.locator("button").click();
    await visitor.sees("form:has(h2:text-is('S’inscrire')) .message", /Un nom a de 1 à 24 lettres/);
    await visitor.leave();
});

test("an undo takes back to one's own turn and spoils the win, visibly, as does a hint", async () => {
    const visitor = await Visitor.come(daemon);

    await visitor.begin({ rules: "classic" });
    const game = await visitor.turn();
    await visitor.play(game, game.moves[0]);
    await visitor.turn();
    await visitor.page.click("button:has-text('Undo')");
    await until(async () => (await visitor.game()).ply === 0, "taken back");
    await visitor.sees(".notes", /opens no level \(a move was taken back\)/);
    await visitor.sees(".status", /Your move/);
    await visitor.begin({ rules: "classic" });
    await visitor.sees(".notes", /Win without undo or hint, and Easy opens/);
    await visitor.page.click("button:has-text('Hint')");
    await visitor.sees(".notes", /opens no level \(a hint was shown\)/);
    await visitor.leave();
});
