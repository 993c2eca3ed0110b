/* The screen of a game: board and panel around a Table, kept up to date by the live channel. */
import { Board } from "./board.js";
import { h } from "./dom.js";
import { createPanel } from "./panel.js";
import { createSound } from "./sound.js";
import { Table } from "./table.js";
import { shortMove } from "./position.js";
import { ownColour, problemText, refusalText, squareText } from "./words.js";

const SOUND = createSound();

/* The text of a game as a file to keep. */
function save(name, text) {
  const link = h("a", {
    href: URL.createObjectURL(new Blob([text], { type: "application/vnd.chess-pgn" })),
    download: name,
  });

  link.click();
  URL.revokeObjectURL(link.href);
}

/** The screen of the game `id`: {node, close}. */
export function playScreen(app, id) {
  const { daemon, preferences, t } = app;
  const spoken = h("p", { "class": "spoken", "aria-live": "polite" });
  const place = h("div", { class: "play" }, h("p", null, t("loading")), spoken);
  let view = null; // {board, panel} once the game is known
  let flip = false;
  let connected = true;
  let present = null;

  const table = new Table(daemon, id, { changed: draw, tell });
  const live = daemon.live(id, {
    onGame: (game) => table.receive(game),
    onPresence: (who) => {
      present = who;
      draw();
    },
    onConnection: (up) => {
      connected = up;
      draw();
    },
    onFailure: (problem) => {
      place.firstChild.textContent = problemText(t, problem);
    },
  });

  const ask = (request) => table.ask(request);
  const toggle = (name) => () => {
    preferences.set(name, !preferences[name]);
    draw();
  };
  const act = {
    undo: () => ask(() => daemon.undo(id)),
    hint: () => ask(() => daemon.hint(id)),
    draw: (action) => ask(() => daemon.draw(id, action)),
    resign: () => ask(() => daemon.resign(id)),
    claim: () => ask(() => daemon.claim(id)),
    rematch: async () => {
      try {
        app.go(`/game/${(await daemon.rematch(id)).id}`);
      } catch (problem) {
        tell("problem", problem);
      }
    },
    fresh: () => app.go("/"),
    look: (ply) => table.look(ply),
    flip: () => {
      flip = !flip;
      draw();
    },
    numbers: toggle("numbers"),
    sound: toggle("sound"),
    pdn: async () => save(`${id}.pdn`, await daemon.pdn(id)),
    copy: async (input) => {
      input.select();
      await navigator.clipboard?.writeText(input.value);
      view.panel.say(t("play.copied"));
    },
  };

  function tell(what, detail) {
    if (what === "refused") {
      say(refusalText(t, detail.reason, detail.moves));
    } else if (what === "problem") {
      say(problemText(t, detail));
    } else if (what === "moved") {
      say("");
      spoken.textContent = t("play.moved", {
        side: t(detail.colour),
        move: shortMove(detail.move),
      });
      sound(detail.move.includes("x") ? "capture" : "move");
    } else if (what === "over") {
      sound("over");
      app.gameOver(table.game, say);
    }
  }

  function say(text) {
    view?.panel.say(text);
  }

  function sound(name) {
    if (preferences.sound) {
      SOUND.play(name);
    }
  }

  function build() {
    const board = new Board({
      rows: table.rows,
      label: t("play.board"),
      onTap: (square) => {
        say("");
        table.tap(square);
      },
      onDrag: (from, to) => {
        say("");
        table.drag(from, to);
      },
    });
    const panel = createPanel(t, act);
    const { top, bottom } = panel.players;

    place.replaceChildren(
      h("h1", { class: "spoken" }, t(`rules.${table.game.rules}`)),
      h("div", { class: "board-side" }, top.node, board.node, bottom.node),
      panel.node,
      spoken,
    );
    return { board, panel };
  }

  function draw() {
    if (table.game === null) {
      return;
    }
    view ??= build();
    const seen = table.view();
    const flipped = (ownColour(table.game) === "black") !== flip;

    view.board.show({
      ...seen,
      flipped,
      set: preferences.pieces,
      numbers: preferences.numbers,
      describe: (square) => squareText(t, square, seen),
    });
    view.panel.update(table, {
      flipped,
      pieces: seen.pieces,
      numbers: preferences.numbers,
      sound: preferences.sound,
      connected,
      present,
    });
  }

  return {
    node: place,
    close() {
      live.close();
      table.close();
    },
  };
}
