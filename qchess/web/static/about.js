// The menu in the head of a table: what is played, its record, and all keys.
import { html, keepSetting, setting } from "./settings.js";

const KEYS = [
  ["arrows, Enter", "go over the board, pick a square"], ["Esc", "take a pick back"], ["1 2 3", "move, split, merge"], [", .", "one move back, on"],
  ["f", "turn the board"], ["l", "all links"], ["p", "phases"], ["m", "sounds"], ["d", "dark or light"], ["/", "type a move"], ["?", "this list"],
];

const PACES = [["slow", "slow, 3 s"], ["normal", "normal, 2 s"], ["quick", "quick, 1 s"], ["none", "no wait"]];

/** How long the page shows an answer before it goes on, and whether a move that asks shows its question first. */
function choices() {
  const pace = /** @type {HTMLSelectElement} */ (html("select", { id: "answers" }, ...PACES.map(([value, words]) => html("option", { value }, words))));
  const asks = /** @type {HTMLInputElement} */ (html("input", { type: "checkbox", id: "asks-first" }));
  const warns = /** @type {HTMLInputElement} */ (html("input", { type: "checkbox", id: "danger" }));
  warns.checked = setting("danger", "yes") === "yes";
  warns.addEventListener("change", () => keepSetting("danger", warns.checked ? "yes" : "no"));
  pace.value = setting("answers", "normal");
  asks.checked = setting("asks-first", "yes") === "yes";
  pace.addEventListener("change", () => keepSetting("answers", pace.value));
  asks.addEventListener("change", () => keepSetting("asks-first", asks.checked ? "yes" : "no"));
  return [html("p", { class: "row" }, html("label", { for: "answers" }, "Answers"), pace), html("p", {}, html("label", { for: "asks-first" }, asks, " Ask before a move that asks")), html("p", {}, html("label", { for: "danger" }, warns, " Warn where my king can be taken next"))];
}

export class Menu {
  /** @param {HTMLElement} button @param {HTMLElement} place */
  constructor(button, place) {
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
    this.place.replaceChildren(
      html("h2", {}, "This game"),
      html("p", {}, `${state.title}${options ? ` (${options})` : ""}. Questions are answered by ${state.backend}.`),
      html("p", {}, "The record: ", link("json", "JSON"), ", ", link("txt", "text"), ", ", link("svg", "picture"), ", ", link("moving.svg", "animated picture"), ", ", link("html", "web page"), ". ", html("a", { href: `/watch/${id}` }, "The link for spectators"), "."),
      html("h2", {}, "Measuring"), ...choices(),
      html("h2", {}, "Keys"),
      html("dl", {}, ...KEYS.flatMap(([keys, words]) => [html("dt", {}, html("kbd", {}, keys)), html("dd", {}, words)])),
    );
  }
}
