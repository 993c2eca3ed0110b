/* The screen that sets up a game: against whom, by which rules, at what level, who begins, and how
 * it is to look. The choices are remembered. */
import { diagram } from "./board.js";
import { h, refill } from "./dom.js";
import { PIECE_SETS } from "./pieces.js";
import { readFen, rowsOf } from "./position.js";
import { problemText } from "./words.js";

export const RULES = ["international", "classic", "flying"];
export const THEMES = ["wood", "green", "blue", "grey"];

const OPPONENTS = ["computer", "local", "friend"];

/* Small positions that show a board and its pieces. */
const SAMPLE = {
  10: "W:W31,32,34,36,37,38,39,43,K48:B2,3,7,8,12,13,18,K5",
  8: "W:W21,22,24,25,26,29,K31:B2,3,6,7,10,11,K4",
};

/* One choice among several, as a group of radio buttons. note(value) adds a line to each. */
function choices(name, legend, values, chosen, text, { note = () => null, onchange }) {
  return h(
    "fieldset",
    { class: `choices ${name}` },
    h("legend", null, legend),
    values.map((value) =>
      h(
        "label",
        null,
        h("input", {
          type: "radio",
          name,
          value,
          checked: value === chosen,
          onchange: () => onchange(value),
        }),
        h("span", { class: "text" }, text(value), note(value)),
      ),
    ),
  );
}

/* The six levels of a rule set: a locked one says which win opens it. */
function levelChoices({ t, preferences }, levels, opened) {
  const chosen = Math.min(preferences.level, opened);

  return h(
    "fieldset",
    { class: "choices level" },
    h("legend", null, t("setup.level")),
    levels.map(({ number, elo, error }) => {
      const locked = number > opened;
      const reason =
        locked && h("small", null, t("setup.locked", { level: t(`level.${number - 1}`) }));
      const measured = t("setup.elo", { elo: Math.round(elo), error: Math.round(error) });

      return h(
        "label",
        { class: locked ? "locked" : null },
        h("input", {
          type: "radio",
          name: "level",
          value: number,
          disabled: locked,
          checked: number === chosen,
          onchange: () => preferences.set("level", number),
        }),
        h("span", { class: "text" }, t(`level.${number}`), h("small", null, measured), reason),
      );
    }),
  );
}

/** The screen: {node}. */
export function setupScreen(app) {
  const { daemon, preferences, t } = app;
  const levels = h("div", { class: "levels" });
  const sample = h("div", { class: "sample" });
  const message = h("p", { class: "message", role: "alert" });

  function showSample() {
    const rows = rowsOf(preferences.rules);

    refill(sample, diagram(readFen(SAMPLE[rows]), rows, t("setup.look"), preferences.pieces));
  }

  async function showLevels() {
    const { rules, opponent } = preferences;

    levels.hidden = opponent !== "computer";
    try {
      const [list, opened] = await Promise.all([daemon.levels(rules), app.openedLevel(rules)]);
      if (rules === preferences.rules) {
        refill(levels, levelChoices(app, list.levels, opened));
      }
    } catch (problem) {
      message.textContent = problemText(t, problem);
    }
  }

  async function start(event) {
    event.preventDefault();
    const { rules, opponent, first } = preferences;
    const level = Number(form.elements.level?.value ?? 1);
    try {
      form.elements.start.disabled = true;
      const game = await daemon.newGame({
        rules,
        opponent,
        first,
        ...(opponent === "computer" ? { level } : {}),
      });
      preferences.set("game", game.id);
      app.go(`/game/${game.id}`);
    } catch (problem) {
      form.elements.start.disabled = false;
      message.textContent = problemText(t, problem);
    }
  }

  const remember = (name, then) => (value) => {
    preferences.set(name, value);
    then?.();
  };
  const select = (name, label, values, then) =>
    h(
      "label",
      { class: "select" },
      label,
      h(
        "select",
        { name, onchange: (event) => remember(name, then)(event.target.value) },
        values.map((value) =>
          h("option", { value, selected: value === preferences[name] }, t(`${name}.${value}`)),
        ),
      ),
    );

  const form = h(
    "form",
    { class: "setup", onsubmit: start },
    h("h1", null, t("setup.title")),
    preferences.game !== null &&
      h("p", null, h("a", { href: `#/game/${preferences.game}` }, t("setup.continue"))),
    choices(
      "opponent",
      t("setup.opponent"),
      OPPONENTS,
      preferences.opponent,
      (value) => t(`setup.${value}`),
      { onchange: remember("opponent", showLevels) },
    ),
    choices("rules", t("setup.rules"), RULES, preferences.rules, (value) => t(`rules.${value}`), {
      note: (value) => h("small", null, t(`rules.${value}.note`)),
      onchange: remember("rules", () => {
        showSample();
        showLevels();
      }),
    }),
    levels,
    choices(
      "first",
      t("setup.first"),
      ["me", "opponent"],
      preferences.first,
      (value) => t(`setup.first.${value}`),
      { onchange: remember("first") },
    ),
    h(
      "fieldset",
      { class: "looks" },
      h("legend", null, t("setup.looks")),
      sample,
      h(
        "div",
        null,
        select("theme", t("setup.theme"), THEMES, app.showTheme),
        select("pieces", t("setup.pieces"), PIECE_SETS, showSample),
        h(
          "label",
          { class: "check" },
          h("input", {
            type: "checkbox",
            checked: preferences.sound,
            onchange: (event) => preferences.set("sound", event.target.checked),
          }),
          t("setup.sound"),
        ),
      ),
    ),
    message,
    h("button", { type: "submit", name: "start", class: "primary" }, t("setup.start")),
  );

  showSample();
  showLevels();
  return { node: form };
}
