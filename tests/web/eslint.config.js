/* What the linter holds the page and its tests to. */
const browser = [
  "AbortController AudioContext Blob DOMPoint Element FormData URL URLSearchParams WebSocket",
  "addEventListener clearTimeout console document fetch localStorage location matchMedia",
  "navigator performance requestAnimationFrame scrollTo setTimeout",
];
const node =
  "process Buffer console fetch setTimeout clearTimeout URL WebSocket document location scrollY " +
  "getComputedStyle";

const readonly = (names) => Object.fromEntries(names.split(" ").map((name) => [name, "readonly"]));

const rules = {
  "eqeqeq": "error",
  "no-undef": "error",
  "no-unused-vars": ["error", { varsIgnorePattern: "^_" }],
  "no-var": "error",
  "prefer-const": "error",
  "no-shadow": "error",
  "no-unreachable": "error",
  "no-fallthrough": "error",
  "max-lines": ["error", 400],
};

export default [
  { ignores: ["**/node_modules/**"] },
  { files: ["**/web/*.js"], languageOptions: { globals: readonly(browser.join(" ")) }, rules },
  { files: ["**/*.mjs"], languageOptions: { globals: readonly(node) }, rules },
];
