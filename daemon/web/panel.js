/* What stands beside the board: players, whose turn, counters, messages, what can be asked for.
 *
 * Built once and then brought up to date, so that the focus stays where it is. */
import { h, refill } from "./dom.js";
import { shortMove, takenOf } from "./position.js";
import { createMoveList } from "./move_list.js";
import { other, outcomeText, ownColour, playerText, turnText } from "./words.js";

/* A player's line: colour, name, pieces taken, and whether a friend is here. */
function createPlayer(t) {
  const node = h("p", { class: "player" });

  return {
    node,
    update(game, colour, taken, present) {
      const gone = present === false && game.opponent === "friend" && game.status !== "waiting";
      node.classList.toggle("to-move", game.turn === colour && game.outcome === null);
      refill(
        node,
        h("span", { "class": `disc ${colour}`, "aria-hidden": "true" }),
        h("span", { class: "name" }, playerText(t, game, colour)),
        gone && h("span", { class: "away" }, t("play.absent")),
        h("span", { class: "taken" }, t("play.taken", { count: taken[other(colour)] })),
      );
    },
  };
}

function counterTexts(t, { counters }) {
  const { repetitions, repetitions_to_draw, quiet_plies, quiet_plies_to_draw } = counters;

  return [
    repetitions > 1 && t("play.repetitions", { now: repetitions, limit: repetitions_to_draw }),
    quiet_plies > 9 && t("play.quiet", { now: quiet_plies, limit: quiet_plies_to_draw }),
  ].filter(Boolean);
}

/* The notes of a game: counters, what spoils it, what it waits for. */
function notes(t, game, looking) {
  return [
    looking !== null && t("play.looking-back"),
    game.hint !== null &&
      t("play.hint.shown", {
        move: shortMove(game.hint),
        idea: t(`idea.${game.hint_idea?.kind ?? "quiet"}`),
      }),
    ...(game.outcome === null ? counterTexts(t, game) : []),
    game.spoiled_by &&
      game.you.length > 0 &&
      t("play.spoiled", { reason: t(`spoiled.${game.spoiled_by}`) }),
    game.you.length === 0 && t("play.watching"),
  ].filter(Boolean);
}

/** `act` has a function for each thing that can be asked for: undo, hint, draw(action), resign,
 * claim, flip, numbers, sound, pdn, rematch, fresh, look(ply), copy. */
export function createPanel(t, act) {
  const button = (key, onclick, attributes = {}) =>
    h("button", { type: "button", onclick, ...attributes }, t(key));
  const players = { top: createPlayer(t), bottom: createPlayer(t) };
  const status = h("p", { class: "status", role: "status" });
  const message = h("p", { class: "message", role: "alert" });
  const note = h("ul", { class: "notes" });
  const link = h("input", {
    "type": "text",
    "readonly": true,
    "aria-label": t("play.copy"),
  });
  const invitation = h(
    "div",
    { class: "invitation" },
    h("p", null, t("play.invite")),
    link,
    button("play.copy", () => act.copy(link)),
  );
  const offer = h(
    "div",
    { class: "question" },
    h("p", null, t("play.offered")),
    button("play.accept", () => act.draw("accept"), { class: "primary" }),
    button("play.decline", () => act.draw("decline")),
  );
  const sure = h(
    "div",
    { class: "question" },
    h("p", null, t("play.resign.sure")),
    button("play.yes", () => {
      sure.hidden = true;
      act.resign();
    }),
    button("play.no", () => {
      sure.hidden = true;
    }),
  );
  const actions = {
    undo: button("play.undo", act.undo),
    hint: button("play.hint", act.hint),
    offer: button("play.offer", () => act.draw("offer")),
    withdraw: button("play.withdraw", () => act.draw("withdraw")),
    claim: button("play.claim", act.claim),
    resign: button("play.resign", () => {
      sure.hidden = false;
    }),
    rematch: button("play.rematch", act.rematch, { class: "primary" }),
    fresh: button("play.new", act.fresh),
  };
  const looks = {
    flip: button("play.flip", act.flip),
    numbers: button("play.numbers", act.numbers, { "aria-pressed": "false" }),
    sound: button("play.sound", act.sound, { "aria-pressed": "false" }),
    pdn: button("play.pdn", act.pdn),
  };
  const moves = createMoveList(t, act.look);
  const node = h(
    "div",
    { class: "panel" },
    status,
    message,
    note,
    invitation,
    offer,
    sure,
    h("div", { class: "buttons" }, Object.values(actions)),
    moves.node,
    h("div", { class: "buttons looks" }, Object.values(looks)),
  );
  sure.hidden = true;

  function updateActions(game, busy) {
    const own = ownColour(game);
    const open = game.outcome === null && game.you.length > 0;
    const computer = open && game.opponent === "computer";
    const mine = game.status === "playing" && game.you.includes(game.turn);
    const offered = game.draw_offer;
    const show = (name, yes, can = true) => {
      actions[name].hidden = !yes;
      actions[name].disabled = busy || !can;
    };

    show("undo", computer, mine && game.ply + (game.half_made === null ? 0 : 2) > 1);
    show("hint", computer, mine && game.half_made === null);
    show("offer", open && offered === null && game.status !== "waiting", mine);
    show("withdraw", open && offered !== null && offered === own);
    show("claim", open && game.opponent === "friend" && !mine && game.status === "playing");
    show("resign", open && game.status !== "waiting", game.status === "playing");
    show("rematch", game.outcome !== null && game.you.length > 0);
    show("fresh", game.outcome !== null || game.you.length === 0);
    offer.hidden = !(open && offered !== null && (own === null || offered !== own));
    sure.hidden ||= !open;
  }

  return {
    node,
    players,
    /** What has just happened, in words; empty: nothing. */
    say(text) {
      message.textContent = text;
    },
    update(table, { flipped, pieces, numbers, sound, connected, present }) {
      const { game } = table;
      const taken = takenOf(game, pieces);
      const bottom = flipped ? "black" : "white";

      players.bottom.update(game, bottom, taken, present?.[bottom]);
      players.top.update(game, other(bottom), taken, present?.[other(bottom)]);
      status.textContent = !connected
        ? t("play.reconnecting")
        : game.outcome === null
          ? turnText(t, game)
          : outcomeText(t, game);
      status.classList.toggle("offline", !connected);
      refill(
        note,
        notes(t, game, table.looking).map((text) => h("li", null, text)),
      );
      invitation.hidden = game.status !== "waiting" || !game.invitation;
      link.value = `${location.origin}${location.pathname}#/join/${game.id}`;
      updateActions(game, table.busy);
      looks.numbers.setAttribute("aria-pressed", String(numbers));
      looks.sound.setAttribute("aria-pressed", String(sound));
      moves.update(game, table.looking);
    },
  };
}
