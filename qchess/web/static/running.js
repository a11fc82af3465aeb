// Games that run: the visitor's own, which this browser remembers, and public ones to watch.
import { timeText } from "./seats.js";
import { addSheet, html, keepSetting, setting } from "./settings.js";

/** @typedef {{game: string, you: string, seat: string}} Own a table, and the seat there */
/** @typedef {{game: string, title: string, name: string, seats: Record<string, {who: string, name: string}>, ply: number}} Told */
/** @typedef {Told & {player: string, clocks: {remaining: Record<string, number>}|null, result: any, next: string|null}} Standing */

const KEPT = 12, ASKED = 6;

/** The tables that this browser has a seat at, the latest first. @returns {Own[]} */
export function ownGames() {
  try {
    const found = JSON.parse(setting("games", "[]"));
    return Array.isArray(found) ? found : [];
  } catch {
    return []; // somebody else wrote there
  }
}

/** @param {Own} own */
export function keepGame(own) {
  keepSetting("games", JSON.stringify([own, ...others(own.game)].slice(0, KEPT)));
}

/** @param {string} name */
function others(name) {
  return ownGames().filter(({ game }) => game !== name);
}

/** An own game that still runs, or its rematch; null where there is none. @param {Own} own @returns {Promise<{own: Own, told: Standing}|null>} */
async function standing(own) {
  const answer = await fetch(`/api/tables/${encodeURIComponent(own.game)}`);
  /** @type {Standing|null} */
  const told = answer.ok ? await answer.json() : null;
  if (told && !told.result) return { own, told };
  if (told || answer.status === 404) keepSetting("games", JSON.stringify(others(own.game)));
  if (!told?.next) return null;
  const players = Object.keys(told.seats); // with the same secret each player sits one seat further
  const again = { game: told.next, you: players[(players.indexOf(own.you) + 1) % players.length], seat: own.seat };
  keepGame(again);
  return standing(again);
}

/** @param {string} href @param {string} fact @param {string} more @param {string} act */
function row(href, fact, more, act) {
  return html("a", { class: "run", href }, html("img", { src: "/static/icon.svg", alt: "", width: "24", height: "24" }), html("b", {}, fact), html("span", {}, more), html("em", {}, act));
}

/** @param {{own: Own, told: Standing}} game */
function ownRow({ own, told }) {
  const isMine = told.player === own.you;
  const others = Object.entries(told.seats).filter(([player]) => player !== own.you).map(([, { who, name }]) => (who === "human" ? name || "a friend" : `the computer${name && ` (${name})`}`));
  const left = told.clocks?.remaining[own.you];
  const more = `${told.title} against ${others.join(" and ")}${left === undefined ? "" : `, ${timeText(left)} left`}`;
  return row(`/play/${encodeURIComponent(told.game)}#seat=${own.seat}`, isMine ? "Your move" : "Their move", more, "Go on");
}

/** Draws the running games, if there are any. @param {HTMLElement} place @param {HTMLElement} count how many are one's own @param {Told[]} live the public ones */
export async function drawRunning(place, count, live) {
  const [found] = await Promise.all([Promise.all(ownGames().slice(0, ASKED).map(standing)), addSheet("running")]);
  const own = found.flatMap((each) => each ?? []).sort((a, b) => Number(b.told.player === b.own.you) - Number(a.told.player === a.own.you));
  const public_ = live.filter(({ game }) => !own.some(({ told }) => told.game === game));
  const rows = [...own.map(ownRow), ...public_.map((told) => row(`/watch/${encodeURIComponent(told.game)}`, told.name || "Being played", `${told.title}, ${told.ply} ${told.ply === 1 ? "move" : "moves"}`, "Watch"))];
  const rest = html("div", { id: "alsorunning", hidden: "" }, ...rows.slice(1));
  const open = html("button", { type: "button", "aria-expanded": "false", "aria-controls": "alsorunning" }, `${rows.length - 1} more`);
  open.addEventListener("click", () => open.setAttribute("aria-expanded", String(!rest.toggleAttribute("hidden"))));
  place.hidden = !rows.length;
  place.replaceChildren(...rows.slice(0, 1), ...(rows.length > 1 ? [open, rest] : []));
  count.hidden = !own.length;
  (count.querySelector("b") ?? count).textContent = String(own.length);
}
