// The colours that carry a meaning, in one place: a test reads them and computes how far apart colour-blind eyes see them.

/** Phases to the nearest quarter turn: 0, 1/4, 1/2, 3/4. */
export const PHASE_COLOURS = ["#0072B2", "#F0E442", "#D55E00", "#1A1A1A"];
/** Registers, by number; the seventh begins anew with dashed frames. Each also has a letter. */
export const GROUP_COLOURS = ["#E69F00", "#56B4E9", "#009E73", "#CC79A7", "#0072B2", "#D55E00"];
/** What was played, by kind of move. Each kind also has its own shape: one arrow, two that part, two that meet. */
export const ARROW_COLOURS = { move: "#c8871b", split: "#7b54c9", merge: "#1d8f83", note: "#5c3a1e" };
/** Marks on men, as a game names them. */
export const MARK_COLOURS = { red: "#d62828", blue: "#1d4ed8", green: "#15803d" };
/** The ring of odds of a man without a phase. */
export const RING_COLOUR = "#b5622a";
/** The classes of the players' men. */
export const SIDES = ["first", "second", "third", "fourth"];

const GREEK = "αβγδεζηθικλμνξπρστυφχψω";
const SPOKEN = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu"];

/** The colour of a register. @param {number} number */
export function groupColour(number) {
  return GROUP_COLOURS[number % GROUP_COLOURS.length];
}

/** The letter of a register. @param {number} number */
export function groupLetter(number) {
  return GREEK[number] ?? String(number + 1);
}

/** The letter of a register as it is spoken. @param {number} number */
export function groupName(number) {
  return SPOKEN[number] ?? String(number + 1);
}

/** The quarter turn nearest to a phase in turns. @param {number} phase */
export function quarterOf(phase) {
  return ((Math.round(phase * 4) % 4) + 4) % 4;
}
