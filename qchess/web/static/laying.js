// A position that is being set up: men on squares as a FEN has them, and set-up moves that split and merge them by the rules.

/** @typedef {{board: Map<string, string>, width: number, height: number, rest: string, setup: string[]}} Laid `rest`: the fields of the FEN after the side */

export const USUAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** What a FEN says. @param {string} fen @param {string[]} setup @returns {Laid} */
export function laidOf(fen, setup) {
  const [ranks, , castling = "-"] = fen.trim().split(/\s+/);
  const rows = ranks.split("/");
  const board = new Map();
  let width = 0;
  rows.forEach((row, k) => {
    let x = 0;
    for (const [part] of row.matchAll(/\d+|[a-zA-Z]/g)) {
      if (/\d/.test(part)) x += Number(part);
      else board.set(squareAt(x++, rows.length - k), part);
    }
    width = Math.max(width, x);
  });
  return { board, width, height: rows.length, rest: `${castling} - 0 1`, setup };
}

/** @param {number} x from 0 @param {number} rank from 1 */
function squareAt(x, rank) {
  return String.fromCharCode(97 + x) + rank;
}

/** The FEN of what is laid. @param {Laid} laid @param {string} side */
export function fenOf({ board, width, height, rest }, side) {
  const rows = Array.from({ length: height }, (_, k) => {
    const row = Array.from({ length: width }, (_, x) => board.get(squareAt(x, height - k)) ?? " ").join("");
    return row.replace(/ +/g, (free) => String(free.length));
  });
  return `${rows.join("/")} ${side} ${rest}`;
}

/** Whether each side has one king, as the rules ask for a game. @param {Laid} laid */
export function hasKings({ board }) {
  const men = [...board.values()];
  return ["K", "k"].every((king) => men.filter((man) => man === king).length === 1);
}

/** Puts a man on a square, or takes what is there away with all its parts; what was split from it goes, too. @param {Laid} laid @param {string} square @param {string} man empty: none @returns {Laid} */
export function put(laid, square, man) {
  const board = new Map(laid.board);
  const together = new Set([square]);
  // all squares that set-up moves have joined with this one
  for (let before = 0; before !== together.size;) {
    before = together.size;
    for (const move of laid.setup.map(squaresOf)) if (move.some((name) => together.has(name))) for (const name of move) together.add(name);
  }
  const isMoved = laid.setup.some((move) => squaresOf(move).includes(square));
  const setup = isMoved ? laid.setup.filter((move) => !squaresOf(move).some((name) => together.has(name))) : laid.setup;
  if (isMoved) for (const name of together) board.delete(name);
  if (man) board.set(square, man);
  else board.delete(square);
  return { ...laid, board, setup };
}

/** The squares of a set-up move. @param {string} move */
function squaresOf(move) {
  return move.match(/[a-z]\d+/g) ?? [];
}
