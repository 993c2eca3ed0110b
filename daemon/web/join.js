/* The screen behind an invitation link: what game it is, and a button to take part. */
import { h, refill } from "./dom.js";
import { problemText } from "./words.js";

/** The screen of #/join/ID: {node}. */
export function joinScreen(app, id) {
  const { daemon, preferences, t } = app;
  const node = h("section", { class: "join" }, h("p", null, t("loading")));
  const message = h("p", { class: "message", role: "alert" });

  const enter = () => {
    preferences.set("game", id);
    app.go(`/game/${id}`);
  };

  async function take() {
    try {
      await daemon.join(id);
      enter();
    } catch (problem) {
      message.textContent = problemText(t, problem);
    }
  }

  async function load() {
    try {
      const game = await daemon.game(id);
      if (game.status !== "waiting" || game.you.length > 0) {
        enter();
        return;
      }
      refill(
        node,
        h("h1", null, t("play.join")),
        h("p", null, t("play.join.text", { rules: t(`rules.${game.rules}`) })),
        h("button", { type: "button", class: "primary", onclick: take }, t("play.join")),
        message,
      );
    } catch (problem) {
      refill(node, h("p", { class: "message" }, problemText(t, problem)));
    }
  }

  load();
  return { node };
}
