// The Odds tab: for each register, what may be where, the likeliest first.
import { Asker } from "./circuit.js";
import { html } from "./settings.js";
import { manName, percent } from "./wording.js";

/** @typedef {import("./wording.js").View} View */
/** @typedef {{probability: number, words: string}} Story */
/** @typedef {{qubits: string[], squares: string[], size: number, branches: {full: string[], probability: number}[]}} Register */

/** How many stories of a register are shown, and how many registers are asked about. */
const SHOWN = 8, MOST = 12;
const NEARLY = 1e-9;

export class Odds {
  /** @param {HTMLElement} place @param {any} table */
  constructor(place, table) {
    this.place = place;
    this.table = table;
    this.asker = new Asker((message) => table.send(message));
    this.drawn = "";
    table.addEventListener("message", (/** @type {CustomEvent} */ event) => this.asker.take(event.detail));
  }

  /** Shows the registers of a position; what is shown already stays. @param {View} view @param {string|null} you */
  async draw(view, you) {
    const groups = (view.groups ?? []).slice(0, MOST);
    const ply = this.table.shown;
    const written = JSON.stringify([ply, view.men, you]);
    if (this.drawn === written) return;
    this.drawn = written;
    if (!groups.length) {
      this.place.replaceChildren(html("p", { class: "quiet" }, "Every piece is on one square. When one may be elsewhere, its odds are listed here."));
      return;
    }
    const blocks = groups.map((group, k) => this.block(view, group, view.registers?.[k] ?? k, you));
    this.place.replaceChildren(...blocks.map(({ node }) => node));
    for (const [k, { stories }] of blocks.entries()) {
      try {
        const register = await this.asker.ask({ kind: "register", ply, square: groups[k][0] });
        if (this.drawn !== written) return;
        stories.replaceChildren(...drawStories(view, groups[k], register));
      } catch (error) {
        stories.replaceChildren(html("p", { class: "quiet" }, /** @type {Error} */ (error).message));
      }
    }
    const more = (view.groups ?? []).length - groups.length;
    if (more > 0) this.place.append(html("p", { class: "quiet" }, `and ${more} more`));
  }

  /** @param {View} view @param {string[]} group @param {number} number @param {string|null} you */
  block(view, group, number, you) {
    const stories = html("div", { class: "stories" }, html("p", { class: "quiet" }, "Looking up …"));
    const node = html("section", { class: "reg", "data-register": String(number % 6), "data-shape": String((Math.floor(number / 6) + number) % 6) },
      html("h3", {}, html("span", { class: "sign", "aria-hidden": "true" }), subject(view, group, you)), stories);
    return { node, stories };
  }
}

/** What a register is: "Your knight and your f-pawn". @param {View} view @param {string[]} group @param {string|null} you */
export function subject(view, group, you) {
  /** @type {Map<string, {whose: string, noun: string, squares: string[], sum: number}>} */
  const kinds = new Map();
  for (const square of group) {
    for (const man of view.men[square] ?? []) {
      if (man.probability > 1 - NEARLY) continue;
      const player = view.players[man.player] ?? "";
      const key = `${man.player} ${man.symbol}`;
      const noun = manName(view, man).replace(`${player} `, "");
      const kind = kinds.get(key) ?? { whose: player === you ? "your" : `${player.charAt(0).toUpperCase()}${player.slice(1)}’s`, noun, squares: [], sum: 0 };
      kind.squares.push(square);
      kind.sum += man.probability;
      kinds.set(key, kind);
    }
  }
  const told = [...kinds.values()].map(({ whose, noun, squares, sum }) => {
    const files = new Set(squares.map((square) => square[0]));
    const many = Math.round(sum) > 1;
    return `${whose} ${noun === "pawn" && files.size === 1 ? `${[...files][0]}-pawn` : many ? (noun === "man" ? "men" : `${noun}s`) : noun}`;
  });
  const text = told.length > 1 ? `${told.slice(0, -1).join(", ")} and ${told[told.length - 1]}` : told[0] ?? group.join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The stories of a register, the likeliest first. @param {View} view @param {string[]} group @param {Register} register @returns {{stories: Story[], more: number}} */
export function storiesOf(view, group, register) {
  const isPlain = new Set(register.squares).size === register.squares.length && group.every((square) => (view.men[square] ?? []).length <= 1);
  if (!isPlain) return { stories: singly(view, group), more: 0 };
  const names = new Map(register.qubits.map((qubit, k) => [qubit, register.squares[k]]));
  /** @type {Map<string, number>} */
  const found = new Map();
  for (const { full, probability } of register.branches) {
    const squares = full.map((qubit) => names.get(qubit) ?? qubit).filter((square) => view.men[square]?.length).sort((a, b) => group.indexOf(a) - group.indexOf(b));
    const words = squares.map((square) => `${manName(view, view.men[square][0]).split(" ").pop()} ${square}`).join(" and ") || "on none of these squares";
    found.set(words, (found.get(words) ?? 0) + probability);
  }
  const stories = [...found].map(([words, probability]) => ({ words, probability })).sort((a, b) => b.probability - a.probability);
  return { stories: stories.slice(0, SHOWN), more: Math.max(0, stories.length - SHOWN) + Math.max(0, register.size - register.branches.length) };
}

/** Each man by himself, where a square has several kinds or several qubits. @param {View} view @param {string[]} group @returns {Story[]} */
function singly(view, group) {
  const men = group.flatMap((square) => (view.men[square] ?? []).map((man) => ({ words: `${manName(view, man).split(" ").pop()} ${square}`, probability: man.probability })));
  return men.filter(({ probability }) => probability < 1 - NEARLY).sort((a, b) => b.probability - a.probability).slice(0, 3 * SHOWN);
}

/** @param {View} view @param {string[]} group @param {Register} register */
function drawStories(view, group, register) {
  const { stories, more } = storiesOf(view, group, register);
  const bars = stories.map(({ words, probability }) => html("div", { class: "story" },
    html("progress", { max: "1", value: String(probability), "aria-hidden": "true" }), html("span", {}, words), html("strong", {}, percent(probability, 1))));
  return more ? [...bars, html("p", { class: "quiet" }, `and ${more} more`)] : bars;
}
