// A small window that asks which of several moves for the same squares is meant: promotions, marks, ways through.
import { FULL, Filling } from "./filling.js";
import { BOX, element, shape } from "./pieces.js";

/** @typedef {import("./wording.js").View} View */
/** @typedef {import("./machine.js").Move} Move */
/** @typedef {import("./machine.js").Way} Way */

const LOOK = `.picker{position:absolute;z-index:6;left:50%;top:50%;transform:translate(-50%,-50%);background:var(--panel);border:1px solid var(--edge);border-radius:.8rem;padding:.5rem .7rem;box-shadow:0 8px 30px #0005;width:min(96%,22rem);max-height:100%;overflow:auto;line-height:1.35}
.picker h2{font-size:.95rem;font-weight:600;margin:0 0 .3rem;text-align:center}
.picker ul{list-style:none;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.3rem;justify-content:center}
.picker button{font:inherit;color:inherit;background:none;border:1px solid var(--edge);border-radius:.6rem;padding:.2rem .7rem;min-height:44px;min-width:44px;cursor:pointer;text-align:left}
.picker button svg{display:block;width:3rem;height:3rem;margin:0 auto}
.picker button small{display:block;opacity:.9}
.picker button:hover{border-color:var(--accent)}
.picker button:focus-visible{outline:3px solid var(--accent);outline-offset:-3px}`;

/** The letter after the square of a promotion. */
const PROMOTION = /\d=?([A-Z])(?:\.|$)/;
/** The marks of the halves of a split: forward or back. */
const MARKED = /\^([a-z]\d+)([op])([a-z]\d+)([op])/;

export class Picker {
  /**
   * @param {import("./board.js").QcBoard} board @param {Way[]} ways
   * @param {(way: Way) => void} chosen @param {() => void} left what happens on Escape
   */
  constructor(board, ways, chosen, left) {
    board.wear(LOOK);
    this.ways = ways;
    this.left = left;
    const cancel = element("button", { type: "button" }, "Cancel");
    cancel.addEventListener("click", left);
    const list = element("ul", {}, ...ways.map((way) => element("li", {}, choice(way, board._told(way.move), board.view, () => chosen(way)))), element("li", {}, cancel));
    this.box = element("div", { class: "picker", role: "dialog", "aria-modal": "true", "aria-label": "which of these moves" }, element("h2", {}, "Which one?"), list);
    this.box.addEventListener("keydown", (event) => this.key(/** @type {KeyboardEvent} */ (event)));
  }

  get buttons() {
    return [...this.box.querySelectorAll("button")];
  }

  /** The move that has the focus. @returns {string|undefined} */
  get had() {
    return /** @type {HTMLElement|null} */ (this.box.querySelector(":focus"))?.dataset.text;
  }

  /** Moves the focus to a move, else to the first. @param {string} [text] */
  focus(text) {
    (this.buttons.find(({ dataset }) => text && dataset.text === text) ?? this.buttons[0])?.focus();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { buttons } = this;
    const at = buttons.findIndex((button) => button.matches(":focus"));
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Tab: event.shiftKey ? -1 : 1 }[event.key];
    if (event.key === "Escape") this.left();
    else if (step) buttons[(at + step + buttons.length) % buttons.length].focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** @param {Way} way @param {Move} told @param {View|null} view @param {() => void} chosen */
function choice(way, told, view, chosen) {
  const promotion = PROMOTION.exec(way.text)?.[1], marked = MARKED.exec(way.text);
  const button = element("button", { type: "button", "data-text": way.text, title: way.text });
  if (promotion && view) button.append(figure(view, promotion, view.men[way.squares[0]]?.[0]?.player ?? 0));
  button.append(told.label ?? (promotion ? promotion.toUpperCase() : marked ? `${marked[1]} ${points(marked[2])}, ${marked[3]} ${points(marked[4])}` : way.text));
  if (told.says) button.append(element("small", {}, told.says));
  button.setAttribute("aria-label", `${way.text}${told.label ? `, ${told.label}` : ""}${told.says ? `: ${told.says}` : ""}`);
  button.addEventListener("click", chosen);
  return button;
}

/** Where a mark points. @param {string} letter */
const points = (letter) => (letter === "o" ? "forward" : "back");

/** A drawing of one man. @param {View} view @param {string} symbol @param {number} player */
function figure(view, symbol, player) {
  const filling = new Filling(view);
  const man = filling.man({ symbol, player, probability: 1 }, FULL);
  return shape("svg", { viewBox: `0 0 ${BOX} ${BOX}`, "aria-hidden": "true" }, filling.defs, man);
}
