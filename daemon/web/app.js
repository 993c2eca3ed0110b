/* The page: its frame, its language, and the screen that the address asks for. */
import { aboutScreen } from "./about.js";
import { accountScreen } from "./account.js";
import { h, refill } from "./dom.js";
import { Draughtsmith } from "./draughtsmith.js";
import { joinScreen } from "./join.js";
import { leaderboardScreen } from "./leaderboard.js";
import { playScreen } from "./play.js";
import { loadPreferences } from "./preferences.js";
import { setupScreen } from "./setup.js";
import { LANGUAGES, languageFor, translator } from "./texts.js";
import { problemText } from "./words.js";

const SCREENS = {
  "": setupScreen,
  "game": playScreen,
  "join": joinScreen,
  "account": accountScreen,
  "leaderboard": leaderboardScreen,
  "about": aboutScreen,
};

const preferences = loadPreferences();
const language = preferences.language ?? languageFor(navigator.languages);
const t = translator(language);

/* What every screen may use. */
const app = {
  daemon: new Draughtsmith(),
  preferences,
  language,
  t,
  me: null, // what /v1/me tells; null: a visitor without a name

  go(path) {
    location.hash = path;
  },

  showTheme() {
    document.documentElement.dataset.theme = preferences.theme;
  },

  /** Who this is, asked anew. */
  async refreshMe() {
    try {
      app.me = await app.daemon.me();
    } catch (problem) {
      if (problem.status !== 401) {
        throw problem;
      }
      app.me = null;
    }
    showAccount();
    return app.me;
  },

  /** The highest level of a rule set that this visitor may play. */
  async openedLevel(rules) {
    const me = app.me ?? (await app.refreshMe());
    const own = me?.progress.find((each) => each.rules === rules);

    return own?.levels.filter((level) => level.open).at(-1)?.number ?? 1;
  },

  /** After a game: what its result has opened. */
  async gameOver(game, say) {
    if (game.opponent !== "computer" || game.you.length === 0) {
      return;
    }
    try {
      const before = await app.openedLevel(game.rules);
      await app.refreshMe();
      const after = await app.openedLevel(game.rules);
      if (after > before) {
        say(t("over.opened", { level: t(`level.${after}`) }));
      }
    } catch (problem) {
      say(problemText(t, problem));
    }
  },
};

let screen = null;

const account = h("a", { href: "#/account" });

function showAccount() {
  account.textContent = app.me?.name ?? t("nav.account");
}

function chooseLanguage(event) {
  preferences.set("language", event.target.value);
  location.reload();
}

function frame(main) {
  const guide = (page) => `/${language}/${page}.html`;

  document.documentElement.lang = language;
  refill(
    document.body,
    h(
      "header",
      null,
      h(
        "nav",
        null,
        h("a", { class: "brand", href: "#/" }, "Draughtsmith"),
        h("a", { href: "#/" }, t("nav.play")),
        h("a", { href: "#/leaderboard" }, t("nav.leaderboard")),
        h("a", { href: guide("rules") }, t("nav.rules")),
        h("a", { href: guide("guide") }, t("nav.guide")),
        h("a", { href: "#/about" }, t("nav.about")),
        account,
        h(
          "select",
          { "aria-label": t("nav.language"), "onchange": chooseLanguage },
          Object.entries(LANGUAGES).map(([tag, name]) =>
            h("option", { value: tag, selected: tag === language }, name),
          ),
        ),
      ),
    ),
    main,
  );
}

const main = h("main", { tabindex: -1 });

function route() {
  const [name, ...parameters] = location.hash.replace(/^#\/?/, "").split("/");
  const make = SCREENS[name] ?? setupScreen;

  screen?.close?.();
  screen = make(app, ...parameters.map(decodeURIComponent));
  refill(main, screen.node);
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
}

app.showTheme();
showAccount();
frame(main);
route();
addEventListener("hashchange", route);
