/* The page is one round trip of modules: what app.js imports, by whatever way, is preloaded. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const PAGE = new URL("../../../daemon/web/", import.meta.url);
const read = (file) => readFileSync(new URL(file, PAGE), "utf8");

function imported(file, found = new Set()) {
    for (const [, name] of read(file).matchAll(/from "\.\/([^"]+)"/g)) {
        if (!found.has(name)) {
            imported(name, found.add(name));
        }
    }
    return found;
}

test("what app.js imports is what index.html preloads", () => {
    const links = [...read("index.html").matchAll(/rel="modulepreload" href="([^"]+)"/g)];

    assert.deepEqual(links.map((link) => link[1]).sort(), [...imported("app.js")].sort());
});
