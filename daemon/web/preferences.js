/* What a visitor has chosen, kept by the browser: language, looks, sound, the last choices of the
 * set-up screen and the game under way. Nothing that decides anything: the daemon does that. */

const KEY = "draughtsmith";

const DEFAULTS = {
  language: null, // null: as the browser prefers
  theme: "wood",
  pieces: "discs",
  sound: true,
  numbers: false,
  moved: false, // whether a piece has ever been moved: then how to is not told any more
  rules: null, // null: what is played where the language is spoken
  opponent: "computer",
  level: 1,
  first: "me",
  game: null,
};

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {}; // no storage, or not ours
  }
}

/** An object whose members are the preferences; set(name, value) keeps one. */
export function loadPreferences() {
  const values = { ...DEFAULTS, ...read() };

  return Object.assign(values, {
    set(name, value) {
      values[name] = value;
      try {
        const { set: _, ...kept } = values;
        localStorage.setItem(KEY, JSON.stringify(kept));
      } catch {
        // a private window: kept for this page only
      }
    },
  });
}
