// Which squares belong to a square, and how: "and" where both are taken or neither, "or" where one is instead of the other.
import { registerLook } from "./colours.js";
import { shape } from "./pieces.js";

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

/** All links as curves, on request only: whole lines for "and", dashed ones for "or". @param {View} view @param {(square: string) => {x: number, y: number}} centre */
export function curves(view, centre) {
  return (view.links ?? []).flatMap(([a, b, strength, sign]) => {
    const start = centre(a), end = centre(b);
    const middle = { x: (start.x + end.x) / 2 - 0.14 * (end.y - start.y), y: (start.y + end.y) / 2 + 0.14 * (end.x - start.x) };
    const from = towards(start, middle, 36), to = towards(end, middle, 36);
    const d = `M${from.x.toFixed(0)} ${from.y.toFixed(0)}Q${middle.x.toFixed(0)} ${middle.y.toFixed(0)} ${to.x.toFixed(0)} ${to.y.toFixed(0)}`;
    const kind = sign === "together" ? "together" : sign === "either-or" ? "either" : "linked";
    const opacity = (0.45 + 0.55 * Math.min(1, Math.max(0, Number(strength)))).toFixed(2);
    return [shape("path", { d, class: "link under" }), shape("path", { d, class: `link ${kind}`, stroke: registerLook(registerOf(view, a)).colour, "stroke-opacity": opacity })];
  });
}

/** @param {{x: number, y: number}} start @param {{x: number, y: number}} end @param {number} way */
export function towards(start, end, way) {
  const far = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  return { x: start.x + (way * (end.x - start.x)) / far, y: start.y + (way * (end.y - start.y)) / far };
}
