// Who sits where: names, clocks, offers, what a player may do beside moving, and the links to share.
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
    const who = seat?.who === "human" ? seat.name || (player === state.you ? "you" : "a player") : seat?.who ?? "";
    const told = seat?.who === "human" && !seat.present && player !== state.you ? " (away)" : "";
    const node = html("div", { class: isTurn ? "seat turn" : "seat" },
      html("span", { class: `dot ${SIDE_CLASSES[state.players.indexOf(player)] ?? ""} ${player === "red" ? "red" : ""}`, "aria-hidden": "true" }),
      html("span", { class: "who" }, html("b", {}, capital(player)), ` ${who}${told}`));
    if (isTurn) node.append(html("span", { class: "pill" }, state.pending ? "waits for an answer" : player === state.you ? "your move" : table.thinking === player ? "thinking …" : "to move"));
    if (seconds !== null) node.append(html("span", { class: seconds < 20 ? "clock short" : "clock", role: "timer", "aria-label": `clock of ${player}` }, timeText(seconds)));
    return node;
  }));
}

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
  place.replaceChildren(...lines);
}

/** @param {State} state @param {string} next */
function nextAddress(state, next) {
  return state.you ? `/play/${encodeURIComponent(next)}${window.location.hash}` : `/watch/${encodeURIComponent(next)}`;
}

/** What a player may do beside moving. @param {Table} table @param {HTMLElement} place */
export function drawActs(table, place) {
  const state = table.state;
  if (!state) return;
  const acts = [];
  if (state.you && !state.result) {
    if (state.takebacks && state.history.length) acts.push(act(table, "ask-takeback", "Take back"));
    acts.push(act(table, "offer-draw", "Offer a draw"), surely(table, "resign", "Resign"));
  } else if (state.you) acts.push(act(table, "rematch", "Play again", "main"));
  place.replaceChildren(...acts);
}

/** @param {Table} table @param {string} what @param {string} words @param {string} [kind] */
function act(table, what, words, kind = "") {
  const button = html("button", { type: "button", class: kind, "data-act": what }, words);
  button.addEventListener("click", () => table.act(what));
  return button;
}

/** A button that asks once more. @param {Table} table @param {string} what @param {string} words */
function surely(table, what, words) {
  const button = html("button", { type: "button", "data-act": what }, words);
  let isAsked = false;
  button.addEventListener("click", () => {
    if (isAsked) table.act(what);
    isAsked = true;
    button.textContent = `${words}: sure?`;
    setTimeout(() => {
      isAsked = false;
      button.textContent = words;
    }, 4000);
  });
  return button;
}

/** Links for those who are not here yet. @param {HTMLElement} place @param {Record<string, string>} links */
export function drawInvite(place, links) {
  place.hidden = !Object.keys(links).length;
  place.replaceChildren(html("h2", {}, "Send this link"), ...Object.entries(links).map(([words, address]) => {
    const field = /** @type {HTMLInputElement} */ (html("input", { readonly: "", value: address, "aria-label": words }));
    const copy = html("button", { type: "button" }, "Copy");
    field.addEventListener("focus", () => field.select());
    copy.addEventListener("click", async () => {
      await navigator.clipboard?.writeText(address);
      copy.textContent = "Copied";
    });
    return html("p", { class: "row" }, html("span", {}, words), field, copy);
  }));
}
