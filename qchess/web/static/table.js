// A table at the server, as this page knows it: one socket that comes back by itself, and the state kept up to date.

/** @typedef {import("./wording.js").View} View */
/** @typedef {import("./machine.js").Move} Move */
/** @typedef {{name: string, value: number, probability: number, source: string, details?: Record<string, any>}} Answer */
/** @typedef {{ply: number, by: string, text: string, sentence: string, man?: string, takes?: boolean, provenance?: Answer[], shots?: import("./shots.js").Shots[]}} Entry */
/** @typedef {{kind: string, remaining: Record<string, number>, running: string|null, extra: number, stands?: number}} Clocks `stands`: for so many seconds no clock runs */
/** @typedef {{draw: string|null, takeback: string|null, rematch: string[], next: string|null}} Offers */
/**
 * @typedef {{game: string, title: string, name: string, rules: {name: string, options: Record<string, any>}, backend: string, seal: string|null, players: string[],
 *   seats: Record<string, {who: string, name: string, present: boolean}>, watchers: number, you: string|null, ply: number, player: string,
 *   view: View, moves: Move[]|null, history: Entry[], clocks: Clocks|null, result: {winner: string|null, reason: string, sentence?: string}|null,
 *   pending: any, offers: Offers, takebacks: boolean}} State
 */

const WAITS = [0, 500, 1000, 2000, 4000];
/** What must not overtake a move that is held. */
const IN_ORDER = new Set(["state", "moved", "waiting", "thinking", "offer"]);

/** Some letters by chance. */
function chanceName() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Table extends EventTarget {
  /** @param {string} game @param {string} seat @param {string} name */
  constructor(game, seat, name) {
    super();
    this.game = game;
    this.seat = seat;
    this.name = name;
    this.client = chanceName();
    /** @type {State|null} */
    this.state = null;
    /** the ply that the page shows; the last one unless the player looks back */
    this.shown = 0;
    /** @type {HTMLElement|null} */
    this.board = null;
    /** the men that a player has taken, as text; nothing as long as none can have been @type {(player: number) => string} */
    this.taken = () => "";
    /** the player whose computer thinks now */
    this.thinking = "";
    /** @type {Map<string, Record<string, any>>} moves and acts that were sent and not answered */
    this.unanswered = new Map();
    /** when the clocks of the state were read */
    this.readAt = performance.now();
    /** whether a message is shown in a way of its own before it counts @type {(message: any) => boolean} */
    this.holds = () => false;
    /** messages that wait until what came before was seen, the one that is shown first; null if nothing waits @type {any[]|null} */
    this._line = null;
    this._tries = 0;
    this._closed = false;
    /** @type {WebSocket|null} */
    this._socket = null;
  }

  /** Opens the socket; from then on it comes back by itself. */
  connect() {
    const { protocol, host } = window.location;
    const socket = new WebSocket(`${protocol === "https:" ? "wss" : "ws"}://${host}/ws`);
    this._socket = socket;
    socket.addEventListener("open", () => this._hello(socket));
    socket.addEventListener("message", (event) => this._take(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => this._gone(event));
  }

  /** Whether messages go through now. */
  get isOpen() {
    return this._socket?.readyState === WebSocket.OPEN;
  }

  /** Sends a message if the socket is open; what must not get lost goes by `play` and `act`. @param {Record<string, any>} message */
  send(message) {
    if (this.isOpen) this._socket?.send(JSON.stringify(message));
  }

  /** Plays a move; sent again with the same id until it is answered. @param {string} text */
  play(text) {
    const id = chanceName();
    const message = { kind: "move", id, ply: this.state?.ply ?? 0, text };
    this.unanswered.set(id, message);
    this.send(message);
    return id;
  }

  /** Resigns, offers, accepts. @param {string} what */
  act(what) {
    this.send({ kind: "act", id: chanceName(), what });
  }

  /** @param {WebSocket} socket */
  _hello(socket) {
    this._tries = 0;
    const hello = { kind: "hello", game: this.game, client: this.client, ...(this.seat ? { seat: this.seat } : {}), ...(this.name ? { name: this.name } : {}) };
    socket.send(JSON.stringify(hello));
    this._tell("connection", { open: true });
  }

  /** @param {CloseEvent} event */
  _gone(event) {
    this._tell("connection", { open: false, code: event.code, reason: event.reason });
    if (this._closed || event.code === 1008 || event.code === 4404) return;
    const wait = WAITS[Math.min(this._tries++, WAITS.length - 1)];
    setTimeout(() => this.connect(), wait * (0.8 + 0.4 * Math.random()));
  }

  /** @param {string} name @param {any} detail */
  _tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** @param {any} message */
  _take(message) {
    const players = message.players ?? this.state?.players;
    // a view may call the sides by their colours; the table knows what its players are called
    for (const view of [message.view, ...(message.outcomes ?? []).map((/** @type {any} */ each) => each.view)]) {
      if (view && players?.length === view.players.length) view.players = players;
    }
    message.at = performance.now();
    if (this._line && IN_ORDER.has(message.kind)) this._line.push(message);
    else this._next(message);
  }

  /** @param {any} message */
  _next(message) {
    if (!this._line && this.holds(message)) {
      this._line = [message];
      this._takeClocks(message);
      this._tell("held", message);
      return;
    }
    if (this._fold(message)) this._tell("message", message);
  }

  /** What is held counts from now on; what came after it still waits. */
  pass() {
    const message = this._line?.[0];
    if (!message || message.isPassed) return;
    message.isPassed = true;
    if (this._fold(message)) this._tell("message", message);
  }

  /** Nothing is held any more: what has waited comes in its order. */
  go() {
    this.pass();
    const [, ...waiting] = this._line ?? [];
    this._line = null;
    for (const message of waiting) {
      const { _line: line } = this;
      if (line) /** @type {any[]} */ (line).push(message);
      else this._next(message);
    }
  }

  /** @param {any} message */
  _takeClocks({ clocks, at }) {
    if (!this.state || !clocks) return;
    this.state.clocks = clocks;
    this.readAt = at;
  }

  /** Brings the state up to date; false for what is known already. @param {any} message */
  _fold(message) {
    if (message.kind === "state") {
      this.state = message;
      this.readAt = message.at;
      this._sendAgain();
      return true;
    }
    const state = this.state;
    if (!state) return true;
    if (message.kind === "moved") {
      this.unanswered.delete(message.id);
      if (message.repeated || message.ply <= state.ply) return false;
      if (message.ply !== state.ply + 1) {
        this._socket?.close(4000, "a move was missed"); // the next hello brings the whole state
        return false;
      }
      const { ply, by, text, sentence, man, takes, provenance, shots, view, moves, player, clocks, result, offers } = message;
      state.history.push({ ply, by, text, sentence, man, takes, provenance, shots });
      Object.assign(state, { ply, view, moves, player, clocks, result, offers, pending: null });
      this.readAt = message.at;
    } else if (message.kind === "refused" && message.id) this.unanswered.delete(message.id);
    else if (message.kind === "refused") this._sendAgainSoon();
    else if (message.kind === "seats") Object.assign(state, { seats: message.seats, watchers: message.watchers });
    else if (message.kind === "offer") state.offers = message.offers;
    else if (message.kind === "waiting") state.pending = message;
    this._takeClocks(message);
    return true;
  }

  /** Sends what is not answered once more, under the same ids: what the server knows is not done twice. */
  _sendAgain() {
    for (const again of this.unanswered.values()) this.send(again);
  }

  /** The server would not read a message, as too many came: it may have been a move. */
  _sendAgainSoon() {
    if (this.unanswered.size) setTimeout(() => this._sendAgain(), 1000);
  }

  /** The seconds that a player has left now; null without clocks. @param {string} player */
  secondsOf(player) {
    const clocks = this.state?.clocks;
    if (!clocks || clocks.remaining[player] === undefined) return null;
    const since = clocks.running === player && !this.state?.result ? Math.max(0, (performance.now() - this.readAt) / 1000 - (clocks.stands ?? 0)) : 0;
    return Math.max(0, clocks.remaining[player] - since);
  }
}
