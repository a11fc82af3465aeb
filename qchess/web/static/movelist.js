// The moves that were played, and jumping to any position.
import { label } from "./figures.js";
import { html } from "./settings.js";
import { went } from "./ways.js";
import { percent } from "./wording.js";

/** @typedef {import("./table.js").Entry} Entry */
/** @typedef {{history: Entry[], players: string[], view: {drawings?: string}}} Seen what a list needs of a table's state */

export class MoveList {
  /** @param {HTMLElement} list @param {(ply: number) => void} jump @param {(ply: number, mark: HTMLElement) => void} [ask] what a click on the mark of an answer does */
  constructor(list, jump, ask) {
    this.list = list;
    this.ask = ask;
    this.shownPly = -1;
    list.addEventListener("click", (event) => {
      const button = /** @type {HTMLElement} */ (event.target).closest("button");
      if (button?.dataset.of) ask?.(Number(button.dataset.of), button);
      else if (button) jump(Number(button.dataset.ply));
    });
  }

  get buttons() {
    return /** @type {HTMLElement[]} */ ([...this.list.querySelectorAll(".ply")]);
  }

  /** Draws the list; what is there already stays. @param {Seen} seen @param {number} shown @param {Entry[]} [history] the part that is listed */
  draw(seen, shown, history = seen.history) {
    const { buttons } = this;
    const isSame = buttons.length <= history.length && buttons.every((button, k) => button.dataset.text === history[k].text);
    if (!isSame) this.list.replaceChildren();
    for (const entry of history.slice(isSame ? buttons.length : 0)) this.add(entry, seen);
    for (const button of this.buttons) {
      if (Number(button.dataset.ply) === shown) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    if (shown !== this.shownPly) this.reveal(shown);
    this.shownPly = shown;
  }

  /** @param {Entry} entry @param {Seen} seen */
  add(entry, seen) {
    const { ply, text, sentence } = entry, players = seen.players.length;
    const button = html("button", { type: "button", class: "ply", "data-ply": `${ply}`, "data-text": text, title: sentence ? `${text}: ${sentence}` : text }, ...label(entry, seen));
    const open = (entry.provenance ?? []).filter((answer) => answer.source !== "certain");
    const pill = open.length ? markOf(sentence, open.reduce((all, answer) => all * answer.probability, 1)) : "";
    if ((ply - 1) % players === 0 || !this.list.lastElementChild) this.list.append(html("li", { value: `${Math.floor((ply - 1) / players) + 1}` }));
    const place = this.list.lastElementChild;
    if (pill && this.ask) place?.append(html("span", { class: "half" }, button, html("button", { type: "button", class: "mark", "data-of": `${ply}`, "aria-haspopup": "menu", "aria-expanded": "false" }, pill)));
    else {
      button.append(pill);
      place?.append(button);
    }
  }

  /** Scrolls the list, and nothing else, to a move. @param {number} ply */
  reveal(ply) {
    const button = /** @type {HTMLElement|null} */ (this.list.querySelector(`[data-ply="${ply}"]`));
    this.list.scrollTop = button ? button.offsetTop - this.list.clientHeight / 2 : 0;
    if (button) this.list.scrollLeft = button.offsetLeft - this.list.clientWidth / 2;
  }
}

/** How a move was answered: a tick or a cross where it did what it says or not, and how likely that was. @param {string} sentence @param {number} chance */
export function markOf(sentence, chance) {
  const verdict = /\? (Yes|No), /.exec(sentence)?.[1].toLowerCase() ?? "", good = went(sentence);
  const [look, sign] = good === null ? ["", "• "] : good ? ["yes", "✓ "] : ["no", "✕ "];
  return html("span", { class: `res ${look}` }, html("span", { "aria-hidden": "true" }, sign), html("span", { class: "hidden" }, ` asked${verdict && `: ${verdict}`}, `), percent(chance));
}
