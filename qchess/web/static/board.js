// <qc-board>: a board that shows a View and lets a player choose among legal moves, by pointer, touch, keys or screen reader.
//
// Properties: view, moves, below, playable, odds, arrows, drawings. Methods: showPreview, say, focusBoard.
// Events: qc-move {text, move}, qc-pick {squares}, qc-hover {square, ways}, qc-mode {mode}, qc-square {square}, qc-draw {start, end}, qc-say {text}.
import { BOARD_LOOK } from "./boardlook.js";
import { BELOW, EDGE, LEFT, drawView, rowsOf, sizeOf } from "./drawing.js";
import { MODES, Machine } from "./machine.js";
import { BOX, drawingsAt, fetchDrawings, keepDrawings, pieceShapes, shape } from "./pieces.js";
import { SIDES } from "./colours.js";
import { oddsText, otherParts, percent, squareName } from "./wording.js";

/** @typedef {import("./wording.js").View} View */
/** @typedef {import("./wording.js").Arrow} Arrow */
/** @typedef {import("./machine.js").Move} Move */
/** @typedef {import("./machine.js").Mode} Mode */
/** @typedef {import("./machine.js").Way} Way */
/** @typedef {import("./pieces.js").Drawings} Drawings */

const LONG_PRESS = 400;
const DRAG = 8;
const MODE_WORDS = { move: "Move", split: "Split", merge: "Merge" };
const MODE_HELP = { move: "one piece to one square", split: "one piece to two squares at once", merge: "two parts of a piece to one square" };
const MODE_ICONS = { move: "M3 12h16M14 6l6 6-6 6", split: "M3 12h6M9 12c5 0 4-7 11-7M9 12c5 0 4 7 11 7", merge: "M4 5c7 0 6 7 11 7M4 19c7 0 6-7 11-7M15 12h6" };

/** An HTML element. @param {string} tag @param {Record<string, string|null>} [attributes] @param {...(Node|string)} children @returns {HTMLElement} */
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

export class QcBoard extends HTMLElement {
  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(BOARD_LOOK);
    root.adoptedStyleSheets = [sheet];
    /** @type {View|null} */
    this._view = null;
    /** @type {View|null} */
    this._preview = null;
    /** @type {Move[]|null} */
    this._moves = [];
    /** @type {{square: string, moves: Move[]}|null} */
    this._odds = null;
    /** @type {Arrow[]} */
    this._arrows = [];
    this._below = 0;
    this._playable = false;
    this._links = "pointed";
    /** @type {Set<string>} */
    this._lit = new Set();
    /** Whether files and ranks go without their labels, as on a small board. */
    this.plain = false;
    this._modes = "auto";
    this._sawPairs = false;
    this.machine = new Machine();
    this._isDue = false;
    this._focus = "";
    this._pointed = "";
    this._armed = "";
    /** @type {{square: string, x: number, y: number, id: number, type: string, dragging: boolean, timer: number, long: boolean, button: number}|null} */
    this._press = null;
    /** @type {Set<string>|undefined} */
    this._nextSquares = undefined;
    /** @type {HTMLElement|undefined} */
    this._picker = undefined;
    /** @type {Way[]} */
    this._choices = [];
    /** @type {HTMLElement|undefined} */
    this._ghost = undefined;
    this._picture = element("div", { class: "art" });
    this._grid = element("div", { class: "grid", role: "grid", "aria-label": "board" });
    this._modeBar = this._makeModes();
    this._chips = element("div", { class: "chips", role: "group", "aria-label": "other moves" });
    this._status = element("p", { class: "say", role: "status", "aria-live": "polite" });
    this._badge = element("div", { class: "previewing", hidden: "" });
    this._stage = element("div", { class: "stage" }, this._picture, this._grid, this._badge);
    this._under = element("div", { class: "under" }, this._modeBar, this._chips);
    root.append(this._stage, this._under, this._status);
    this._listen();
  }

  // -- what pages set ----------------------------------------------------------------------------------------

  /** The View that is shown. @returns {View|null} */
  get view() {
    return this._view;
  }

  set view(view) {
    this._view = view;
    this._preview = null;
    if (view && !drawingsAt(view.drawings ?? "chess")) {
      fetchDrawings(view.drawings ?? "chess").then(() => this._draw(), () => undefined);
    }
    this._draw();
  }

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

  /** The player at the lower side, as a number. */
  get below() {
    return this._below;
  }

  set below(below) {
    this._below = below;
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
    if (this._picker) this._openPicker(this._choices);
    if (odds && this._moves === null && this.machine.picks[0] === odds.square) this._sayPicks();
  }

  /** More arrows: a teacher's, or an agent's line. @returns {Arrow[]} */
  get arrows() {
    return this._arrows;
  }

  set arrows(arrows) {
    this._arrows = arrows;
    this._draw();
  }

  /** Drawings of men that came another way than from the server. @param {Drawings} drawings */
  set drawings(drawings) {
    keepDrawings(drawings);
    this._draw();
  }

  /** Squares that are lit from outside, such as those of a gate under the pointer. @param {string[]} squares */
  set lit(squares) {
    this._lit = new Set(squares);
    this._draw();
  }

  /** Whether another board is shown for a while. */
  get isPreviewing() {
    return this._preview !== null;
  }

  /** Which links are drawn: "pointed" (those of the square under the pointer), "all" or "none". */
  get links() {
    return this._links;
  }

  set links(links) {
    this._links = links;
    this._draw();
  }

  /** Whether the modes are shown: "auto" (once a game has shown a split or a merge), "always" or "never". */
  get modes() {
    return this._modes;
  }

  set modes(modes) {
    this._modes = modes;
    this._draw();
  }

  /** Shows another board instead for a while, such as an outcome; null goes back. @param {View|null} view @param {string} [words] */
  showPreview(view, words = "") {
    this._preview = view;
    this._badge.textContent = words;
    this._badge.hidden = !view || !words;
    this._draw();
  }

  /** Says a sentence on the board's status line. @param {string} text */
  say(text) {
    this._status.textContent = text;
    this.dispatchEvent(new CustomEvent("qc-say", { detail: { text } }));
  }

  /** Moves the keyboard's focus onto the board. */
  focusBoard() {
    this._cell(this._focus)?.focus();
  }

  /** Plays a legal move by its text, as if its squares were picked. @param {string} text */
  choose(text) {
    const move = [...(this._moves ?? []), ...(this._odds?.moves ?? [])].find((each) => each.text === text);
    if (move && this._playable) this._play([{ squares: [], text, move }]);
  }

  /** Takes back what is picked. */
  cancel() {
    this._closePicker();
    this.machine.reset();
    this._changed();
  }

  // -- drawing -----------------------------------------------------------------------------------------------

  /** Draws soon, and once, however much was set. */
  _draw() {
    if (this._isDue) return;
    this._isDue = true;
    queueMicrotask(() => {
      this._isDue = false;
      this._render();
    });
  }

  _render() {
    const view = this._preview ?? this._view;
    if (!view) return;
    const { width, height } = sizeOf(view, this.plain);
    this._stage.style.setProperty("--ratio", String(width / height));
    this._stage.style.setProperty("--wide", String(view.width + 0.7));
    const asked = [this._pointed, ...this.machine.picks].filter(Boolean);
    const links = this._links === "all" ? "all" : this._links === "none" ? [] : asked;
    this._picture.replaceChildren(drawView(view, { below: this._below, links, notes: this._arrows, plain: this.plain }));
    this._drawGrid(view, width, height);
    this._status.hidden = this._under.hidden = this.plain;
    this._drawModes();
    this._drawChips();
  }

  /** The cells that lie over the picture; they are kept as long as the board keeps its shape. @param {View} view @param {number} width @param {number} height */
  _drawGrid(view, width, height) {
    const form = `${view.width} ${view.height} ${this._below}`;
    if (this._grid.dataset.form !== form) {
      this._grid.dataset.form = form;
      const style = this._grid.style;
      const [left, edge, below] = this.plain ? [0, 0, 0] : [LEFT, EDGE, BELOW];
      style.inset = `${(100 * edge) / height}% ${(100 * edge) / width}% ${(100 * below) / height}% ${(100 * left) / width}%`;
      style.gridTemplate = `repeat(${view.height}, 1fr) / repeat(${view.width}, 1fr)`;
      const rows = rowsOf(view, this._below);
      this._grid.replaceChildren(...rows.map((row, y) => element("div", { role: "row", class: "row", "aria-rowindex": String(y + 1) },
        ...row.map((name, x) => element("div", { role: "gridcell", class: "cell", tabindex: "-1", "data-square": name, "aria-colindex": String(x + 1) })))));
      this._grid.setAttribute("aria-rowcount", String(view.height));
      this._grid.setAttribute("aria-colcount", String(view.width));
      if (!this._cell(this._focus)) this._focus = rows[rows.length - 1][0];
    }
    this._grid.classList.toggle("playable", this._playable);
    for (const cell of /** @type {NodeListOf<HTMLElement>} */ (this._grid.querySelectorAll(".cell"))) this._drawCell(view, cell);
  }

  /** @param {View} view @param {HTMLElement} cell */
  _drawCell(view, cell) {
    const square = cell.dataset.square ?? "";
    const { picks } = this.machine;
    const isFree = this._playable && !this._preview;
    const next = isFree ? this._next() : new Set();
    const isPicked = isFree && picks.includes(square);
    const isTarget = isFree && picks.length > 0 && next.has(square) && !this.machine.isPartNext;
    const isPart = isFree && picks.length > 0 && !isPicked && !isTarget && (this.machine.isPartNext ? next.has(square) : this._parts.has(square));
    const names = {
      can: next.has(square), source: !picks.length && next.has(square), picked: isPicked, target: isTarget, part: isPart,
      full: isTarget && Boolean(view.men[square]?.length), armed: isTarget && this._armed === square, lit: this._lit.has(square),
    };
    for (const [name, isOn] of Object.entries(names)) cell.classList.toggle(name, isOn);
    cell.tabIndex = square === this._focus ? 0 : -1;
    cell.setAttribute("aria-selected", String(isPicked));
    const chance = isTarget ? this._chance(square) : "";
    const words = [
      squareName(view, square), isPicked ? "picked" : "", isPart ? (this.machine.isPartNext ? "can merge with it" : "part of the same piece") : "",
      isTarget ? `can go here${chance ? `, ${chance.words}` : ""}` : "", !picks.length && next.has(square) ? "can move" : "",
    ];
    cell.setAttribute("aria-label", words.filter(Boolean).join(", "));
    cell.replaceChildren(...(chance ? [element("span", { class: "chance", "aria-hidden": "true" }, chance.text)] : []));
  }

  _next() {
    this._nextSquares ??= this.machine.next();
    return this._nextSquares;
  }

  /** The other parts of the picked piece. @returns {Set<string>} */
  get _parts() {
    const first = this.machine.picks[0];
    if (!first || !this._view) return new Set();
    return new Set(otherParts(this._view, first));
  }

  /** What a move to a square asks, and the odds of its answers. @param {string} square @returns {{text: string, words: string}|""} */
  _chance(square) {
    const told = this.machine.completing(square).map(({ move }) => this._told(move)).find((move) => move.measures || (move.chances?.length ?? 0) > 1);
    if (!told) return "";
    const odds = (told.chances ?? []).map((each) => each.probability);
    const text = odds.length === 2 ? odds.map(oddsText).join("|") : odds.length > 2 ? `${odds.length} ways` : "?";
    return { text, words: told.says ?? `asks a question: ${odds.map(percent).join(" or ")}` };
  }

  /** A move with what the answer about odds says of it. @param {Move} move @returns {Move} */
  _told(move) {
    return this._odds?.moves.find((each) => each.text === move.text) ?? move;
  }

  _makeModes() {
    const bar = element("div", { class: "modes", role: "radiogroup", "aria-label": "kind of move" });
    MODES.forEach((mode, number) => {
      const icon = shape("svg", { viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true" }, shape("path", { d: MODE_ICONS[mode] }));
      const button = element("button", { type: "button", role: "radio", "data-mode": mode, title: `${MODE_WORDS[mode]}: ${MODE_HELP[mode]} (key ${number + 1})` }, icon, MODE_WORDS[mode], element("kbd", { "aria-hidden": "true" }, String(number + 1)));
      button.addEventListener("click", () => this.setMode(mode));
      button.addEventListener("keydown", (event) => this._modeKey(/** @type {KeyboardEvent} */ (event), number));
      bar.append(button);
    });
    return bar;
  }

  _drawModes() {
    const counts = this.machine.counts();
    this._sawPairs ||= counts.split + counts.merge > 0 || this._moves === null;
    this._modeBar.hidden = this._modes === "never" || (this._modes === "auto" && !this._sawPairs);
    for (const button of this._modeBar.querySelectorAll("button")) {
      const mode = /** @type {Mode} */ (button.dataset.mode);
      const isOn = this.machine.mode === mode;
      button.setAttribute("aria-checked", String(isOn));
      button.setAttribute("aria-disabled", String(!this._playable || (this._moves !== null && !counts[mode])));
      button.tabIndex = isOn ? 0 : -1;
    }
  }

  _drawChips() {
    const extras = this._playable && !this._preview ? this.machine.extras().slice(0, 24) : [];
    this._chips.hidden = !extras.length;
    this._chips.replaceChildren(...extras.map((move) => {
      const told = this._told(move);
      const chip = element("button", { type: "button", class: "chip", "data-text": move.text, title: told.says ?? null }, told.label ?? told.text);
      chip.addEventListener("click", () => this._play([{ squares: [], text: move.text, move }]));
      chip.addEventListener("pointerenter", () => this._emit("qc-hover", { square: null, ways: [{ squares: [], text: move.text, move }] }));
      chip.addEventListener("focus", () => this._emit("qc-hover", { square: null, ways: [{ squares: [], text: move.text, move }] }));
      return chip;
    }));
  }

  // -- choosing ----------------------------------------------------------------------------------------------

  /** Changes the mode, as the buttons and the keys 1, 2, 3 do. @param {Mode} mode */
  setMode(mode) {
    this.machine.setMode(mode);
    this._emit("qc-mode", { mode: this.machine.mode });
    this._changed(`${MODE_WORDS[mode]}: ${MODE_HELP[mode]}.`);
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
    this._emit("qc-square", { square });
    if (this._preview) {
      this.showPreview(null);
      return;
    }
    if (!this._playable) {
      if (this._view) this.say(squareName(this._view, square));
      return;
    }
    const before = this.machine.picks[0];
    const step = this.machine.press(square, how.other);
    if (step.kind === "play" && step.ways) {
      if (how.touch && this._armed !== square && step.ways.some(({ move }) => this._told(move).measures)) {
        this._armed = square;
        this._hover(square);
        this._changed(`${this._told(step.ways[0].move).says ?? "This move asks a question"}. Tap again to play it.`);
        return;
      }
      this._play(step.ways);
      return;
    }
    this._armed = "";
    if (before !== this.machine.picks[0]) this._emit("qc-pick", { squares: [...this.machine.picks] });
    if (step.kind !== "none") this._changed();
    else if (this._view) this.say(squareName(this._view, square));
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
    this._emit("qc-move", { text, move });
  }

  /** @param {string} [words] */
  _changed(words) {
    this._nextSquares = undefined;
    this._draw();
    if (words === undefined) this._sayPicks();
    else if (words) this.say(words);
  }

  _sayPicks() {
    const { picks, mode } = this.machine;
    if (!picks.length || !this._view) {
      this.say("");
      return;
    }
    const next = [...this.machine.next()].sort();
    const parts = [...this._parts].filter((name) => !picks.includes(name)).sort();
    const what = this.machine.isPartNext ? "merges with the part on" : mode === "split" ? (picks.length === 1 ? "splits to" : "and to") : mode === "merge" ? "both to" : this.machine.places ? "goes with" : "can go to";
    const waits = this._moves === null && this._odds?.square !== picks[0];
    const where = next.length ? `${what} ${next.length > 12 ? `${next.length} squares` : next.join(", ")}` : waits ? "looking up its moves" : `no ${mode === "move" ? "plain move" : mode} from here`;
    this.say(`${picks.join(", ")}: ${where}${parts.length && !this.machine.isPartNext ? `; also on ${parts.join(", ")}` : ""}.`);
  }

  /** Several moves for the same squares: promotions, marks, ways through. @param {Way[]} ways */
  _openPicker(ways) {
    const had = /** @type {HTMLElement|null|undefined} */ (this._picker?.querySelector(":focus"))?.dataset.text;
    this._closePicker();
    this._choices = ways;
    const list = element("ul", {}, ...ways.map((way) => element("li", {}, this._choice(way))));
    const box = element("div", { class: "picker", role: "dialog", "aria-modal": "true", "aria-label": "which of these moves" }, element("h2", {}, "Which one?"), list);
    box.addEventListener("keydown", (event) => this._pickerKey(/** @type {KeyboardEvent} */ (event), box));
    this._picker = box;
    this._stage.append(box);
    this.say("Which one? Arrow keys and Enter; Escape takes it back.");
    const buttons = [...box.querySelectorAll("button")];
    (buttons.find((button) => button.dataset.text === had) ?? buttons[0])?.focus();
  }

  /** @param {Way} way */
  _choice(way) {
    const told = this._told(way.move);
    const promotion = /\d=?([A-Z])(?:\.|$)/.exec(way.text)?.[1];
    const button = element("button", { type: "button", "data-text": way.text });
    if (promotion && this._view) {
      const man = this._view.men[way.squares[0]]?.[0];
      const icon = shape("svg", { viewBox: `0 0 ${BOX} ${BOX}`, "aria-hidden": "true" }, ...pieceShapes(promotion, SIDES[(man?.player ?? 0) % SIDES.length], drawingsAt(this._view.drawings ?? "chess")));
      button.append(icon);
    }
    button.append(told.label ?? (promotion ? promotion.toUpperCase() : way.text));
    if (told.says) button.append(element("small", {}, told.says));
    button.setAttribute("aria-label", `${way.text}${told.label ? `, ${told.label}` : ""}${told.says ? `: ${told.says}` : ""}`);
    button.addEventListener("click", () => {
      this._closePicker();
      this._play([way]);
      this.focusBoard();
    });
    return button;
  }

  _closePicker() {
    this._picker?.remove();
    this._picker = undefined;
  }

  /** @param {string} name @param {Record<string, unknown>} detail */
  _emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  // -- keys --------------------------------------------------------------------------------------------------

  /** @param {KeyboardEvent} event @param {number} number */
  _modeKey(event, number) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const mode = MODES[(number + step + MODES.length) % MODES.length];
    this.setMode(mode);
    /** @type {HTMLElement|null} */ (this._modeBar.querySelector(`[data-mode=${mode}]`))?.focus();
  }

  /** @param {KeyboardEvent} event @param {HTMLElement} box */
  _pickerKey(event, box) {
    const buttons = [...box.querySelectorAll("button")];
    const at = buttons.findIndex((button) => button === this.shadowRoot?.activeElement);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") {
      this._closePicker();
      this._changed();
      this.focusBoard();
    } else if (step) buttons[(at + step + buttons.length) % buttons.length].focus();
    else if (event.key === "Tab") buttons[(at + (event.shiftKey ? -1 : 1) + buttons.length) % buttons.length].focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {KeyboardEvent} event */
  _key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this._picker) return;
    const view = this._preview ?? this._view;
    const cell = /** @type {HTMLElement} */ (event.target).closest?.(".cell");
    if (!view || !cell) return;
    const square = /** @type {HTMLElement} */ (cell).dataset.square ?? "";
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-99, 0], End: [99, 0], PageUp: [0, -99], PageDown: [0, 99] };
    const way = /** @type {Record<string, number[]>} */ (ways)[event.key];
    if (way) this._go(view, square, way);
    else if (event.key === "Enter" || event.key === " ") this.press(square, { other: event.shiftKey });
    else if (event.key === "Escape") {
      this.machine.back();
      this._armed = "";
      if (!this.machine.picks.length) this._emit("qc-pick", { squares: [] });
      this._changed();
    } else if (["1", "2", "3"].includes(event.key)) this.setMode(MODES[Number(event.key) - 1]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {View} view @param {string} square @param {number[]} way */
  _go(view, square, way) {
    const rows = rowsOf(view, this._below);
    const y = rows.findIndex((row) => row.includes(square)), x = rows[y].indexOf(square);
    const clamp = (/** @type {number} */ value, /** @type {number} */ most) => Math.max(0, Math.min(most, value));
    this._cell(rows[clamp(y + way[1], rows.length - 1)][clamp(x + way[0], rows[0].length - 1)])?.focus();
  }

  /** @param {string} square @returns {HTMLElement|null} */
  _cell(square) {
    return square ? this._grid.querySelector(`[data-square="${square}"]`) : null;
  }

  // -- pointers ----------------------------------------------------------------------------------------------

  _listen() {
    const grid = this._grid;
    grid.addEventListener("keydown", (event) => this._key(event));
    grid.addEventListener("focusin", (event) => this._focused(/** @type {HTMLElement} */ (event.target)));
    grid.addEventListener("pointerdown", (event) => this._down(event));
    grid.addEventListener("pointermove", (event) => this._moved(event));
    grid.addEventListener("pointerup", (event) => this._up(event));
    grid.addEventListener("pointercancel", () => this._drop());
    grid.addEventListener("pointerleave", () => this._hover(""));
    grid.addEventListener("contextmenu", (event) => event.preventDefault());
    // a screen reader's click comes without pointer events
    grid.addEventListener("click", (event) => {
      if (event.detail === 0) this.press(/** @type {HTMLElement} */ (event.target).dataset.square ?? "");
    });
  }

  /** @param {HTMLElement} cell */
  _focused(cell) {
    const square = cell.dataset.square;
    if (!square) return;
    const before = this._cell(this._focus);
    if (before) before.tabIndex = -1;
    cell.tabIndex = 0;
    this._focus = square;
    if (cell.matches(":focus-visible")) this._hover(square);
  }

  /** The square at a point of the screen, from where the grid lies. @param {PointerEvent} event */
  _at(event) {
    const box = this._grid.getBoundingClientRect();
    const view = this._preview ?? this._view;
    if (!view) return "";
    const x = Math.floor(((event.clientX - box.left) / box.width) * view.width);
    const y = Math.floor(((event.clientY - box.top) / box.height) * view.height);
    return rowsOf(view, this._below)[y]?.[x] ?? "";
  }

  /** @param {PointerEvent} event */
  _down(event) {
    if (this._picker || !event.isPrimary) return;
    const square = this._at(event);
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.hasPointerCapture?.(event.pointerId)) target.releasePointerCapture(event.pointerId);
    this._grid.setPointerCapture(event.pointerId);
    const press = { square, x: event.clientX, y: event.clientY, id: event.pointerId, type: event.pointerType, dragging: false, timer: 0, long: false, button: event.button };
    this._press = press;
    if (event.button === 0 && this.machine.picks.length) {
      press.timer = window.setTimeout(() => {
        if (this._press !== press || press.dragging) return;
        press.long = true;
        this.press(square, { other: true });
      }, LONG_PRESS);
    }
  }

  /** @param {PointerEvent} event */
  _moved(event) {
    const press = this._press;
    if (!press || press.id !== event.pointerId) {
      if (event.pointerType !== "touch") this._hover(this._at(event));
      return;
    }
    const far = Math.hypot(event.clientX - press.x, event.clientY - press.y);
    if (!press.dragging && far > DRAG && press.button === 0 && !press.long) this._startDrag(press);
    if (press.dragging) this._drag(event);
  }

  /** @param {NonNullable<QcBoard["_press"]>} press */
  _startDrag(press) {
    press.dragging = true;
    clearTimeout(press.timer);
    const picks = this.machine.picks;
    if (!picks.includes(press.square)) this.press(press.square);
    const art = this._picture.querySelectorAll(`[data-man="${press.square}"]`);
    if (!this.machine.picks.includes(press.square) || !art.length) return;
    const ghost = shape("svg", { viewBox: `0 0 ${BOX} ${BOX}` });
    for (const node of art) {
      const copy = /** @type {SVGElement} */ (node.cloneNode(true));
      if (art.length === 1) copy.removeAttribute("transform");
      ghost.append(copy);
      if (art.length > 1) copy.setAttribute("transform", `translate(0 0) scale(0.7)`);
    }
    this._ghost = element("div", { class: "drag" }, ghost);
    this._stage.append(this._ghost);
  }

  /** @param {PointerEvent} event */
  _drag(event) {
    const box = this._stage.getBoundingClientRect();
    if (this._ghost) {
      this._ghost.style.left = `${event.clientX - box.left}px`;
      this._ghost.style.top = `${event.clientY - box.top}px`;
    }
    this._hover(this._at(event));
  }

  /** @param {PointerEvent} event */
  _up(event) {
    const press = this._press;
    const square = this._at(event);
    this._drop();
    if (!press || press.id !== event.pointerId || press.long) return;
    if (press.button === 2) {
      if (press.square && square) this._emit("qc-draw", { start: press.square, end: square });
      return;
    }
    if (press.button !== 0 || !square) return;
    if (!press.dragging) {
      this._cell(square)?.focus({ preventScroll: true });
      this.press(square, { other: event.shiftKey, touch: press.type === "touch" });
    } else if (square !== press.square && this.machine.picks.length && this._next().has(square)) {
      this.press(square, { other: event.shiftKey });
    }
  }

  _drop() {
    clearTimeout(this._press?.timer);
    this._press = null;
    this._ghost?.remove();
    this._ghost = undefined;
  }

  /** What the pointer or the focus is on. @param {string} square */
  _hover(square) {
    if (square === this._pointed) return;
    const had = this._pointed;
    this._pointed = square;
    const ways = square && this._playable && !this._preview && this.machine.picks.length ? this.machine.completing(square) : [];
    this._emit("qc-hover", { square: square || null, ways: ways.map((way) => ({ ...way, move: this._told(way.move) })) });
    const links = this._view?.links ?? [];
    if (this._links === "pointed" && links.some((link) => [had, square].some((name) => name && link.slice(0, 2).includes(name)))) this._draw();
  }
}

customElements.get("qc-board") ?? customElements.define("qc-board", QcBoard);
