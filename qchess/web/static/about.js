// The menu in the head of a table: what is played, its record, and all keys.
import { sealing } from "./sealing.js";
import { drawActs } from "./seats.js";
import { html, keepSetting, setting } from "./settings.js";

const KEYS = [
  ["arrows, Enter", "go over the board, pick a square"], ["Esc", "take a pick back"], ["1 2 3", "move, split, merge"], [", .", "one move back, on"],
  ["f", "turn the board"], ["l", "all links"], ["p", "phases"], ["m", "sounds"], ["d", "dark or light"], ["/", "type a move"], ["?", "this list"],
];

const PACES = [["slow", "slow, 3 s"], ["normal", "normal, 2 s"], ["quick", "quick, 1 s"], ["none", "no wait"]];

const BOARDS = [["slate", "slate"], ["wood", "wood"], ["green", "green"]];

/** A choice that is kept: a list. @param {string} id @param {string} words @param {string[][]} values @param {() => void} [done] */
function list(id, words, values, done) {
  const field = /** @type {HTMLSelectElement} */ (html("select", { id }, ...values.map(([value, told]) => html("option", { value }, told))));
  field.value = setting(id, values[id === "answers" ? 1 : 0][0]);
  field.addEventListener("change", () => {
    keepSetting(id, field.value);
    done?.();
  });
  return html("p", { class: "row" }, html("label", { for: id }, words), field);
}

/** A choice that is kept: yes or no. @param {string} id @param {string} words @param {string} first */
function tick(id, words, first) {
  const field = /** @type {HTMLInputElement} */ (html("input", { type: "checkbox", id }));
  field.checked = setting(id, first) === "yes";
  field.addEventListener("change", () => keepSetting(id, field.checked ? "yes" : "no"));
  return html("p", {}, html("label", { for: id }, field, ` ${words}`));
}

/** The colours of the squares, from now on. */
export function recolour() {
  document.documentElement.dataset.squares = setting("squares", "");
  if (!document.querySelector("link[href$='boards.css']")) document.head.append(html("link", { rel: "stylesheet", href: "/static/boards.css" }));
}

/** How long an answer is shown, what is asked before a move, and the colours of the squares. */
function choices() {
  return [
    list("answers", "Answers", PACES), tick("asks-first", "Ask before a move that asks", "yes"), tick("confirm", "Confirm each move", "no"),
    tick("danger", "Warn where my king can be taken next", "yes"), list("squares", "Squares", BOARDS, recolour),
  ];
}

export class Menu {
  /** @param {HTMLElement} button @param {HTMLElement} place @param {import("./table.js").Table} table */
  constructor(button, place, table) {
    this.table = table;
    this.button = button;
    this.place = place;
    document.addEventListener("pointerdown", (event) => !event.composedPath().some((node) => node === button || node === place) && this.show(false));
  }

  /** @param {boolean} [isOpen] */
  show(isOpen = this.place.hidden !== false) {
    this.place.hidden = !isOpen;
    this.button.setAttribute("aria-expanded", String(isOpen));
  }

  /** @param {import("./table.js").State} state */
  draw(state) {
    const options = Object.entries(state.rules.options).map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(", ");
    const id = encodeURIComponent(state.game);
    const link = (/** @type {string} */ kind, /** @type {string} */ words) => html("a", { href: `/api/tables/${id}/record.${kind}`, download: `${state.game}.${kind}` }, words);
    const isPhone = matchMedia("(max-width: 559px) and (pointer: coarse)").matches, acts = html("div", { class: "acts" });
    drawActs(this.table, acts);
    this.place.replaceChildren(
      html("h2", {}, "This game"),
      html("p", {}, `${state.title}${options ? ` (${options})` : ""}. ${state.backend === "sparse" ? "This computer answers the questions, exactly" : `Questions are answered by ${state.backend}`}.`),
      ...sealing(this.table),
      html("p", {}, "The record: ", link("json", "a file to go on with"), ", ", link("txt", "text"), ", ", link("svg", "picture"), ", ", link("moving.svg", "animated picture"), ", ", link("html", "web page"), ". ", html("a", { href: `/watch/${id}` }, "The link for spectators"), "."),
      ...(isPhone ? [acts] : []),
      html("h2", {}, "Settings"), ...choices(),
      ...(isPhone ? [] : [html("h2", {}, "Keys"), html("dl", {}, ...KEYS.flatMap(([keys, words]) => [html("dt", {}, html("kbd", {}, keys)), html("dd", {}, words)]))]),
    );
  }
}
