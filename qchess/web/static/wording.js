// Words and numbers: odds, phases, and what a screen reader says of a square.
import { linkedWith } from "./linking.js";

/** @typedef {{colour: string, degrees: number}} Mark */
/** @typedef {{symbol: string, player: number, probability: number, phase?: number|null, mark?: Mark|null, name?: string}} Man */
/** @typedef {{start: string, end: string, kind?: string}} Arrow */
/**
 * @typedef {{width: number, height: number, players: string[], drawings?: string, grid?: string[][],
 *   men: Record<string, Man[]>, links?: any[][], groups?: string[][], registers?: number[], marked?: string[], arrows?: Arrow[], notes?: string[]}} View
 */

const CERTAIN = 1e-9;
/** So many other squares of a piece are said. */
const MOST = 6;
const CHESS = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight", P: "pawn" };
const XIANGQI = { K: "king", R: "chariot", H: "horse", E: "elephant", A: "adviser", C: "cannon", P: "pawn" };
const DRAUGHTS = { M: "man", K: "king" };

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

/** A phase in words: no turn, a quarter turn, else degrees. @param {number} phase in turns */
export function phaseWords(phase) {
  const degrees = Math.round(360 * (((phase % 1) + 1) % 1)) % 360;
  const known = /** @type {Record<number, string>} */ ({ 0: "no turn", 90: "a quarter turn", 180: "half a turn", 270: "three quarters of a turn" });
  return `phase ${known[degrees] ?? `${degrees} degrees`}`;
}

/** What a man is called. @param {View} view @param {Man} man */
export function manName(view, man) {
  return man.name ?? `${view.players[man.player] ?? ""} ${kindName(view, man)}`.trim();
}

/** What a man is called without his side. @param {View} view @param {Man} man */
export function kindName(view, man) {
  const table = view.drawings === "draughts" ? DRAUGHTS : view.drawings === "letters" ? XIANGQI : CHESS;
  return /** @type {Record<string, string>} */ (table)[man.symbol.toUpperCase()] ?? man.symbol.toUpperCase();
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

/**
 * A square as a screen reader says it: "f3, white knight, 50 percent, or h3; with pawn f2".
 * @param {View} view @param {string} square @param {boolean} [phases] whether phases are told
 */
export function squareName(view, square, phases = false) {
  const men = [...(view.men[square] ?? [])].sort((a, b) => b.probability - a.probability);
  if (!men.length) return `${square}, empty${(view.marked ?? []).includes(square) ? ", last move" : ""}`;
  const parts = men.map((man) => {
    const odds = man.probability > 1 - CERTAIN ? "" : `${men.length > 1 ? " " : ", "}${spoken(man.probability)}`;
    const phase = man.phase == null || !phases ? "" : `, ${phaseWords(man.phase)}`;
    const mark = man.mark ? `, ${man.mark.colour} mark ${directionWords(man.mark.degrees)}` : "";
    return `${manName(view, man)}${odds}${phase}${mark}`;
  });
  const also = otherParts(view, square);
  const others = linkedWith(view, square).filter((link) => !also.includes(link.square));
  return [
    [square, parts.join(" or "), ...also.slice(0, MOST).map((name) => `or ${name}`), also.length > MOST ? `or ${also.length - MOST} more squares` : "", (view.marked ?? []).includes(square) ? "last move" : ""].filter(Boolean).join(", "),
    ...(/** @type {const} */ ([["and", "with"], ["and?", "more often with"], ["or", "not with"], ["or?", "less often with"], ["", "linked with"]])).map(([word, words]) => {
      const these = others.filter((link) => link.word === word).map((link) => named(view, link.square));
      return these.length ? `${words} ${these.join(", ")}` : "";
    }),
  ].filter(Boolean).join("; ");
}

/** A move as people read it: "b1 to a3 or c3", "e2–e4"; other notation as it is. @param {string} text */
export function moveWords(text) {
  const split = /^([a-z]\d+)\^([a-z]\d+)[op]?([a-z]\d+)/.exec(text);
  if (split) return `${split[1]} to ${split[2]} or ${split[3]}`;
  const merge = /^([a-z]\d+)([a-z]\d+)\^([a-z]\d+)(?:\.|$)/.exec(text);
  if (merge) return `${merge[1]} and ${merge[2]} to ${merge[3]}`;
  const plain = /^([a-z]\d+)-([a-z]\d+)([A-Z]?)(?:\.|$)/.exec(text);
  return plain ? `${plain[1]}–${plain[2]}${plain[3]}` : text;
}

/** A move in a sentence: "knight f3 takes e5", or a mark "a1 or b2". @param {{text: string, man?: string, takes?: boolean}} move */
export function said({ text, man, takes }) {
  if (!man) return moveWords(text).replace(/^([a-z]\d+)([a-z]\d+)(\.\w+)?$/, "$1 or $2");
  return `${man} ${moveWords(text.replace(/^([a-z]\d+)(?=[a-z]\d+(\.|$))/, "$1-")).replace("–", takes ? " takes " : " to ")}`;
}

/** A percentage as it is spoken. @param {number} probability */
export function spoken(probability) {
  return percent(probability).replace("<", "less than ").replace(">", "more than ").replace("%", " percent");
}

/** A square with the kind of its likeliest man. @param {View} view @param {string} square */
function named(view, square) {
  const [man] = [...(view.men[square] ?? [])].sort((a, b) => b.probability - a.probability);
  return man ? `${kindName(view, man)} ${square}` : square;
}

/** Where a mark points. @param {number} degrees */
function directionWords(degrees) {
  const eighth = ((Math.round(degrees / 45) % 8) + 8) % 8;
  return ["up", "up right", "right", "down right", "down", "down left", "left", "up left"][eighth];
}
