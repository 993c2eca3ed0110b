/* For everyone: axe finds nothing on any screen at any size, in light and in dark; a game by
 * keyboard alone; the weight of the page; nothing shifts during play. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Daemon, until, Visitor } from "../support.mjs";

const AXE = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const SCREENS = [
    "/",
    "/#/leaderboard",
    "/#/account",
    "/#/about",
    "/en/rules.html",
    "/fr/rules.html",
    "/nl/rules.html",
    "/nl/guide.html",
    "/no/such/page",
];
const SIZES = [
    { width: 360, height: 740, language: "fr-FR", colorScheme: "dark" },
    { width: 1280, height: 900 },
    { width: 320, height: 640, language: "nl-NL" },
];

const daemon = await new Daemon().start();

/* What axe has to say of the page; it is put in from outside, as the page's policy forbids it. */
async function axe(visitor) {
    const session = await visitor.context.newCDPSession(visitor.page);
    const run = async (expression) => {
        const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
            expression,
            awaitPromise: true,
            returnByValue: true,
        });
        assert.equal(exceptionDetails, undefined, JSON.stringify(exceptionDetails));
        return result.value;
    };

    await run(AXE);
    return run(`axe.run().then(({violations}) => violations.map(
    ({id, nodes}) => id + ": " + nodes.map((node) => node.target).join(" ")))`);
}

for (const size of SIZES) {
    test(`axe finds nothing: ${JSON.stringify(size)}`, async () => {
        const visitor = await Visitor.come(daemon, size);

        for (const screen of SCREENS) {
            await visitor.go(screen);
            await visitor.page.waitForSelector("h1");
            await visitor.page.waitForLoadState("networkidle");
            assert.deepEqual(await axe(visitor), [], screen);
            const cut = await visitor.page.evaluate(() =>
                [...document.querySelectorAll("html, .wide")].map(
                    (node) => node.scrollWidth - node.clientWidth,
                ),
            );
            assert.ok(Math.max(...cut) <= 0, `${screen}: ${cut} pixels out of sight`);
        }
        await visitor.go("/");
        const start = await visitor.page.locator("button[name=start]").boundingBox();
        assert.ok(start.y + start.height <= size.height, "Start is in sight");
        await visitor.begin({ rules: "international" });
        assert.deepEqual(await axe(visitor), [], "a game");
        const wide = await visitor.page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= size.width, `${wide} pixels wide`);
        await visitor.leave();
    });
}

test("a game begins, moves and takes up again by keyboard alone", async () => {
    const visitor = await Visitor.come(daemon);
    const { page } = visitor;
    const key = (name) => page.keyboard.press(name);
    const focused = () =>
        page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? "");

    await visitor.go("/#/play/international");
    await page.focus("button[name=start]");
    await key("Enter");
    await page.waitForSelector(".play .board");
    await until(async () => {
        await key("Tab");
        return /white man, can move/.test(await focused());
    }, "a piece that can move is reached by Tab");
    await key("Enter");
    await key("ArrowUp");
    assert.match(await focused(), /can go here/);
    await key("Escape");
    assert.doesNotMatch(await focused(), /can go here/);
    await key("ArrowDown");
    await key("Enter");
    await key("ArrowUp");
    await key("Enter");
    await visitor.sees(".spoken", /\w/);
    await until(async () => (await visitor.game()).ply >= 1, "a move by keyboard");
    await visitor.leave();
});

test("the first board is light and quick, and nothing shifts while it is played on", async () => {
    const visitor = await Visitor.come(daemon);
    const { page } = visitor;
    let bytes = 0;

    page.on("response", async (response) => {
        bytes += (await response.request().sizes()).responseBodySize;
    });
    await visitor.begin({ rules: "classic" });
    await page.waitForLoadState("load");
    assert.ok(bytes > 0 && bytes <= 150_000, `${bytes} bytes`);

    const board = page.locator(".play .board");
    const before = await board.boundingBox();
    let game = await visitor.turn();
    for (let ply = 0; ply < 6; ply += 2) {
        await visitor.play(game, game.moves[0]);
        game = await visitor.turn();
        assert.deepEqual(await board.boundingBox(), before);
    }
    await visitor.leave();
});
