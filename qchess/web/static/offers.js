// What is on offer, with its answers.
import { act, capital } from "./seats.js";
import { html } from "./settings.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./table.js").State} State */

/** What is on offer, with its answers. @param {Table} table @param {HTMLElement} place */
export function drawOffers(table, place) {
  const state = table.state;
  if (!state) return;
  const { you, offers } = state;
  const lines = [];
  for (const [kind, words] of [["draw", "a draw"], ["takeback", "to take the last move back"]]) {
    const by = kind === "draw" ? offers?.draw : offers?.takeback;
    if (!by) continue;
    if (by === you) lines.push(html("p", {}, `You ${kind === "draw" ? "offer" : "ask"} ${words}.`));
    else {
      lines.push(html("p", {}, `${capital(by)} ${kind === "draw" ? "offers" : "asks"} ${words}. `, ...(you ? [act(table, `accept-${kind}`, "Accept", "main"), act(table, `decline-${kind}`, "Decline")] : [])));
    }
  }
  if (state.result && offers?.rematch?.length && !offers.next) lines.push(html("p", {}, `${offers.rematch.map(capital).join(" and ")} would like to play again.`));
  if (offers?.next) lines.push(html("p", {}, html("a", { href: nextAddress(state, offers.next) }, "The next game is here.")));
  else if (state.you && state.result) lines.push(html("p", {}, act(table, "rematch", "Play again", "main")));
  place.replaceChildren(...lines);
}

/** Where the next game is. @param {State} state @param {string} next */
export function nextAddress(state, next) {
  return state.you ? `/play/${encodeURIComponent(next)}${window.location.hash}` : `/watch/${encodeURIComponent(next)}`;
}
