/* How a piece looks: a disc with what marks its colour and its crown, drawn around (0, 0) in units
 * of a square. The colours are the style sheet's; black pieces carry a ring as well, kings a
 * crown, so that nothing rests on colour alone. */
import { s } from "./dom.js";

const CROWN = "M-.2 .13 L-.24 -.14 L-.1 -.02 L0 -.2 L.1 -.02 L.24 -.14 L.2 .13 Z";

const SETS = {
  discs: (colour) => [
    s("circle", { r: 0.42, class: "edge" }),
    s("circle", { r: 0.38, cy: -0.03, class: "face" }),
    colour === "black" && s("circle", { r: 0.27, cy: -0.03, class: "ring" }),
  ],
  rings: (colour) => [
    s("circle", { r: 0.41, class: "edge" }),
    s("circle", { r: 0.38, class: "face" }),
    s("circle", { r: 0.31, class: "ring" }),
    colour === "black" && s("circle", { r: 0.23, class: "ring" }),
  ],
  flat: (colour) => [
    s("circle", { r: 0.4, class: "face" }),
    colour === "black" && s("circle", { r: 0.16, class: "dot" }),
  ],
};

/** The names of the piece sets. */
export const PIECE_SETS = Object.keys(SETS);

/** A piece of a set, to be moved by its transform. */
export function drawPiece({ colour, king }, set) {
  return s(
    "g",
    { class: `piece ${colour} ${set}` },
    SETS[set](colour),
    king && s("path", { d: CROWN, class: "crown" }),
  );
}
