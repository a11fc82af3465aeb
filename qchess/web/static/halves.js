// A half that was put on a square and waits for its second square: its ghost with its new odds, and a bubble beside it.
import { rowsOf } from "./drawing.js";
import { element } from "./pieces.js";

/** @typedef {import("./wording.js").View} View */

const LOOK = `.bubble{position:absolute;z-index:5;pointer-events:none;transform:translateY(-50%);background:var(--accent);color:var(--accentink);border:2px solid #fff;border-radius:1rem;padding:.1rem .7rem;font-size:.85rem;font-weight:650;line-height:1.5;white-space:nowrap}
.bubble.left{transform:translate(-100%,-50%)}
.onhalf .drag{visibility:hidden}`;

/** The board with one half of a man on another square: an empty one, where the odds of a half are known. @param {View} view @param {string} from @param {string} half @returns {View} */
export function halved(view, from, half) {
  const here = view.men[from] ?? [];
  if (here.length !== 1 || view.men[half]?.length) return view;
  const man = { ...here[0], probability: here[0].probability / 2 };
  const place = (view.groups ?? []).findIndex((group) => group.includes(from));
  const groups = place < 0 ? view.groups : view.groups.map((group, k) => (k === place ? [...group, half] : group));
  return { ...view, groups, men: { ...view.men, [from]: [man], [half]: [man] } };
}

/** Whether the squares left of one are emptier than those right of it. @param {View} view @param {string[][]} rows @param {string} square */
export function isLeftEmptier(view, rows, square) {
  const y = rows.findIndex((row) => row.includes(square)), x = rows[y].indexOf(square);
  const count = (/** @type {number} */ step) => [1, 2, 3].reduce((sum, far) => sum + (rows[y][x + far * step] === undefined ? 1 : view.men[rows[y][x + far * step]]?.length ? 1 : 0), 0);
  return count(-1) < count(1);
}

export class Halves {
  /** @param {import("./board.js").QcBoard} board @param {HTMLElement} stage */
  constructor(board, stage) {
    this.board = board;
    board.wear(LOOK);
    // its words are said by the board's status
    this.bubble = element("div", { class: "bubble", "aria-hidden": "true", hidden: "" }, "Where else?");
    stage.append(this.bubble);
    this.stage = stage;
    board.addEventListener("qc-hover", () => this.cover());
  }

  /** What is dragged is not drawn over the half that it left there. */
  cover() {
    const { half } = this.board.machine;
    this.stage.classList.toggle("onhalf", half !== "" && half === this.board._pointed);
  }

  /** What the board draws; without a half that is the board itself. @param {View} view @param {string|undefined} from @param {string} half @returns {View} */
  show(view, from, half) {
    this.bubble.hidden = !half;
    this.cover();
    if (!half || !from) return view;
    const rows = rowsOf(view, this.board.below), isLeft = isLeftEmptier(view, rows, half);
    const y = rows.findIndex((row) => row.includes(half)), x = rows[y].indexOf(half);
    this.bubble.classList.toggle("left", isLeft);
    this.bubble.style.left = `${(100 * (x + (isLeft ? -0.05 : 1.05))) / view.width}%`;
    this.bubble.style.top = `${(100 * (y + 0.5)) / view.height}%`;
    return halved(view, from, half);
  }
}
