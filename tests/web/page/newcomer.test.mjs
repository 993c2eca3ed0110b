/* What a newcomer stumbles over: mistyped addresses, a red console, messages that outlive what they
 * were about, a lost focus, things that move, low windows, paper. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Daemon, until, Visitor } from "../support.mjs";

const daemon = await new Daemon().start();

test("a mistyped address is a page to a person and a problem to a program", async () => {
    const visitor = await Visitor.come(daemon);
    const { page } = visitor;

    for (const path of ["/rules", "/en/", "/a/b/c.html"]) {
        const answer = await page.goto(daemon.url + path);
        assert.equal(answer.status(), 404);
        await visitor.sees("h1", /There is no such page/);
    }
    await page.click("h1 + p >> text=Play");
    await page.waitForSelector("input[name=level]");
    for (const [path, Accept] of [
        ["/rules", "application/json"],
        ["/v1/rule", "text/html"],
    ]) {
        const answer = await fetch(daemon.url + path, { headers: { Accept } });
        assert.equal(answer.status, 404);
        assert.equal(answer.headers.get("Content-Type"), "application/problem+json");
    }
    await visitor.go("/#/game/%zz");
    await page.waitForSelector("input[name=level]");
    await visitor.leave();
});

test("a first visit leaves the console clean", async () => {
    const visitor = await Visitor.come(daemon);
    const { page } = visitor;

    for (const screen of ["", "account", "leaderboard", "about"]) {
        await visitor.go(`/#/${screen}`);
        await page.waitForLoadState("networkidle");
    }
    await visitor.begin({ rules: "flying" });
    await visitor.turn();
    assert.deepEqual(visitor.complaints, []);
    await visitor.leave();
});

test("a message goes when something else is done, and a lost game promises nothing", async () => {
    const visitor = await Visitor.come(daemon);
    const { page } = visitor;

    await visitor.begin({ rules: "classic" });
    const game = await visitor.turn();
    await visitor.play(game, game.moves[0]);
    await visitor.turn();
    await page.click("button:has-text('Offer a draw')");
    await visitor.sees(".message", /The computer plays on/);
    await page.click("button:has-text('Undo')");
    await visitor.sees(".notes", /opens no level/);
    await visitor.sees(".message", /^$/);
    await page.click("button:has-text('Offer a draw')");
    await page.click("button:has-text('Offer a draw')");
    await visitor.sees(".message", /once for each of your moves/);
    await page.click("button:has-text('Resign')");
    await page.click(".question button:has-text('Yes')");
    await visitor.sees(".status", /You have lost/);
    await visitor.sees(".message", /^$/);
    assert.doesNotMatch(await visitor.text(".notes"), /Winning this game/);
    await visitor.leave();
});

test("who looks back is told so, at the status and at a tap", async () => {
    const visitor = await Visitor.come(daemon);
    const game = await visitor.begin({ rules: "international" }).then(() => visitor.turn());

    await visitor.play(game, game.moves[0]);
    await visitor.turn();
    await visitor.page.click("[aria-label='Back one move']");
    await visitor.sees(".status", /You are looking back/);
    await visitor.tap(32);
    await visitor.sees(".message", /goes on at its last move/);
    await visitor.page.click("[aria-label='To the present']");
    await visitor.sees(".status", /Your move/);
    await visitor.sees(".message", /^$/);
    await visitor.leave();
});

test("the focus stays in the panel whatever is pressed there", async () => {
    const visitor = await Visitor.come(daemon);
    const { page } = visitor;
    const focused = () =>
        page.evaluate(() => {
            const { activeElement: at } = document;
            return at.closest(".panel") === null ? at.tagName : at.textContent || at.ariaLabel;
        });
    const press = async (selector) => {
        await page.focus(selector);
        await page.keyboard.press("Enter");
    };

    await visitor.begin({ rules: "international" });
    await visitor.turn();
    await press("button:has-text('Hint')");
    await visitor.sees(".notes", /Hint: /);
    assert.match(await focused(), /Hint/);
    const game = await visitor.game();
    await visitor.play(game, game.moves[0]);
    await visitor.turn();
    await press(".moves button");
    await visitor.sees(".status", /looking back/);
    assert.equal(await focused(), await visitor.text(".moves [aria-current]"));
    await press("[aria-label='To the present']");
    await visitor.sees(".status", /Your move/);
    assert.match(await focused(), /Your move/);
    await press("button:has-text('Resign')");
    await page.keyboard.press("Escape");
    assert.match(await focused(), /Resign/);
    await press("button:has-text('Undo')");
    await until(async () => (await visitor.game()).ply === 0, "taken back");
    await visitor.sees(".moves", /^$/);
    assert.match(await focused(), /Your move/);
    await press("button:has-text('Resign')");
    await page.keyboard.press("Enter"); // Yes
    await visitor.sees(".status", /You have lost/);
    assert.match(await focused(), /You have lost/);
    await visitor.leave();
});

for (const size of [
    { width: 1280, height: 800, language: "fr-FR" },
    { width: 360, height: 740, language: "fr-FR" },
]) {
    test(`no note and no question moves the moves: ${JSON.stringify(size)}`, async () => {
        const visitor = await Visitor.come(daemon, size);
        const { page } = visitor;
        const place = () =>
            page.evaluate(
                () => document.querySelector(".move-list").getBoundingClientRect().y + scrollY,
            );
        const status = (pattern) =>
            until(async () => pattern.test(await visitor.text(".status")), `${pattern}`);

        await visitor.begin({ rules: "international" });
        await status(/À vous/);
        const before = await place();
        await page.click("button:has-text('Conseil')");
        await visitor.sees(".notes", /Conseil : .*(\n|.)*n’ouvre pas/);
        assert.equal(await place(), before, "a hint");
        const game = await visitor.game();
        await visitor.play(game, game.moves[0]);
        await status(/À vous/);
        await page.click("[aria-label='Reculer d’un coup']");
        await status(/Vous revoyez/);
        assert.equal(await place(), before, "a look back");
        await page.click("button:has-text('Abandonner')");
        assert.equal(await place(), before, "a question");
        await page.click(".question button:has-text('Oui')");
        await status(/perdu/);
        assert.equal(await place(), before, "the end");
        await visitor.leave();
    });
}

test("a low window has the whole board: a phone on its side, a page at 200 %", async () => {
    for (const size of [
        { width: 740, height: 360 },
        { width: 640, height: 400 },
        { width: 512, height: 320 },
    ]) {
        const visitor = await Visitor.come(daemon, size);
        await visitor.begin({ rules: "international" });
        const { width, height } = await visitor.page.locator(".play .board").boundingBox();
        assert.ok(height <= size.height && height >= 280, `${height} of ${size.height}`);
        assert.equal(Math.round(width), Math.round(height));
        const wide = await visitor.page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= size.width, `${wide} of ${size.width}`);
        await visitor.leave();
    }
});

test("on paper stand the board and the moves, and no button", async () => {
    const visitor = await Visitor.come(daemon, { colorScheme: "dark" });
    const { page } = visitor;
    const shown = (selector) => page.locator(`${selector} >> visible=true`).count();

    await visitor.begin({ rules: "classic" });
    const game = await visitor.turn();
    await visitor.play(game, game.moves[0]);
    await visitor.turn();
    await page.emulateMedia({ media: "print" });
    assert.equal(await shown(".moves button"), 2);
    assert.equal(await shown("button"), 2);
    assert.equal(await shown("nav a"), 1);
    const ground = await page.evaluate(
        () => getComputedStyle(document.documentElement).backgroundColor,
    );
    assert.equal(ground, "rgb(250, 247, 242)");
    await visitor.leave();
});
