// The colours that carry a meaning, in one place: a test reads them and computes contrast and what colour-blind eyes see.

/** Registers, by number: a colour, and a shape so that nothing depends on colour alone. */
export const REGISTER_COLOURS = ["#E69F00", "#56B4E9", "#1FA67A", "#DB86B6", "#0072B2", "#E0692A"];
/** What is written on them. */
export const REGISTER_INKS = ["#14181d", "#14181d", "#14181d", "#14181d", "#ffffff", "#14181d"];
export const REGISTER_SHAPES = ["disc", "triangle", "square", "diamond", "plus", "ring"];
/** A plate of no register. */
export const PLAIN = { colour: "#fffefb", ink: "#14181d", shape: "" };
/** Marks on men, as a game names them. */
export const MARK_COLOURS = { red: "#d62828", blue: "#1d4ed8", green: "#15803d" };
/** What the board itself says: the picked piece, the success of a move. */
export const ACCENT = "#5140c9";
export const DANGER = "#c62828";
/** The classes of the players' men. */
export const SIDES = ["first", "second", "third", "fourth"];

/**
 * What a register looks like for life: six colours, six shapes; the seventh has the first colour and the second shape.
 * @param {number} number @returns {{colour: string, ink: string, shape: string}}
 */
export function registerLook(number) {
  if (number < 0) return PLAIN;
  const many = REGISTER_COLOURS.length;
  const at = number % many;
  return { colour: REGISTER_COLOURS[at], ink: REGISTER_INKS[at], shape: REGISTER_SHAPES[(at + Math.floor(number / many)) % many] };
}
