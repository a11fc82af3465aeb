// A position that is being set up: men on squares as a FEN has them, and what is split: set-up moves, or pairs; and how each game writes that.

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

/**
 * How a game's positions are set up: its men; whether halves come of set-up moves or are pairs of squares; its option.
 * @typedef {{men: string, halves: "moves"|"pairs"|"", option: string, tells: string, read: (options: any, view: any) => Laid, write: (laid: Laid, side: string, options: any) => Record<string, any>}} Form
 */

const PICK = "Pick a piece and click squares.";
const USUAL_MEN = "KQRBNP";

/** What stands where at the start. @param {any} view @returns {Laid} */
function laidFrom({ width, height, men }) {
  return { board: new Map(Object.entries(men).map(([square, [man]]) => [square, man.symbol])), width, height, rest: "- - 0 1", setup: [] };
}

/** Without the castling of kings and rooks that are not at home. @param {Laid} laid @returns {Laid} */
function sound(laid) {
  const homes = { K: "Ke1Rh1", Q: "Ke1Ra1", k: "ke8rh8", q: "ke8ra8" };
  const stays = Object.entries(homes).filter(([letter, home]) => laid.rest.split(" ")[0].includes(letter) && [0, 3].every((k) => laid.board.get(home.slice(k + 1, k + 3)) === home[k]));
  return { ...laid, rest: `${stays.map(([letter]) => letter).join("") || "-"} - 0 1` };
}

/** @param {string} men @param {string} rest @returns {Form} */
function withPairs(men, rest) {
  return {
    men, halves: "pairs", option: "nfen", tells: `${PICK} With Halves, click a piece and an empty square: half of it stands on each. Each side has one king; click a square to bring it there.`,
    read: ({ nfen }, view) => {
      const pairs = nfen?.trim().split(/\s+/)[6] ?? "-";
      return nfen ? laidOf(nfen, pairs === "-" ? [] : pairs.split(",")) : { ...laidFrom(view), rest };
    },
    write: (laid, side) => ({ nfen: `${fenOf(sound(laid), side)} ${laid.setup.join(",") || "-"}` }),
  };
}

/** @type {Record<string, Form>} */
export const FORMS = {
  "quantum-chess": {
    men: USUAL_MEN, halves: "moves", option: "fen", tells: `${PICK} With Halves, click a piece and two squares that it can go to: half of it stands on each. A half can be split again, and halves can meet.`,
    read: ({ fen = USUAL, setup = [] }) => laidOf(fen, typeof setup === "string" ? setup.split(/\s+/).filter(Boolean) : setup),
    write: (laid, side) => ({ fen: fenOf(laid, side), ...(laid.setup.length ? { setup: laid.setup } : {}) }),
  },
  "niels-chess": withPairs(USUAL_MEN, "KQkq - 0 1"),
  "niels-xiangqi": withPairs("KRHEACP", "- - 0 1"),
  "piece-qubit-chess": {
    men: USUAL_MEN, halves: "", option: "position", tells: `${PICK} There are no halves to set up: in this game the kind of a piece is uncertain, and only moves join kinds.`,
    read: ({ position }) => laidOf(typeof position === "string" ? position : USUAL, []),
    write: (laid, side, { profile = "text" }) => ({ position: `${fenOf(laid, side).split(" ")[0]} ${side} = - - 0 ${profile}` }),
  },
  "quantum-checkers": {
    men: "MK", halves: "", option: "position", tells: "Pick a man or a king and click dark squares. There are no halves to set up: this game writes whole men only, and moves split them.",
    read: (_, view) => laidFrom(view),
    write: ({ board }, side) => {
      const all = (/** @type {string} */ men) => [...board].filter(([, man]) => men.includes(man)).map(([square, man]) => `${/k/i.test(man) ? "K" : ""}${square}`).join();
      return { position: `${side.toUpperCase()}:W${all("MK")}:B${all("mk")}` };
    },
  },
};

/** Why no board can be laid. @param {string} game */
export function whyNot(game) {
  return game === "quantum-tic-tac-toe" ? "Nothing can be set up in quantum tic-tac-toe: its board is always empty at the start." : "The positions of this game are set up in text.";
}

/** An empty board; where the rules want kings they stay, not face to face in Xiangqi. @param {Laid} laid @param {Form} form @returns {Laid} */
export function emptied(laid, form) {
  const kings = form.halves === "pairs" ? [...laid.board].filter(([square, man]) => /k/i.test(man) && !laid.setup.some((pair) => squaresOf(pair).includes(square))) : [];
  const isFaced = laid.height > 9 && kings.length === 2 && kings[0][0][0] === kings[1][0][0];
  return { ...laid, board: new Map(kings.map(([square, man]) => [isFaced && man === "K" ? (square[0] === "e" ? "d" : "e") + square.slice(1) : square, man])), setup: [] };
}

/** Half of a man on each of two squares. @param {Laid} laid @param {string} square @param {string} other @returns {Laid} */
export function paired(laid, square, other) {
  const man = laid.board.get(square) ?? "";
  const whole = put(put(laid, square, man), other, man);
  return { ...whole, setup: [...whole.setup, `${square}o${other}o`] };
}
