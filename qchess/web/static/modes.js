// The kinds of move in the own strip, and the moves that no two squares tell: what the board would show under itself.
import { html } from "./settings.js";
import { shape } from "./pieces.js";

/** @typedef {import("./board.js").QcBoard} QcBoard */
/** @typedef {import("./machine.js").Mode} Mode */

/** @type {[Mode, string, string, string][]} */
const KINDS = [
  ["move", "Move", "one piece to one square", "M3 12h16M14 6l6 6-6 6"],
  ["split", "Split", "one piece to two squares at once", "M3 12h6M9 12c5 0 4-7 11-7M9 12c5 0 4 7 11 7"],
  ["merge", "Merge", "two parts of a piece to one square", "M4 5c7 0 6 7 11 7M4 19c7 0 6-7 11-7M15 12h6"],
];
/** What may change what a board offers. */
const SIGNS = ["qc-square", "qc-pick", "qc-mode", "qc-move", "keyup", "pointerup"];
const MOST = 24;

export class Modes {
  /** @param {QcBoard} board @param {HTMLElement} bar @param {HTMLElement} others */
  constructor(board, bar, others) {
    this.board = board;
    this.bar = bar;
    this.others = others;
    this.isDue = false;
    /** whether this game has pairs, so that the modes are shown */
    this.hasPairs = false;
    KINDS.forEach(([mode, word, help, path], number) => {
      const icon = shape("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, shape("path", { d: path }));
      const button = html("button", { type: "button", role: "radio", "data-mode": mode, title: `${word}: ${help} (key ${number + 1})` }, icon, word);
      button.addEventListener("click", () => board.setMode(mode));
      button.addEventListener("keydown", (event) => this.key(/** @type {KeyboardEvent} */ (event), number));
      bar.append(button);
    });
    for (const sign of SIGNS) board.addEventListener(sign, () => this.draw());
  }

  /** Draws soon, and once, when the board has done what it does now. */
  draw() {
    if (this.isDue) return;
    this.isDue = true;
    queueMicrotask(() => {
      this.isDue = false;
      this.drawBar();
      this.drawOthers();
    });
  }

  drawBar() {
    const { machine, moves, playable } = this.board;
    const counts = machine.counts();
    this.hasPairs ||= counts.split + counts.merge > 0 || moves === null;
    this.bar.hidden = !this.hasPairs;
    for (const button of this.bar.querySelectorAll("button")) {
      const mode = /** @type {Mode} */ (button.dataset.mode);
      const isOn = machine.mode === mode;
      button.setAttribute("aria-checked", String(isOn));
      button.setAttribute("aria-disabled", String(!playable || (moves !== null && !counts[mode])));
      button.tabIndex = isOn ? 0 : -1;
    }
  }

  async drawOthers() {
    const { machine, playable, isPreviewing } = this.board;
    const extras = playable && !isPreviewing ? machine.extras().slice(0, MOST) : [];
    this.others.hidden = !extras.length;
    if (extras.length) (await import("./others.js")).drawOthers(this.board, this.others, extras);
  }

  /** @param {KeyboardEvent} event @param {number} number */
  key(event, number) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const mode = KINDS[(number + step + KINDS.length) % KINDS.length][0];
    this.board.setMode(mode);
    this.drawBar();
    /** @type {HTMLElement|null} */ (this.bar.querySelector(`[data-mode=${mode}]`))?.focus();
  }
}
