/* The screen that sets up a game: against whom, by which rules, at what level, who begins, and how
 * it is to look. The choices are remembered; the button that begins is always in sight. */
import { diagram } from "./board.js";
import { h, refill } from "./dom.js";
import { PIECE_SETS } from "./pieces.js";
import { readFen, rowsOf } from "./position.js";
import { other, problemText } from "./words.js";

export const RULES = ["international", "classic", "flying"];
export const THEMES = ["wood", "green", "blue", "grey"];

const OPPONENTS = ["computer", "local", "friend"];

/* What is played where a language is spoken, before anything has been chosen. */
const USUAL = { en: "classic", fr: "international", nl: "international" };

const OPENER = { international: "white", classic: "black", flying: "white" };

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

/* What opens the first level that is locked, and what the numbers are. */
function levelNote(t, levels, opened) {
  const next = opened < levels.length && {
    level: t(`level.${opened}`),
    next: t(`level.${opened + 1}`),
  };

  return h(
    "p",
    { class: "aside" },
    next && `${t("setup.next", next)} `,
    h("a", { href: "#/about" }, t("setup.numbers")),
  );
}

/* The six levels of a rule set. */
function levelChoices({ t, preferences }, levels, opened) {
  const chosen = Math.min(preferences.level, opened);

  return h(
    "fieldset",
    { class: "choices level" },
    h("legend", null, t("setup.level")),
    levels.map(({ number, elo, error }) => {
      const locked = number > opened;
      const reason = locked && ` · ${t("setup.locked")}`;
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
        h("span", { class: "text" }, t(`level.${number}`), h("small", null, measured, reason)),
      );
    }),
  );
}

/** The screen, with a rule set chosen where #/play/RULES names it: {node}. */
export function setupScreen(app, wanted) {
  const { daemon, language, preferences, t } = app;
  const levels = h("div", { class: "levels" });
  const first = h("div", { class: "who" });
  const read = h("a");
  const sample = h("div", { class: "sample" });
  const message = h("p", { class: "message", role: "alert" });
  const underway = h("p", { class: "continue", hidden: preferences.game === null });

  if (RULES.includes(wanted)) {
    preferences.set("rules", wanted);
  }
  const rulesChosen = () => preferences.rules ?? USUAL[language];

  function showSample() {
    const rows = rowsOf(rulesChosen());

    refill(sample, diagram(readFen(SAMPLE[rows]), rows, t("setup.look"), preferences.pieces));
  }

  async function showLevels() {
    const { opponent } = preferences;
    const rules = rulesChosen();

    levels.hidden = opponent !== "computer";
    try {
      const [list, opened] = await Promise.all([daemon.levels(rules), app.openedLevel(rules)]);
      if (rules === rulesChosen()) {
        refill(levels, levelChoices(app, list.levels, opened), levelNote(t, list.levels, opened));
      }
    } catch (problem) {
      message.textContent = app.failed(problem);
    }
  }

  /* Who begins, with the colours that the rules give to each. */
  function showFirst() {
    const opener = OPENER[rulesChosen()];
    const side = { me: t(opener), opponent: t(other(opener)) };

    first.hidden = preferences.opponent === "local";
    refill(
      first,
      choices(
        "first",
        t("setup.first"),
        ["me", "opponent"],
        preferences.first,
        (value) => t(`setup.first.${value}`, { side: side[value] }),
        { onchange: remember("first") },
      ),
    );
  }

  function showRead() {
    read.textContent = t("setup.read", { rules: t(`rules.${rulesChosen()}`) });
    read.href = `/${language}/rules.html#${rulesChosen()}`;
  }

  function show() {
    showSample();
    showFirst();
    showRead();
    showLevels();
  }

  async function start(event) {
    event.preventDefault();
    const { opponent } = preferences;
    const level = Number(form.elements.level?.value ?? preferences.level);
    try {
      form.elements.start.disabled = true;
      const game = await daemon.newGame({
        rules: rulesChosen(),
        opponent,
        first: opponent === "local" ? "me" : preferences.first,
        ...(opponent === "computer" ? { level } : {}),
      });
      app.made = game;
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

  /* Which game waits, and a way to it; a game that is over or gone is not offered. */
  async function showUnderway() {
    const id = preferences.game;

    try {
      const game = id === null ? null : await daemon.game(id);
      if (game !== null && game.outcome === null && game.you.length > 0) {
        const against = game.level ? t(`level.${game.level.number}`) : t(`setup.${game.opponent}`);
        const names = { rules: t(`rules.${game.rules}`), against };
        refill(
          underway,
          h("a", { class: "button", href: `#/game/${id}` }, t("setup.continue", names)),
        );
      } else {
        underway.hidden = true;
      }
    } catch (problem) {
      if (problem.status === 404) {
        preferences.set("game", null);
        underway.hidden = true;
      }
    }
  }

  const form = h(
    "form",
    { class: "setup", onsubmit: start },
    h("h1", null, t("setup.title")),
    h("p", { class: "lead" }, t("setup.lead")),
    h(
      "div",
      { class: "choosing" },
      underway,
      choices(
        "opponent",
        t("setup.opponent"),
        OPPONENTS,
        preferences.opponent,
        (value) => t(`setup.${value}`),
        { onchange: remember("opponent", show) },
      ),
      choices("rules", t("setup.rules"), RULES, rulesChosen(), (value) => t(`rules.${value}`), {
        note: (value) => h("small", null, t(`rules.${value}.note`)),
        onchange: remember("rules", show),
      }),
      h("p", { class: "aside" }, read),
      levels,
      first,
    ),
    h(
      "fieldset",
      { class: "looks" },
      h("legend", null, t("setup.looks")),
      sample,
      h(
        "div",
        { class: "how" },
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
    h(
      "div",
      { class: "begin" },
      h("button", { type: "submit", name: "start", class: "primary" }, t("setup.start")),
      message,
    ),
  );

  show();
  showUnderway();
  return { node: form };
}
