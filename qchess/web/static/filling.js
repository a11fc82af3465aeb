// A man is filled to his odds, like a glass: below the level his own colour, above it silver or graphite. The parts of a
// man are drawn once, in <defs>, and placed with <use>; a level is one clip path for all men filled as far.
import { SIDES } from "./colours.js";
import { BOX, DISC, drawingsAt, shape } from "./pieces.js";

/** @typedef {import("./wording.js").View} View */
/** @typedef {import("./wording.js").Man} Man */
/** @typedef {{x: number, y: number, scale: number}} Place */

const CERTAIN = 1e-9;
/** Where a level begins: at the bottom of a body, whose plate is its plinth, or of a whole man. */
const BODY = 81, WHOLE = 91.5;
/** A certain man; one under 10%, as a part of the others; where two share a square; where three or four do. */
export const FULL = { x: 2.5, y: 3.5, scale: 0.95 };
const SMALL = 0.66, PAIR = 0.589, MANY = 0.46;
const PAIRED = [[-2.45, -1.94], [43.55, 21.06]];
const CORNERS = [[3, -2], [51, -2], [3, 33], [51, 33]];

/** Whether a man may be elsewhere. @param {Man} man */
export function isOpen(man) {
  return man.probability < 1 - CERTAIN;
}

/** A man above his plate, whose upper edge is given. @param {number} edge @returns {Place} */
export function overPlate(edge) {
  const line = edge + 5;
  const scale = Math.min(0.94, (line - 4.5) / 75.5);
  return { x: 50 - 50 * scale, y: line - 80 * scale, scale };
}

/** The men of a square with their places, the likeliest first; four at most. @param {Man[]} men @param {number} edge upper edge of the plate */
export function placed(men, edge) {
  const here = [...men].sort((a, b) => b.probability - a.probability).slice(0, 4);
  if (here.length === 1) return [{ man: here[0], place: !isOpen(here[0]) ? FULL : edge < BOX ? overPlate(edge) : FULL }];
  const [scale, spots] = here.length === 2 ? [PAIR, PAIRED] : [MANY, CORNERS];
  return here.map((man, number) => ({ man, place: { x: spots[number][0], y: spots[number][1], scale } }));
}

/** The men of one picture, and what they are made of. */
export class Filling {
  /** @param {View} view */
  constructor(view) {
    this.view = view;
    /** @type {Map<string, SVGElement>} */
    this.parts = new Map();
  }

  /** One man; `whole` keeps the plinth of one who may be elsewhere. @param {Man} man @param {Place} place @param {{whole?: boolean, name?: string}} [how] */
  man(man, place, { whole = true, name } = {}) {
    const isRed = this.view.players[man.player] === "red";
    const group = { class: `m ${SIDES[man.player % SIDES.length]}${isRed ? " red" : ""}`, "data-man": name };
    if (!isOpen(man)) return shape("g", { ...group, transform: moved(place) }, this.use(this.solid(man)));
    const form = this.form(man.symbol);
    const bottom = whole ? WHOLE : BODY, base = whole ? 91 : 80;
    const share = Math.max(0.02, Math.round(100 * man.probability) / 100);
    const level = (bottom - share * (bottom - form.top)).toFixed(1);
    const seen = man.probability < 0.1 - CERTAIN ? shrunk(place, base) : place;
    const part = this.glass(man, whole);
    return shape("g", { ...group, transform: moved(seen) }, this.use(`${part}e`), this.use(`${part}f`, this.level(level)), this.use(`${part}r`));
  }

  /** @param {string} symbol */
  form(symbol) {
    const men = drawingsAt(this.view.drawings ?? "chess")?.men ?? {};
    return men[symbol.toUpperCase()] ?? (this.isMark ? men[symbol[0].toUpperCase()] : undefined) ?? DISC;
  }

  /** Whether men are marks: what follows their letter stands beside them. */
  get isMark() {
    return this.view.drawings === "marks";
  }

  /** What a certain man is placed from. @param {Man} man */
  solid(man) {
    return this.part(`${nameOf(man.symbol)}s`, [this.outline(man.symbol, true, "s"), this.inside(man.symbol, "d")]);
  }

  /** What an uncertain man is placed from: his empty part, his full part, his rim. @param {Man} man @param {boolean} whole */
  glass(man, whole) {
    const id = nameOf(man.symbol) + (whole ? "w" : "b");
    this.part(`${id}e`, [this.outline(man.symbol, whole, "e"), this.inside(man.symbol, "o")]);
    this.part(`${id}f`, [this.outline(man.symbol, whole, "f"), this.inside(man.symbol, "d")]);
    this.part(`${id}r`, [this.outline(man.symbol, whole, "r")]);
    return id;
  }

  /** @param {string} symbol @param {boolean} whole @param {string} look */
  outline(symbol, whole, look) {
    const form = this.form(symbol);
    const id = `${nameOf(form === DISC ? "disc" : symbol)}${whole ? "w" : "b"}`;
    if (!this.parts.has(id)) this.parts.set(id, shape("path", { id, d: whole ? form.whole : form.body }));
    return shape("use", { href: `#${id}`, class: look });
  }

  /** The lines over a man, or his letters. @param {string} symbol @param {string} look */
  inside(symbol, look) {
    const form = this.form(symbol);
    if (form !== DISC && this.isMark) return shape("text", { x: 90, y: 26, class: "beside" }, symbol.slice(1));
    if (form !== DISC) return shape("path", { d: form.lines, class: look });
    const letters = symbol.toUpperCase();
    return shape("text", { x: 50, y: 48, dy: ".36em", class: `${look} letters${letters.length > 1 ? " long" : ""}` }, letters);
  }

  /** @param {string} id @param {SVGElement[]} shapes */
  part(id, shapes) {
    if (!this.parts.has(id)) this.parts.set(id, shape("g", { id }, ...shapes));
    return id;
  }

  /** @param {string} level */
  level(level) {
    const id = `c${level}`;
    if (!this.parts.has(id)) this.parts.set(id, shape("clipPath", { id }, shape("path", { d: `M-10 ${level}H110V120H-10z` })));
    return id;
  }

  /** @param {string} id @param {string} [clip] */
  use(id, clip) {
    return shape("use", { href: `#${id}`, "clip-path": clip && `url(#${clip})` });
  }

  get defs() {
    return shape("defs", {}, ...this.parts.values());
  }
}

/** A letter as a part of a name that stands in an address. @param {string} symbol */
function nameOf(symbol) {
  return [...symbol.toUpperCase()].map((letter) => (/[A-Z0-9]/.test(letter) ? letter : letter.codePointAt(0)?.toString(36))).join("");
}

/** Smaller, on the same ground and under the same middle. @param {Place} place @param {number} base @returns {Place} */
function shrunk(place, base) {
  const scale = place.scale * SMALL;
  return { x: place.x + 50 * (place.scale - scale), y: place.y + base * (place.scale - scale), scale };
}

/** @param {Place} place */
function moved({ x, y, scale }) {
  const short = (/** @type {number} */ value, /** @type {number} */ digits) => Number(value.toFixed(digits));
  return `translate(${short(x, 1)} ${short(y, 1)})scale(${short(scale, 3)})`;
}
