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

const RETRY = 3000; // milliseconds between two looks whether the daemon is there again

/* The screens by the first word of the address, each with the text that names it. */
const SCREENS = {
  "": [setupScreen, "setup.title"],
  "play": [setupScreen, "setup.title"],
  "game": [playScreen, "nav.play"],
  "join": [joinScreen, "play.join"],
  "account": [accountScreen, "account.title"],
  "leaderboard": [leaderboardScreen, "nav.leaderboard"],
  "about": [aboutScreen, "nav.about"],
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
  me: null, // what /v1/me tells; null: it has not been asked yet
  made: null, // a game that has just been made, as it stands
  rematch: null, // the id of a rematch that was asked for here

  go(path) {
    location.hash = path;
  },

  title(text) {
    document.title = `${text} – Draughtsmith`;
  },

  /** The screen has changed: it is read from its top. */
  toTop() {
    main.focus({ preventScroll: true });
    scrollTo(0, 0);
  },

  /** What is said of a screen that could not be loaded. Where the daemon cannot be reached the screen
   * is made anew as soon as it can. */
  failed(problem) {
    if (problem.status !== 0) {
      return problemText(t, problem);
    }
    awaitDaemon();
    return t("retrying");
  },

  showTheme() {
    document.documentElement.dataset.theme = preferences.theme;
  },

  /** Who this is, asked anew. */
  async refreshMe() {
    app.me = await app.daemon.me({ guest: true });
    showAccount();
    return app.me;
  },

  /** The highest level of a rule set that this visitor may play. */
  async openedLevel(rules) {
    const me = app.me ?? (await app.refreshMe());
    const own = me.progress.find((each) => each.rules === rules);

    return own?.levels.filter((level) => level.open).at(-1)?.number ?? 1;
  },
};

let screen = null;
let waiting = null; // the timer of a screen that could not be loaded

function awaitDaemon() {
  clearTimeout(waiting);
  waiting = setTimeout(async () => {
    const asked = waiting;
    try {
      await app.daemon.request("GET", "/healthz");
      if (asked === waiting) {
        route();
      }
    } catch {
      if (asked === waiting) {
        awaitDaemon();
      }
    }
  }, RETRY);
}

/* The links of the frame, by the screen that each leads to. */
const links = Object.fromEntries(
  [
    ["", "nav.play"],
    ["leaderboard", "nav.leaderboard"],
    ["about", "nav.about"],
    ["account", "nav.account"],
  ].map(([name, key]) => [name, h("a", { href: `#/${name}` }, t(key))]),
);

function showAccount() {
  links.account.textContent = app.me?.name ?? t("nav.account");
}

function chooseLanguage(event) {
  preferences.set("language", event.target.value);
  location.reload();
}

/* A link to the screen that is shown makes it anew, which an unchanged address would not. */
function again(event) {
  if (event.target.closest("a")?.hash === location.hash) {
    route();
  }
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
        { onclick: again },
        h("a", { class: "brand", href: "#/" }, "Draughtsmith"),
        links[""],
        links.leaderboard,
        h("a", { href: guide("rules") }, t("nav.rules")),
        h("a", { href: guide("guide") }, t("nav.guide")),
        links.about,
        links.account,
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

links.account.classList.add("who-am-i");
const main = h("main", { tabindex: -1 });

/* The words of the address; a mistyped one is that of the first screen. */
function readAddress() {
  try {
    return location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  } catch {
    return [""];
  }
}

function route() {
  const [name, ...parameters] = readAddress();
  const [make, key] = SCREENS[name] ?? SCREENS[""];

  clearTimeout(waiting);
  waiting = null;
  screen?.close?.();
  app.title(t(key));
  for (const [of, link] of Object.entries(links)) {
    link.removeAttribute("aria-current");
    if (of === (make === setupScreen ? "" : name)) {
      link.setAttribute("aria-current", "page");
    }
  }
  screen = make(app, ...parameters);
  refill(main, screen.node);
  app.toTop();
}

app.showTheme();
frame(main);
route();
addEventListener("hashchange", route);
