/* What a tap on a square means: a piece taken up, a step of a capture, a whole move, or nothing.
 *
 * Pure. `moves` are the legal moves as the daemon lists them, each with its `paths` (the squares
 * landed on). `trail` is what has been chosen so far: the piece's square, then the squares that it
 * has landed on; empty when nothing is chosen. */

function beginsWith(path, steps) {
  return steps.every((square, index) => path[index] === square);
}

/* [{move, path}] of all ways to go on from a trail. */
function waysOn(moves, trail) {
  const [from, ...steps] = trail;

  return moves
    .filter((move) => move.from === from)
    .flatMap((move) => move.paths.map((path) => ({ move, path })))
    .filter(({ path }) => path.length > steps.length && beginsWith(path, steps));
}

/** The squares whose pieces can move. */
export function movable(moves) {
  return new Set(moves.map((move) => move.from));
}

/** The squares that may be tapped next: where the piece may land, and where a capture that is the
 * only one to end there ends. */
export function targets(moves, trail) {
  const ways = waysOn(moves, trail);
  const next = new Set(ways.map(({ path }) => path[trail.length - 1]));

  for (const { move } of ways) {
    if (new Set(ways.filter((way) => way.move.to === move.to).map((way) => way.move)).size === 1) {
      next.add(move.to);
    }
  }
  return next;
}

/** What a tap on `square` asks of the daemon, or null: {path} for a step or a one-step move,
 * {move} for a capture completed by its end square. */
export function choice(moves, trail, square) {
  const ways = waysOn(moves, trail);

  if (ways.some(({ path }) => path[trail.length - 1] === square)) {
    return { path: [...trail, square] };
  }
  const ending = new Set(ways.filter(({ move }) => move.to === square).map(({ move }) => move));
  return ending.size === 1 ? { move: [...ending][0].move } : null;
}

/** The only legal move that ends on an empty square, tapped with nothing chosen; else null. */
export function onlyMoveTo(moves, square) {
  const ending = moves.filter((move) => move.to === square);

  return ending.length === 1 ? { move: ending[0].move } : null;
}

/** The squares a piece visits in the move that a state shows as its last: for its animation. */
export function travelled(moves, text) {
  const move = moves.find((candidate) => candidate.move === text);

  return move === undefined ? null : [move.from, ...(move.paths[0] ?? [move.to])];
}
