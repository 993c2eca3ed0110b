/* What a visitor does to a board: taps, drags, keys. One tap or one drag is told once; the other
 * buttons of a mouse and a second finger are nothing. */
import { placeOf, squareAt } from "./position.js";

const DRAG = 0.25; // squares: less is a tap
const TWICE = 300; // milliseconds: a second tap on a square within them is none

const ARROWS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/* Where on the board, in squares as drawn. */
function pointOf(board, event) {
  const point = new DOMPoint(event.clientX, event.clientY);

  return point.matrixTransform(board.node.getScreenCTM().inverse());
}

function squareUnder(board, rows, { x, y }) {
  const row = board.flipped ? rows - 1 - Math.floor(y) : Math.floor(y);
  const column = board.flipped ? rows - 1 - Math.floor(x) : Math.floor(x);

  return squareAt(row, column, rows);
}

/* The next dark square as seen in a direction: the rows' squares are offset by one column. */
function neighbour(board, rows, square, [down, right]) {
  const { row, column } = placeOf(square, rows);
  const sign = board.flipped ? -1 : 1;
  const toRow = row + sign * down;
  const toColumn = column + sign * 2 * right;

  if (down === 0) {
    return squareAt(row, toColumn, rows);
  }
  return squareAt(toRow, column + 1, rows) ?? squareAt(toRow, column - 1, rows);
}

function onKey(board, rows, onTap, event) {
  const cell = event.target.closest("[data-square]");
  const square = Number(cell?.dataset.square);

  if (cell === null) {
    return;
  }
  if (event.key in ARROWS) {
    const next = neighbour(board, rows, square, ARROWS[event.key]);
    if (next !== null) {
      board.enterAt(next);
      board.cellOf(next).focus();
    }
  } else if (event.key === "Enter" || event.key === " ") {
    if (!event.repeat) {
      onTap(square);
    }
  } else if (event.key === "Escape") {
    onTap(null);
  } else {
    return;
  }
  event.preventDefault();
}

/** Has the board's events told: onTap(square), onTap(null) for "never mind", onDrag(from, to). */
export function listenToBoard(board, { rows, onTap, onDrag }) {
  let grip = null; // {id, square, start, piece}
  let last = { square: null, at: 0 }; // the tap before

  function drop() {
    grip?.piece?.classList.remove("held");
    grip = null;
  }

  function down(event) {
    if (event.button !== 0 || !event.isPrimary) {
      return;
    }
    const start = pointOf(board, event);
    const square = squareUnder(board, rows, start);
    if (square !== null) {
      grip = {
        id: event.pointerId,
        square,
        start,
        piece: board.pieceOn(square),
      };
      board.node.setPointerCapture(event.pointerId);
    }
  }

  function move(event) {
    if (grip?.id !== event.pointerId || grip.piece === undefined) {
      return;
    }
    const point = pointOf(board, event);
    if (Math.hypot(point.x - grip.start.x, point.y - grip.start.y) > DRAG) {
      grip.piece.classList.add("held");
    }
    if (grip.piece.classList.contains("held")) {
      grip.piece.setAttribute("transform", `translate(${point.x} ${point.y})`);
    }
  }

  function up(event) {
    if (grip?.id !== event.pointerId) {
      return;
    }
    const { square, start, piece } = grip;
    const point = pointOf(board, event);
    const dragged = piece !== undefined && Math.hypot(point.x - start.x, point.y - start.y) > DRAG;
    const end = squareUnder(board, rows, point);

    const twice = square === last.square && event.timeStamp - last.at < TWICE;

    drop();
    if (dragged) {
      onDrag(square, end);
    } else if (!twice) {
      last = { square, at: event.timeStamp };
      onTap(square);
    }
  }

  board.node.addEventListener("pointerdown", down);
  board.node.addEventListener("pointermove", move);
  board.node.addEventListener("pointerup", up);
  board.node.addEventListener("pointercancel", drop);
  board.node.addEventListener("keydown", (event) => onKey(board, rows, onTap, event));
}
