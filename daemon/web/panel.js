/* What stands beside the board: players, whose turn, counters, messages, what can be asked for.
 *
 * Built once and then brought up to date, so that the focus stays where it is. */
import { h, refill } from "./dom.js";
import { shortMove, takenOf } from "./position.js";
import { createMoveList } from "./move_list.js";
import { hasWon, other, outcomeText, ownColour, playerText, turnText } from "./words.js";

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

/* What the visitor's colour and a friend's presence have to say. */
function friendTexts(t, game, present, wanted) {
  const own = ownColour(game);
  const asked = own !== null && wanted === other(own);
  const alone = game.opponent === "friend" && own !== null && present?.[other(own)] === false;

  return [
    game.outcome === null && own !== null && game.draw_offer === own && t("play.offer.stands"),
    game.outcome !== null && asked && t("play.rematch.wanted"),
    game.outcome !== null && alone && !asked && t("play.left"),
  ];
}

/* Whether the visitor may win this game yet, or has won it. */
function canWin(game) {
  return game.outcome === null ? game.you.length > 0 : hasWon(game);
}

/* What a win of this game opens, has opened, or why it opens nothing. */
function levelNotes(t, game, { next, opened, guest }) {
  const level = game.level?.number;

  if (opened) {
    return [guest && h("a", { href: "#/account" }, t("over.keep"))];
  }
  if (game.spoiled_by !== null && canWin(game)) {
    return [t("play.spoiled", { reason: t(`spoiled.${game.spoiled_by}`) })];
  }
  return [game.outcome === null && next && t("play.goal", { level: t(`level.${level + 1}`) })];
}

/* The notes of a game: how to move, counters, levels, what it waits for. */
function notes(t, { game }, { first, present, progress, wanted }) {
  return [
    first && game.hint === null && t("play.how"),
    game.hint !== null && hintText(t, game.hint, game.hint_idea?.kind),
    ...(game.outcome === null ? counterTexts(t, game) : []),
    ...levelNotes(t, game, progress),
    ...friendTexts(t, game, present, wanted),
    game.you.length === 0 && t("play.watching"),
  ].filter(Boolean);
}

/* What the game says in one line; a look back is no move's turn. */
function statusText(t, { game, looking, shown }, connected) {
  if (!connected) {
    return t("play.reconnecting");
  }
  if (game.outcome !== null) {
    return outcomeText(t, game);
  }
  return looking === null ? turnText(t, game, shown !== null) : t("play.looking-back");
}

/** A hint in words. */
export function hintText(t, move, idea = "quiet") {
  return t("play.hint.shown", { move: shortMove(move), idea: t(`idea.${idea}`) });
}

/** `act` has a function for each thing that can be asked for: undo, hint, draw(action), resign,
 * claim, flip, numbers, sound, pdn, rematch, fresh, look(ply), copy. */
export function createPanel(t, act) {
  const button = (key, onclick, attributes = {}) =>
    h("button", { type: "button", onclick, ...attributes }, t(key));
  const players = { top: createPlayer(t), bottom: createPlayer(t) };
  const status = h("p", { class: "status", role: "status", tabindex: -1 });
  const message = h("p", { class: "message", role: "alert" });
  const note = h("ul", { class: "notes" });
  const link = h("input", {
    "type": "text",
    "readonly": true,
    "aria-label": t("play.copy"),
  });
  const invite = h("p");
  const invitation = h(
    "div",
    { class: "invitation" },
    invite,
    h(
      "div",
      { class: "buttons" },
      link,
      button("play.copy", () => act.copy(link), { class: "primary" }),
    ),
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
    { class: "question", onkeydown: ({ key }) => key === "Escape" && askWhetherSure(false) },
    h("p", null, t("play.resign.sure")),
    button("play.yes", () => {
      askWhetherSure(false);
      act.resign();
    }),
    button("play.no", () => askWhetherSure(false)),
  );
  const actions = {
    undo: button("play.undo", act.undo),
    hint: button("play.hint", act.hint),
    offer: button("play.offer", () => act.draw("offer")),
    withdraw: button("play.withdraw", () => act.draw("withdraw")),
    claim: button("play.claim", act.claim),
    resign: button("play.resign", () => askWhetherSure(true)),
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
  let offered = false; // whether a draw is offered to the visitor
  const buttons = h("div", { class: "buttons" }, Object.values(actions));
  const node = h(
    "div",
    { class: "panel" },
    h("div", { class: "says" }, status, message),
    invitation,
    h("div", { class: "actions" }, offer, sure, buttons),
    note,
    moves.node,
    h("div", { class: "buttons looks" }, Object.values(looks)),
  );
  sure.hidden = true;

  /* The question stands where the buttons were, so that nothing moves away from under a finger. */
  function askWhetherSure(yes) {
    sure.hidden = !yes;
    showQuestions();
    (yes ? sure.querySelector("button") : actions.resign).focus();
  }

  function showQuestions() {
    offer.hidden = !offered || !sure.hidden;
    buttons.hidden = !sure.hidden || !offer.hidden;
  }

  /* A control that is gone or can do nothing any more hands the focus on: it is not lost. */
  function keepFocus() {
    const { activeElement: at } = document;

    if (!node.contains(at) || at.disabled || at.closest("[hidden]") !== null) {
      status.focus({ preventScroll: true });
    }
  }

  /* A level that has just been opened is nearer than the same one again. */
  function updateActions({ game }, { present, progress }) {
    const own = ownColour(game);
    const open = game.outcome === null && game.you.length > 0;
    const computer = open && game.opponent === "computer";
    const mine = game.status === "playing" && game.you.includes(game.turn);
    const offerer = game.draw_offer;
    const away = own !== null && present?.[other(own)] === false;
    const show = (name, yes, can = true) => {
      actions[name].hidden = !yes;
      actions[name].disabled = !can;
    };

    show("undo", computer, mine && game.ply + (game.half_made === null ? 0 : 2) > 1);
    show("hint", computer, mine && game.half_made === null);
    show("offer", open && offerer === null && game.status !== "waiting", mine);
    show("withdraw", open && offerer !== null && offerer === own);
    show("claim", open && game.opponent === "friend" && away && !mine && game.status === "playing");
    show("resign", open && game.status !== "waiting", game.status === "playing");
    show("rematch", game.outcome !== null && game.you.length > 0);
    show("fresh", game.outcome !== null || game.you.length === 0);
    actions.fresh.classList.toggle("primary", progress.opened);
    actions.rematch.classList.toggle("primary", !progress.opened);
    offered = open && offerer !== null && (own === null || offerer !== own);
    sure.hidden ||= !open;
    showQuestions();
  }

  return {
    node,
    players,
    /** What has just happened, in words; empty: nothing. `news`: nothing that is amiss. */
    say(text, news) {
      message.textContent = text;
      message.classList.toggle("news", news);
    },
    /** Besides the table and what the board shows: `first`, whether the visitor is to be told how to
     * move; `progress`: {next, opened, guest}, whether a win opens the next level, has just opened
     * it, and is a guest's; `again`: whether this is a rematch that the visitor asked for. Tells
     * what it says of the game in one line. */
    update(table, seen) {
      const { flipped, pieces, numbers, sound, connected, present, again } = seen;
      const { game } = table;
      const taken = takenOf(game, pieces);
      const bottom = flipped ? "black" : "white";
      const held = node.contains(document.activeElement);

      players.bottom.update(game, bottom, taken, present?.[bottom]);
      players.top.update(game, other(bottom), taken, present?.[other(bottom)]);
      status.textContent = statusText(t, table, connected);
      status.classList.toggle("offline", !connected);
      refill(
        note,
        notes(t, table, seen).map((each) => h("li", null, each)),
      );
      invitation.hidden = game.status !== "waiting" || !game.invitation;
      invite.textContent = t(again ? "play.invite.rematch" : "play.invite");
      link.value = `${location.origin}${location.pathname}#/join/${game.id}`;
      updateActions(table, seen);
      looks.numbers.setAttribute("aria-pressed", String(numbers));
      looks.sound.setAttribute("aria-pressed", String(sound));
      moves.update(game, table.looking);
      if (held) {
        keepFocus();
      }
      return status.textContent;
    },
  };
}
