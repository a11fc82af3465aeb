// What stands on a square beside its man: the plate with his odds, words of links, the success of a move, a danger.
// Everything is in hundredths of a square's side; `unit` is how many of them a pixel is, so that letters keep their size.
import { ACCENT, DANGER, MARK_COLOURS, registerLook } from "./colours.js";
import { shape } from "./pieces.js";
import { percent } from "./wording.js";

/** @typedef {import("./wording.js").Man} Man */
/** @typedef {{side: number, unit: number, font: number}} Sizes */

const INK = "#14181d";
/** Below so many pixels a square has no plate. */
const LEAST = 34;

/** How large letters are on squares of so many pixels. @param {number} side @returns {Sizes} */
export function sizesOf(side) {
  const unit = 100 / side;
  return { side, unit, font: unit * Math.max(10, Math.min(15, 0.15 * side)) };
}

/** Whether squares of this size have plates. @param {Sizes} sizes */
export function hasPlates(sizes) {
  return sizes.side >= LEAST;
}

/** The upper edge of a plate. @param {Sizes} sizes */
export function plateEdge({ unit, font }) {
  return 100 - 2.2 * unit - 1.42 * font;
}

/** A length without more digits than can be seen. @param {number} value */
export function short(value) {
  return Number(value.toFixed(2));
}

/** About how wide a percentage is, as a part of its size. @param {string} text */
function wide(text) {
  return 0.62 * (text.length - 1) + 0.7;
}

/** A percentage with a small sign. @param {string} text @param {number} x @param {number} y */
function figure(text, x, y) {
  return shape("text", { x: short(x), y: short(y) }, text.slice(0, -1), shape("tspan", {}, "%"));
}

/** What a plate is painted with; its letters have the size of its group. @param {number} number of the register @param {string} where */
function painted(number, where) {
  const look = registerLook(number);
  return { class: look.ink === INK ? "plate" : "plate white", "data-register": number, fill: look.colour, transform: where };
}

/**
 * The plate under one man: the shape of his register, or the dial of his phase, and his odds.
 * @param {number} number of the register, or -1 @param {Man} man @param {Sizes} sizes @param {string} where
 * @param {{shaped?: boolean, phases?: boolean}} how
 */
export function plate(number, man, sizes, where, { shaped = false, phases = false }) {
  const look = registerLook(number), { font } = sizes;
  const text = percent(man.probability);
  const dialled = phases && man.phase != null;
  const room = dialled ? 1.13 : shaped && look.shape ? 0.8 : 0;
  const width = (wide(text) + 0.82 + room) * font, height = 1.42 * font;
  const x = 50 - width / 2, y = plateEdge(sizes), middle = y + height / 2;
  const sign = dialled ? dial(Number(man.phase), x + 0.86 * font, middle, 0.52 * font) : room ? registerShape(look.shape, x + 0.73 * font, middle, font / 15.15, look.ink) : null;
  return shape("g", painted(number, where), backed(x, y, width, height), ...(sign ? [sign] : []),
    figure(text, x + (room + 0.41 + wide(text) / 2) * font, middle + 0.36 * font));
}

/** One plate of a square that has one of several men: both odds of two, the likeliest and how many more of more. @param {number} number @param {Man[]} men the likeliest first @param {Sizes} sizes @param {string} where */
export function sharedPlate(number, men, sizes, where) {
  const look = registerLook(number);
  const [first, second] = men.map((man) => percent(man.probability));
  // where both would be under 10 pixels, the likelier one stands with how many more there are
  const least = 10 * sizes.unit, isShort = men.length > 2 || 97 / (wide(first) + wide(second) + 1.4) < least;
  const more = isShort ? `+${men.length - 1}` : second;
  const ends = isShort ? 1.24 : wide(second);
  const font = Math.max(least, Math.min(0.95 * sizes.font, 97 / (wide(first) + ends + 1.4))), height = 1.42 * font;
  const left = wide(first) * font, right = ends * font;
  const width = left + right + 1.4 * font, x = 50 - width / 2, y = 100 - 2.2 * sizes.unit - height;
  const line = x + 0.41 * font + left + 0.29 * font, low = y + height / 2 + 0.36 * font;
  const end = line + 0.29 * font + right / 2;
  return shape("g", { ...painted(number, where), "font-size": short(font) }, backed(x, y, width, height),
    shape("path", { d: `M${short(line)} ${short(y + 0.26 * font)}v${short(0.9 * font)}`, stroke: look.ink, "stroke-opacity": 0.55 }),
    figure(first, x + 0.41 * font + left / 2, low), isShort ? shape("text", { x: short(end), y: short(low) }, more) : figure(more, end, low));
}

/** @param {number} x @param {number} y @param {number} width @param {number} height */
function backed(x, y, width, height) {
  return shape("rect", { x: short(x), y: short(y), width: short(width), height: short(height), rx: short(height / 2) });
}

/** The shape of a register, about a letter large. @param {string} name @param {number} x @param {number} y @param {number} scale @param {string} ink */
export function registerShape(name, x, y, scale, ink) {
  const at = { transform: `translate(${short(x)} ${short(y)})${Math.abs(scale - 1) < 0.03 ? "" : `scale(${short(scale)})`}`, class: name };
  if (name === "plus" || name === "ring") {
    return shape("path", { ...at, d: name === "plus" ? "M-5 0H5M0-5V5" : "M-3.6 0A3.6 3.6 0 1 1 3.6 0A3.6 3.6 0 1 1-3.6 0Z", fill: "none", stroke: ink, "stroke-width": name === "plus" ? 3.75 : 2.5 });
  }
  const paths = { disc: "M-4.6 0A4.6 4.6 0 1 1 4.6 0A4.6 4.6 0 1 1-4.6 0Z", triangle: "M0-5.4L5.5 4.35H-5.5Z", square: "M-4.4-4.4H4.4V4.4H-4.4Z", diamond: "M0-6L5.75 0L0 6L-5.75 0Z" };
  return shape("path", { ...at, d: /** @type {Record<string, string>} */ (paths)[name], fill: ink });
}

/** A dial whose hand is the phase: up for none, right for a quarter turn. @param {number} phase in turns @param {number} x @param {number} y @param {number} r */
export function dial(phase, x, y, r) {
  const turn = ((phase % 1) + 1) % 1;
  const angle = 2 * Math.PI * turn, inner = 0.98 * r;
  const end = `${short(x + inner * Math.sin(angle))} ${short(y - inner * Math.cos(angle))}`;
  const top = `${short(x)} ${short(y - inner)}`, hand = `M${short(x)} ${short(y)}L${end}`;
  const turned = turn > 1e-3 && turn < 1 - 1e-3;
  const wedge = `M${short(x)} ${short(y)}L${top}A${short(inner)} ${short(inner)} 0 ${turn > 0.5 ? 1 : 0} 1 ${end}Z`;
  return shape("g", { class: "dial" }, shape("circle", { cx: short(x), cy: short(y), r: short(r), fill: "#fff", stroke: INK, "stroke-width": short(0.2 * r) }),
    ...(turned ? [shape("path", { d: wedge, fill: INK, "fill-opacity": 0.28 })] : []),
    shape("path", { d: hand, stroke: INK, "stroke-width": short(0.38 * r), "stroke-linecap": "round" }));
}

/** The word of a link in the upper left corner; on small squares half over it. @param {string} word @param {number} number of the register @param {Sizes} sizes @param {{left: boolean, top: boolean}} edge whether the board ends there */
export function tag(word, number, { side, unit, font }, edge) {
  const look = registerLook(number), size = 0.95 * font;
  const width = (0.9 + 0.58 * word.length) * size, height = 1.4 * size;
  const at = side < 60 ? -0.5 * height : 5 * unit;
  const x = edge.left ? Math.max(at, 0.8 * unit) : at, y = edge.top ? Math.max(at, 0.8 * unit) : at;
  return boxed("tag", word, x, y, width, height, look.colour, INK, look.ink, size, 1.4 * unit);
}

/** What endangers a king: a sign, or the chance if it is not certain. @param {number} chance @param {Sizes} sizes */
export function danger(chance, { unit, font }) {
  const text = chance > 1 - 1e-9 ? "!" : percent(chance), size = 0.94 * font;
  return boxed("alarm", text, 5 * unit, 5 * unit, (text === "!" ? 1.52 : 0.83 + wide(text)) * size, 1.45 * size, DANGER, "#fff", "#fff", size, 1.4 * unit);
}

/** @param {string} name @param {string} text @param {number} x @param {number} y @param {number} width @param {number} height @param {string} fill @param {string} edge @param {string} ink @param {number} size @param {number} line */
function boxed(name, text, x, y, width, height, fill, edge, ink, size, line) {
  return shape("g", { class: name }, shape("rect", { x: short(x), y: short(y), width: short(width), height: short(height), rx: short(0.32 * height), fill, stroke: edge, "stroke-opacity": 0.9, "stroke-width": short(line) }),
    shape("text", { class: "pt", x: short(x + width / 2), y: short(y + height / 2 + 0.35 * size), "font-size": short(size), fill: ink }, text));
}

/** The chance that a move does what it says, or a question mark while it is not known; on the top rank inside its square. @param {number|null} chance @param {Sizes} sizes @param {boolean} isTop */
export function pill(chance, { unit, font }, isTop) {
  const text = chance == null ? "?" : percent(chance);
  const width = (chance == null ? 1.7 : 1.73 + 0.62 * (text.length - 1) + 0.95) * font, height = 1.5 * font;
  const x = 50 - width / 2, y = isTop ? 1.8 * unit : -height / 2, middle = y + height / 2;
  const tick = `M${short(x + 0.5 * font)} ${short(middle + 0.02 * font)}l${short(0.24 * font)} ${short(0.26 * font)}l${short(0.46 * font)} ${short(-0.54 * font)}`;
  const start = chance == null ? width / 2 : 1.3 * font + (width - 1.55 * font) / 2;
  return shape("g", { class: "pill" },
    shape("rect", { x: short(x), y: short(y), width: short(width), height: short(height), rx: short(height / 2), fill: ACCENT, stroke: "#fff", "stroke-width": short(1.6 * unit) }),
    ...(chance == null ? [] : [shape("path", { d: tick, fill: "none", stroke: "#fff", "stroke-width": short(1.7 * unit), "stroke-linecap": "round", "stroke-linejoin": "round" })]),
    shape("text", { class: "pt", x: short(x + start), y: short(middle + 0.35 * font), "font-size": short(font), fill: "#fff" }, text));
}

/** The mark of a man of a pair: a pointer, upper left. @param {import("./wording.js").Mark} mark @param {Sizes} sizes */
export function pointer(mark, { unit }) {
  const fill = /** @type {Record<string, string>} */ (MARK_COLOURS)[mark.colour] ?? mark.colour;
  const size = short(Math.max(1.3, unit)), at = short(Math.max(14, 7.6 * size));
  return shape("path", { class: "pointer", d: "M0-6.5L5 6.5L0 3.2L-5 6.5Z", fill, stroke: "#fff", "stroke-width": 1.2, transform: `translate(${at} ${at})rotate(${Number(mark.degrees)})scale(${size})` });
}
