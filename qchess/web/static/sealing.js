// The seal of a table's dice, and the words that players mix into them before the first answer.
import { html } from "./settings.js";

/** @typedef {import("./table.js").State & {nonces?: Record<string, string>}} State */

/** The seal, the words so far, and a field for one's own. @param {import("./table.js").Table} table */
export function sealing(table) {
  const state = /** @type {State} */ (table.state);
  if (!state.seal) return [];
  const after = state.result ? "The record has the seed; qchess verify compares them." : "When the game is over, the record has the seed, and anybody can work out every answer.";
  const words = html("p", { role: "status" }), form = field(table, words);
  const draw = () => {
    const now = /** @type {State} */ (table.state);
    const said = Object.entries(now.nonces ?? {}).map(([player, nonce]) => `${player} “${nonce}”`);
    words.textContent = said.length ? `Words in the dice: ${said.join(", ")}.` : "";
    form.hidden = !now.you || Boolean(now.result) || now.history.some(({ provenance }) => provenance?.some(({ source }) => source !== "certain"));
  };
  const listen = (/** @type {Event} */ event) => {
    if (!words.isConnected) return table.removeEventListener("message", listen);
    const { kind, of, why } = /** @type {CustomEvent} */ (event).detail;
    if (kind === "refused" && of === "nonce") words.textContent = why;
    else if (kind === "state" || kind === "moved") draw();
  };
  draw();
  queueMicrotask(() => table.addEventListener("message", listen));
  return [html("p", {}, "The seal of the dice: ", html("code", {}, state.seal), `. ${after}`), words, form];
}

/** @param {import("./table.js").Table} table @param {HTMLElement} words where it is said what became of them */
function field(table, words) {
  const text = /** @type {HTMLInputElement} */ (html("input", { id: "nonce", maxlength: "200", autocomplete: "off", required: "" }));
  const form = html("form", { class: "naming" }, html("label", { for: "nonce" }, "Your words for the dice, before the first answer"), html("p", { class: "row" }, text, html("button", {}, "Mix in")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!table.isOpen) words.textContent = "There is no connection now. Try again in a moment.";
    else table.send({ kind: "nonce", id: `nonce ${Date.now()}`, words: text.value.trim() });
  });
  return form;
}
