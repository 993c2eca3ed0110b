/* Draughtsmith's HTTP API as a module that any front end can import:
 *
 *   import { Draughtsmith } from "https://draughts.example/draughtsmith.js";
 *   const daemon = new Draughtsmith("https://draughts.example");
 *   const game = await daemon.newGame({ rules: "classic", opponent: "computer", level: 3 });
 *   const live = daemon.live(game.id, { onGame: draw });
 *   await daemon.move(game.id, { ply: game.ply, move: game.moves[0].move });
 *
 * Every method answers with the JSON that docs/http-api.md describes, or throws a Problem. A page
 * of the daemon's own origin is known by its cookie; others give a token. */
import { Live } from "./live.js";

/** A refusal by the daemon (RFC 9457), or the network's: then `status` is 0. */
export class Problem extends Error {
  constructor(body, { status = 0, retryAfter = 0 } = {}) {
    super(body.detail ?? body.title ?? "the daemon cannot be reached");
    this.name = "Problem";
    this.status = status;
    this.retryAfter = retryAfter; // seconds; 0: not said
    this.type = (body.type ?? "urn:draughtsmith:problem:network").split(":").at(-1);
    this.reason = body.reason ?? null; // of a refused move, for programs
    this.field = body.field ?? null; // what was at fault
    this.game = body.game ?? null; // as it stands, where that is told
  }
}

async function readBody(response) {
  const json = /\bjson\b/.test(response.headers.get("Content-Type") ?? "");

  try {
    return json ? await response.json() : await response.text();
  } catch {
    return {};
  }
}

export class Draughtsmith {
  #base;
  #token;

  /** @param {string} base where the daemon is; "" for the page's own origin
   *  @param {string?} token of a player or a bot; null: the cookie's, or a guest */
  constructor(base = "", token = null) {
    this.#base = base.replace(/\/$/, "");
    this.#token = token;
  }

  /** One request. `body` is sent as JSON; the answer is JSON, or text where it is none. */
  async request(method, path, body) {
    const headers = {};

    if (body !== undefined) {
      headers["Content-Type"] = "application/json";
    }
    if (this.#token !== null) {
      headers.Authorization = `Bearer ${this.#token}`;
    }
    let response;
    try {
      response = await fetch(this.#base + path, {
        method,
        headers,
        body: body === undefined ? undefined : JSON.stringify(body),
        cache: "no-cache",
      });
    } catch (error) {
      throw new Problem({ detail: error.message });
    }
    const answer = await readBody(response);
    if (!response.ok) {
      throw new Problem(typeof answer === "string" ? {} : answer, {
        status: response.status,
        retryAfter: Number(response.headers.get("Retry-After") ?? 0),
      });
    }
    return answer;
  }

  #get(path) {
    return this.request("GET", path);
  }

  #post(path, body = {}) {
    return this.request("POST", path, body);
  }

  // What is served

  rules(rules = null) {
    return this.#get(rules === null ? "/v1/rules" : `/v1/rules/${rules}`);
  }

  levels(rules) {
    return this.#get(`/v1/levels?rules=${rules}`);
  }

  /** A page of the leaderboard, behind `offset` rows; rules null: all rule sets together. */
  leaderboard({ rules = null, offset = 0 } = {}) {
    const query = new URLSearchParams({ offset, ...(rules === null ? {} : { rules }) });

    return this.#get(`/v1/leaderboard?${query}`);
  }

  // Positions, without a game: {rules, fen?, moves?}

  moves(position) {
    return this.#post("/v1/moves", position);
  }

  bestMove(position) {
    return this.#post("/v1/bestmove", position);
  }

  analysis(position) {
    return this.#post("/v1/analysis", position);
  }

  // Players

  signUp(name, password) {
    return this.#post("/v1/players", { name, password });
  }

  logIn(name, password) {
    return this.#post("/v1/sessions", { name, password });
  }

  logOut() {
    return this.request("DELETE", "/v1/sessions");
  }

  /** A new password by the recovery code; the next code is in the answer. */
  recover(name, code, password) {
    return this.#post("/v1/recovery", { name, recovery_code: code, password });
  }

  /** Who this is: levels opened, wins, games. `guest`: who is nobody yet is told of as a guest, and
   * not refused. */
  me({ guest = false } = {}) {
    return this.#get(guest ? "/v1/me?guest=yes" : "/v1/me");
  }

  changePassword(password, newPassword) {
    return this.#post("/v1/me/password", { password, new_password: newPassword });
  }

  /** Deletes the account and all that is its own alone. */
  deleteMe(password) {
    return this.#post("/v1/me/delete", { password });
  }

  // Games

  /** {rules, opponent: "computer" | "local" | "friend", level?, first?: "me" | "opponent", fen?} */
  newGame(options) {
    return this.#post("/v1/games", options);
  }

  /** The game as it stands. */
  game(id) {
    return this.#get(`/v1/games/${id}`);
  }

  pdn(id) {
    return this.#get(`/v1/games/${id}/pdn`);
  }

  /** {ply, move} or {ply, path}; the beginning of a capture is kept by the daemon. */
  move(id, move) {
    return this.#post(`/v1/games/${id}/moves`, move);
  }

  undo(id) {
    return this.#post(`/v1/games/${id}/undo`);
  }

  hint(id) {
    return this.#post(`/v1/games/${id}/hint`);
  }

  resign(id) {
    return this.#post(`/v1/games/${id}/resign`);
  }

  /** action: "offer", "accept", "decline" or "withdraw". */
  draw(id, action) {
    return this.#post(`/v1/games/${id}/draw`, { action });
  }

  join(id) {
    return this.#post(`/v1/games/${id}/join`);
  }

  claim(id) {
    return this.#post(`/v1/games/${id}/claim`);
  }

  rematch(id) {
    return this.#post(`/v1/games/${id}/rematch`);
  }

  /** Keeps a game up to date until close() is called on what it returns; see live.js. */
  live(id, listeners) {
    const base = new URL(this.#base || location.origin);

    base.protocol = base.protocol === "https:" ? "wss:" : "ws:";
    base.pathname = `/v1/games/${id}/live`;
    return new Live({
      url: base.href,
      protocols: this.#token === null ? [] : ["draughtsmith.v1", `bearer.${this.#token}`],
      check: () => this.game(id),
      ...listeners,
    });
  }
}
