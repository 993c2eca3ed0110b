/* The leaderboard: of one rule set or of all, a page at a time, one's own row marked. */
import { h, refill, tableHead } from "./dom.js";
import { RULES } from "./setup.js";

const COLUMNS = ["rank", "player", "level", "wins", "games"];

function row(t, { rank, player, level, wins, games }, own) {
  return h(
    "tr",
    { class: own ? "own" : null },
    h("td", null, String(rank)),
    h("th", { scope: "row" }, player),
    h("td", null, t(`level.${level.number}`)),
    h("td", null, String(wins)),
    h("td", null, String(games)),
  );
}

/* One's own row stands above the page that does not have it. */
function rows(t, { rows: list, me }) {
  const own = (entry) => entry.player === me?.player;

  return [
    me !== null && !list.some(own) && row(t, me, true),
    list.map((entry) => row(t, entry, own(entry))),
  ];
}

/** The screen of #/leaderboard, #/leaderboard/RULES or #/leaderboard/RULES/OFFSET: {node}. */
export function leaderboardScreen(app, of = "all", from = "0") {
  const { daemon, t } = app;
  const rules = of === "all" ? null : of;
  const offset = Number(from);
  const path = (set, at = 0) => `#/leaderboard/${set ?? "all"}/${at}`;
  const body = h("tbody");
  const more = h("p", { class: "pages" });
  const message = h("p", { class: "message", role: "alert" });

  async function load() {
    try {
      const list = await daemon.leaderboard({ rules, offset });
      refill(body, rows(t, list));
      refill(
        more,
        list.rows.length === 0 && offset === 0 && t("board.empty"),
        offset > 0 && h("a", { href: path(rules) }, t("board.first")),
        list.next !== null && h("a", { href: path(rules, list.next) }, t("board.next")),
      );
    } catch (problem) {
      message.textContent = app.failed(problem);
    }
  }

  load();
  return {
    node: h(
      "section",
      { class: "leaderboard" },
      h("h1", null, t("nav.leaderboard")),
      h(
        "p",
        { class: "tabs" },
        [null, ...RULES].map((each) =>
          h(
            "a",
            { "href": path(each), "aria-current": each === rules ? "page" : null },
            each === null ? t("board.all") : t(`rules.${each}`),
          ),
        ),
      ),
      h(
        "div",
        { "class": "wide", "tabindex": 0, "role": "region", "aria-label": t("nav.leaderboard") },
        h("table", null, tableHead(COLUMNS.map((name) => t(`board.${name}`))), body),
      ),
      more,
      message,
    ),
  };
}
