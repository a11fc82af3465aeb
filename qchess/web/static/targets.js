// Where a picked piece may go, what happens there, and how likely the move does what it says.
import { isOpen } from "./filling.js";

/** @typedef {import("./wording.js").View} View */
/** @typedef {import("./machine.js").Move} Move */
/** @typedef {import("./drawing.js").Target} Target */

/**
 * The chance that a move does what it says: the odds of all answers in which `hit` is 1. That is the answer by which
 * Quantum Chess lets a move happen; it is 1 too where an empty square was asked about and was empty. Games that name
 * their answers otherwise (rolls, measured identities) do not say which of them succeed: null.
 * @param {Move} move @returns {number|null}
 */
export function successOf(move) {
  const told = move.chances ?? [];
  if (!told.length || !told.every(({ answers }) => Object.keys(answers).length === 1 && "hit" in answers)) return null;
  return told.reduce((sum, { answers, probability }) => sum + (answers.hit === 1 ? probability : 0), 0);
}

/** Whether a move asks a question. @param {Move} move */
export function asks(move) {
  return Boolean(move.measures) || (move.chances?.length ?? 0) > 1;
}

/**
 * What a square is for the picked pieces. @param {View} view @param {string} square @param {string|undefined} from
 * @param {Move[]} moves what a press there would play; none where more squares are to be picked
 * @returns {Target}
 */
export function targetOf(view, square, from, moves) {
  const mover = from ? view.men[from]?.[0]?.player : undefined;
  const there = view.men[square] ?? [];
  const asking = moves.find(asks);
  const takes = there.some((man) => mover !== undefined && man.player !== mover);
  const passes = !asking && !there.length && moves.some((move) => move.kind === "move" && between(move.from[0], square).some((name) => view.men[name]?.some(isOpen)));
  return { kind: takes ? "take" : there.length ? "join" : passes ? "part" : "go", asks: Boolean(asking), chance: asking ? successOf(asking) : null, works: asking?.says ?? "" };
}

/** The squares between two on one line. @param {string} start @param {string} end */
function between(start, end) {
  const from = [start.charCodeAt(0), Number(start.slice(1))], to = [end.charCodeAt(0), Number(end.slice(1))];
  const across = to[0] - from[0], up = to[1] - from[1], far = Math.max(Math.abs(across), Math.abs(up));
  if (across && up && Math.abs(across) !== Math.abs(up)) return [];
  return Array.from({ length: Math.max(0, far - 1) }, (_, k) => String.fromCharCode(from[0] + Math.sign(across) * (k + 1)) + (from[1] + Math.sign(up) * (k + 1)));
}
