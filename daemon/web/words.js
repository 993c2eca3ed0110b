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

export function turnText(t, game) {
  const own = ownColour(game);

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
  return hasText(`reason.${reason}`) ? `${text}: ${t(`reason.${reason}`)}.` : `${text}.`;
}

/** Why a move is refused: `reason` as the daemon gives it, with the pieces that can move. */
export function refusalText(t, reason, moves) {
  const squares = [...movable(moves)].sort((a, b) => a - b).join(", ");
  const key = hasText(`refused.${reason}`) ? `refused.${reason}` : "refused.other";

  return t(key, { squares, count: moves[0]?.captures.length ?? 0 });
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

/** A Problem as a sentence for the visitor. */
export function problemText(t, problem) {
  if (problem.status === 0) {
    return t("network");
  }
  if (problem.status === 404) {
    return t("not-found");
  }
  if (problem.status === 429 || problem.status === 503) {
    return t("busy", { seconds: problem.retryAfter || 1 });
  }
  return t("failed", { detail: problem.message });
}
