// Who sits where: names, clocks, and what a player may do beside moving.
import { shape } from "./pieces.js";
import { html } from "./settings.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./table.js").State} State */

const SIDE_CLASSES = ["first", "second", "third", "fourth"];

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A time as people read it: 4:05, 0:09.5. @param {number} seconds */
export function timeText(seconds) {
  const whole = Math.floor(seconds), minutes = Math.floor(whole / 60), rest = String(whole % 60).padStart(2, "0");
  return seconds < 10 ? `${minutes}:${rest}.${Math.floor((seconds % 1) * 10)}` : `${minutes}:${rest}`;
}

/** The strips above and below the board. @param {Table} table @param {HTMLElement} strip @param {string[]} players */
export function drawStrip(table, strip, players) {
  const state = table.state;
  if (!state) return;
  strip.replaceChildren(...players.map((player) => {
    const seat = state.seats[player];
    const seconds = table.secondsOf(player);
    const isTurn = state.player === player && !state.result;
    const isHuman = seat?.who === "human";
    const who = player === state.you ? "You" : isHuman ? seat.name || "A player" : seat?.who ? "Computer" : "";
    const level = isHuman || !seat?.who ? "" : `${seat.name || seat.who}, `;
    const told = isHuman && !seat.present && player !== state.you ? "away" : !isTurn ? "" : state.pending ? "waits for an answer" : table.thinking === player ? "thinking …" : seconds === null ? (player === state.you ? "your move" : "to move") : "";
    const node = html("div", { class: isTurn ? "seat turn" : "seat" },
      html("span", { class: "ava", "aria-hidden": "true" }, html("span", { class: `dot ${SIDE_CLASSES[state.players.indexOf(player)] ?? ""} ${player === "red" ? "red" : ""}` })),
      html("span", { class: "who" }, html("b", {}, who), " ", html("span", { class: "tag" }, `${level}${capital(player)}`)),
      html("span", { class: "taken" }, table.taken(state.players.indexOf(player))));
    if (told) node.append(html("span", { class: "tag now" }, told));
    if (seconds !== null) node.append(html("span", { class: seconds < 20 ? "clock short" : "clock", role: "timer", "aria-label": `clock of ${player}` }, timeText(seconds)));
    return node;
  }));
}

/** What a player may do beside moving. @param {Table} table @param {HTMLElement} place */
export function drawActs(table, place) {
  const state = table.state;
  if (!state) return;
  const acts = [];
  if (state.you && !state.result) {
    if (state.takebacks && state.history.length) acts.push(act(table, "ask-takeback", "Take back", "icon", icon("M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3")));
    acts.push(act(table, "offer-draw", "Offer a draw", "icon", icon("M6 5v6M4.5 6L6 5M18 4L6 20M14 15a2 2 0 0 1 4 0c0 1.5-4 4-4 4h4")), surely(table, "resign", "Resign", icon("M6 21V4M6 4.5c4-2 7 2 12 0v9c-5 2-8-2-12 0")));
  }
  if (drawnActs.get(place) === acts.map((node) => node.dataset.act).join(" ")) return;
  drawnActs.set(place, acts.map((node) => node.dataset.act).join(" "));
  place.replaceChildren(...acts);
}

/** The acts that stand in a place: a question "Resign?" stays while the clocks run. @type {WeakMap<HTMLElement, string>} */
const drawnActs = new WeakMap();

/** @param {string} path */
function icon(path) {
  return shape("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, shape("path", { d: path }));
}

/** @param {Table} table @param {string} what @param {string} words @param {string} [kind] @param {SVGElement} [picture] */
export function act(table, what, words, kind = "", picture) {
  const button = html("button", { type: "button", class: kind, "data-act": what }, picture ?? words);
  if (picture) {
    button.setAttribute("aria-label", words);
    button.title = words;
  }
  button.addEventListener("click", () => table.act(what));
  return button;
}

/** A button that asks in its place. @param {Table} table @param {string} what @param {string} words @param {SVGElement} picture */
function surely(table, what, words, picture) {
  const button = html("button", { type: "button", class: "icon", "data-act": what, "aria-label": words, title: words }, picture);
  // the question stays until it is answered, or something else is pressed
  const ask = (/** @type {boolean} */ isAsked) => {
    button.classList.toggle("asks", isAsked);
    button.ariaLabel = isAsked ? `${words}?` : words;
    button.replaceChildren(isAsked ? `${words}?` : picture);
  };
  button.addEventListener("click", () => (button.matches(".asks") ? table.act(what) : ask(true)));
  button.addEventListener("blur", () => ask(false));
  document.addEventListener("pointerdown", ({ target }) => button.contains(/** @type {Node} */ (target)) || ask(false));
  return button;
}
