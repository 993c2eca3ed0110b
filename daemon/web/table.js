/* A game at the board: what the daemon says of it, what the visitor does, and what is shown.
 *
 * The daemon's word is the game; here only a choice under way is kept, and a move that has been
 * sent is shown before it is answered. One request is under way at a time: a second tap is no
 * second move; only the further squares of a capture may be tapped ahead. What the live channel tells
 * may come before the answer to the request that caused it: then it is the answer. No DOM here;
 * `changed` is called whenever something is to be drawn anew. */
import { afterMove, positionAt, readFen, readMove, rowsOf } from "./position.js";
import { choice, movable, onlyMoveTo, targets, travelled } from "./selection.js";

const LEAST_REPLY = 400; // milliseconds between a visitor's move and the computer's

const NONE = new Set();

/* What tells one position of a game from the next: the plies, and the steps of a capture. */
function stepsOf({ ply, half_made: half }) {
  return `${ply}+${half?.path.join() ?? ""}`;
}

export class Table {
  #daemon;
  #id;
  #changed;
  #tell;
  #movedAt = -Infinity;
  #newest = null; // what the daemon has told last; shown later when it came too soon
  #waiting = null; // the timer of such a reply
  #request = null; // what waits for its answer, as #run() has it; null: nothing
  #only = null; // the only legal move, asked for as a hint

  game = null;
  looking = null; // the ply looked back at; null: the present
  trail = []; // the square chosen, and those landed on
  shown = null; // the pieces after a move that has been sent; null: the game's
  travel = null; // the way of the last move, to be seen once

  /** tell(what, detail) tells what happened: "refused" with {reason, moves}, "problem" with a
   * Problem, "moved" with {colour, move}, "declined" (one's own offer of a draw), "over". */
  constructor(daemon, id, { changed, tell }) {
    this.#daemon = daemon;
    this.#id = id;
    this.#changed = changed;
    this.#tell = tell;
  }

  get rows() {
    return rowsOf(this.game.rules);
  }

  /** Whether a request waits for its answer. */
  get busy() {
    return this.#request !== null;
  }

  /** Whether the visitor is to move, and sees the present. */
  get toMove() {
    const { game } = this;

    return (
      !this.busy &&
      this.#waiting === null &&
      this.looking === null &&
      game.status === "playing" &&
      game.you.includes(game.turn)
    );
  }

  /** A game as the daemon tells it, in whatever order the answers come. */
  receive(game) {
    if (this.#newest !== null && game.events < this.#newest.events) {
      return;
    }
    this.#newest = game;
    const answered = this.#request !== null && this.#answers(game) ? this.#request : null;
    if (answered !== null) {
      this.#request = null;
    }
    const soon = this.#movedAt + LEAST_REPLY - performance.now();
    this.close();
    if (soon > 0 && this.#isReply(game)) {
      this.#waiting = setTimeout(() => this.#take(game), soon);
    } else {
      this.#take(game);
    }
    this.#goOn(answered?.ahead);
  }

  close() {
    clearTimeout(this.#waiting);
    this.#waiting = null;
  }

  /* Whether a game is one in which the request under way has been granted already. */
  #answers(game) {
    const { events, move } = this.#request;
    const made = game.half_made?.path.length ?? 0;

    return move === null
      ? game.events > events
      : game.ply > move.ply || (game.ply === move.ply && made >= move.steps);
  }

  #isReply(game) {
    return game.opponent === "computer" && game.ply > this.game.ply && game.you.includes(game.turn);
  }

  #take(game) {
    const before = this.game;

    this.#waiting = null;
    this.game = game;
    if (before === null || stepsOf(game) !== stepsOf(before)) {
      this.#only = null;
      this.shown = null;
      this.trail = game.half_made?.path ?? [];
    }
    if (before !== null && game.ply > before.ply) {
      this.#tellMoves(before, game);
    }
    if (before !== null && before.outcome === null && game.outcome !== null) {
      this.#tell("over");
    } else if (before !== null && game.ply === before.ply && game.draw_offer === null) {
      this.#tellDeclined(before);
    }
    this.#changed();
  }

  #tellDeclined({ draw_offer: offer, you }) {
    if (you.length === 1 && offer === you[0]) {
      this.#tell("declined");
    }
  }

  #tellMoves(before, game) {
    const last = game.played.at(-1);
    const { from, to } = readMove(last);
    const mover = readFen(game.fen).get(to)?.colour ?? game.turn;

    this.looking = null;
    this.travel = (game.ply === before.ply + 1 && travelled(before.moves, last)) || [from, to];
    this.#tell("moved", { colour: mover, move: last });
  }

  /** What is on the board, and what lies over it. */
  view() {
    const { game, looking } = this;
    const can = this.toMove;
    const half = looking === null ? game.half_made : null;
    const moves = can ? game.moves : [];
    const travel = this.travel;
    let pieces = looking === null ? (this.shown ?? readFen(game.fen)) : positionAt(game, looking);

    if (half !== null && this.shown === null) {
      pieces = new Map(pieces).set(half.path.at(-1), pieces.get(half.path[0]));
      pieces.delete(half.path[0]);
    }
    this.travel = null;
    return {
      pieces,
      travel,
      ghosts: new Set(half?.captures ?? []),
      movable: half === null ? movable(moves) : NONE,
      targets: can && this.trail.length > 0 ? targets(moves, this.trail) : NONE,
      selected: can ? (this.trail.at(-1) ?? null) : null,
      last: this.#lastSquares(),
      hint: this.#hintSquares(can),
    };
  }

  #lastSquares() {
    const text = this.game.played[(this.looking ?? this.game.played.length) - 1];

    if (text === undefined) {
      return NONE;
    }
    const { from, to } = readMove(text);
    return new Set([from, to]);
  }

  #hintSquares(can) {
    const hint = this.#only ?? this.game.hint;

    if (!can || hint === null) {
      return null;
    }
    const { from, to } = readMove(hint);
    return [from, to];
  }

  /** A tap on a square; null: never mind. */
  tap(square) {
    const { game } = this;

    if (!this.toMove) {
      this.#request?.ahead?.push(square);
      this.#tellIdle(square);
      return;
    }
    const chosen = this.#chosenBy(square);
    if (square === null) {
      this.#choose(game.half_made?.path ?? []);
    } else if (chosen !== null) {
      this.send(chosen);
    } else if (game.half_made !== null) {
      this.#tell("refused", { reason: "must-go-on", moves: game.moves });
    } else {
      this.#takeUp(square);
    }
  }

  /* Why a square tapped is nothing now, where one may wonder. */
  #tellIdle(square) {
    const { game, looking } = this;
    const open = game.outcome === null && game.you.length > 0 && square !== null && !this.busy;

    if (open && looking !== null) {
      this.#tell("refused", { reason: "looking-back", moves: game.moves });
    } else if (open && game.opponent === "friend" && game.status === "playing") {
      this.#tell("refused", { reason: "not-your-turn", moves: game.moves });
    }
  }

  #chosenBy(square) {
    const { moves, fen } = this.game;

    if (this.trail.length > 0) {
      return choice(moves, this.trail, square);
    }
    return readFen(fen).has(square) ? null : onlyMoveTo(moves, square);
  }

  /** A piece dragged to a square; null: off the board. */
  drag(from, to) {
    if (to !== null && to !== from) {
      if (this.toMove && this.game.half_made === null && this.trail[0] !== from) {
        this.#takeUp(from);
      }
      if (!this.toMove || this.trail.at(-1) === from) {
        this.tap(to);
      }
    }
    this.#changed();
  }

  #takeUp(square) {
    const { game } = this;
    const own = readFen(game.fen).get(square)?.colour === game.turn;
    const can = movable(game.moves).has(square);

    if (can) {
      this.#choose(this.trail[0] === square ? [] : [square]);
    } else if (own) {
      const captures = game.moves.some((move) => move.captures.length > 0);
      this.#choose([]);
      this.#tell("refused", {
        reason: captures ? this.#captureRule() : "piece-is-stuck",
        moves: game.moves,
      });
    } else if (this.trail.length > 0) {
      this.send({ path: [...this.trail, square] }); // the daemon says why not
    } else if (readFen(game.fen).has(square)) {
      this.#tell("refused", { reason: "not-your-piece", moves: game.moves });
    }
  }

  /* Why a piece may not move where others must capture: it may capture itself, but fewer. */
  #captureRule() {
    const most = this.game.rules === "international" && this.game.moves[0].captures.length > 1;

    return most ? "must-take-most" : "must-capture";
  }

  #choose(trail) {
    this.trail = trail;
    this.#changed();
  }

  /** Looks back at a ply; the present is null. */
  look(ply) {
    this.looking = ply === null || ply >= this.game.ply ? null : Math.max(0, ply);
    this.trail = this.game.half_made?.path ?? [];
    this.#changed();
  }

  /** Shows the only legal move as a hint; as that tells nothing new, no request is made. */
  showOnlyMove() {
    this.#only = this.game.moves[0].move;
    this.#changed();
  }

  /** Sends {path} or {move}. */
  send(chosen) {
    const { ply, fen } = this.game;
    const whole = this.#wholeMove(chosen);

    if (whole !== undefined) {
      this.shown = afterMove(readFen(fen), whole.move, this.rows);
      this.travel = chosen.path ?? this.#trailTo(whole);
    }
    return this.#run(() => this.#daemon.move(this.#id, { ply, ...chosen }), {
      move: { ply, steps: chosen.path?.length ?? Infinity },
      ahead: whole === undefined ? [] : null,
    });
  }

  /* The capture's next square that was tapped before the daemon had granted the last one. */
  #goOn(ahead) {
    const next = ahead?.findIndex((square) => square !== this.trail.at(-1)); // no double tap

    if (next >= 0 && this.game.half_made !== null) {
      this.tap(ahead[next]);
      this.#request?.ahead?.push(...ahead.slice(next + 1));
    }
  }

  #wholeMove({ path, move }) {
    const { moves } = this.game;
    const ends = (candidate) =>
      candidate.paths.some(
        (way) => way.length === path.length - 1 && way.every((s, i) => s === path[i + 1]),
      );

    return moves.find((candidate) =>
      path === undefined ? candidate.move === move : candidate.from === path[0] && ends(candidate),
    );
  }

  /* The rest of a move's way from where its piece stands. */
  #trailTo(move) {
    const way = [move.from, ...(move.paths[0] ?? [move.to])];

    return way.slice(Math.max(0, this.trail.length - 1));
  }

  /** Runs one request whose answer is the game. True when it was granted. */
  ask(request) {
    return this.#run(request, { move: null, ahead: null });
  }

  /* `move` is the ply and the number of squares of a move that is asked for, `ahead` the squares
   * that are tapped meanwhile; null: none are taken. */
  async #run(request, { move, ahead }) {
    if (this.busy) {
      return false;
    }
    const run = { events: this.#newest.events, move, ahead };
    this.#request = run;
    this.#movedAt = performance.now();
    this.#changed();
    try {
      this.receive(await request());
    } catch (problem) {
      if (this.#request === run) {
        this.#request = null;
        this.#refused(problem);
        return false;
      }
    }
    if (this.#request === run) {
      this.#request = null; // an answer without news
      this.#changed();
    }
    return true;
  }

  #refused(problem) {
    this.shown = null;
    this.travel = null;
    this.trail = this.game.half_made?.path ?? [];
    if (problem.game) {
      this.receive(problem.game);
    }
    if (problem.type === "move-refused") {
      this.#tell("refused", { reason: problem.reason, moves: this.game.moves });
    } else {
      this.#tell("problem", problem);
    }
    this.#changed();
  }
}
