/* How strong the levels are: the measured ladder of each rule set as a chart with error bars, and
 * as a table for those who read it. */
import { h, s, tableHead } from "./dom.js";
import { RULES } from "./setup.js";

const HIGHEST = 3000; // Elo at the chart's right end
const WIDTH = 360;
const ROW = 26;

const LEFT = 80; // where the bars begin
const RIGHT = 60; // beyond them: the error of the highest and its number

const x = (elo) => LEFT + (Math.max(0, elo) * (WIDTH - LEFT - RIGHT)) / HIGHEST;

function bar(t, { number, elo, error }, index) {
  const y = ROW * index + ROW / 2;
  const middle = x(elo);

  return s(
    "g",
    null,
    s("text", { x: LEFT - 8, y: y + 4, class: "label" }, t(`level.${number}`)),
    s("rect", {
      x: x(0),
      y: y - 7,
      width: middle - x(0),
      height: 14,
      class: "bar",
    }),
    s("path", {
      class: "error",
      d: `M${x(elo - error)} ${y} H${x(elo + error)} M${x(elo - error)} ${y - 5} v10 M${x(elo + error)} ${y - 5} v10`,
    }),
    s("text", { x: x(elo + error) + 8, y: y + 4 }, String(Math.round(elo))),
  );
}

function chart(t, rules, levels) {
  return s(
    "svg",
    {
      "class": "ladder",
      "viewBox": `0 0 ${WIDTH} ${ROW * levels.length}`,
      "role": "img",
      "aria-label": `${t(`rules.${rules}`)}: ${t("about.title")}`,
    },
    levels.map((level, index) => bar(t, level, index)),
  );
}

function table(t, levels) {
  return h(
    "table",
    null,
    tableHead(["level", "elo", "games"].map((name) => t(`about.column.${name}`))),
    h(
      "tbody",
      null,
      levels.map(({ number, elo, error, games }) =>
        h(
          "tr",
          null,
          h("th", { scope: "row" }, t(`level.${number}`)),
          h("td", null, t("setup.elo", { elo: Math.round(elo), error: Math.round(error) })),
          h("td", null, String(games)),
        ),
      ),
    ),
  );
}

/** The screen: {node}. */
export function aboutScreen({ daemon, failed, t }) {
  const node = h(
    "section",
    { class: "about" },
    h("h1", null, t("about.title")),
    h("p", null, t("about.text")),
  );

  async function load(rules) {
    const place = h("div", null, h("h2", null, t(`rules.${rules}`)));
    node.append(place);
    try {
      const { levels } = await daemon.levels(rules);
      place.append(chart(t, rules, levels), table(t, levels));
    } catch (problem) {
      place.append(h("p", { class: "message" }, failed(problem)));
    }
  }

  RULES.forEach(load);
  return { node };
}
