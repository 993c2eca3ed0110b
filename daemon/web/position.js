/* What stands where: squares and their rows and columns, a FEN's pieces, a move made on them.
 *
 * Pure, and no judge of the rules: which moves are legal is for the daemon to say. A position is a
 * Map from a square's number to {colour: "white" | "black", king: boolean}. */

/** Rows of the board: 10 for the international rules, else 8. */
export function rowsOf(rules) {
  return rules === "international" ? 10 : 8;
}

/** Row and column, counted from 0 at the top left, of a square of a board of so many rows. */
export function placeOf(square, rows) {
  const row = Math.floor((square - 1) / (rows / 2));
  const inRow = (square - 1) % (rows / 2);

  return { row, column: 2 * inRow + (row % 2 === 0 ? 1 : 0) };
}

/** The square at a row and column, or null where that is off the board or a light square. */
export function squareAt(row, column, rows) {
  const inside = row >= 0 && column >= 0 && row < rows && column < rows;

  return inside && (row + column) % 2 === 1 ? row * (rows / 2) + Math.floor(column / 2) + 1 : null;
}

function readSide(text, colour, pieces) {
  for (const item of text.split(",").filter((part) => part !== "")) {
    const king = item.startsWith("K");
    const [first, last = first] = item.replace("K", "").split("-").map(Number);

    for (let square = first; square <= last; square++) {
      pieces.set(square, { colour, king });
    }
  }
}

/** The pieces of a FEN as the daemon writes it, "W:WK28,31-50:B1-20". */
export function readFen(fen) {
  const pieces = new Map();

  for (const side of fen.replace(/\.$/, "").split(":").slice(1)) {
    readSide(side.slice(1), side[0] === "W" ? "white" : "black", pieces);
  }
  return pieces;
}

/** A move in machine form, "26x37x31", as {from, to, captures}. */
export function readMove(move) {
  const [from, to, ...captures] = move.split(/[-x]/).map(Number);

  return { from, to, captures };
}

/** A move as score sheets have it: "26x37". */
export function shortMove(move) {
  const { from, to } = readMove(move);

  return `${from}${move.includes("x") ? "x" : "-"}${to}`;
}

function crowns(piece, square, rows) {
  const { row } = placeOf(square, rows);

  return row === (piece.colour === "white" ? 0 : rows - 1);
}

/** The position after a move; the given one is left as it is. */
export function afterMove(pieces, move, rows) {
  const { from, to, captures } = readMove(move);
  const next = new Map(pieces);
  const piece = next.get(from);

  next.delete(from);
  for (const square of captures) {
    next.delete(square);
  }
  next.set(to, { ...piece, king: piece.king || crowns(piece, to, rows) });
  return next;
}

/** The position after the first `plies` moves of a game. */
export function positionAt(game, plies) {
  const rows = rowsOf(game.rules);

  return game.played
    .slice(0, plies)
    .reduce((pieces, move) => afterMove(pieces, move, rows), readFen(game.start));
}

/** How many pieces of each colour have been taken since the game's start. */
export function takenOf(game, pieces) {
  const count = (map, colour) => [...map.values()].filter((p) => p.colour === colour).length;
  const start = readFen(game.start);

  return {
    white: count(start, "white") - count(pieces, "white"),
    black: count(start, "black") - count(pieces, "black"),
  };
}
