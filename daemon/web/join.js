/* The screen behind an invitation link: what game it is, and a button to take part. */
import { deadEnd, h, refill } from "./dom.js";
import { problemText } from "./words.js";

/** The screen of #/join/ID: {node}. */
export function joinScreen(app, id) {
  const { daemon, language, preferences, t } = app;
  const node = h("section", { class: "join" }, h("p", null, t("loading")));
  const message = h("p", { class: "message", role: "alert" });

  /* The way back leads past this screen, which would only lead on again. */
  const enter = () => location.replace(`#/game/${id}`);

  async function take() {
    try {
      app.made = await daemon.join(id);
      preferences.set("game", id);
      enter();
    } catch (problem) {
      if (problem.reason === "seats-taken") {
        enter(); // to look on
      } else {
        message.textContent = problemText(t, problem);
      }
    }
  }

  async function load() {
    try {
      const game = await daemon.game(id);
      if (game.you.length > 0) {
        preferences.set("game", id);
      }
      if (game.status !== "waiting" || game.you.length > 0) {
        enter();
        return;
      }
      const name = game.players.white ?? game.players.black;
      const text = name === null ? "play.join.text" : "play.join.by";
      refill(
        node,
        h("h1", null, t("play.join")),
        h("p", null, t(text, { name, rules: t(`rules.${game.rules}`) })),
        h("button", { type: "button", class: "primary", onclick: take }, t("play.join")),
        message,
        h(
          "p",
          null,
          h(
            "a",
            { href: `/${language}/rules.html#${game.rules}` },
            t("setup.read", { rules: t(`rules.${game.rules}`) }),
          ),
        ),
      );
    } catch (problem) {
      refill(node, deadEnd(app.failed(problem), t("home")));
    }
  }

  load();
  return { node };
}
