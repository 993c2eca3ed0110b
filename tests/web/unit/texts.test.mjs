/* One table of texts: complete, alike in what is filled in, and all that the page asks for. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { hasText, languageFor, LANGUAGES, translator } from "../../../daemon/web/texts.js";

const PAGE = new URL("../../../daemon/web/", import.meta.url);
const source = ["texts.js", "texts_play.js"]
    .map((file) => readFileSync(new URL(file, PAGE), "utf8"))
    .join("");
const keys = [...source.matchAll(/^ {2}"([^"]+)": \[/gm)].map((match) => match[1]);
const holes = (text) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

/* A text as it stands in the table, with its holes. */
function raw(language, key) {
    const named = new Proxy({}, { get: (_, name) => `{${String(name)}}` });

    return translator(language)(key, named);
}

test("every text stands in every language, with the same values to be filled in", () => {
    assert.ok(keys.length > 100);
    for (const key of keys) {
        for (const language of Object.keys(LANGUAGES)) {
            assert.notEqual(raw(language, key), key);
            assert.notEqual(raw(language, key).trim(), "");
            assert.deepEqual(
                holes(raw(language, key)),
                holes(raw("en", key)),
                `${key} in ${language}`,
            );
        }
    }
});

test("every text that the page names is in the table", () => {
    for (const file of readdirSync(PAGE).filter((name) => name.endsWith(".js"))) {
        for (const [, key] of readFileSync(new URL(file, PAGE), "utf8").matchAll(
            /\bt\("([^"]+)"/g,
        )) {
            assert.ok(hasText(key), `${file}: ${key}`);
        }
    }
});

test("the browser's first language that is known is taken, English else", () => {
    assert.equal(languageFor(["de-DE", "nl-BE", "fr"]), "nl");
    assert.equal(languageFor(["de"]), "en");
});
