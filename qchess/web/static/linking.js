// Which squares belong to a square, and how: "and" where both are taken or neither, "or" where one is instead of the other.

/** @typedef {import("./wording.js").View} View */
/** @typedef {{square: string, word: string, strength: number}} Linked */

/** Of links that only make something likelier: how many are shown, and how strong they are at least. */
const MOST = 6, LEAST = 0.3;
const WHOLE = 1 - 1e-6;
const WORDS = { together: "and", "either-or": "or" };

/** The number that the register of a square keeps for life, or -1. @param {View} view @param {string} square */
export function registerOf(view, square) {
  const group = (view.groups ?? []).findIndex((each) => each.includes(square));
  return group < 0 ? -1 : view.registers?.[group] ?? group;
}

/** The squares that are linked with a square, each with how. @param {View} view @param {string} square */
export function linksOf(view, square) {
  return (view.links ?? []).filter((link) => link[0] === square || link[1] === square);
}

/**
 * The squares linked with a square, the strongest first; a question mark where a link is only likelier than by chance.
 * @param {View} view @param {string} square @returns {Linked[]}
 */
export function linkedWith(view, square) {
  const all = linksOf(view, square).map(([a, b, strength, sign]) => {
    const word = /** @type {Record<string, string>} */ (WORDS)[sign] ?? "";
    return { square: a === square ? b : a, strength: Number(strength), word: word && (strength >= WHOLE ? word : `${word}?`) };
  }).sort((a, b) => b.strength - a.strength || a.square.localeCompare(b.square));
  const vague = all.filter(({ strength }) => strength < WHOLE && strength >= LEAST).slice(0, MOST);
  return [...all.filter(({ strength }) => strength >= WHOLE), ...vague];
}
