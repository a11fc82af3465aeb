// Words and numbers: odds, phases, and what a screen reader says of a square.
import { groupName } from "./colours.js";

/** @typedef {{colour: string, degrees: number}} Mark */
/** @typedef {{symbol: string, player: number, probability: number, phase?: number|null, mark?: Mark|null, name?: string}} Man */
/** @typedef {{start: string, end: string, kind?: string}} Arrow */
/**
 * @typedef {{width: number, height: number, players: string[], drawings?: string, grid?: string[][],
 *   men: Record<string, Man[]>, links?: any[][], groups?: string[][], marked?: string[], arrows?: Arrow[], notes?: string[]}} View
 */

const LETTERS = new Map([["1/2", "½"], ["1/4", "¼"], ["3/4", "¾"], ["1/8", "⅛"], ["3/8", "⅜"], ["5/8", "⅝"], ["7/8", "⅞"], ["1/3", "⅓"], ["2/3", "⅔"]]);
const CERTAIN = 1e-9;
const CHESS = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight", P: "pawn" };
const XIANGQI = { K: "king", R: "chariot", H: "horse", E: "elephant", A: "adviser", C: "cannon", P: "pawn" };
const DRAUGHTS = { M: "man", K: "king" };

/** A probability as short text: nothing for certain, else ½, 3/16 or .333; never 0 or 1 for what is open. @param {number} p */
export function oddsText(p) {
  if (p > 1 - CERTAIN) return "";
  for (const bottom of [2, 3, 4, 8, 16, 32, 64]) {
    const top = Math.round(p * bottom);
    if (top > 0 && top < bottom && Math.abs(top / bottom - p) < CERTAIN) {
      const text = `${top}/${bottom}`;
      return LETTERS.get(text) ?? text;
    }
  }
  if (p < 0.0005) return "<.001";
  return p > 0.9995 ? ">.999" : p.toFixed(3).replace(/^0/, "");
}

/**
 * A probability in percent, as `qchess.wording` has it; never 0% or 100% for what is open.
 * @param {number} p @param {number} decimals
 */
export function percent(p, decimals = 0) {
  if (p < CERTAIN) return "0%";
  if (p > 1 - CERTAIN) return "100%";
  const steps = 10 ** decimals, least = 1 / steps;
  if (100 * p < least - 100 * CERTAIN) return `<${least}%`;
  if (100 * p > 100 - least + 100 * CERTAIN) return `>${100 - least}%`;
  return `${Math.floor(100 * steps * p + 0.5 + CERTAIN) / steps}%`;
}

/** A phase in words. @param {number} phase in turns */
export function phaseWords(phase) {
  const turn = ((phase % 1) + 1) % 1;
  if (turn < 1e-6 || turn > 1 - 1e-6) return "phase 0";
  const shown = oddsText(turn);
  return `phase ${shown.startsWith(".") ? `0${shown}` : shown} of a turn`;
}

/** What a man is called. @param {View} view @param {Man} man */
export function manName(view, man) {
  if (man.name) return man.name;
  const table = view.drawings === "draughts" ? DRAUGHTS : view.drawings === "letters" ? XIANGQI : CHESS;
  const kind = /** @type {Record<string, string>} */ (table)[man.symbol.toUpperCase()] ?? man.symbol.toUpperCase();
  return `${view.players[man.player] ?? ""} ${kind}`.trim();
}

/** The number of the register that a square is in, or -1. @param {View} view @param {string} square */
export function groupOf(view, square) {
  return (view.groups ?? []).findIndex((group) => group.includes(square));
}

/** Whether registers need letters: there are several, or something uncertain is in none. @param {View} view */
export function isLettered(view) {
  const groups = view.groups ?? [];
  if (groups.length !== 1) return groups.length > 1;
  return Object.entries(view.men).some(([square, men]) => !groups[0].includes(square) && men.some((man) => man.probability < 1 - CERTAIN));
}

/** The other squares on which the piece of a square may be. @param {View} view @param {string} square */
export function otherParts(view, square) {
  const men = view.men[square] ?? [];
  if (men.length !== 1 || men[0].probability > 1 - CERTAIN) return [];
  const linked = (view.links ?? []).filter((link) => link.includes(square)).map(([a, b, strength, sign]) => ({ other: a === square ? b : a, strength, sign }));
  const kin = linked.filter(({ other, sign }) => {
    const there = view.men[other] ?? [];
    return sign !== "together" && there.some((man) => man.symbol === men[0].symbol && man.player === men[0].player);
  });
  return [...new Set(kin.map(({ other }) => other))].sort();
}

/** The squares that are linked with a square, each with how. @param {View} view @param {string} square */
export function linksOf(view, square) {
  return (view.links ?? []).filter((link) => link[0] === square || link[1] === square);
}

/**
 * A square as a screen reader says it: "c3, white knight, 50%, also on a3, linked with d5".
 * @param {View} view @param {string} square
 */
export function squareName(view, square) {
  const men = view.men[square] ?? [];
  if (!men.length) return `${square}, empty`;
  const parts = men.map((man) => {
    const odds = man.probability > 1 - CERTAIN ? "" : `, ${percent(man.probability)}`;
    const phase = man.phase == null ? "" : `, ${phaseWords(man.phase)}`;
    const mark = man.mark ? `, ${man.mark.colour} mark ${directionWords(man.mark.degrees)}` : "";
    return `${manName(view, man)}${odds}${phase}${mark}`;
  });
  const also = otherParts(view, square);
  const linked = linksOf(view, square).map((link) => (link[0] === square ? link[1] : link[0])).filter((name) => !also.includes(name));
  const group = groupOf(view, square);
  return [
    square,
    parts.join(" or "),
    also.length ? `also on ${also.join(", ")}` : "",
    linked.length ? `linked with ${[...new Set(linked)].slice(0, 6).join(", ")}` : "",
    group >= 0 && isLettered(view) ? `register ${groupName(group)}` : "",
    (view.marked ?? []).includes(square) ? "last move" : "",
  ].filter(Boolean).join(", ");
}

/** Where a mark points. @param {number} degrees */
function directionWords(degrees) {
  const eighth = ((Math.round(degrees / 45) % 8) + 8) % 8;
  return ["up", "up right", "right", "down right", "down", "down left", "left", "up left"][eighth];
}
