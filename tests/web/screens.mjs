/* Pictures of every screen at a desk and on a phone, for docs/page/:
 *
 *     DRAUGHTSD=build/release/bin/draughtsd DATA=data node --test tests/web/screens.mjs
 */
import { mkdirSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Daemon, Visitor } from "./support.mjs";

const OUT = new URL("../../docs/page/", import.meta.url).pathname;
const SIZES = { desk: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } };
const QUIET = 700; // milliseconds, after which nothing moves any more

mkdirSync(OUT, { recursive: true });
const daemon = await new Daemon().start();

for (const [size, viewport] of Object.entries(SIZES)) {
    test(`screens at ${size}`, async () => {
        const visitor = await Visitor.come(daemon, viewport);
        const { page } = visitor;
        const shoot = async (name, { fullPage = true } = {}) => {
            await sleep(QUIET);
            await page.screenshot({ path: `${OUT}${name}-${size}.png`, fullPage });
        };

        await visitor.go("/");
        await page.waitForSelector("input[name=level]");
        await shoot("setup", { fullPage: false }); // its button stays at the window's lower edge

        await visitor.begin({ rules: "international" });
        let game = await visitor.turn();
        for (const wanted of ["33-28", "39-33"]) {
            const move = game.moves.find(({ move: text }) => text === wanted) ?? game.moves[0];
            await visitor.play(game, move);
            game = await visitor.turn();
        }
        await page.click("button:has-text('Numbers')");
        await page.click("button:has-text('Hint')");
        await shoot("play");

        const answer = await visitor.context.request.post(`${daemon.url}/v1/games`, {
            data: {
                rules: "international",
                opponent: "local",
                fen: "W:WK4,36,41,46:B5,13,20,32,37",
            },
        });
        await visitor.go(`/#/game/${(await answer.json()).id}`);
        await page.waitForSelector(".play .board");
        await visitor.tap(4);
        await visitor.tap(27);
        await shoot("capture");

        await visitor.begin({ rules: "classic", opponent: "friend" });
        await shoot("friend");
        for (const screen of ["account", "leaderboard", "about"]) {
            await visitor.go(`/#/${screen}`);
            await shoot(screen);
        }
        for (const [name, path] of [
            ["rules", "/fr/rules.html"],
            ["guide", "/nl/guide.html"],
        ]) {
            await visitor.go(path);
            await shoot(name);
        }
        await visitor.leave();
    });
}
