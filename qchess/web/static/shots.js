// What a device gave for the answers of a move: a line for each, which opens to how often which bits were read.
import { html } from "./settings.js";

/** @typedef {{names: string[], strings: [string, number][], others: number}} Circuit */
/** @typedef {{line: string, answer: string, circuits: Circuit[], note?: string}} Shots */

/** What stands in each place now: who reads it is left alone. @type {WeakMap<HTMLElement, string>} */
const drawn = new WeakMap();

/** Shows the shots of a move; hides the place where no device answered. @param {HTMLElement} place @param {{shots?: Shots[]}|undefined} entry */
export function drawShots(place, entry) {
  const shots = entry?.shots ?? [];
  const written = JSON.stringify(shots);
  if (drawn.get(place) === written) return;
  drawn.set(place, written);
  place.hidden = !shots.length;
  place.querySelector("summary")?.replaceChildren(...shots.map((one) => html("span", { class: "line" }, one.line)));
  place.querySelector(".body")?.replaceChildren(...shots.flatMap(read));
}

/** @param {Shots} one */
function read(one) {
  const tables = one.circuits.map((circuit) => table(one.answer, circuit));
  return one.note ? [...tables, html("p", {}, one.note)] : tables;
}

/** @param {string} answer @param {Circuit} circuit */
function table(answer, { names, strings, others }) {
  const row = (/** @type {HTMLElement[]} */ cells, /** @type {number} */ times) => html("tr", {}, ...cells, html("td", { class: "times" }, String(times)));
  const heads = [...names, "shots"].map((name) => html("th", { scope: "col" }, name));
  const rows = strings.map(([bits, times]) => row(names.map((_, k) => html("td", {}, bits[k] ?? "")), times));
  if (others) rows.push(row([html("th", { scope: "row", colspan: String(names.length) }, "other")], others));
  return html("table", {}, html("caption", {}, answer), html("thead", {}, html("tr", {}, ...heads)), html("tbody", {}, ...rows));
}
