/* A board drawn as SVG: squares, pieces, and what lies over them.
 *
 * It shows what it is told and decides nothing. Its squares are a grid for assistive technology:
 * each dark square is a cell with its number and its piece in words; one of them is in the tab
 * order, the arrow keys lead to the others (board_input.js). Units are squares. */
import { h, refill, s } from "./dom.js";
import { drawPiece } from "./pieces.js";
import { placeOf } from "./position.js";
import { listenToBoard } from "./board_input.js";

const STEP = 160; // milliseconds a piece takes for one leg of its way

function same(one, other) {
  return one !== undefined && one.colour === other.colour && one.king === other.king;
}

/** A board of `rows` rows. onTap(square) and onDrag(from, to) tell what the visitor does. Its
 * element is `node`; show() draws. */
export class Board {
  #rows;
  #flipped = false;
  #shown = new Map(); // square → {piece, node}
  #set = null;
  #cells = new Map(); // square → its <g role="gridcell">
  #entry = 1; // the square that the Tab key leads to
  #entered = false; // whether the visitor has chosen it
  #under = s("g");
  #pieces = s("g", { class: "pieces" });
  #over = s("g", { class: "over" });
  #grid;

  constructor({ rows, label, onTap, onDrag }) {
    this.#rows = rows;
    this.#grid = s("g", { "role": "grid", "aria-label": label });
    this.node = s(
      "svg",
      { class: "board", viewBox: `0 0 ${rows} ${rows}` },
      s("rect", { class: "light", width: rows, height: rows }),
      this.#under,
      this.#pieces,
      this.#over,
      this.#grid,
    );
    this.#drawSquares();
    listenToBoard(this, { rows, onTap, onDrag });
  }

  /** Where a square is drawn: its left top corner. */
  cornerOf(square) {
    const { row, column } = placeOf(square, this.#rows);
    const last = this.#rows - 1;

    return this.#flipped ? { x: last - column, y: last - row } : { x: column, y: row };
  }

  get flipped() {
    return this.#flipped;
  }

  /** The element of a square's cell, for the focus. */
  cellOf(square) {
    return this.#cells.get(square);
  }

  /** Has the Tab key lead to a square from now on. */
  enterAt(square) {
    this.#moveEntry(square);
    this.#entered = true;
  }

  #moveEntry(square) {
    this.#cells.get(this.#entry).setAttribute("tabindex", "-1");
    this.#cells.get(square).setAttribute("tabindex", "0");
    this.#entry = square;
  }

  /** The element of the piece on a square, or undefined. */
  pieceOn(square) {
    return this.#shown.get(square)?.node;
  }

  /** Draws: pieces (a Map), set, flipped, numbers, ghosts, movable, named, targets and last (Sets of
   * squares; those named show their numbers in any case), selected (a square), hint ([from, to]), travel (the squares that the last move
   * visited, to be animated) and describe(square), the words for its cell. */
  show(view) {
    if (view.flipped !== this.#flipped) {
      this.#flipped = view.flipped;
      this.#drawSquares();
      this.#forget();
    }
    if (view.set !== this.#set) {
      this.#set = view.set;
      this.#forget();
    }
    this.#drawUnder(view);
    this.#drawPieces(view.pieces, view.ghosts, view.travel);
    this.#drawOver(view);
    if (!this.#entered && view.movable.size > 0) {
      this.#moveEntry([...view.movable][0]);
    }
    for (const [square, cell] of this.#cells) {
      cell.setAttribute("aria-label", view.describe(square));
      cell.setAttribute("aria-selected", String(square === view.selected));
      cell.classList.toggle("can-move", view.movable.has(square));
    }
  }

  #forget() {
    this.#shown.clear();
    this.#pieces.replaceChildren();
  }

  #drawSquares() {
    const rows = Array.from({ length: this.#rows }, () => s("g", { role: "row" }));

    for (let square = 1; square <= (this.#rows * this.#rows) / 2; square++) {
      const { x, y } = this.cornerOf(square);
      const cell =
        this.#cells.get(square) ??
        s(
          "g",
          {
            "role": "gridcell",
            "tabindex": square === this.#entry ? 0 : -1,
            "data-square": square,
          },
          s("rect", { width: 1, height: 1 }),
        );
      cell.setAttribute("transform", `translate(${x} ${y})`);
      this.#cells.set(square, cell);
      rows[y].append(cell);
    }
    this.#grid.replaceChildren(...rows);
  }

  #mark(square, name) {
    const { x, y } = this.cornerOf(square);

    return s("rect", { class: name, x, y, width: 1, height: 1 });
  }

  /* Around a piece that can move, inside its square. */
  #frame(square, named) {
    const { x, y } = this.cornerOf(square);
    const inner = { x: x + 0.04, y: y + 0.04, width: 0.92, height: 0.92, rx: 0.06 };

    return s("rect", { class: named ? "movable named" : "movable", ...inner });
  }

  #number(square) {
    const { x, y } = this.cornerOf(square);

    return s("text", { class: "number", x: x + 0.04, y: y + 0.21 }, String(square));
  }

  #drawUnder({ last, selected, movable, named }) {
    const squares = [...this.#cells.keys()];

    refill(
      this.#under,
      squares.map((square) => this.#mark(square, "dark")),
      [...last].map((square) => this.#mark(square, "last")),
      [...movable].map((square) => this.#frame(square, named.has(square))),
      selected !== null && this.#mark(selected, "selected"),
    );
  }

  #drawPieces(pieces, ghosts, travel) {
    this.#carry(pieces, travel);
    for (const [square, { piece, node }] of this.#shown) {
      if (!pieces.has(square) || !same(piece, pieces.get(square))) {
        node.remove();
        this.#shown.delete(square);
      }
    }
    for (const [square, piece] of pieces) {
      if (!this.#shown.has(square)) {
        const node = drawPiece(piece, this.#set);
        this.#pieces.append(node);
        this.#shown.set(square, { piece, node });
      }
      this.#place(square, ghosts.has(square));
    }
  }

  #place(square, ghost) {
    const { node } = this.#shown.get(square);
    const { x, y } = this.cornerOf(square);

    node.setAttribute("transform", `translate(${x + 0.5} ${y + 0.5})`);
    node.classList.toggle("ghost", ghost);
  }

  /* Takes the piece that has moved along to its new square and lets it be seen on its way. */
  #carry(pieces, travel) {
    const from = travel?.[0];
    const to = travel?.at(-1);
    const moved = this.#shown.get(from);

    if (moved === undefined || pieces.has(from) || !pieces.has(to)) {
      return;
    }
    this.#shown.delete(from);
    this.#shown.get(to)?.node.remove();
    if (!same(moved.piece, pieces.get(to))) {
      moved.node.remove();
      moved.piece = pieces.get(to);
      moved.node = drawPiece(moved.piece, this.#set);
    }
    this.#pieces.append(moved.node);
    this.#shown.set(to, moved);
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
      const legs = travel.map((square) => this.cornerOf(square));
      moved.node.animate(
        legs.map(({ x, y }) => ({
          transform: `translate(${x + 0.5}px, ${y + 0.5}px)`,
        })),
        { duration: STEP * (legs.length - 1), easing: "ease-in-out" },
      );
    }
  }

  #drawOver({ targets, hint, named, numbers }) {
    const middle = (square) => {
      const { x, y } = this.cornerOf(square);
      return { x: x + 0.5, y: y + 0.5 };
    };

    refill(
      this.#over,
      [...targets].map((square) => {
        const { x, y } = middle(square);
        return s("circle", { class: "target", cx: x, cy: y, r: 0.16 });
      }),
      hint !== null && this.#arrow(middle(hint[0]), middle(hint[1])),
      (numbers ? [...this.#cells.keys()] : [...named]).map((square) => this.#number(square)),
    );
  }

  #arrow(from, to) {
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    const angle = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;

    return s("path", {
      class: "hint",
      d: `M0 -.07 H${length - 0.4} V-.2 L${length - 0.1} 0 L${length - 0.4} .2 V.07 H0 Z`,
      transform: `translate(${from.x} ${from.y}) rotate(${angle})`,
    });
  }
}

/** A small board that only shows a position in a set of pieces, with a text that says so. */
export function diagram(pieces, rows, text, set) {
  const squares = Array.from({ length: (rows * rows) / 2 }, (_, index) => placeOf(index + 1, rows));

  return h(
    "figure",
    { class: "diagram" },
    s(
      "svg",
      {
        "class": "board",
        "viewBox": `0 0 ${rows} ${rows}`,
        "role": "img",
        "aria-label": text,
      },
      s("rect", { class: "light", width: rows, height: rows }),
      squares.map(({ row, column }) =>
        s("rect", { class: "dark", x: column, y: row, width: 1, height: 1 }),
      ),
      [...pieces].map(([square, piece]) => {
        const { row, column } = placeOf(square, rows);
        const node = drawPiece(piece, set);
        node.setAttribute("transform", `translate(${column + 0.5} ${row + 0.5})`);
        return node;
      }),
    ),
  );
}
