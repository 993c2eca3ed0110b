/* What lies where: at every kind of window the board is whole, nothing lies over it, and no control is
 * stretched or cut. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Daemon, until, Visitor } from "../support.mjs";

const daemon = await new Daemon().start();
const WINDOWS = [
    { width: 820, height: 1180, language: "fr-FR" },
    { width: 1024, height: 768, language: "nl-NL" },
    { width: 960, height: 1040 },
    { width: 740, height: 360 },
    { width: 360, height: 740 },
];

const boxOf = (visitor, selector) => visitor.page.locator(selector).first().boundingBox();

for (const size of WINDOWS) {
    test(`the board is whole and free: ${JSON.stringify(size)}`, async () => {
        const visitor = await Visitor.come(daemon, size);
        await visitor.begin({ rules: "international" });
        await until(async () => {
            const { y, height } = await boxOf(visitor, ".play .board");
            return y >= 0 && y + height <= size.height;
        }, "the whole board is in the window");
        const board = await boxOf(visitor, ".play .board");
        const panel = await boxOf(visitor, ".panel");
        const beside = panel.x >= board.x + board.width;
        assert.ok(beside || panel.y >= board.y + board.height, "the panel lies over the board");
        for (const button of await visitor.page.locator(".panel button >> visible=true").all()) {
            const { height } = await button.boundingBox();
            assert.ok(height <= 48, `${await button.innerText()} is ${height} high`);
        }
        await visitor.leave();
    });
}

test("the game that waits is named where it can be taken up, and one that is over is not", async () => {
    const visitor = await Visitor.come(daemon);
    const { page } = visitor;

    await visitor.begin({ rules: "flying" });
    const game = await visitor.game();
    await visitor.go("/");
    await visitor.sees(".continue", /Flying kings 8×8, Beginner/);
    await visitor.context.request.post(`${daemon.url}/v1/games/${game.id}/resign`);
    await page.reload();
    await page.waitForSelector("input[name=level]");
    await until(async () => !(await page.isVisible(".continue")), "no more offered");
    await visitor.leave();
});
