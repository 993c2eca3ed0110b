/* What a game says in words: whose turn, why not, how it ended, what stands on a square. Pure: a
 * translator and a game in, a text out. */
import { hasText } from "./texts.js";
import { movable } from "./selection.js";

/** The only colour that a visitor plays, or null: both, or neither. */
export function ownColour(game) {
  return game.you.length === 1 ? game.you[0] : null;
}

export function other(colour) {
  return colour === "white" ? "black" : "white";
}

/** Who plays a colour. */
export function playerText(t, game, colour) {
  if (game.opponent === "local" || game.you.length === 0) {
    return t(colour);
  }
  if (game.you.includes(colour)) {
    return `${t("play.you")} (${t(colour)})`;
  }
  return game.opponent === "computer"
    ? t("play.computer", { level: t(`level.${game.level.number}`) })
    : `${game.players[colour] ?? t("play.friend")} (${t(colour)})`;
}

/** Whose turn it is; `sent`: the visitor's move has been shown and waits for its answer. */
export function turnText(t, game, sent) {
  const own = ownColour(game);

  if (sent) {
    const turn = other(game.turn);
    const status = game.opponent === "computer" ? "thinking" : "playing";
    return turnText(t, { ...game, turn, status, half_made: null }, false);
  }

  if (game.status === "waiting") {
    return t("play.waiting");
  }
  if (game.status === "thinking") {
    return t("play.thinking");
  }
  if (game.half_made !== null && game.you.includes(game.turn)) {
    return t("play.go-on");
  }
  if (own === null) {
    return t("play.turn.side", { side: t(game.turn) });
  }
  return t(own === game.turn ? "play.turn.you" : "play.turn.other");
}

export function outcomeText(t, game) {
  const { result, reason } = game.outcome;
  const winner = { "white wins": "white", "black wins": "black" }[result];
  const own = ownColour(game);
  let text = t(result === "draw" ? "over.draw" : `over.${result}`);

  if (winner !== undefined && own !== null) {
    text = t(winner === own ? "over.won" : "over.lost");
  }
  return hasText(`reason.${reason}`)
    ? t("over.why", { text, reason: t(`reason.${reason}`) })
    : `${text}.`;
}

/** Whether the visitor, who plays one colour, has won this game. */
export function hasWon(game) {
  const own = ownColour(game);

  return own !== null && game.outcome?.result === `${own} wins`;
}

/** Whether the visitor has won this game in such a way that it can open a level. */
export function wonClean(game) {
  return game.opponent === "computer" && hasWon(game) && game.spoiled_by === null;
}

const NAMES_PIECES = new Set(["must-capture", "must-take-most", "piece-is-stuck"]);

/** Why a move is refused, `reason` as the daemon gives it: {text, squares}, the pieces that can
 * move where the text names them. */
export function refusal(t, reason, moves) {
  const can = [...movable(moves)].sort((a, b) => a - b);
  const key = hasText(`refused.${reason}`) ? `refused.${reason}` : "refused.other";
  const text = t(key, { squares: can.join(", "), count: moves[0]?.captures.length ?? 0 });

  return { text, squares: new Set(NAMES_PIECES.has(reason) ? can : []) };
}

/** A square for those who hear the board. */
export function squareText(t, square, { pieces, movable: can, targets, ghosts }) {
  const piece = pieces.get(square);
  const kind = piece?.king ? "king" : "man";
  const what = piece === undefined ? "empty" : `${piece.colour}.${kind}`;
  const more = [
    can.has(square) && "square.can-move",
    targets.has(square) && "square.target",
    ghosts.has(square) && "square.taken",
  ].filter(Boolean);

  return [t(`square.${what}`, { square }), ...more.map((key) => t(key))].join(", ");
}

/** A Problem as a sentence for the visitor: by its reason, its type with the field at fault, or its
 * type alone where the table of texts has it, else in the daemon's own words. */
export function problemText(t, problem) {
  const { status, reason, field, type, retryAfter, message } = problem;
  const key = [reason, `${type}${field ?? ""}`, type]
    .map((name) => `problem.${name}`)
    .find(hasText);

  if (key !== undefined) {
    return t(key);
  }
  return status === 429 || status === 503
    ? t("busy", { seconds: retryAfter || 1 })
    : t("failed", { detail: message });
}
