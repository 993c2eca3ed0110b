/* The real daemon and the real browser for the tests of the page.
 *
 * $DRAUGHTSD is the daemon's program, $DATA the weights and levels it serves. Nothing is evaluated
 * in the page by its own scripts' rules: the strict Content-Security-Policy stays on. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "playwright-core";

/** Waits until `condition` (may be async) holds; fails after 15 s. */
export async function until(condition, what) {
    const end = Date.now() + 15_000;

    while (!(await condition())) {
        assert.ok(Date.now() < end, `in vain: ${what}`);
        await sleep(20);
    }
}

/** A daemon of its own store; url, and kill(), start() to have it fall and rise. */
export class Daemon {
    #work = mkdtempSync(join(tmpdir(), "page-"));
    #process = null;
    #port = 0;

    constructor(settings = []) {
        this.settings = settings;
        after(() => {
            this.#process?.kill("SIGKILL");
            rmSync(this.#work, { recursive: true });
        });
    }

    async start() {
        const set = [
            `http.listen=127.0.0.1:${this.#port}`,
            `weights.dir=${process.env.DATA}`,
            `store.file=${join(this.#work, "games.db")}`,
            ...this.settings,
        ].flatMap((setting) => ["-s", setting]);
        let log = "";

        this.#process = spawn(process.env.DRAUGHTSD, set, { stdio: ["ignore", "ignore", "pipe"] });
        this.#process.stderr.on("data", (text) => (log += text));
        await until(() => {
            assert.equal(this.#process.exitCode, null, log);
            return /listening on \S+:\d+\n/.test(log);
        }, "the daemon listens");
        this.url = /listening on (\S+)/.exec(log)[1];
        this.#port = Number(this.url.split(":").at(-1)); // the same one after a fall
        return this;
    }

    /** The legal move that a level would make in a game: one that leads to an end. */
    async advise(game, level) {
        const answer = await fetch(`${this.url}/v1/bestmove`, {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ rules: game.rules, fen: game.start, moves: game.played, level }),
        });
        const { move } = await answer.json();

        return game.moves.find((legal) => legal.move === move);
    }

    async kill() {
        const gone = new Promise((resolve) => this.#process.once("exit", resolve));

        this.#process.kill("SIGKILL");
        await gone;
    }
}

let browser = null;

after(() => browser?.close());

/** A visitor with a browser of their own (cookies, storage), at a phone or a desk. */
export class Visitor {
    static async come(daemon, { width = 1100, height = 800, language = "en-GB", ...more } = {}) {
        browser ??= await chromium.launch({
            executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
            args: ["--no-sandbox"],
        });
        const context = await browser.newContext({
            viewport: { width, height },
            locale: language,
            ...more,
        });
        const visitor = new Visitor();

        visitor.daemon = daemon;
        visitor.context = context;
        visitor.page = await context.newPage();
        visitor.faults = [];
        visitor.complaints = []; // whatever the console shows in red
        visitor.page.on("pageerror", (error) => visitor.faults.push(error.message));
        visitor.page.on("console", (message) => {
            if (message.type() === "error") {
                visitor.complaints.push(`${message.text()} ${message.location().url}`);
            }
            if (/Content.Security.Policy/i.test(message.text())) {
                visitor.faults.push(message.text());
            }
        });
        return visitor;
    }

    async go(path = "/") {
        await this.page.goto(this.daemon.url + path);
    }

    /** Sets up a game on the first screen and begins it. */
    async begin({ rules, opponent = "computer", level = 1, first = "me" }) {
        await this.go("/");
        await this.page.check(`input[name=opponent][value=${opponent}]`);
        await this.page.check(`input[name=rules][value=${rules}]`);
        if (opponent === "computer") {
            await this.page.check(`input[name=level][value="${level}"]`);
        }
        await this.page.check(`input[name=first][value=${first}]`);
        await this.page.click("button[name=start]");
        await this.page.waitForSelector(".play .board");
    }

    /** The game on the screen, as the daemon tells it to this visitor. */
    async game() {
        const id = this.page.url().split("/").at(-1);
        const answer = await this.context.request.get(`${this.daemon.url}/v1/games/${id}`);

        assert.equal(answer.status(), 200);
        return answer.json();
    }

    text(selector) {
        return this.page.locator(selector).first().innerText();
    }

    async sees(selector, pattern) {
        await until(
            async () => pattern.test(await this.text(selector)),
            `${selector} shows ${pattern}, not ${JSON.stringify(await this.text(selector))}`,
        );
    }

    /** Where the middle of a square is on the screen. */
    async middle(square) {
        const box = await this.page.locator(`.play [data-square="${square}"]`).boundingBox();

        return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    }

    async tap(square) {
        const { x, y } = await this.middle(square);

        await this.page.mouse.click(x, y);
    }

    async drag(from, to) {
        const start = await this.middle(from);
        const end = await this.middle(to);

        await this.page.mouse.move(start.x, start.y);
        await this.page.mouse.down();
        await this.page.mouse.move(end.x, end.y, { steps: 5 });
        await this.page.mouse.up();
    }

    /** Waits for one's turn (or the end) and tells the game. */
    async turn() {
        await until(
            async () => /Your move|Go on|won|lost|draw/i.test(await this.text(".status")),
            "a turn",
        );
        return this.game();
    }

    /** Makes a legal move square by square, and waits until the score sheet has it. */
    async play(game, move) {
        await this.tap(move.from);
        for (const square of move.paths[0]) {
            await this.tap(square);
        }
        await until(
            async () => (await this.page.locator(".moves button").count()) > game.ply,
            `${move.move} is played`,
        );
    }

    async leave() {
        assert.deepEqual(this.faults, []);
        await this.context.close();
    }
}
