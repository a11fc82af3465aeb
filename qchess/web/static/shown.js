// What a board shows, and how it is asked to show something else: the part of <qc-board> that knows no moves.
import { BOARD_LOOK } from "./boardlook.js";
import { drawingsAt, element, fetchDrawings, keepDrawings } from "./pieces.js";

/** @typedef {import("./wording.js").View} View */
/** @typedef {import("./wording.js").Arrow} Arrow */
/** @typedef {import("./pieces.js").Drawings} Drawings */
/**
 * A frame of what plays on a board instead of its View: of some squares how full their man is, how much of him is seen,
 * where he is on his way to, which have no plate, what has a frame, and what is drawn over all, from the corners of the squares.
 * @typedef {{view: View, levels: Record<string, number>, fades: Record<string, number>, moved: Record<string, {to: string, way: number, bend?: number}>,
 *   bare: Set<string>, picked: string[], over: (spots: Map<string, {x: number, y: number}>) => SVGElement[]}} Scene
 */

export class ShownBoard extends HTMLElement {
  constructor() {
    super();
    this._root = this.attachShadow({ mode: "open" });
    /** @type {Set<string>} */
    this._worn = new Set();
    this.wear(BOARD_LOOK);
    /** @type {View|null} */
    this._view = null;
    /** @type {View|null} */
    this._preview = null;
    /** @type {Scene|null} */
    this._scene = null;
    /** @type {Arrow[]} */
    this._arrows = [];
    this._below = 0;
    this._links = "pointed";
    this._phases = false;
    /** @type {Record<string, number>} */
    this._danger = {};
    /** @type {Set<string>} */
    this._lit = new Set();
    /** Whether squares go without labels, as on a small board. */
    this.plain = false;
    this._modes = "auto";
    this._sawPairs = false;
    this._isDue = false;
    /** A square's side in pixels, when it was last drawn. */
    this._side = 0;
    this._picture = element("div", { class: "art" });
    this._status = element("p", { class: "say", part: "say", role: "status", "aria-live": "polite" });
    this._badge = element("div", { class: "previewing", hidden: "" });
    this._stage = element("div", { class: "stage" });
    new ResizeObserver(() => this._measure() !== this._side && this._draw()).observe(this._stage);
  }

  /** Adds to how the board looks, once. @param {string} look */
  wear(look) {
    if (this._worn.has(look)) return;
    this._worn.add(look);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(look);
    this._root.adoptedStyleSheets.push(sheet);
  }

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

  /** The player at the lower side, as a number. */
  get below() {
    return this._below;
  }

  set below(below) {
    this._below = below;
    this._draw();
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

  /** What plays on the board for a while, a frame at a time; nothing can be picked until it is null again. @returns {Scene|null} */
  get scene() {
    return this._scene;
  }

  set scene(scene) {
    this._scene = scene;
    this._draw();
  }

  /** Whether plates have a dial with the phase in place of the register's shape; while merging they do anyway. */
  get phases() {
    return this._phases;
  }

  set phases(phases) {
    this._phases = phases;
    this._draw();
    this.dispatchEvent(new Event("qc-phases"));
  }

  /** How likely the king on a square can be taken by the next move, by square. */
  get danger() {
    return this._danger;
  }

  set danger(danger) {
    this._danger = danger ?? {};
    this._draw();
  }

  /** Which links are shown: "pointed" (as words, of the picked or pointed square), "all" (as curves, too) or "none". */
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
    this._sawPairs = false;
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

  /** The board that is shown: a preview, what plays, or the one to play on. @returns {View|null} */
  get shown() {
    return this._preview ?? this._scene?.view ?? this._view;
  }

  /** Draws soon, and once, however much was set. */
  _draw() {
    if (this._isDue) return;
    this._isDue = true;
    queueMicrotask(() => {
      this._isDue = false;
      this._render();
    });
  }

  /** A square's side in whole pixels. */
  _measure() {
    return Math.round(this._stage.clientWidth / (this.shown?.width ?? 8));
  }

  /** Draws at once; a board says how. */
  _render() {}
}
