// The men that a player has taken, as figures: who is missing for certain since the first position.

/** @typedef {import("./wording.js").View} View */

const SURE = 1e-6;
/** The men as text, White's and Black's; never as a coloured picture. @type {Record<string, string[]>} */
const FIGURES = { Q: ["♕\ufe0e", "♛\ufe0e"], R: ["♖\ufe0e", "♜\ufe0e"], B: ["♗\ufe0e", "♝\ufe0e"], N: ["♘\ufe0e", "♞\ufe0e"], P: ["♙\ufe0e", "♟\ufe0e"] };

/** How many men of each letter a side has, uncertain ones in part. @param {View} view @param {number} side */
function countsOf(view, side) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const man of Object.values(view.men).flat()) {
    const letter = man.symbol.toUpperCase();
    if (man.player === side) counts.set(letter, (counts.get(letter) ?? 0) + man.probability);
  }
  return counts;
}

/** What a player has taken; a pawn that was promoted, or whose kind has changed, was not. @param {View} first @param {View} now @param {number} player as a number */
export function taken(first, now, player) {
  if ((first.drawings ?? "chess") !== "chess" || first.players.length !== 2) return "";
  const side = 1 - player;
  const before = countsOf(first, side), after = countsOf(now, side);
  const sum = (/** @type {Map<string, number>} */ counts) => [...counts.values()].reduce((a, b) => a + b, 0);
  const lost = new Map(Object.keys(FIGURES).map((letter) => [letter, Math.max(0, Math.floor((before.get(letter) ?? 0) - (after.get(letter) ?? 0) + SURE))]));
  const changed = Math.max(0, sum(lost) - Math.floor(sum(before) - sum(after) + SURE));
  lost.set("P", (lost.get("P") ?? 0) - changed);
  return [...lost.values()].some((count) => count < 0) ? "" : [...lost].map(([letter, count]) => FIGURES[letter][side].repeat(count)).join("");
}
