// Setting up with a palette: pick a man and click squares; pick Halves and split men there, as the rules allow it.
import { ask } from "./askserver.js";
import { USUAL, fenOf, hasKings, laidOf, put } from "./laying.js";
import { BOX, fetchDrawings, shape } from "./pieces.js";
import { html } from "./settings.js";

/** @typedef {import("./laying.js").Laid} Laid */

const NAMES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
const GAME = "quantum-chess";

export class Palette {
  /**
   * @param {HTMLElement} body @param {any} table the study @param {import("./viewer.js").QcViewer} viewer
   * @param {(values: any) => Promise<void>} begin what starts a study
   */
  constructor(body, table, viewer, begin) {
    this.body = body;
    this.table = table;
    this.viewer = viewer;
    this.begin = begin;
    this.isOpen = false;
    this.tool = "";
    /** @type {Laid} */
    this.laid = laidOf(USUAL, []);
    /** @type {Laid[]} */
    this.before = [];
    /** the options of the rules besides the position @type {Record<string, any>} */
    this.options = {};
    this.asked = 0;
    this.men = html("div", { class: "palettemen", role: "group", "aria-label": "What a click puts on a square" });
    this.side = /** @type {HTMLSelectElement} */ (html("select", {}, html("option", { value: "w" }, "White"), html("option", { value: "b" }, "Black")));
    this.halves = this.button("Halves", () => this.choose("halves"));
    this.erase = this.button("Erase", () => this.choose("erase"));
    this.undo = this.button("Undo", () => this.back());
    const start = html("button", { type: "button", class: "main" }, "Start from this board");
    start.addEventListener("click", () => this.start());
    body.append(this.men, html("div", { class: "row" }, this.halves, this.erase, this.undo),
      html("p", { class: "quiet" }, "Pick a piece and click squares. With Halves, click a piece and two squares that it can go to: half of it stands on each. A half can be split again, and halves can meet."),
      html("div", { class: "row" }, this.button("Usual start", () => this.change(laidOf(USUAL, []))), this.button("Empty board", () => this.change({ ...this.laid, board: new Map(), setup: [] })),
        html("label", { class: "inline" }, "To move ", this.side)), start);
    for (const symbol of "KQRBNPkqrbnp") this.men.append(this.man(symbol));
    viewer.board.addEventListener("qc-square", (event) => this.isOpen && this.press(/** @type {CustomEvent} */ (event).detail.square));
  }

  /** @param {string} words @param {() => void} pressed */
  button(words, pressed) {
    const button = /** @type {HTMLButtonElement} */ (html("button", { type: "button", class: "small" }, words));
    button.addEventListener("click", pressed);
    return button;
  }

  /** @param {string} symbol */
  man(symbol) {
    const isWhite = symbol === symbol.toUpperCase();
    const name = `${isWhite ? "white" : "black"} ${NAMES[/** @type {keyof typeof NAMES} */ (symbol.toLowerCase())]}`;
    const button = html("button", { type: "button", "data-man": symbol, "aria-label": name, title: name });
    button.addEventListener("click", () => this.choose(symbol));
    fetchDrawings("chess").then(({ men }) => {
      const { whole, lines } = men[symbol.toUpperCase()];
      button.append(shape("svg", { viewBox: `0 0 ${BOX} ${BOX}`, "aria-hidden": "true", class: isWhite ? "first" : "second" }, shape("path", { d: whole }), shape("path", { d: lines, class: "lines" })));
    }, () => button.append(symbol));
    return button;
  }

  /** Shows the beginning of what is studied, to be changed. */
  open() {
    const { game, options } = this.table.tree;
    this.body.hidden = game !== GAME;
    if (game !== GAME) /** @type {HTMLDetailsElement} */ (this.body.nextElementSibling).open = true; // the form has every game
    if (game !== GAME || this.isOpen) return;
    this.isOpen = true;
    const { fen = USUAL, setup = [], sandbox, ...rest } = options;
    this.options = rest;
    this.side.value = fen.trim().split(/\s+/)[1] === "b" ? "b" : "w";
    this.laid = laidOf(fen, typeof setup === "string" ? setup.split(/\s+/).filter(Boolean) : setup);
    this.before = [];
    this.viewer.board.arrows = [];
    this.table.setsUp = (/** @type {string} */ text) => this.change({ ...this.laid, setup: [...this.laid.setup, text] });
    this.choose(this.tool || "N");
    this.show();
  }

  /** The study is shown again. */
  close() {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.asked++;
    this.table.setsUp = null;
    this.viewer.draw();
    this.viewer.board.setMode("move");
    this.viewer.board.say("");
    this.viewer.board.arrows = this.table.tree.nodes[this.table.at].arrows;
  }

  /** @param {string} tool */
  choose(tool) {
    this.tool = tool;
    this.halves.setAttribute("aria-pressed", String(tool === "halves"));
    this.erase.setAttribute("aria-pressed", String(tool === "erase"));
    for (const button of this.men.children) button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.man === tool));
    if (this.isOpen) this.show();
  }

  /** @param {string} square */
  press(square) {
    if (this.tool === "halves") return; // the board picks the squares of a move
    this.change(put(this.laid, square, this.tool === "erase" || this.laid.board.get(square) === this.tool ? "" : this.tool));
  }

  back() {
    const last = this.before.pop();
    if (!last) return;
    this.laid = last;
    this.show();
  }

  /** @param {Laid} laid */
  change(laid) {
    this.before.push(this.laid);
    this.laid = laid;
    this.show();
  }

  /** What the server says of the position. @param {string} side @param {any} [more] */
  async state(side, more = { sandbox: true }) {
    const options = { ...this.options, ...more, fen: fenOf(this.laid, side), ...(this.laid.setup.length ? { setup: this.laid.setup } : {}) };
    return ask("/api/study", { game: GAME, options, line: [], ask: { kind: "state" } });
  }

  /** Shows the position; one that the rules do not allow is taken back. */
  async show() {
    const number = ++this.asked;
    const { board } = this.viewer;
    const isSplitting = this.tool === "halves";
    this.undo.disabled = !this.before.length;
    try {
      const states = await Promise.all((isSplitting ? ["w", "b"] : ["w"]).map((side) => this.state(side)));
      if (number !== this.asked) return;
      board.view = states[0].view;
      board.playable = isSplitting;
      board.moves = isSplitting ? states.flatMap((state) => state.moves ?? []).filter(({ kind, measures }) => (kind === "split" || kind === "merge") && !measures) : [];
      if (isSplitting) board.setMode("split");
      this.viewer.tell(isSplitting ? "Halves: click a piece, then two squares that it can go to." : this.tool === "erase" ? "Erase: click what is to go." : `Click the squares for the ${this.men.querySelector("[aria-pressed=true]")?.getAttribute("aria-label") ?? "piece"}. A second click takes it away.`);
    } catch (error) {
      if (number !== this.asked) return;
      const last = this.before.pop();
      if (last) {
        this.laid = last;
        await this.show();
      }
      this.viewer.tell(/** @type {Error} */ (error).message);
    }
  }

  /** Begins a study here; without two kings there is no winning and losing. */
  async start() {
    const { setup } = this.laid;
    const options = { ...this.options, fen: fenOf(this.laid, this.side.value), ...(setup.length ? { setup } : {}), ...(hasKings(this.laid) ? {} : { sandbox: true }) };
    try {
      await ask("/api/study", { game: GAME, options, line: [], ask: { kind: "state" } });
      await this.begin({ game: GAME, options, title: "" });
    } catch (error) {
      this.viewer.tell(/** @type {Error} */ (error).message);
    }
  }
}
