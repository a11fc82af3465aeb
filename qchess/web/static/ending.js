// The end of a game: who won and how, the luckiest moment, and what can be done next. All of it is read from the record.
import { ask } from "./askserver.js";
import { wasOpen, wordsOf } from "./moment.js";
import { nextAddress } from "./offers.js";
import { capital } from "./seats.js";
import { html, setting } from "./settings.js";
import { reach, shareButton } from "./sharing.js";
import { moveWords, percent } from "./wording.js";

/** @typedef {import("./table.js").State} State */
/** @typedef {import("./table.js").Entry} Entry */
/** @typedef {{ply: number, words: string, fact: string, chance: number, whose: string}} Luck */

/** By reason: what the winner reads, the loser, and others; W and L are the sides. @type {Record<string, [string, string, string]>} */
const WON = {
  king_captured: ["You took the king", "Your king was taken", "W took the king"],
  checkmate: ["You gave checkmate", "You are checkmated", "W gave checkmate"],
  suicide: ["L left the king open", "You left your king open", "L left the king open"],
  stalemate: ["L cannot move", "You cannot move", "L cannot move"],
  "perpetual check": ["L gave check without end", "You gave check without end", "L gave check without end"],
  "king in check": ["L left the king in check", "You left your king in check", "L left the king in check"],
  "last king lost": ["L has no king left", "You have no king left", "L has no king left"],
  row: ["You made a row", "W made a row", "W made a row"],
  "older row, 1 to 1/2": ["Your row is the older one", "The row of W is the older one", "The row of W is the older one"],
  resignation: ["L resigned", "You resigned", "L resigned"],
  time: ["L ran out of time", "You ran out of time", "L ran out of time"],
  "no move in time": ["L gave no move in time", "You gave no move in time", "L gave no move in time"],
};
/** @type {Record<string, string>} */
const DRAWN = {
  annihilation: "Both kings are gone", agreement: "Agreed by both", repetition: "The same position again", "threefold repetition": "The same position three times",
  fifty_moves: "Fifty moves without a capture", "fifty moves": "Fifty moves without a capture", stalemate: "No legal move is left", "no legal move": "No legal move is left",
  max_ply: "The longest game allowed", "dead position": "Only the kings are left", "no row": "Nobody made a row", "both lost": "Both kings are lost",
};
/** Ends that no move makes. */
const APART = ["resignation", "time", "no move in time"];
/** A moment is lucky below this chance. */
const LUCKY = 0.6;

/** How a game ended, for whoever looks. @param {State} state */
export function ending(state) {
  const { result, you, players, history } = state;
  if (!result) throw new Error("the game goes on");
  const { winner, reason } = result;
  const own = history.filter(({ by }) => !winner || by === winner).length, count = winner ? own : Math.ceil(history.length / players.length);
  const moves = `${count} ${count === 1 ? "move" : "moves"}`;
  if (!winner) return { head: "A draw", title: DRAWN[reason] ?? capital(reason), story: `After ${moves}.`, luck: luckOf(state, you) };
  const loser = players.find((player) => player !== winner) ?? "";
  const [, side = "", lacks = ""] = /^(\w+) (has no .*)$/.exec(reason) ?? [];
  const forms = WON[reason] ?? (side ? [capital(reason), `You ${lacks.replace("has", "have")}`, capital(reason)] : [reason, reason, reason].map(capital));
  const title = forms[winner === you ? 0 : you ? 1 : 2].replace(/\bW\b/, capital(winner)).replace(/\bL\b/, capital(loser));
  return { head: `${capital(winner)} wins`, title, story: `In ${moves}${half(state)}.`, luck: luckOf(state, you ?? winner) };
}

/** The man of the last move, if he was there by chance. @param {State} state */
function half({ history, result }) {
  const last = history.at(-1);
  if (!last || !result || last.by !== result.winner || APART.includes(result.reason)) return "";
  const { question, verdict, chance } = wordsOf(/** @type {any} */ (last));
  const [, man = ""] = /^Is the (\S+) on [a-z]\d+\?$/.exec(question) ?? [];
  if (!man || verdict !== "Yes" || chance > 1 - 1e-9) return "";
  const share = percent(chance) === "50%" ? "that was only half there" : `that was there with ${percent(chance)}`;
  return `, with ${/^[aeiou]/.test(man) ? "an" : "a"} ${man} ${share}`;
}

/** The smallest chance that went the way of a side: its own move that went, another's that did not. @param {State} state @param {string|null} side @returns {Luck|null} */
export function luckOf({ history, players, you }, side) {
  const found = side ? history.flatMap((entry) => {
    if (!(entry.provenance ?? []).some(wasOpen)) return [];
    const { good, fact, chance } = wordsOf(/** @type {any} */ (entry));
    if (good !== (entry.by === side) || chance >= LUCKY) return [];
    const number = Math.ceil(entry.ply / players.length);
    return [{ ply: entry.ply, words: `${number}. ${moveWords(entry.text)}`, fact, chance, whose: side === you ? "Your luckiest moment" : `The luckiest moment of ${capital(side)}` }];
  }) : [];
  return found.sort((a, b) => a.chance - b.chance)[0] ?? null;
}

/** The next lesson of a game that was not finished in this browser. @param {string} game */
async function puzzle(game) {
  const { courses } = await ask("/api/lessons");
  const course = courses.find((/** @type {any} */ each) => each.game === game) ?? courses[0];
  const done = setting(`lessons-${course.game}`, "").split(" ");
  const next = course.lessons.find((/** @type {any} */ lesson) => !done.includes(lesson.name)) ?? course.lessons[0];
  return `/learn/${course.game}#${next.name}`;
}

/** Shows the end, as soon as the last answer was seen. @param {import("./later.js").Later} later */
export async function showEnding(later) {
  const { table, board, moment } = later;
  await Promise.all([later.look(), moment && !moment.isOver ? new Promise((seen) => table.addEventListener("seen", seen, { once: true })) : null]);
  const { state } = table;
  if (!state?.result) return;
  const { head, title, story, luck } = ending(state);
  const id = encodeURIComponent(state.game), again = html("div", { class: "again" }), acts = html("div", { class: "acts2" });
  const close = html("button", { type: "button", class: "icon close", "aria-label": "Close", title: "Close (Esc)" }, "✕");
  const card = html("section", { id: "ending", class: "ending", role: "dialog", "aria-labelledby": "endtitle" },
    html("div", { class: "inner" }, close, html("p", { class: "head" }, head), html("h2", { id: "endtitle" }, title), html("p", { class: "how" }, story),
      ...(luck ? [lucky(later, luck)] : []), again, acts));
  const listens = new AbortController(), { signal } = listens;
  const shut = () => {
    listens.abort();
    card.remove();
    board.focusBoard();
  };
  close.addEventListener("click", shut);
  card.addEventListener("click", (event) => event.target === card && shut());
  document.addEventListener("keydown", (event) => event.key === "Escape" && shut(), { signal });
  const draw = () => drawAgain(again, table);
  table.addEventListener("message", (event) => /** @type {CustomEvent} */ (event).detail.kind === "offer" && draw(), { signal });
  draw();
  acts.append(html("a", { class: "button", href: `/study#table=${id}` }, "Analyse"));
  document.getElementById("ending")?.remove();
  board.parentElement?.append(card);
  /** @type {HTMLElement|null} */ (card.querySelector(".again *") ?? card.querySelector(".acts2 *"))?.focus();
  const [{ origin }, lesson] = await Promise.all([reach(), puzzle(state.rules.name).catch(() => "")]);
  acts.append(shareButton(`${origin}/watch/${id}`, `${head}: ${title}. ${story}`, "Share", "this game"));
  if (lesson) acts.append(html("a", { class: "button", href: lesson }, "A puzzle"));
}

/** @param {import("./later.js").Later} later @param {Luck} luck */
function lucky({ table, board }, luck) {
  const small = html("qc-board", { inert: "", "aria-hidden": "true" });
  const show = (/** @type {any} */ view) => Object.assign(small, { plain: true, below: board.below, view });
  if (table.state?.ply === luck.ply) show(table.state.view);
  else {
    table.addEventListener("message", function take(event) {
      const { kind, ply, view } = /** @type {CustomEvent} */ (event).detail;
      if (kind !== "position" || ply !== luck.ply) return;
      table.removeEventListener("message", take);
      show(view);
    });
    table.send({ kind: "look", ply: luck.ply });
  }
  return html("div", { class: "lucky" }, small, html("p", {}, html("small", {}, luck.whose), html("b", {}, luck.words), html("span", {}, `${luck.fact.replace(" is ", " was ")} The chance was ${percent(luck.chance)}.`)));
}

/** Play again: the question, the wait for the other side, or the way there. @param {HTMLElement} place @param {import("./table.js").Table} table */
function drawAgain(place, table) {
  const { state } = table;
  if (!state?.you) return;
  const hadFocus = place.contains(document.activeElement);
  const asked = state.offers?.rematch ?? [], next = state.offers?.next;
  const button = next ? html("a", { class: "button main", href: nextAddress(state, next) }, "To the next game") : html("button", { type: "button", class: "main" }, asked.includes(state.you) ? "Asked for a rematch …" : asked.length ? "Accept the rematch" : "Rematch");
  if (!next) button.addEventListener("click", () => table.act("rematch"));
  place.replaceChildren(button);
  if (hadFocus) button.focus();
}
