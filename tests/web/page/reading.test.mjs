/* The pages to read and what stands around all pages. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Daemon, Visitor } from "../support.mjs";

const daemon = await new Daemon().start();

test("what browsers and crawlers ask for by themselves is there", async () => {
    for (const [path, type] of [
        ["/favicon.ico", /^image\/x-icon/],
        ["/robots.txt", /^text\/plain/],
    ]) {
        const answer = await fetch(daemon.url + path);
        assert.equal(answer.status, 200, path);
        assert.match(answer.headers.get("Content-Type"), type);
    }
});

test("the pages to read show who is logged in, and Log in to others", async () => {
    const visitor = await Visitor.come(daemon, { language: "nl-NL" });

    await visitor.go("/nl/rules.html");
    await visitor.sees(".who-am-i", /^Inloggen$/);
    const answer = await visitor.context.request.post(`${daemon.url}/v1/players`, {
        data: { name: "Lies", password: "long enough" },
    });
    assert.equal(answer.status(), 201);
    for (const page of ["/nl/rules.html", "/fr/guide.html"]) {
        await visitor.go(page);
        await visitor.sees(".who-am-i", /^Lies$/);
    }
    await visitor.leave();
});

test("a game that does not exist is said at the top, with a way on", async () => {
    const visitor = await Visitor.come(daemon);

    await visitor.go("/#/game/none");
    await visitor.sees("h1", /There is no such game here/);
    await visitor.page.click("main a");
    await visitor.page.waitForSelector("input[name=level]");
    await visitor.leave();
});

test("no heading of the leaderboard is broken on a phone", async () => {
    const visitor = await Visitor.come(daemon, { width: 360, height: 740, language: "fr-FR" });

    await visitor.go("/#/leaderboard");
    await visitor.page.waitForSelector("thead th");
    for (const head of await visitor.page.locator("thead th").all()) {
        const words = (await head.innerText()).split(" ").length;
        const { height } = await head.boundingBox();
        assert.ok(height < 12 + 20 * words, `${await head.innerText()}: ${height} high`);
    }
    await visitor.leave();
});
