// How the questions of a move were answered: by which source, with what odds, and what a device told of itself.
import { html } from "./settings.js";
import { percent } from "./wording.js";

/** @typedef {import("./table.js").Entry} Entry */

/** Details that are shown first, with their words; the rest follows under its own name. */
const WORDS = new Map([
  ["backend", "device"], ["strategy", "strategy"], ["odds", "exact odds"], ["observed", "observed"], ["asked", "shots requested"], ["returned", "shots returned"], ["kept", "shots kept"],
  ["dropped", "shots dropped"], ["qubits", "qubits"], ["depth", "depth"], ["two_qubit_gates", "two-qubit gates"], ["expected_fidelity", "expected fidelity"], ["seconds", "seconds"], ["made", "made"], ["seed", "seed"],
]);

/** Shows the answers of a move that had open questions; hides the place otherwise. @param {HTMLElement} place @param {Entry|undefined} entry */
export function drawProvenance(place, entry) {
  const open = (entry?.provenance ?? []).filter((answer) => answer.source !== "certain");
  place.hidden = !open.length;
  place.querySelector(".body")?.replaceChildren(...open.map((answer) => html("dl", {},
    ...line("answer", `${answer.name} = ${answer.value}`), ...line("probability", percent(answer.probability, 1)), ...line("source", answer.source),
    ...sorted(answer.details ?? {}).flatMap(([name, value]) => line(WORDS.get(name) ?? name.replaceAll("_", " "), told(value))))));
}

/** @param {string} name @param {string} value */
function line(name, value) {
  return [html("dt", {}, name), html("dd", {}, value)];
}

/** @param {Record<string, any>} details @returns {[string, any][]} */
function sorted(details) {
  const order = [...WORDS.keys()];
  const place = (/** @type {string} */ name) => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.entries(details).filter(([, value]) => value !== null && value !== "").sort(([a], [b]) => place(a) - place(b));
}

/** A value in one short line. @param {any} value */
function told(value) {
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : value.toPrecision(4);
  if (typeof value !== "object") return String(value);
  const text = Array.isArray(value) ? JSON.stringify(value) : Object.entries(value).map(([name, each]) => `${name}: ${typeof each === "number" && !Number.isInteger(each) ? each.toPrecision(3) : JSON.stringify(each)}`).join(", ");
  return text.length > 160 ? `${text.slice(0, 157)} …` : text;
}
