// <qc-board>: a board that shows a View and lets a player choose among legal moves, by pointer, touch, keys or screen reader.
//
// Properties: view, moves, below, playable, odds, arrows, drawings, links, phases, danger, scene, lit, modes, plain.
// Methods: showPreview, say, focusBoard, choose, cancel, placeButtons.
// Events: qc-move {text, move}, qc-pick {squares}, qc-hover {square, ways}, qc-mode {mode}, qc-square {square}, qc-draw {start, end}, qc-say {text}.
import { drawCells, makeCells } from "./cells.js";
import { drawView, rowsOf } from "./drawing.js";
import { isOpen } from "./filling.js";
import { Machine } from "./machine.js";
import { MODE_HELP, MODE_WORDS, drawChips, drawModes, fillModes, picksWords } from "./modebar.js";
import { element } from "./pieces.js";
import { Pointing } from "./pointing.js";
import { ShownBoard } from "./shown.js";
import { asks, targetOf } from "./targets.js";
import { kindName, otherParts, percent, squareName } from "./wording.js";

/** @typedef {import("./wording.js").View} View */
/** @typedef {import("./machine.js").Move} Move */
/** @typedef {import("./machine.js").Mode} Mode */
/** @typedef {import("./machine.js").Way} Way */

/** A move that is played without picking its squares. @param {Move} move @returns {Way} */
const alone = (move) => ({ squares: [], text: move.text, move });

/** What is loaded when it is first wanted; a page that is one script has them from the beginning. */
export const LATE = { picker: () => import("./picker.js"), halves: () => import("./halves.js"), curves: () => import("./curves.js") };

export class QcBoard extends ShownBoard {
  constructor() {
    super();
    /** @type {Move[]|null} */
    this._moves = [];
    /** @type {{square: string, moves: Move[]}|null} */
    this._odds = null;
    this._playable = false;
    this.machine = new Machine();
    this._focus = "";
    this._pointed = "";
    this._armed = "";
    /** whether a move that asks is played by a second press only; `touch` tells a finger from a mouse, and is missing for keys @type {(how: {touch?: boolean}) => boolean} */
    this.asksFirst = ({ touch }) => touch === true;
    /** @type {View|null} */
    this._named = null;
    /** @type {Set<string>|undefined} */
    this._nextSquares = undefined;
    /** @type {import("./picker.js").Picker|undefined} */
    this._picker = undefined;
    /** @type {import("./halves.js").Halves|undefined} */
    this._halves = undefined;
    /** @type {typeof import("./curves.js")|undefined} */
    this._curves = undefined;
    this._grid = element("div", { class: "grid", role: "grid", "aria-label": "board" });
    this._modeBar = element("div", { class: "modes", role: "radiogroup", "aria-label": "kind of move" });
    this._chips = element("div", { class: "chips", role: "group", "aria-label": "other moves" });
    this._under = element("div", { class: "under" }, this._modeBar, this._chips);
    fillModes(this._modeBar, (mode) => this.setMode(mode));
    this._stage.append(this._picture, this._grid, this._badge);
    this._root.append(this._stage, this._under, this._status);
    this._grid.addEventListener("focusin", (event) => this._focused(/** @type {HTMLElement} */ (event.target)));
    this.pointing = new Pointing(this, this._grid, this._stage);
  }

  // -- what pages set

  /** The legal moves; null where the list is too long, then `odds` brings those of the picked square. @returns {Move[]|null} */
  get moves() {
    return this._moves;
  }

  set moves(moves) {
    this._moves = moves;
    this._odds = null;
    this._armed = "";
    this._closePicker();
    this.machine.reset();
    this._retake();
    this._draw();
  }

  /** Whether the legal moves can be chosen here. */
  get playable() {
    return this._playable;
  }

  set playable(playable) {
    this._playable = playable;
    if (!playable) this.machine.reset();
    this._retake();
    this._draw();
  }

  /** What the moves of the picked square ask, and how likely each answer is. @returns {{square: string, moves: Move[]}|null} */
  get odds() {
    return this._odds;
  }

  set odds(odds) {
    this._odds = odds;
    this._retake();
    this._draw();
    if (this._picker) this._openPicker(this._picker.ways);
    if (odds && this._moves === null && this.machine.picks[0] === odds.square) this._sayPicks();
  }

  /** Has its buttons elsewhere on the page: the kinds of move, and the moves that no two squares tell. @param {HTMLElement} bar @param {HTMLElement} chips */
  placeButtons(bar, chips) {
    this._under.remove();
    this._modeBar = bar;
    this._chips = chips;
    fillModes(bar, (mode) => this.setMode(mode));
  }

  /** Moves the keyboard's focus onto the board. */
  focusBoard() {
    this.cell(this._focus)?.focus();
  }

  /** Plays a legal move by its text, as if its squares were picked. @param {string} text */
  choose(text) {
    const move = [...(this._moves ?? []), ...(this._odds?.moves ?? [])].find((each) => each.text === text);
    if (move && this._playable) this._play([alone(move)]);
  }

  /** Takes back what is picked. */
  cancel() {
    this._armed = "";
    this._closePicker();
    this.machine.reset();
    this._changed();
  }

  // -- drawing

  _render() {
    const view = this.shown;
    if (!view) return;
    this._stage.style.setProperty("--ratio", String(view.width / view.height));
    this._stage.style.setProperty("--wide", String(view.width));
    this._side = this._measure();
    const scene = this._preview ? null : this._scene;
    const isFree = this._playable && !this._preview && !scene;
    const picked = isFree ? [...this.machine.picks] : [];
    const next = isFree ? this.next : new Set();
    const targets = new Map(picked.length && !this.machine.isPartNext ? [...next].map((square) => [square, this._target(view, square)]) : []);
    const parts = new Set(picked.length ? (this.machine.isPartNext ? next : this._parts) : []);
    const phases = this._phases || (isFree && this.machine.mode === "merge");
    const danger = this._preview || scene ? {} : this._danger;
    const asked = this._links === "none" ? "" : picked[0] ?? (view.men[this._pointed]?.some(isOpen) ? this._pointed : "");
    const framed = scene?.picked ?? (targets.has(this._armed) ? [...picked, this._armed] : picked);
    const half = isFree ? this.machine.half : "";
    if (half && !this._halves) this._loadHalves();
    if (!this._curves && (this._links === "all" || this._arrows.length)) this._loadCurves();
    this._picture.replaceChildren(drawView(this._halves?.show(view, picked[0], half) ?? view, {
      below: this._below, side: this._side, plain: this.plain, phases, links: this._links === "all", asked,
      parts: [...parts].filter((square) => !picked.includes(square)), picked: framed, targets, danger, notes: this._arrows, over: this._curves, scene,
    }));
    if (scene && this._named === view) return; // its frames differ in the picture alone
    this._named = scene ? view : null;
    if (makeCells(this._grid, view, this._below) && !this.cell(this._focus)) this._focus = /** @type {string} */ (rowsOf(view, this._below).at(-1)?.[0]);
    this._grid.classList.toggle("playable", this._playable);
    drawCells(this._grid, view, { next, picked, targets, parts, isPartNext: this.machine.isPartNext, lit: this._lit, armed: this._armed, focus: this._focus, phases, danger });
    this._status.hidden = this._under.hidden = this.plain;
    this._drawModes();
    this._drawChips();
  }

  /** The squares that can be picked next. @returns {Set<string>} */
  get next() {
    this._nextSquares ??= this.machine.next();
    return this._nextSquares;
  }

  /** Whether a choice among moves is open. */
  get isAsking() {
    return this._picker !== undefined;
  }

  /** The other parts of the picked piece. @returns {Set<string>} */
  get _parts() {
    const first = this.machine.picks[0];
    if (!first || !this._view) return new Set();
    return new Set(otherParts(this._view, first));
  }

  /** What happens on a square. @param {View} view @param {string} square */
  _target(view, square) {
    return targetOf(view, square, this.machine.picks[0], this.machine.completing(square).map(({ move }) => this._told(move)));
  }

  /** A move with what the answer about odds says of it. @param {Move} move @returns {Move} */
  _told(move) {
    return this._odds?.moves.find((each) => each.text === move.text) ?? move;
  }

  _drawModes() {
    const counts = this.machine.counts();
    this._sawPairs ||= counts.split + counts.merge > 0 || this._moves === null;
    this._modeBar.hidden = this._modes === "never" || (this._modes === "auto" && !this._sawPairs);
    drawModes(this._modeBar, this.machine.mode, (mode) => this._playable && (this._moves === null || counts[mode] > 0));
  }

  _drawChips() {
    const extras = this._playable && !this._preview && !this._scene ? this.machine.extras().slice(0, 24) : [];
    drawChips(this._chips, extras.map((move) => this._told(move)), (move) => this._play([alone(move)]), (move) => this.emit("qc-hover", { square: null, ways: [alone(move)] }));
  }

  // -- choosing

  /** Changes the mode, as the buttons and the keys 1, 2, 3 do. @param {Mode} mode */
  setMode(mode) {
    this.machine.setMode(mode);
    this.emit("qc-mode", { mode: this.machine.mode });
    this._changed(this.machine.picks.length ? undefined : `${MODE_WORDS[mode]}: ${MODE_HELP[mode]}.`);
  }

  _retake() {
    const own = this._playable && this._moves === null ? this._ownSquares() : null;
    const some = this._moves ?? this._odds?.moves ?? [];
    this.machine.take(this._playable ? some : [], own);
    this._nextSquares = undefined;
  }

  /** Where the list of moves is too long: any square with a man may be asked about. @returns {Set<string>} */
  _ownSquares() {
    return new Set(Object.keys(this._view?.men ?? {}));
  }

  /** @param {string} square @param {{other?: boolean, touch?: boolean}} [how] */
  press(square, how = {}) {
    this.emit("qc-square", { square });
    if (this._preview) {
      this.showPreview(null);
      return;
    }
    if (this._scene) return;
    if (!this._playable) {
      if (this._view) this.say(squareName(this._view, square, this._phases));
      return;
    }
    const before = this.machine.picks[0];
    const step = this.machine.press(square, how.other);
    if (step.kind === "play" && step.ways) {
      if (this.asksFirst(how) && this._armed !== square && step.ways.some(({ move }) => asks(this._told(move)))) {
        this._armed = square;
        this.hover(square);
        this._changed(`${this._told(step.ways[0].move).says ?? "This move asks a question"}. ${how.touch ? "Tap" : "Click"} again to play it.`);
        return;
      }
      this._play(step.ways);
      return;
    }
    this._armed = "";
    if (before !== this.machine.picks[0]) this.emit("qc-pick", { squares: [...this.machine.picks] });
    if (step.kind !== "none") this._changed(this.machine.picks[0] ? undefined : `${square === before ? "" : `No move from ${before} to ${square}. `}Nothing is picked now.`);
    else if (this._view) this.say(squareName(this._view, square, this._phases));
  }

  /** @param {Way[]} ways */
  _play(ways) {
    if (ways.length > 1) {
      this._openPicker(ways);
      return;
    }
    const { text, move } = ways[0];
    this.machine.reset();
    this._armed = "";
    this._changed("");
    this.emit("qc-move", { text, move });
  }

  /** @param {string} [words] */
  _changed(words) {
    this._nextSquares = undefined;
    this._draw();
    if (words === undefined) this._sayPicks();
    else if (words) this.say(words);
  }

  /** What is shown of a half that stands on a square, loaded when one first does. */
  _loadHalves() {
    LATE.halves().then(({ Halves }) => {
      this._halves ??= new Halves(this, this._stage);
      this._draw();
    }, () => undefined);
  }

  /** What is drawn over the board on request, loaded when it first is. */
  _loadCurves() {
    LATE.curves().then((curves) => {
      this._curves = curves;
      this._draw();
    }, () => undefined);
  }

  _sayPicks() {
    const { picks, half } = this.machine;
    if (half) {
      this.say(`Half goes to ${half}. Pick a second square${this.machine.completing(half).length ? `, or ${half} again to go there whole` : ""}.`);
      return;
    }
    const waits = this._moves === null && this._odds?.square !== picks[0];
    const [man, other] = this._view?.men[picks[0]] ?? [], parts = [...this._parts];
    const chance = man && isOpen(man) && !parts.length ? ` (${percent(man.probability)})` : "";
    this.say(this._view && picks.length ? picksWords(this.machine, parts, waits, man && !other ? kindName(this._view, man) + chance : "") : "");
  }

  /** Several moves for the same squares: promotions, marks, ways through. @param {Way[]} ways */
  async _openPicker(ways) {
    const { picks } = this.machine;
    const { Picker } = await LATE.picker();
    if (this.machine.picks !== picks) return; // something else was picked in the meantime
    const had = this._picker?.had;
    this._closePicker();
    this._picker = new Picker(this, ways, (way) => {
      this._closePicker();
      this._play([way]);
      this.focusBoard();
    }, () => {
      this._closePicker();
      this._changed();
      this.focusBoard();
    });
    this._stage.append(this._picker.box);
    this.say("Which one?");
    this._picker.focus(had);
  }

  _closePicker() {
    this._picker?.box.remove();
    this._picker = undefined;
  }

  /** @param {string} name @param {Record<string, unknown>} detail */
  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  // -- where one is

  /** Takes the last pick back, as Escape does. */
  back() {
    this.machine.back();
    this._armed = "";
    if (!this.machine.picks.length) this.emit("qc-pick", { squares: [] });
    this._changed();
  }

  /** @param {string} square @returns {HTMLElement|null} */
  cell(square) {
    return square ? this._grid.querySelector(`[data-square="${square}"]`) : null;
  }

  /** @param {HTMLElement} cell */
  _focused(cell) {
    const square = cell.dataset.square;
    if (!square) return;
    const before = this.cell(this._focus);
    if (before) before.tabIndex = -1;
    cell.tabIndex = 0;
    this._focus = square;
    if (cell.matches(":focus-visible")) this.hover(square);
  }

  /** What the pointer or the focus is on. @param {string} square */
  hover(square) {
    if (square === this._pointed) return;
    const had = this._pointed;
    this._pointed = square;
    const ways = square && this._playable && !this._preview && !this._scene && this.machine.picks.length ? this.machine.completing(square) : [];
    this.emit("qc-hover", { square: square || null, ways: ways.map((way) => ({ ...way, move: this._told(way.move) })) });
    const isLinked = [had, square].some((name) => name && (this.shown?.links ?? []).some(([a, b]) => a === name || b === name));
    if (isLinked && this._links !== "none" && !this.machine.picks.length) this._draw();
  }
}

customElements.get("qc-board") ?? customElements.define("qc-board", QcBoard);
