// Pointers, fingers and keys on the board: what they do ends in the board's `press`.
import { rowsOf } from "./drawing.js";
import { MODES } from "./machine.js";
import { BOX, element, shape } from "./pieces.js";

/** @typedef {import("./board.js").QcBoard} QcBoard */
/** @typedef {{square: string, x: number, y: number, id: number, type: string, dragging: boolean, timer: number, long: boolean, button: number, over?: string}} Press */

const LONG_PRESS = 400, PAUSE = 450;
const DRAG = 8;
/** @type {Record<string, number[]>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-99, 0], End: [99, 0], PageUp: [0, -99], PageDown: [0, 99] };

export class Pointing {
  /** @param {QcBoard} board @param {HTMLElement} grid @param {HTMLElement} stage */
  constructor(board, grid, stage) {
    this.board = board;
    this.grid = grid;
    this.stage = stage;
    /** @type {Press|null} */
    this.press = null;
    /** @type {HTMLElement|undefined} */
    this.ghost = undefined;
    grid.addEventListener("keydown", (event) => this.key(event));
    grid.addEventListener("pointerdown", (event) => this.down(event));
    grid.addEventListener("pointermove", (event) => this.moved(event));
    grid.addEventListener("pointerup", (event) => this.up(event));
    grid.addEventListener("pointercancel", () => this.drop());
    grid.addEventListener("pointerleave", () => board.hover(""));
    grid.addEventListener("contextmenu", (event) => event.preventDefault());
    // a screen reader's click comes without pointer events
    grid.addEventListener("click", (event) => {
      if (event.detail === 0) board.press(/** @type {HTMLElement} */ (event.target).dataset.square ?? "");
    });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { board } = this;
    if (event.ctrlKey || event.metaKey || event.altKey || board.isAsking) return;
    const cell = /** @type {HTMLElement} */ (event.target).closest?.(".cell");
    if (!board.shown || !cell) return;
    const square = /** @type {HTMLElement} */ (cell).dataset.square ?? "";
    const way = WAYS[event.key];
    if (way) this.go(square, way);
    else if (event.key === "Enter" || event.key === " ") board.press(square, { other: event.shiftKey });
    else if (event.key === "Escape") board.back();
    else if (["1", "2", "3"].includes(event.key)) board.setMode(MODES[Number(event.key) - 1]);
    else if (event.key === "p" || event.key === "P") board.phases = !board.phases;
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} square @param {number[]} way */
  go(square, way) {
    const rows = rowsOf(/** @type {any} */ (this.board.shown), this.board.below);
    const y = rows.findIndex((row) => row.includes(square)), x = rows[y].indexOf(square);
    const clamp = (/** @type {number} */ value, /** @type {number} */ most) => Math.max(0, Math.min(most, value));
    this.board.cell(rows[clamp(y + way[1], rows.length - 1)][clamp(x + way[0], rows[0].length - 1)])?.focus();
  }

  /** The square at a point of the screen, from where the grid lies. @param {PointerEvent} event */
  at(event) {
    const box = this.grid.getBoundingClientRect();
    const view = this.board.shown;
    if (!view) return "";
    const x = Math.floor(((event.clientX - box.left) / box.width) * view.width);
    const y = Math.floor(((event.clientY - box.top) / box.height) * view.height);
    return rowsOf(view, this.board.below)[y]?.[x] ?? "";
  }

  /** @param {PointerEvent} event */
  down(event) {
    const { board, grid } = this;
    if (board.isAsking || !event.isPrimary) return;
    const square = this.at(event);
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.hasPointerCapture?.(event.pointerId)) target.releasePointerCapture(event.pointerId);
    grid.setPointerCapture(event.pointerId);
    const press = { square, x: event.clientX, y: event.clientY, id: event.pointerId, type: event.pointerType, dragging: false, timer: 0, long: false, button: event.button };
    this.press = press;
    if (event.button === 0 && board.machine.picks.length) {
      press.timer = window.setTimeout(() => {
        if (this.press !== press || press.dragging) return;
        press.long = true;
        board.press(square, { other: true });
      }, LONG_PRESS);
    }
  }

  /** @param {PointerEvent} event */
  moved(event) {
    const { press } = this;
    if (!press || press.id !== event.pointerId) {
      if (event.pointerType !== "touch") this.board.hover(this.at(event));
      return;
    }
    const far = Math.hypot(event.clientX - press.x, event.clientY - press.y);
    if (!press.dragging && far > DRAG && press.button === 0 && !press.long) this.start(press);
    if (press.dragging) this.drag(event);
  }

  /** @param {Press} press */
  start(press) {
    press.dragging = true;
    clearTimeout(press.timer);
    const { board } = this;
    if (!board.machine.picks.includes(press.square)) board.press(press.square);
    const art = this.stage.querySelectorAll(`[data-man="${press.square}"]`);
    if (!board.machine.picks.includes(press.square) || !art.length) return;
    const rows = rowsOf(/** @type {any} */ (board.shown), board.below);
    const y = rows.findIndex((row) => row.includes(press.square)), x = rows[y].indexOf(press.square);
    const men = [...art].map((node) => node.cloneNode(true));
    this.ghost = element("div", { class: "drag" }, shape("svg", { viewBox: `${x * BOX} ${y * BOX} ${BOX} ${BOX}` }, ...men));
    this.stage.append(this.ghost);
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const box = this.stage.getBoundingClientRect();
    if (this.ghost) {
      this.ghost.style.left = `${event.clientX - box.left}px`;
      this.ghost.style.top = `${event.clientY - box.top}px`;
    }
    const { board, press } = this, square = this.at(event);
    board.hover(square);
    if (!press || press.over === square) return;
    press.over = square;
    clearTimeout(press.timer);
    // a pause over a target leaves a half there; the drag goes on to the second square
    if (board.machine.holding(square)) press.timer = window.setTimeout(() => this.press === press && board.machine.holding(square) && board.press(square, { other: true }), PAUSE);
  }

  /** @param {PointerEvent} event */
  up(event) {
    const { board, press } = this;
    const square = this.at(event);
    this.drop();
    if (!press || press.id !== event.pointerId || press.long) return;
    if (press.button === 2) {
      if (press.square && square) board.emit("qc-draw", { start: press.square, end: square });
      return;
    }
    if (press.button !== 0 || !square) return;
    if (!press.dragging) {
      board.cell(square)?.focus({ preventScroll: true });
      board.press(square, { other: event.shiftKey, touch: press.type === "touch" });
    } else if (square !== press.square && board.machine.picks.length && board.next.has(square)) {
      board.press(square, { other: event.shiftKey });
    }
  }

  drop() {
    clearTimeout(this.press?.timer);
    this.press = null;
    this.ghost?.remove();
    this.ghost = undefined;
  }
}
