/* The screen of a game: board and panel around a Table, kept up to date by the live channel. */
import { Board } from "./board.js";
import { copyText, deadEnd, h, refill } from "./dom.js";
import { createPanel, hintText } from "./panel.js";
import { createSound } from "./sound.js";
import { Table } from "./table.js";
import { shortMove } from "./position.js";
import { ownColour, problemText, refusal, squareText, wonClean } from "./words.js";

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
  let wanted = null; // the colour that asks for a rematch
  let closed = false;
  let named = new Set(); // the squares that a refusal has named
  let unsent = false; // whether the message is that nothing could be sent
  let withdrawn = false; // whether an offer of a draw has ended by one's own will
  let progress = { next: false, opened: false, guest: false };

  const table = new Table(daemon, id, { changed: draw, tell });
  const live = daemon.live(id, {
    onGame: (game) => table.receive(game),
    onPresence: (who) => {
      present = who;
      draw();
    },
    onRematch: (side) => {
      wanted = side;
      draw();
    },
    onConnection: (up) => {
      connected = up;
      if (up && unsent) {
        say("");
      }
      draw();
    },
    onFailure: fail,
  });

  const ask = (request) => {
    say("");
    return table.ask(request);
  };
  const toggle = (name) => () => {
    preferences.set(name, !preferences[name]);
    draw();
  };
  const act = {
    undo: () => ask(() => daemon.undo(id)),
    hint: () => {
      const [move, ...others] = table.game.moves;
      if (others.length > 0) {
        return ask(() => daemon.hint(id));
      }
      table.showOnlyMove();
      return say(hintText(t, move.move, "only-move"), { news: true });
    },
    draw: (action) => {
      withdrawn = action === "withdraw";
      return ask(() => daemon.draw(id, action));
    },
    resign: () => ask(() => daemon.resign(id)),
    claim: () => ask(() => daemon.claim(id)),
    rematch: async () => {
      say("");
      try {
        app.made = await daemon.rematch(id);
        app.rematch = app.made.id;
        preferences.set("game", app.made.id);
        app.go(`/game/${app.made.id}`);
      } catch (problem) {
        tell("problem", problem);
      }
    },
    fresh: () => app.go("/"),
    look: (ply) => {
      say("");
      table.look(ply);
    },
    flip: () => {
      flip = !flip;
      draw();
    },
    numbers: toggle("numbers"),
    sound: toggle("sound"),
    pdn: async () => save(`${id}.pdn`, await daemon.pdn(id)),
    copy: async (input) => {
      if (await copyText(input)) {
        say(t("play.copied"), { news: true });
      }
    },
  };

  function tell(what, detail) {
    if (closed) {
      return;
    }
    if (what === "refused") {
      const { text, squares } = refusal(t, detail.reason, detail.moves);
      say(text);
      named = squares;
      draw();
    } else if (what === "problem") {
      say(problemText(t, detail));
      unsent = detail.status === 0;
    } else if (what === "declined") {
      const computer = table.game.opponent === "computer";
      const text = t(computer ? "play.declined.computer" : "play.declined");
      say(withdrawn ? "" : text, { news: true });
    } else if (what === "moved") {
      say("");
      if (table.game.you.includes(detail.colour)) {
        preferences.set("moved", true);
      }
      spoken.textContent = t("play.moved", {
        side: t(detail.colour),
        move: shortMove(detail.move),
      });
      sound(detail.move.includes("x") ? "capture" : "move");
    } else if (what === "over") {
      say("");
      sound("over");
      if (preferences.game === id) {
        preferences.set("game", null);
      }
      learnProgress().then(preferNext);
    }
  }

  /* The level that has just been opened is what a new game offers first. */
  function preferNext() {
    if (progress.opened) {
      preferences.set("level", table.game.level.number + 1);
    }
  }

  /* A new message; what the last one has named is shown no more. */
  function say(text, { news = false } = {}) {
    named = new Set();
    unsent = false;
    view?.panel.say(text, news);
  }

  /* A game that cannot be shown, or no longer. */
  function fail(problem) {
    if (preferences.game === id) {
      preferences.set("game", null);
    }
    if (view !== null) {
      say(problemText(t, problem));
      return;
    }
    refill(place, deadEnd(problemText(t, problem), t("home")));
  }

  /* What a win of this game opens, or has opened. */
  async function learnProgress() {
    const { game } = table;

    if (game.opponent !== "computer" || game.you.length === 0) {
      return;
    }
    try {
      const me = await app.refreshMe();
      const levels = me.progress.find(({ rules }) => rules === game.rules).levels ?? [];
      const { number } = game.level;
      const next = levels[number];
      progress = {
        next: next?.open === false,
        opened: next?.open && wonClean(game) && levels[number - 1].cleared === game.changed,
        guest: me.guest,
      };
      if (progress.opened) {
        say(t("over.opened", { level: t(`level.${next.number}`) }), { news: true });
      }
      draw();
    } catch (problem) {
      say(problemText(t, problem));
    }
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
    if (table.game === null || closed) {
      return;
    }
    if (view === null) {
      view = build();
      if (matchMedia("(max-height: 30rem)").matches) {
        requestAnimationFrame(() => place.scrollIntoView()); // a low window is all board
      }
      learnProgress();
    }
    const { game } = table;
    const seen = table.view();
    const flipped = (ownColour(game) === "black") !== flip;

    view.board.show({
      ...seen,
      flipped,
      named,
      set: preferences.pieces,
      numbers: preferences.numbers,
      describe: (square) => squareText(t, square, seen),
    });
    const status = view.panel.update(table, {
      flipped,
      first: table.toMove && !preferences.moved,
      progress,
      again: app.rematch === id,
      pieces: seen.pieces,
      numbers: preferences.numbers,
      sound: preferences.sound,
      connected,
      present,
      wanted,
    });
    app.title(status);
  }

  if (app.made?.id === id) {
    table.receive(app.made); // need not be asked for again
    app.made = null;
  }
  return {
    node: place,
    close() {
      closed = true;
      live.close();
      table.close();
    },
  };
}
