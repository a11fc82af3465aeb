// <qc-viewer>: a board with everything around it that needs no server of its own: what was said, the odds, the moves, the
// circuit, the legend. Used in notebooks, in pages that stand alone, in studies and lessons.
//
// It is given a `table`, as table.js has one: an EventTarget with `state`, `shown`, `board`, `send(message)`, `play(text)`
// and the events message, shown, pointed. `state.you` is a player, or "all" where one plays for everybody, or null.
import { Asking } from "./asking.js";
import { QcBoard } from "./board.js";
import { mountCircuit } from "./circuit.js";
import { legendOf } from "./legend.js";
import { MoveList } from "./movelist.js";
import { html } from "./settings.js";
import { drawShots } from "./shots.js";
import { VIEWER_LOOK } from "./viewerlook.js";
import { percent, said } from "./wording.js";

const BUTTONS = {
  first: ["M6 5v14M18 5l-9 7 9 7z", "First position"],
  previous: ["M16 5l-9 7 9 7z", "Previous move"],
  next: ["M8 5l9 7-9 7z", "Next move"],
  last: ["M18 5v14M6 5l9 7-9 7z", "Latest position"],
  flip: ["M7 20V5M3 9l4-4 4 4M17 4v15M13 15l4 4 4-4", "Turn the board"],
  links: ["M9.5 14.5l5-5M11 7l2-2a4.2 4.2 0 0 1 6 6l-2 2M13 17l-2 2a4.2 4.2 0 0 1-6-6l2-2", "Show all links"],
};

/** A button with a picture. @param {string} name @param {string[]} how */
function icon(name, [path, words]) {
  const button = html("button", { type: "button", class: `icon ${name}`, "aria-label": words, title: words });
  button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;
  return button;
}

export class QcViewer extends HTMLElement {
  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(VIEWER_LOOK);
    root.adoptedStyleSheets = [sheet];
    /** @type {any} */
    this._table = null;
    /** @type {Map<number, any>} positions of the past that were asked for */
    this.positions = new Map();
    /** @type {number|undefined} the latest ply that is known */
    this._latest = undefined;
    /** @type {any[]|undefined} */
    this._history = undefined;
    this._turned = false;
    this._told = "";
    this.board = /** @type {QcBoard} */ (document.createElement("qc-board"));
    this.sentence = html("p", { class: "sentence", role: "status", "aria-live": "polite" });
    this.shots = html("details", { class: "shots" }, html("summary"), html("div", { class: "body", tabindex: "0", role: "group", "aria-label": "What was read" }));
    this.shots.hidden = true;
    this.ask = html("section", { class: "card ask", "aria-label": "What the move asks" });
    this.ask.hidden = true;
    this.list = html("ol", { id: "moves", tabindex: "0", "aria-label": "Moves played" });
    this.moves = new MoveList(this.list, (ply) => this.look(ply));
    this.jump = html("div", { class: "row jump", role: "group", "aria-label": "Jump to a position" });
    for (const [name, how] of Object.entries(BUTTONS)) this.jump.append(icon(name, how));
    this.circuit = this._folded("circuit", "Circuit");
    this.legend = this._folded("legend", "What the signs mean");
    root.append(html("div", { class: "viewer" },
      html("div", { class: "boardside" }, this.board, html("slot", { name: "below" })),
      html("div", { class: "side" }, this.sentence, this.shots, this.ask, html("slot", { name: "above" }), html("section", { class: "card moves", "aria-label": "Moves" }, this.list, this.jump), html("slot"), this.circuit, this.legend)));
    this._listen();
  }

  /** On a page of its own, with `panel`, all that is said stands in one panel beside the board, whose size does not change. */
  connectedCallback() {
    const side = /** @type {HTMLElement} */ (this.shadowRoot?.querySelector(".side"));
    if (!this.hasAttribute("panel") || side.querySelector(".inside")) return;
    const moves = /** @type {HTMLElement} */ (this.list.parentElement);
    const signs = this.querySelector("[slot=tabs]") ? [] : [this.legend]; // a page with tabs has a place for them
    side.replaceChildren(html("slot", { name: "tabs" }), html("div", { class: "inside" }, this.ask, html("slot", { name: "above" }), html("slot"), moves, ...signs),
      html("div", { class: "say" }, this.sentence, this.shots), this.jump);
  }

  /** @param {string} name @param {string} words */
  _folded(name, words) {
    return /** @type {HTMLDetailsElement} */ (html("details", { class: `card ${name}` }, html("summary", {}, words), html("div", { class: "body" })));
  }

  /** What the viewer looks at. */
  get table() {
    return this._table;
  }

  set table(table) {
    this._table = table;
    table.board = this.board;
    this.asking = new Asking(this.ask, this.board, table);
    table.addEventListener("message", (/** @type {CustomEvent} */ event) => this._take(event.detail));
    if (table.state) this._take(table.state);
  }

  /** A square's own words, in place of the sentence about the last move. @param {string} text */
  tell(text) {
    this._told = this.sentence.textContent = text;
  }

  // -- messages ----------------------------------------------------------------------------------------------

  /** @param {any} message */
  _take(message) {
    const { kind } = message;
    if (kind === "state" || kind === "moved") this._news(message);
    else if (kind === "odds" && this.board.machine.picks[0] === message.square) this.board.odds = message;
    else if (kind === "preview") this.asking?.take(message);
    else if (kind === "position") {
      this.positions.set(message.ply, message);
      if (this._table.shown === message.ply) this.draw();
    } else if (kind === "refused" && message.of !== "odds" && message.of !== "preview") {
      this.tell(message.why);
      this.board.say(message.why);
      this.draw();
    }
  }

  /** @param {any} message */
  _news(message) {
    const state = this._table.state;
    const wasLive = this._latest === undefined || this._table.shown >= Math.min(this._latest, state.ply);
    if (message.kind === "state" && !isSamePast(this._history ?? [], state.history)) this.positions.clear();
    this.asking?.known.clear();
    this._latest = state.ply;
    this._history = state.history;
    if (wasLive || message.shown !== undefined) this._table.shown = message.shown ?? state.ply;
    if (state.below !== undefined && !this._turned) this.board.below = state.below;
    this.draw();
  }

  // -- drawing -----------------------------------------------------------------------------------------------

  /** Shows the position after some plies. @param {number} ply */
  look(ply) {
    const { state } = this._table;
    if (this._table.jump) {
      this._table.jump(ply); // a tree has a way of its own to go on
      return;
    }
    this._table.shown = Math.max(0, Math.min(state.ply, ply));
    if (this._table.shown !== state.ply && !this.positions.has(this._table.shown)) this._table.send({ kind: "look", ply: this._table.shown });
    this.draw();
  }

  draw() {
    const { state, shown } = this._table;
    if (!state) return;
    const isLive = shown === state.ply;
    const at = isLive ? state : this.positions.get(shown);
    const mayPlay = isLive && !state.result && (state.you === "all" || state.you === state.player);
    this.asking?.clear();
    if (at) {
      this.board.view = at.view;
      this.board.playable = mayPlay;
      this.board.moves = mayPlay ? state.moves : [];
      this.legend.querySelector(".body")?.replaceChildren(legendOf(at.view, state.rules?.name, this.board));
      this._table.dispatchEvent(new CustomEvent("shown", { detail: { ply: shown, view: at.view } }));
    }
    this.tell(this.words(state, shown));
    const held = this.shots.contains(/** @type {ShadowRoot} */ (this.shadowRoot).activeElement);
    drawShots(this.shots, state.history[shown - 1]);
    if (held && this.shots.hidden) this.list.focus(); // keys are heard here only
    this.moves.draw(state, shown);
    for (const name of ["first", "previous"]) this._button(name).disabled = shown === 0;
    const goesOn = this._table.goesOn?.() ?? !isLive;
    for (const name of ["next", "last"]) this._button(name).disabled = !goesOn;
  }

  /** The sentence about the position that is shown. @param {any} state @param {number} shown */
  words(state, shown) {
    const entry = state.history[shown - 1];
    const result = shown === state.ply && state.result ? ` ${resultWords(state.result)}` : "";
    if (!entry) return `${capital(state.player)} begins.${result}`;
    return told(entry) + result;
  }

  /** @param {string} name @returns {HTMLButtonElement} */
  _button(name) {
    return /** @type {HTMLButtonElement} */ (this.jump.querySelector(`.${name}`));
  }

  // -- what people do ----------------------------------------------------------------------------------------

  _listen() {
    const jumps = { first: () => 0, previous: () => this._table.shown - 1, next: () => this._table.shown + 1, last: () => (this._table.jump ? Infinity : this._table.state.ply) };
    for (const [name, where] of Object.entries(jumps)) this._button(name).addEventListener("click", () => this.look(where()));
    this._button("flip").addEventListener("click", () => {
      this._turned = true;
      this.board.below = this.board.below ? 0 : 1;
      this.draw();
    });
    this._button("links").addEventListener("click", () => {
      this.board.links = this.board.links === "all" ? "pointed" : "all";
      this._button("links").setAttribute("aria-pressed", String(this.board.links === "all"));
    });
    this.board.addEventListener("qc-say", (event) => {
      // in a panel there is one place for words
      if (this.hasAttribute("panel")) this.sentence.textContent = /** @type {CustomEvent} */ (event).detail.text || this._told;
    });
    this.board.addEventListener("qc-move", (event) => {
      this.asking?.clear();
      this.board.playable = false;
      this._table.play(/** @type {CustomEvent} */ (event).detail.text);
    });
    this.board.addEventListener("qc-pick", (event) => {
      const [square] = /** @type {CustomEvent} */ (event).detail.squares;
      this.asking?.clear();
      if (square) this._table.send({ kind: "odds", ply: this._table.state.ply, square });
    });
    this.board.addEventListener("qc-hover", (event) => {
      const { square, ways } = /** @type {CustomEvent} */ (event).detail;
      this._table.dispatchEvent(new CustomEvent("pointed", { detail: { square } }));
      if (ways?.length) this.asking?.point(ways[0].move);
    });
    this.circuit.addEventListener("toggle", () => {
      const body = /** @type {HTMLElement} */ (this.circuit.querySelector(".body"));
      if (this.circuit.open && !body.firstChild) mountCircuit(body, this._table, /** @type {ShadowRoot} */ (this.shadowRoot));
    });
    this.addEventListener("keydown", (event) => {
      const step = /** @type {Record<string, number>} */ ({ ",": -1, ".": 1 })[event.key];
      const isWriting = /** @type {HTMLElement} */ (event.composedPath()[0]).matches?.("input, select, textarea");
      if (step && !isWriting && !event.ctrlKey && !event.metaKey) this.look(this._table.shown + step);
    });
  }
}

/** Whether what was played before is still what was played. @param {any[]} before @param {any[]} now */
function isSamePast(before, now) {
  return before.length <= now.length && before.every((entry, k) => entry.text === now[k].text);
}

/** @param {string} text */
export function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** How a game ended, in words. @param {{winner: string|null, reason: string, sentence?: string}} result */
export function resultWords(result) {
  return result.sentence ?? (result.winner ? `${capital(result.winner)} wins (${result.reason}).` : `A draw (${result.reason}).`);
}

/** What a move came to, in words. @param {{by: string, text: string, man?: string, takes?: boolean, sentence?: string, provenance?: any[], set?: boolean}} entry */
export function told(entry) {
  const head = `${capital(entry.by)} plays ${said(entry)}.`;
  const open = (entry.provenance ?? []).filter((answer) => answer.source !== "certain");
  const set = entry.set ? " The outcome was chosen, not drawn." : "";
  if (entry.sentence) return `${head} ${entry.sentence}${set}`;
  return open.length ? `${head} ${open.map((answer) => `${answer.name} = ${answer.value}, which had ${percent(answer.probability)}`).join("; ")}.${set}` : head;
}

customElements.get("qc-viewer") ?? customElements.define("qc-viewer", QcViewer);
