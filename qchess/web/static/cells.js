// The cells that lie over the picture: what has the focus, and what a screen reader says of each square.
import { rowsOf } from "./drawing.js";
import { element } from "./pieces.js";
import { spoken, squareName } from "./wording.js";

/** @typedef {import("./wording.js").View} View */
/** @typedef {import("./drawing.js").Target} Target */
/**
 * @typedef {object} Marks what a player may do on the squares
 * @property {Set<string>} next squares that can be picked next
 * @property {string[]} picked
 * @property {Map<string, Target>} targets
 * @property {Set<string>} parts other parts of the picked piece
 * @property {boolean} isPartNext whether such a part is to be picked
 * @property {Set<string>} lit squares that are lit from outside
 * @property {string} armed a target that waits for a second tap
 * @property {string} focus the square that the tab key reaches
 * @property {boolean} phases whether phases are told
 * @property {Record<string, number>} danger
 */

/** Makes the cells anew where the board has another shape. @param {HTMLElement} grid @param {View} view @param {number} below @returns {boolean} whether they are new */
export function makeCells(grid, view, below) {
  const form = `${view.width} ${view.height} ${below}`;
  if (grid.dataset.form === form) return false;
  grid.dataset.form = form;
  grid.style.gridTemplate = `repeat(${view.height}, 1fr) / repeat(${view.width}, 1fr)`;
  grid.replaceChildren(...rowsOf(view, below).map((row, y) => element("div", { role: "row", class: "row", "aria-rowindex": String(y + 1) },
    ...row.map((name, x) => element("div", { role: "gridcell", class: "cell", tabindex: "-1", "data-square": name, "aria-colindex": String(x + 1) })))));
  grid.setAttribute("aria-rowcount", String(view.height));
  grid.setAttribute("aria-colcount", String(view.width));
  return true;
}

/** @param {HTMLElement} grid @param {View} view @param {Marks} marks */
export function drawCells(grid, view, marks) {
  for (const cell of /** @type {NodeListOf<HTMLElement>} */ (grid.querySelectorAll(".cell"))) {
    const square = cell.dataset.square ?? "";
    const isPicked = marks.picked.includes(square), target = marks.targets.get(square);
    const canBegin = !marks.picked.length && marks.next.has(square);
    const isPart = !isPicked && !target && marks.parts.has(square);
    const names = { can: marks.next.has(square), source: canBegin, picked: isPicked, target: Boolean(target), part: isPart, armed: Boolean(target) && marks.armed === square, lit: marks.lit.has(square) };
    for (const [name, isOn] of Object.entries(names)) cell.classList.toggle(name, isOn);
    cell.tabIndex = square === marks.focus ? 0 : -1;
    cell.setAttribute("aria-selected", String(isPicked));
    cell.setAttribute("aria-label", [
      squareName(view, square, marks.phases), ...dangerWords(marks.danger[square]), isPicked ? "picked" : "",
      isPart ? (marks.isPartNext ? "can merge with it" : "part of the same piece") : "", ...(target ? targetWords(target) : []), canBegin ? "can move" : "",
    ].filter(Boolean).join(", "));
  }
}

/** @param {number|undefined} chance */
function dangerWords(chance) {
  return chance === undefined ? [] : [chance > 1 - 1e-9 ? "can be taken" : `can be taken with ${spoken(chance)}`];
}

/** A target in words: "takes, asks, works with 50 percent". @param {Target} target */
function targetWords({ kind, asks, chance, works }) {
  const how = kind === "take" ? "takes" : "can go here";
  return [how, kind === "part" ? "a part may stay behind" : "", asks ? "asks" : "", chance == null ? works : `works with ${spoken(chance)}`];
}
