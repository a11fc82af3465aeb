// The moves that were played, and jumping to any position.
import { html } from "./settings.js";
import { percent } from "./wording.js";

/** @typedef {import("./table.js").Entry} Entry */

/** A move as people read it: "b1 to a3 or c3", "e2–e4"; other notation as it is. @param {string} text */
export function moveWords(text) {
  const split = /^([a-z]\d+)\^([a-z]\d+)([a-z]\d+)(?:\.|$)/.exec(text);
  if (split) return `${split[1]} to ${split[2]} or ${split[3]}`;
  const merge = /^([a-z]\d+)([a-z]\d+)\^([a-z]\d+)(?:\.|$)/.exec(text);
  if (merge) return `${merge[1]} and ${merge[2]} to ${merge[3]}`;
  const plain = /^([a-z]\d+)-([a-z]\d+)([A-Z]?)(?:\.|$)/.exec(text);
  return plain ? `${plain[1]}–${plain[2]}${plain[3]}` : text;
}

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
    const open = (entry.provenance ?? []).filter((answer) => answer.source !== "certain");
    const title = entry.sentence ? `${entry.text}: ${entry.sentence}` : entry.text;
    const button = html("button", { type: "button", class: "ply", "data-ply": String(entry.ply), "data-text": entry.text, title }, html("span", {}, moveWords(entry.text)));
    const last = open.at(-1);
    if (last) {
      const isYes = last.value === 1;
      button.append(html("span", { class: isYes ? "res" : "res no" }, html("span", { "aria-hidden": "true" }, isYes ? "✓ " : "✕ "), html("span", { class: "hidden" }, isYes ? ", asked: yes, " : ", asked: no, "), percent(last.probability)));
    }
    if ((entry.ply - 1) % players === 0 || !this.list.lastElementChild) this.list.append(html("li", { value: String(Math.floor((entry.ply - 1) / players) + 1) }));
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
