// <qc-circuit>: the circuit beside the board. Of the last move, of the register under the pointer, of the whole game.
//
// Properties: ask (async (message) => answer, for the messages `circuit` and `register`), ply, square, lit (squares whose
// wires light up), litPly (a turn whose gates light up). Events: qc-light {squares, ply} where the pointer or the focus is.
import { CIRCUIT_LOOK } from "./circuitlook.js";
import { shape } from "./pieces.js";
import { dial } from "./plates.js";

/** @typedef {{full: string[], amplitude: number[], probability: number, phase: number}} Branch */
/**
 * @typedef {{square: string, qubits: string[], squares: string[], size?: number, branches?: Branch[],
 *   entropies?: string|null}} Register
 */
/**
 * @typedef {{of: string, ply: number, square: string|null, level: string, caption: string, svg: string,
 *   counts: Record<string, Record<string, number>>, forms: string[], squares: Record<string, string[]>,
 *   plies: Record<string, number>, known: Record<string, number>, given: string[], text?: string}} Circuit
 */

const KINDS = { move: "Move", register: "Register", game: "Game" };
const LEVELS = {
  program: "gates of the rules", naive: "textbook gates", exact: "optimised by hand, exact on every input", aware: "simplified by what is certain",
};
const FORMS = { cirq: "Cirq", qiskit: "Qiskit", qasm3: "OpenQASM" };
const HIGH = 96, WIDE = 44, PAUSE = 140, KEPT = 60;

/** An HTML element. @param {string} tag @param {Record<string, string>} [attributes] @param {...(Node|string)} children */
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** A picture from its text, without its style sheet: the page has one that its security policy allows. @param {string} text */
export function pictureOf(text) {
  const bare = text.replace(/<style>[^]*?<\/style>/g, "");
  const found = new DOMParser().parseFromString(bare, "image/svg+xml").documentElement;
  if (found.nodeName !== "svg") return element("p", {}, "This picture cannot be shown.");
  found.querySelectorAll("script").forEach((node) => node.remove());
  return document.importNode(found, true);
}

export class QcCircuit extends HTMLElement {
  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(CIRCUIT_LOOK);
    root.adoptedStyleSheets = [sheet];
    /** @type {((message: any) => Promise<any>)|null} */
    this.ask = null;
    this.kind = "move";
    this.level = "program";
    /** @type {number|null} */
    this._ply = null;
    this._square = "";
    /** @type {Map<string, Promise<any>>} */
    this._answers = new Map();
    /** @type {Circuit|null} */
    this.shown = null;
    this._asked = 0;
    this._timer = 0;
    this._kinds = element("div", { class: "kinds", role: "radiogroup", "aria-label": "circuit of" });
    for (const [kind, word] of Object.entries(KINDS)) this._kinds.append(this._choice(kind, word));
    this._caption = element("p", { class: "caption", role: "status" });
    this._picture = element("div", { class: "picture", tabindex: "0", role: "group", "aria-label": "circuit; arrow keys go from gate to gate" });
    this._table = element("table", { class: "counts" });
    this._copies = element("div", { class: "copies", role: "group", "aria-label": "copy the circuit" }, "Copy: ");
    for (const [form, word] of Object.entries(FORMS)) {
      const button = element("button", { type: "button", "data-form": form }, word);
      button.addEventListener("click", () => this.copy(form));
      this._copies.append(button);
    }
    this._text = /** @type {HTMLTextAreaElement} */ (element("textarea", { readonly: "", rows: "6", "aria-label": "the circuit as text", hidden: "" }));
    this._register = element("div", { class: "register" });
    root.append(this._kinds, this._caption, this._picture, this._table, this._copies, this._text, this._register);
    for (const event of ["pointerover", "focusin"]) this._picture.addEventListener(event, (e) => this._pointed(/** @type {Element} */ (e.target)));
    for (const event of ["pointerleave", "focusout"]) this._picture.addEventListener(event, () => this._light([], 0));
    this._picture.addEventListener("keydown", (event) => this._key(event));
    this._drawKinds();
  }

  // -- what pages set ----------------------------------------------------------------------------------------

  /** After how many turns the game is looked at; null for now. @returns {number|null} */
  get ply() {
    return this._ply;
  }

  set ply(ply) {
    this._ply = ply;
    this.refresh();
  }

  /** The square under the pointer: of its register the circuit is shown, if that was chosen. */
  get square() {
    return this._square;
  }

  set square(square) {
    const known = this.shown?.of === "register" && this.shown.square && Object.values(this.shown.squares).flat().includes(square);
    if (!square || square === this._square) return;
    this._square = square;
    if (this.kind === "register" && !known) this.refresh(PAUSE);
  }

  /** Squares whose wires light up. @param {string[]} squares */
  set lit(squares) {
    for (const wire of this._picture.querySelectorAll("[data-qubit]")) {
      const here = this.shown?.squares[wire.getAttribute("data-qubit") ?? ""] ?? [];
      wire.classList.toggle("lit", here.some((square) => squares.includes(square)));
    }
  }

  /** A turn whose gates light up; 0 for none. @param {number} ply */
  set litPly(ply) {
    for (const gate of this._picture.querySelectorAll("[data-step]")) {
      gate.classList.toggle("lit", ply > 0 && this._plyOf(gate) === ply);
    }
  }

  /** Forgets what was answered: the game has changed. */
  changed() {
    this._answers.clear();
    this.refresh();
  }

  /** Asks for the circuit, and shows it. @param {number} [pause] in milliseconds, while the pointer may go on */
  refresh(pause = 0) {
    clearTimeout(this._timer);
    if (!this.isConnected || !this.ask) return;
    this._timer = window.setTimeout(() => this._refresh(), pause);
  }

  connectedCallback() {
    this.refresh();
  }

  async _refresh() {
    const mine = ++this._asked;
    const message = { kind: "circuit", ...this._wanted(), level: this.level };
    const square = this.kind === "register" ? this._square : "";
    try {
      const [circuit, register] = await Promise.all([
        this._answer(message),
        square ? this._answer({ kind: "register", ply: this._ply, square }) : null,
      ]);
      if (mine === this._asked) this._show(circuit, register);
    } catch (error) {
      if (mine === this._asked) this._caption.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  /** What the circuit is of, as a message says it. */
  _wanted() {
    return { of: this.kind, ply: this._ply, ...(this.kind === "register" && this._square ? { square: this._square } : {}) };
  }

  /** An answer, asked for once. @param {any} message @returns {Promise<any>} */
  _answer(message) {
    const key = JSON.stringify(message);
    const known = this._answers.get(key);
    if (known) return known;
    const asked = this.ask ? this.ask(message) : Promise.reject(new Error("no server to ask"));
    if (this._answers.size >= KEPT) this._answers.clear();
    this._answers.set(key, asked);
    asked.catch(() => this._answers.delete(key));
    return asked;
  }

  // -- drawing -----------------------------------------------------------------------------------------------

  /** @param {string} kind @param {string} word */
  _choice(kind, word) {
    const button = element("button", { type: "button", role: "radio", "data-kind": kind }, word);
    button.addEventListener("click", () => {
      this.kind = kind;
      this._drawKinds();
      this.refresh();
    });
    button.addEventListener("keydown", (event) => this._kindKey(event));
    return button;
  }

  /** @param {KeyboardEvent} event */
  _kindKey(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const names = Object.keys(KINDS);
    this.kind = names[(names.indexOf(this.kind) + step + names.length) % names.length];
    this._drawKinds();
    /** @type {HTMLElement|null} */ (this._kinds.querySelector(`[data-kind=${this.kind}]`))?.focus();
    this.refresh();
    event.preventDefault();
  }

  _drawKinds() {
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (this._kinds.querySelectorAll("button"))) {
      const isOn = button.dataset.kind === this.kind;
      button.setAttribute("aria-checked", String(isOn));
      button.tabIndex = isOn ? 0 : -1;
    }
  }

  /** @param {Circuit} circuit @param {Register|null} register */
  _show(circuit, register) {
    this.shown = circuit;
    const full = Object.keys(circuit.known);
    const starts = full.length ? ` ${full.join(", ")} ${full.length === 1 ? "is" : "are"} full at the start.` : "";
    const given = circuit.given.length ? ` ${circuit.given.join(", ")} started in superposition.` : "";
    const hint = this.kind === "register" && !this._square ? " Point at a square to see only its register." : "";
    this._caption.textContent = `${circuit.caption}${circuit.caption.endsWith(".") ? "" : "."}${starts}${given}${hint}`;
    this._picture.replaceChildren(pictureOf(circuit.svg));
    for (const gate of this._gates()) {
      gate.setAttribute("tabindex", "-1");
      gate.setAttribute("role", "img");
      gate.setAttribute("aria-label", this._words(gate));
    }
    this._drawTable(circuit);
    this._text.hidden = true;
    this._drawRegister(register);
    this.dispatchEvent(new CustomEvent("qc-circuit", { detail: circuit, bubbles: true, composed: true }));
  }

  /** A gate as a screen reader says it. @param {Element} gate */
  _words(gate) {
    const name = [...gate.querySelectorAll("text")].map((text) => text.textContent?.trim()).filter(Boolean)[0] ?? "gate";
    const ply = this._plyOf(gate);
    return `${name} on ${(gate.getAttribute("data-qubits") ?? "").split(" ").join(", ")}${ply ? `, turn ${ply}` : ""}`;
  }

  /** @param {Circuit} circuit */
  _drawTable(circuit) {
    const columns = [...new Set(Object.values(circuit.counts).flatMap((each) => Object.keys(each)))];
    const head = element("tr", {}, element("th", { scope: "col" }, "level"), ...columns.map((name) => element("th", { scope: "col" }, name)));
    const rows = Object.entries(LEVELS).map(([level, words]) => {
      const button = element("button", { type: "button", title: words, "aria-pressed": String(level === this.level), "data-level": level }, level);
      button.addEventListener("click", () => {
        this.level = level;
        this._refresh();
      });
      const counts = circuit.counts[level] ?? {};
      return element("tr", {}, element("th", { scope: "row" }, button), ...columns.map((name) => element("td", {}, String(counts[name] ?? ""))));
    });
    this._table.replaceChildren(element("thead", {}, head), element("tbody", {}, ...rows));
  }

  /** Puts the circuit as code on the clipboard, and shows it. @param {string} form */
  async copy(form) {
    const answer = await this._answer({ kind: "circuit", ...this._wanted(), level: this.level, form });
    this._text.value = answer.text;
    this._text.hidden = false;
    this._text.select();
    try {
      await navigator.clipboard.writeText(answer.text);
      this._caption.textContent = `Copied as ${/** @type {Record<string, string>} */ (FORMS)[form] ?? form}.`;
    } catch {
      this._caption.textContent = "The clipboard is blocked: copy the text below.";
    }
  }

  // -- the register ------------------------------------------------------------------------------------------

  /** @param {Register|null} register */
  _drawRegister(register) {
    this._register.hidden = !register?.branches?.length;
    if (!register?.branches) return;
    const more = (register.size ?? 0) - register.branches.length;
    const words = `${register.qubits.length} squares, ${register.size} branch${register.size === 1 ? "" : "es"}`;
    this._register.replaceChildren(
      element("h3", {}, `Amplitudes: ${words}`),
      element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "amplitudes" }, bars(register)),
      ...(more > 0 ? [element("p", {}, `The ${register.branches.length} most likely are shown; ${more} more are not.`)] : []),
      ...(register.entropies ? [element("h3", {}, "Entanglement, in bits"), element("p", {}, "On the diagonal: the entropy of each square. Elsewhere: the mutual information of two squares."), pictureOf(register.entropies)] : []),
    );
  }

  // -- lighting up -------------------------------------------------------------------------------------------

  /** @returns {Element[]} */
  _gates() {
    return [...this._picture.querySelectorAll("[data-step]")];
  }

  /** The turn that a gate belongs to; 0 if it is of no single one. @param {Element} gate */
  _plyOf(gate) {
    return this.shown?.plies[(gate.getAttribute("data-step") ?? "").split(".")[0]] ?? 0;
  }

  /** @param {Element} target */
  _pointed(target) {
    const found = target.closest("[data-step], [data-qubit]");
    if (!found || !this.shown) return this._light([], 0);
    const wires = found.hasAttribute("data-step") ? (found.getAttribute("data-qubits") ?? "").split(" ") : [found.getAttribute("data-qubit") ?? ""];
    const squares = wires.flatMap((wire) => this.shown?.squares[wire] ?? []);
    this._light([...new Set(squares)], found.hasAttribute("data-step") ? this._plyOf(found) : 0);
  }

  /** @param {string[]} squares @param {number} ply */
  _light(squares, ply) {
    this.lit = squares;
    this.litPly = this.kind === "game" ? ply : 0;
    this.dispatchEvent(new CustomEvent("qc-light", { detail: { squares, ply }, bubbles: true, composed: true }));
  }

  /** @param {KeyboardEvent} event */
  _key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const gates = /** @type {HTMLElement[]} */ (this._gates());
    const at = gates.indexOf(/** @type {HTMLElement} */ (this.shadowRoot?.activeElement));
    gates[Math.max(0, Math.min(gates.length - 1, at + step))]?.focus();
    event.preventDefault();
  }
}

/** Bars as high as the probability of each branch, with the phase as a dial. @param {Register} register */
export function bars(register) {
  const branches = register.branches ?? [];
  const named = new Map(register.qubits.map((qubit, k) => [qubit, register.squares[k]]));
  const most = Math.max(...branches.map((branch) => branch.probability), 1e-9);
  const lines = Math.max(1, ...branches.map((branch) => branch.full.length));
  const width = WIDE * branches.length + 8, height = HIGH + 40 + 13 * lines;
  const columns = branches.map((branch, number) => {
    const x = 4 + WIDE * (number + 0.5);
    const high = Math.max(1, (HIGH * branch.probability) / most);
    const full = branch.full.map((qubit) => named.get(qubit) ?? qubit);
    const words = `${full.join(", ") || "none"}: ${Number(branch.probability.toPrecision(4))}, phase ${Number(branch.phase.toPrecision(3))} of a turn`;
    return shape("g", { class: "branch", role: "img", "aria-label": words },
      shape("title", {}, words),
      shape("text", { x, y: 14 + HIGH - high, class: "mid" }, short(branch.probability)),
      shape("rect", { x: x - 14, y: 18 + HIGH - high, width: 28, height: high, class: "amplitude" }),
      dial(branch.phase, x, HIGH + 28, 7),
      ...(full.length ? full : ["none"]).map((name, line) => shape("text", { x, y: HIGH + 50 + 13 * line, class: "mid" }, name)));
  });
  return shape("svg", { width, height, viewBox: `0 0 ${width} ${height}`, class: "bars", role: "group", "aria-label": "branches" }, ...columns);
}

/** A probability in three digits; never 0 or 1 for what is open. @param {number} p */
function short(p) {
  const text = p.toPrecision(3).replace(/\.?0+$/, "");
  return p < 1e-3 ? "<.001" : text.replace(/^0/, "");
}

customElements.get("qc-circuit") ?? customElements.define("qc-circuit", QcCircuit);

// -- beside a table's board ----------------------------------------------------------------------------------

/**
 * Puts the panel into an element of a page that has a table at the server.
 * @param {HTMLElement} body @param {any} table @param {Document|ShadowRoot} [page] what holds the list of moves
 * @returns {QcCircuit}
 */
export function mountCircuit(body, table, page = document) {
  const panel = /** @type {QcCircuit} */ (document.createElement("qc-circuit"));
  const asker = new Asker((message) => table.send(message));
  panel.ask = (message) => asker.ask({ ...message, ply: message.ply ?? table.shown });
  table.addEventListener("message", (/** @type {CustomEvent} */ event) => asker.take(event.detail));
  table.addEventListener("message", (/** @type {CustomEvent} */ event) => event.detail.kind === "state" && panel.changed());
  table.addEventListener("shown", (/** @type {CustomEvent} */ event) => (panel.ply = event.detail.ply));
  table.addEventListener("pointed", (/** @type {CustomEvent} */ event) => pointAt(panel, event.detail.square));
  panel.addEventListener("qc-light", (event) => {
    const { squares, ply } = /** @type {CustomEvent} */ (event).detail;
    table.board.lit = squares;
    for (const item of page.querySelectorAll("#moves [data-ply]")) item.classList.toggle("lit", ply > 0 && Number(item.getAttribute("data-ply")) === ply);
  });
  page.getElementById("moves")?.addEventListener("pointerover", (event) => {
    panel.litPly = Number(/** @type {Element} */ (event.target).closest("[data-ply]")?.getAttribute("data-ply") ?? 0);
  });
  panel.ply = table.shown ?? null;
  body.append(panel);
  return panel;
}

/** What a panel does where the pointer is on a square of the board. @param {QcCircuit} panel @param {string|null} square */
export function pointAt(panel, square) {
  panel.lit = square ? [square] : [];
  if (square) panel.square = square;
}

/** Questions to a socket, each with the promise of its answer: an answer repeats what was asked. */
export class Asker {
  /** @param {(message: any) => void} send */
  constructor(send) {
    this.send = send;
    /** @type {{message: any, resolve: (answer: any) => void, reject: (error: Error) => void}[]} */
    this.waiting = [];
  }

  /** @param {any} message @returns {Promise<any>} */
  ask(message) {
    return new Promise((resolve, reject) => {
      this.waiting.push({ message, resolve, reject });
      this.send(message);
    });
  }

  /** Gives an answer to whoever asked for it. @param {any} answer */
  take(answer) {
    const isRefused = answer.kind === "refused";
    const at = this.waiting.findIndex(({ message }) => (isRefused ? answer.of === message.kind : answers(answer, message)));
    if (at < 0) return;
    const [{ resolve, reject }] = this.waiting.splice(at, 1);
    if (isRefused) reject(new Error(answer.why));
    else resolve(answer);
  }
}

/** Whether a message answers a question. @param {any} answer @param {any} message */
function answers(answer, message) {
  return ["kind", "of", "ply", "level", "form", "square"].every((name) => (message[name] ?? null) === (answer[name] ?? null));
}
