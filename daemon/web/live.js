/* A game kept up to date over a WebSocket, which is opened again whenever it breaks.
 *
 * Each opening begins with the whole game, so nothing that happened meanwhile is missed. A network
 * that goes, or a page that was long asleep, breaks it at once: nobody waits for a dead socket. */

const FIRST_PAUSE = 500; // milliseconds before it is opened again
const LONGEST_PAUSE = 15_000;
const ASLEEP = 30_000; // hidden for so long, the socket is not trusted
const SESSION_ENDED = 4001; // the daemon's close code

const nothing = () => {};

export class Live {
  #options;
  #socket = null;
  #timer = null;
  #pause = FIRST_PAUSE;
  #hiddenAt = 0;
  #listening = new AbortController();

  /** `url` and `protocols` are the socket's; `check()` tells by a Problem why it cannot be opened.
   * onGame(game), onPresence({white, black}), onRematch(colour that asks), onConnection(up) and
   * onFailure(problem) tell. */
  constructor(options) {
    this.#options = {
      onGame: nothing,
      onPresence: nothing,
      onRematch: nothing,
      onConnection: nothing,
      onFailure: nothing,
      ...options,
    };
    const { signal } = this.#listening;
    addEventListener("offline", () => this.#broken(), { signal });
    addEventListener("online", () => this.#again(), { signal });
    document.addEventListener("visibilitychange", () => this.#seen(), { signal });
    this.#open();
  }

  /** Ends it: nothing more is told. */
  close() {
    this.#listening.abort();
    clearTimeout(this.#timer);
    this.#forget();
  }

  #open() {
    const { url, protocols } = this.#options;
    const socket = new WebSocket(url, protocols);

    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#hear(JSON.parse(data));
    socket.onclose = ({ code }) => (code === SESSION_ENDED ? this.#again() : this.#broken());
  }

  #forget() {
    if (this.#socket !== null) {
      this.#socket.onmessage = this.#socket.onclose = null;
      this.#socket.close();
      this.#socket = null;
    }
  }

  #hear({ type, side, game, present }) {
    this.#pause = FIRST_PAUSE;
    this.#options.onConnection(true);
    if (present) {
      this.#options.onPresence(present);
    }
    if (game) {
      this.#options.onGame(game);
    }
    if (type === "rematch") {
      this.#options.onRematch(side);
    }
  }

  async #broken() {
    this.#forget();
    this.#options.onConnection(false);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#again(), this.#pause);
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
    try {
      await this.#options.check();
    } catch (problem) {
      if (problem.status >= 400 && problem.status < 500 && !this.#listening.signal.aborted) {
        this.close();
        this.#options.onFailure(problem);
      }
    }
  }

  #again() {
    clearTimeout(this.#timer);
    this.#forget();
    this.#open();
  }

  #seen() {
    if (document.hidden) {
      this.#hiddenAt = performance.now();
    } else if (performance.now() - this.#hiddenAt > ASLEEP) {
      this.#again();
    }
  }
}
