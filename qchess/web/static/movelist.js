// The moves that were played, and jumping to any position.
import { html } from "./settings.js";

/** @typedef {import("./table.js").Entry} Entry */

export class MoveList {
  /** @param {HTMLElement} list @param {(ply: number) => void} jump */
  constructor(list, jump) {
    this.list = list;
    this.jump = jump;
    this.shownPly = -1;
    list.addEventListener("click", (event) => {
      const button = /** @type {HTMLElement} */ (event.target).closest("button");
      if (button) jump(Number(button.dataset.ply));
    });
  }

  /** Draws the list; what is there already stays. @param {Entry[]} history @param {number} players @param {number} shown */
  draw(history, players, shown) {
    const buttons = [...this.list.querySelectorAll("button")];
    const isSame = buttons.length <= history.length && buttons.every((button, k) => button.dataset.text === history[k].text);
    if (!isSame) this.list.replaceChildren();
    for (const entry of history.slice(isSame ? buttons.length : 0)) this.add(entry, players);
    for (const button of this.list.querySelectorAll("button")) {
      if (Number(button.dataset.ply) === shown) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    if (shown !== this.shownPly) this.reveal(shown);
    this.shownPly = shown;
  }

  /** @param {Entry} entry @param {number} players */
  add(entry, players) {
    const asked = (entry.provenance ?? []).some((answer) => answer.source !== "certain");
    const button = html("button", { type: "button", class: asked ? "ply asked" : "ply", "data-ply": String(entry.ply), "data-text": entry.text, title: entry.sentence || null }, entry.text);
    if (asked) button.append(html("span", { class: "hidden" }, ", asked a question"));
    if ((entry.ply - 1) % players === 0 || !this.list.lastElementChild) this.list.append(html("li", {}));
    this.list.lastElementChild?.append(button);
  }

  /** Scrolls the list, and nothing else, to a move. @param {number} ply */
  reveal(ply) {
    const button = /** @type {HTMLElement|null} */ (this.list.querySelector(`[data-ply="${ply}"]`));
    if (!button) this.list.scrollTop = 0;
    else this.list.scrollTop = button.offsetTop - this.list.clientHeight / 2;
    if (button) this.list.scrollLeft = button.offsetLeft - this.list.clientWidth / 2;
  }
}
