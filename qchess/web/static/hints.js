// Three bubbles of a first game, each shown once: how one splits, what a split is, and what a capture by a part asks.
import { rowsOf } from "./drawing.js";
import { isOpen } from "./filling.js";
import { html, keepSetting, setting } from "./settings.js";
import { asks } from "./targets.js";
import { kindName } from "./wording.js";

/** @typedef {import("./wording.js").View} View */
/** @typedef {"hold"|"places"|"take"} Hint */

const LOOK = `.hint{position:absolute;z-index:5;box-sizing:border-box;width:max-content;max-width:min(62%,19rem);pointer-events:none;transform:translate(-50%,-50%);background:var(--accent);color:var(--accentink);border:2px solid #fff;border-radius:1rem;padding:.15rem .75rem;font-size:.85rem;font-weight:650;line-height:1.4;text-align:center;text-wrap:balance}
.hint:empty{visibility:hidden}`;

/**
 * The middle of a free block of squares, in squares from the upper left: none of them is in use, few have men, and it is near.
 * @param {View} view @param {string[][]} rows @param {Set<string>} used @param {string} near @param {number} wide @param {number} high
 * @returns {{x: number, y: number}|null}
 */
export function freeBlock(view, rows, used, near, wide, high) {
  const nearY = rows.findIndex((row) => row.includes(near)), nearX = rows[nearY]?.indexOf(near) ?? 0;
  let found = null, least = Infinity;
  for (let top = 0; top + high <= rows.length; top++) {
    for (let left = 0; left + wide <= rows[0].length; left++) {
      const block = rows.slice(top, top + high).flatMap((row) => row.slice(left, left + wide));
      if (block.some((square) => used.has(square))) continue;
      const x = left + wide / 2, y = top + high / 2;
      const cost = Math.hypot(x - nearX - 0.5, y - nearY - 0.5) + 9 * block.filter((square) => view.men[square]?.length).length;
      if (cost < least) [found, least] = [{ x, y }, cost];
    }
  }
  return found;
}

export class Hints {
  /** @param {import("./table.js").Table} table @param {import("./board.js").QcBoard} board */
  constructor(table, board) {
    this.table = table;
    this.board = board;
    /** which were shown in this browser @type {Set<string>} */
    this.shown = new Set(setting("hints", "").split(" "));
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(LOOK);
    board._root.adoptedStyleSheets = [...board._root.adoptedStyleSheets, sheet];
    this.bubble = html("div", { class: "hint", role: "status", "aria-live": "polite" });
    board._stage.append(this.bubble);
    // whatever is done next, the bubble goes; what is done may bring the next one
    for (const kind of ["qc-square", "qc-pick", "qc-mode", "qc-move"]) board.addEventListener(kind, () => this.close());
    board.addEventListener("qc-pick", () => this.picked());
    board.addEventListener("qc-hover", (event) => this.pointed(/** @type {CustomEvent} */ (event).detail));
    document.addEventListener("keydown", ({ key }) => key === "Escape" && this.close(), { capture: true });
    table.addEventListener("message", (event) => this.told(/** @type {CustomEvent} */ (event).detail));
    table.addEventListener("shown", () => table.shown !== table.state?.ply && this.close());
    this.picked();
  }

  /** A piece is picked: can it split? */
  picked() {
    const { machine } = this.board, [square, more] = machine.picks;
    if (!square || more || machine.mode !== "move" || !machine.ways.split.some(({ squares }) => squares[0] === square)) return;
    this.show("hold", "Hold a square to split.", square, [square, ...machine.next()]);
  }

  /** A target is pointed at: would a part take there? @param {{square: string|null, ways: import("./machine.js").Way[]}} where */
  pointed({ square, ways }) {
    const { machine, view } = this.board, from = machine.picks[0];
    if (!square || !view || !from || machine.mode !== "move" || !ways.some(({ move }) => asks(move))) return;
    const [man] = view.men[from] ?? [];
    if (!man || !isOpen(man) || !view.men[square]?.some(({ player }) => player !== man.player)) return;
    this.show("take", "To take, a piece must be there. The board asks.", square, [from, ...machine.next()]);
  }

  /** Something came: the first split of one's own, or the moves of the picked piece. @param {any} message */
  told(message) {
    if (message.kind === "odds") this.picked();
    const { state } = this.table;
    const [, ...ends] = /^[a-z]\d+\^([a-z]\d+)[op]?([a-z]\d+)/.exec(message.kind === "moved" ? message.text : "") ?? [];
    const [man] = (ends.length && state?.view.men[ends[0]]) || [];
    if (!man || message.by !== state?.you || !isOpen(man)) return;
    this.show("places", `Two places: one ${kindName(state.view, man)}.`, ends[0], [...ends, ...(state.view.marked ?? [])]);
  }

  /** Shows a bubble where it hides nothing that counts; else it is shown another time. @param {Hint} hint @param {string} words @param {string} near @param {string[]} used */
  show(hint, words, near, used) {
    const { board, bubble } = this, view = this.table.state?.view;
    if (!this.table.state?.you || !view || this.shown.has(hint)) return;
    bubble.textContent = words;
    const side = board._stage.clientWidth / view.width;
    const spot = freeBlock(view, rowsOf(view, board.below), new Set(used), near, Math.ceil(bubble.offsetWidth / side), Math.ceil(bubble.offsetHeight / side));
    if (!spot) {
      this.close();
      return;
    }
    bubble.style.left = `${(100 * spot.x) / view.width}%`;
    bubble.style.top = `${(100 * spot.y) / view.height}%`;
    this.shown.add(hint);
    keepSetting("hints", [...this.shown].join(" ").trim());
  }

  close() {
    if (this.bubble.textContent) this.bubble.textContent = "";
  }
}
