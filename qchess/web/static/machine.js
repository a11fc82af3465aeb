// One input machine for every device: picks of squares, filtered by the legal moves, until one move is left.
// It knows no pixels. Clicks, drags, taps and keys all end in `press`.

/** @typedef {"move"|"split"|"merge"} Mode */
/**
 * @typedef {{text: string, from: string[], to: string[], kind: string, measures?: boolean|null, label?: string,
 *   says?: string, chances?: {probability: number, answers: Record<string, number>}[]|null}} Move
 */
/** @typedef {{squares: string[], text: string, move: Move, swapped?: boolean}} Way the squares to pick, in order, and the move's text for that order */
/** @typedef {{kind: "none"|"pick"|"back"|"play", ways?: Way[]}} Step */

/** @type {Mode[]} */
export const MODES = ["move", "split", "merge"];

/** The orders of squares that name a move: a pair may be picked either way round. @param {Move} move @returns {Way[]} */
export function waysOf(move) {
  const { from, to, text } = move;
  if (move.kind === "move" && from.length && to.length) return [{ squares: [from[0], to[0]], text, move }];
  if (move.kind === "split" && to.length >= 2) return paired([from[0]], [to[0], to[1]], [], move);
  if (move.kind === "merge" && from.length >= 2) return paired([], [from[0], from[1]], [to[0]], move);
  return [];
}

/** Where no move is a move, split or merge: the squares that one puts something on, in any order. @param {Move} move @returns {Way[]} */
function placesOf(move) {
  const squares = [...move.from, ...move.to];
  const orders = squares.length === 2 ? [squares, [squares[1], squares[0]]] : squares.length ? [squares] : [];
  return orders.map((order) => ({ squares: order, text: move.text, move }));
}

/** @param {string[]} before @param {[string, string]|string[]} pair @param {string[]} after @param {Move} move @returns {Way[]} */
function paired(before, pair, after, move) {
  const [a, b] = pair;
  const swapped = move.text.replace(a + b, b + a);
  return [
    { squares: [...before, a, b, ...after], text: move.text, move },
    { squares: [...before, b, a, ...after], text: swapped, move, swapped: true },
  ];
}

export class Machine {
  constructor() {
    /** @type {Mode} */
    this.mode = "move";
    /** @type {string[]} */
    this.picks = [];
    /** @type {Move[]} */
    this.moves = [];
    /** @type {Record<Mode, Way[]>} */
    this.ways = { move: [], split: [], merge: [] };
    /** Squares that may hold a move's start although the list of moves is not here. @type {Set<string>|null} */
    this.open = null;
    /** Whether moves are squares to put something on, as none of them goes from here to there. */
    this.places = false;
    /** Whether the half that stands on a square was put there by holding, out of the mode Move. */
    this.held = false;
  }

  /** Takes the legal moves; picks that lead nowhere any more are dropped. @param {Move[]} moves @param {Set<string>|null} [open] */
  take(moves, open = null) {
    this.moves = moves;
    this.open = open;
    for (const mode of MODES) {
      const found = moves.filter((move) => move.kind === mode).flatMap(waysOf);
      // the other order of a pair is a way of its own only where no move is listed for it
      const listed = new Set(found.filter((way) => !way.swapped).map((way) => way.squares.join(" ")));
      this.ways[mode] = found.filter((way) => !way.swapped || !listed.has(way.squares.join(" ")));
    }
    this.places = !moves.some((move) => MODES.some((mode) => mode === move.kind));
    if (this.places) this.ways.move = moves.flatMap(placesOf);
    if (this.picks.length && !this.fits(this.picks, this.mode) && !this.open?.has(this.picks[0]) && !this.isOther(this.picks)) this.picks = [];
  }

  /** Back to Move with nothing picked. */
  reset() {
    this.mode = "move";
    this.held = false;
    this.picks = [];
  }

  /** Changes the mode; a first pick that fits stays. @param {Mode} mode */
  setMode(mode) {
    const first = this.picks.slice(0, 1);
    this.held = false;
    this.mode = mode;
    this.picks = first.length && (this.fits(first, mode) || this.open?.has(first[0])) ? first : [];
  }

  /** Takes the last pick back; without picks goes back to Move. */
  back() {
    if (this.held || !this.picks.length) this.mode = "move";
    this.held = false;
    this.picks = this.picks.slice(0, -1);
  }

  /** The square with the half that was put there by holding. @returns {string} */
  get half() {
    return this.held && this.mode === "split" && this.picks.length === 2 ? this.picks[1] : "";
  }

  /** What a press with `other` on a square begins: a split, or a merge. @param {string} square @returns {Mode|undefined} */
  holding(square) {
    if (this.mode !== "move" || this.picks.length !== 1) return undefined;
    return /** @type {Mode[]} */ (["split", "merge"]).find((each) => this.fits([this.picks[0], square], each));
  }

  /** The ways that begin with some squares. @param {string[]} squares @param {Mode} mode */
  beginning(squares, mode) {
    return this.ways[mode].filter((way) => squares.every((square, k) => way.squares[k] === square));
  }

  /** @param {string[]} squares @param {Mode} mode */
  fits(squares, mode) {
    return this.ways[mode].some((way) => squares.every((square, k) => way.squares[k] === square));
  }

  /** The squares that may be picked next. @returns {Set<string>} */
  next() {
    const found = this.beginning(this.picks, this.mode).map((way) => way.squares[this.picks.length]);
    return new Set([...found, ...(this.picks.length ? [] : this.open ?? [])]);
  }

  /** Whether the next pick is another part to merge, rather than a place to go to. */
  get isPartNext() {
    return this.mode === "merge" && this.picks.length === 1;
  }

  /** Moves that are no move, split or merge and concern what is picked, and those that concern no square. @returns {Move[]} */
  extras() {
    const first = this.picks[0];
    return this.places ? this.moves.filter((move) => !placesOf(move).length) : this.moves.filter((move) => !MODES.some((mode) => mode === move.kind) || !waysOf(move).length)
      .filter((move) => !(move.from.length + move.to.length) || (first && [...move.from, ...move.to].includes(first)));
  }

  /** Whether moves that are no move, split or merge begin where one square is picked. @param {string[]} squares */
  isOther(squares) {
    return squares.length === 1 && this.moves.some((move) => move.from[0] === squares[0]);
  }

  /** How many moves each mode has. @returns {Record<Mode, number>} */
  counts() {
    const count = (/** @type {Mode} */ mode) => this.moves.filter((move) => move.kind === mode).length;
    return { move: count("move"), split: count("split"), merge: count("merge") };
  }

  /** The ways that a press on a square would complete. @param {string} square @returns {Way[]} */
  completing(square) {
    if (square && square === this.half) return this.beginning(this.picks, "move").filter((way) => way.squares.length === 2);
    const squares = [...this.picks, square];
    return this.beginning(squares, this.mode).filter((way) => way.squares.length === squares.length);
  }

  /**
   * A press on a square. With `other` it begins a split (on a target) or a merge (on another part).
   * @param {string} square @param {boolean} [other] @returns {Step}
   */
  press(square, other = false) {
    const mode = other && this.holding(square);
    if (mode) {
      this.mode = mode;
      this.held = true;
      this.picks = [this.picks[0], square];
      return { kind: "pick" };
    }
    const ways = this.completing(square);
    if (ways.length) return { kind: "play", ways };
    if (this.picks.length && this.fits([...this.picks, square], this.mode)) {
      this.picks = [...this.picks, square];
      return { kind: "pick" };
    }
    if (this.picks.includes(square)) {
      if (this.held) this.mode = "move";
      this.held = false;
      this.picks = this.picks.slice(0, this.picks.indexOf(square));
      return { kind: "back" };
    }
    return this.begin(square);
  }

  /** @param {string} square @returns {Step} */
  begin(square) {
    if (this.held) this.mode = "move";
    this.held = false;
    const mode = [this.mode, ...MODES].find((each) => this.fits([square], each));
    if (mode || this.isOther([square]) || this.open?.has(square)) {
      if (mode && !this.fits([square], this.mode) && this.mode !== "move") this.mode = "move";
      this.picks = [square];
      return { kind: "pick" };
    }
    const had = this.picks.length > 0;
    this.picks = [];
    return { kind: had ? "back" : "none" };
  }
}
