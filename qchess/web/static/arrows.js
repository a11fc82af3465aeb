// Arrows by drag: with the right mouse button, or with any button and a finger while the tool is on. The arrow grows with the pointer.

/** @typedef {import("./wording.js").Arrow} Arrow */

export class Arrows {
  /**
   * @param {import("./board.js").QcBoard} board @param {() => Arrow[]} now the arrows of the position that is shown
   * @param {(start: string, end: string) => void} drawn
   */
  constructor(board, now, drawn) {
    this.board = board;
    this.now = now;
    this.drawn = drawn;
    /** whether a drag draws, whatever the button */
    this.isOn = false;
    this.start = "";
    this.end = "";
    this.pointer = -1;
    // before the board itself hears of it
    board.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
    board.addEventListener("pointermove", (event) => this.moved(event), { capture: true });
    board.addEventListener("pointerup", (event) => this.up(event), { capture: true });
    board.addEventListener("pointercancel", (event) => event.pointerId === this.pointer && this.drop(), { capture: true });
  }

  /** @param {PointerEvent} event */
  down(event) {
    const isOnBoard = event.composedPath().some((node) => node instanceof HTMLElement && node.dataset.square);
    if (!isOnBoard || this.pointer >= 0 || !(event.button === 2 || (this.isOn && event.button === 0))) return;
    event.stopPropagation();
    this.pointer = event.pointerId;
    this.start = this.end = this.board.pointing.at(event);
    this.board.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  moved(event) {
    if (event.pointerId !== this.pointer) return;
    event.stopPropagation();
    const at = this.board.pointing.at(event);
    if (at === this.end) return;
    this.end = at;
    this.board.arrows = at && at !== this.start ? [...this.now(), { start: this.start, end: at, kind: "note" }] : this.now();
  }

  /** @param {PointerEvent} event */
  up(event) {
    if (event.pointerId !== this.pointer) return;
    event.stopPropagation();
    const { start, end } = this;
    this.drop();
    if (start && end && start !== end) this.drawn(start, end);
  }

  drop() {
    this.pointer = -1;
    this.board.arrows = this.now();
  }
}
