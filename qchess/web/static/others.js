// Moves that no two squares tell, such as turning the marks of a pair: a button for each.
import { html } from "./settings.js";

/** @typedef {import("./board.js").QcBoard} QcBoard */
/** @typedef {import("./machine.js").Move} Move */

/** @param {QcBoard} board @param {HTMLElement} place @param {Move[]} moves */
export function drawOthers(board, place, moves) {
  const shown = moves.map((move) => board.odds?.moves.find((each) => each.text === move.text) ?? move);
  const had = /** @type {HTMLElement|null} */ (place.querySelector(":focus"))?.dataset.text;
  place.replaceChildren(...shown.map((move) => {
    const chip = html("button", { type: "button", class: "chip", "data-text": move.text, title: move.says }, move.label ?? move.text);
    const point = () => board.dispatchEvent(new CustomEvent("qc-hover", { detail: { square: null, ways: [{ squares: [], text: move.text, move }] } }));
    chip.addEventListener("click", () => board.choose(move.text));
    chip.addEventListener("pointerenter", point);
    chip.addEventListener("focus", point);
    return chip;
  }));
  /** @type {HTMLElement|undefined} */ ([...place.querySelectorAll("button")].find((chip) => chip.dataset.text === had))?.focus();
}
