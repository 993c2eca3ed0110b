/* The moves of a game as a score sheet, and the buttons that step through them. */
import { h, refill } from "./dom.js";
import { shortMove } from "./position.js";

/** onLook(ply) is called with the ply to look at; null is the present. update(game, looking). */
export function createMoveList(t, onLook) {
  let game = null;
  let at = 0; // the ply looked at

  const step = (key, sign, target) =>
    h(
      "button",
      {
        "type": "button",
        "aria-label": t(key),
        "title": t(key),
        "onclick": () => onLook(target()),
      },
      sign,
    );
  const buttons = {
    first: step("play.step.first", "|◀", () => 0),
    back: step("play.step.back", "◀", () => Math.max(0, at - 1)),
    on: step("play.step.on", "▶", () => at + 1),
    last: step("play.step.last", "▶|", () => null),
  };
  const list = h("ol", { class: "moves" });
  const node = h(
    "section",
    { "class": "move-list", "aria-label": t("play.moves") },
    h("div", { class: "steps" }, Object.values(buttons)),
    list,
  );

  function moveButton(ply) {
    const move = game.played[ply];

    return h(
      "button",
      {
        "type": "button",
        "title": move,
        "aria-current": ply + 1 === at ? "step" : null,
        "onclick": () => onLook(ply + 1),
      },
      shortMove(move),
    );
  }

  /* Rows of two moves, the opener's first; a game that begins with the second side has a gap. */
  function rows() {
    const all = game.played.map((_, ply) => moveButton(ply));

    return Array.from({ length: Math.ceil(all.length / 2) }, (_, row) =>
      h("li", null, all.slice(2 * row, 2 * row + 2)),
    );
  }

  return {
    node,
    update(newGame, looking) {
      game = newGame;
      at = looking ?? game.ply;
      buttons.first.disabled = buttons.back.disabled = at === 0;
      buttons.on.disabled = buttons.last.disabled = at === game.ply;
      const held = list.contains(document.activeElement);
      refill(list, rows());
      const current = list.querySelector("[aria-current]");
      if (held) {
        current?.focus({ preventScroll: true });
      }
      list.scrollTop = (current?.offsetTop ?? 0) - list.clientHeight / 2;
    },
  };
}
