// Setting up with a palette: pick a man and click squares; pick Halves and split men there, as the rules allow it.
import { ask } from "./askserver.js";
import { FORMS, emptied, hasKings, paired, put, whyNot } from "./laying.js";
import { BOX, fetchDrawings, shape } from "./pieces.js";
import { html } from "./settings.js";
import { kindName } from "./wording.js";

/** @typedef {import("./laying.js").Laid} Laid */
/** @typedef {import("./laying.js").Form} Form */

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
    this.laid = { board: new Map(), width: 8, height: 8, rest: "", setup: [] };
    /** @type {Laid[]} */
    this.before = [];
    /** the options of the rules besides the position @type {Record<string, any>} */
    this.options = {};
    this.asked = 0;
    this.game = "";
    /** @type {Form} */
    this.form = FORMS["quantum-chess"];
    /** the start as it is: what is studied, without its moves @type {any} */
    this.begun = null;
    /** the first square of a pair */
    this.half = "";
    this.tells = html("p", { class: "quiet" });
    this.why = html("p", { class: "quiet", hidden: "" });
    this.tools = html("div", { class: "palettetools" });
    this.men = html("div", { class: "palettemen", role: "group", "aria-label": "What a click puts on a square" });
    this.side = /** @type {HTMLSelectElement} */ (html("select", {}));
    this.halves = this.button("Halves", () => this.choose("halves"));
    this.erase = this.button("Erase", () => this.choose("erase"));
    this.undo = this.button("Undo", () => this.back());
    const start = html("button", { type: "button", class: "main" }, "Start from this board");
    start.addEventListener("click", () => this.start());
    this.tools.append(this.men, html("div", { class: "row" }, this.halves, this.erase, this.undo), this.tells,
      html("div", { class: "row" }, this.button("Usual start", () => this.usual()), this.button("Empty board", () => this.change(emptied(this.laid, this.form))),
        html("label", { class: "inline" }, "To move ", this.side)), start);
    body.append(this.tools, this.why);
    viewer.board.addEventListener("qc-square", (event) => this.isOpen && !this.tools.hidden && this.press(/** @type {CustomEvent} */ (event).detail.square));
  }

  /** @param {string} words @param {() => void} pressed */
  button(words, pressed) {
    const button = /** @type {HTMLButtonElement} */ (html("button", { type: "button", class: "small" }, words));
    button.addEventListener("click", pressed);
    return button;
  }

  /** @param {string} symbol @param {number} player @param {any} view */
  man(symbol, player, view) {
    const name = `${view.players[player]} ${kindName(view, { symbol, player, probability: 1 })}`;
    const button = html("button", { type: "button", "data-man": symbol, "aria-label": name, title: name });
    button.addEventListener("click", () => this.choose(symbol));
    const look = player ? "second" : "first", letter = () => button.append(html("b", { class: look }, symbol.toUpperCase()));
    fetchDrawings(view.drawings ?? "chess").then(({ men }) => {
      const form = men[symbol.toUpperCase()];
      if (form) button.append(shape("svg", { viewBox: `0 0 ${BOX} ${BOX}`, "aria-hidden": "true", class: look }, shape("path", { d: form.whole }), shape("path", { d: form.lines, class: "lines" })));
      else letter();
    }, letter);
    return button;
  }

  /** Shows the beginning of what is studied, to be changed. */
  async open() {
    const { game, options } = this.table.tree, form = FORMS[game];
    this.body.hidden = false;
    if (!form || !this.isOpen) this.tools.hidden = true; // until this game is known, there are only another's men
    this.why.hidden = Boolean(form);
    this.why.textContent = whyNot(game);
    if (!form) /** @type {HTMLDetailsElement} */ (this.body.nextElementSibling).open = true; // the form has every game
    if (!form || this.isOpen) return;
    this.isOpen = true;
    const number = ++this.asked;
    this.begun = await ask("/api/study", { game, options, line: [], ask: { kind: "state" } });
    if (number !== this.asked) return;
    const { players, player, view } = this.begun;
    const { sandbox, setup, [form.option]: _, ...rest } = options;
    this.options = rest;
    this.form = form;
    this.tells.textContent = form.tells;
    this.halves.hidden = !form.halves;
    this.side.replaceChildren(...["w", "b"].map((side, k) => html("option", { value: side }, `${players[k][0].toUpperCase()}${players[k].slice(1)}`)));
    this.side.value = player === players[0] ? "w" : "b";
    this.men.replaceChildren(...[0, 1].flatMap((side) => [...form.men].map((man) => this.man(side ? man.toLowerCase() : man, side, view))));
    this.men.style.gridTemplateColumns = `repeat(${form.men.length}, minmax(0, 4rem))`;
    this.laid = form.read(options, view);
    this.before = [];
    this.viewer.board.arrows = [];
    this.table.setsUp = (/** @type {string} */ text) => this.change({ ...this.laid, setup: [...this.laid.setup, text] });
    const tool = this.game === game ? this.tool : form.men.slice(-1);
    this.game = game;
    this.tools.hidden = false;
    this.choose(tool);
  }

  /** The game's own start. */
  async usual() {
    const { view } = await ask("/api/study", { game: this.game, options: this.options, line: [], ask: { kind: "state" } });
    this.change(this.form.read(this.options, view));
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
    this.half = "";
    this.halves.setAttribute("aria-pressed", String(tool === "halves"));
    this.erase.setAttribute("aria-pressed", String(tool === "erase"));
    for (const button of this.men.children) button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.man === tool));
    if (this.isOpen) this.show();
  }

  /** @param {string} square */
  press(square) {
    const { laid, tool, form } = this, kings = [...laid.board].filter(([, man]) => man === tool && /k/i.test(man));
    if (tool === "halves") {
      if (form.halves === "moves") return; // the board picks the squares of a move
      if (this.half && this.half !== square) this.change(paired(laid, this.half, square));
      this.half = this.half || !laid.board.has(square) ? "" : square;
      this.viewer.tell(this.half ? `Half stays on ${square}. Click the square of the other half.` : "Halves: click a piece, then an empty square.");
      return;
    }
    const isAway = tool === "erase" || laid.board.get(square) === tool;
    const moved = form.halves === "pairs" && !isAway ? kings.reduce((now, [king]) => put(now, king, ""), laid) : laid;
    this.change(put(moved, square, isAway ? "" : tool));
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
  async state(side, more = this.form.halves === "moves" ? { sandbox: true } : {}) {
    const options = { ...this.options, ...more, ...this.form.write(this.laid, side, this.options) };
    return ask("/api/study", { game: this.game, options, line: [], ask: { kind: "state" } });
  }

  /** Shows the position; one that the rules do not allow is taken back. */
  async show() {
    const number = ++this.asked;
    const { board } = this.viewer;
    const isSplitting = this.tool === "halves" && this.form.halves === "moves";
    this.undo.disabled = !this.before.length;
    try {
      const states = await Promise.all((isSplitting ? ["w", "b"] : ["w"]).map((side) => this.state(side)));
      if (number !== this.asked) return;
      board.view = states[0].view;
      board.playable = isSplitting;
      board.moves = isSplitting ? states.flatMap((state) => state.moves ?? []).filter(({ kind, measures }) => (kind === "split" || kind === "merge") && !measures) : [];
      if (isSplitting) board.setMode("split");
      this.viewer.tell(isSplitting ? "Halves: click a piece, then two squares that it can go to." : this.tool === "halves" ? "Halves: click a piece, then an empty square." : this.tool === "erase" ? "Erase: click what is to go." : `Click the squares for the ${this.men.querySelector("[aria-pressed=true]")?.getAttribute("aria-label") ?? "piece"}. A second click takes it away.`);
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
    const free = this.form.halves === "moves" && !hasKings(this.laid) ? { sandbox: true } : {};
    const options = { ...this.options, ...this.form.write(this.laid, this.side.value, this.options), ...free };
    try {
      await ask("/api/study", { game: this.game, options, line: [], ask: { kind: "state" } });
      await this.begin({ game: this.game, options, title: "" });
    } catch (error) {
      this.viewer.tell(/** @type {Error} */ (error).message);
    }
  }
}
