// What the marks of a board mean: only those that can occur on it, and what is special about its squares. The small
// pictures carry their own colours, as a legend stands outside the board.
import { ACCENT, MARK_COLOURS, registerLook } from "./colours.js";
import { DISC, drawingsAt, fetchDrawings, shape } from "./pieces.js";
import { dial, registerShape } from "./plates.js";
import { html } from "./settings.js";

/** @typedef {import("./wording.js").View} View */

const INK = "#14181d", WHITE = "#fffefa", SILVER = "#b4bdc7", YELLOW = "#ffdf6b";
const TURNS = ["no turn", "a quarter turn", "half a turn", "three quarters of a turn"];

/** One line: a small picture and its meaning. @param {SVGElement[]} picture @param {string} words */
function line(picture, words) {
  return html("li", {}, shape("svg", { viewBox: "0 0 30 20", class: "sign", "aria-hidden": "true" }, ...picture), html("span", {}, words));
}

/** @param {View} view @returns {HTMLElement} */
export function legendOf(view) {
  const here = Object.values(view.men), men = here.flat();
  const lines = [
    line(glass(view), "A piece is filled to how likely it is here, like a glass. Under 10% it is small."),
    line([plate(0, 4), plate(1, 17)], "The plate says it in percent. One colour and shape: squares that belong together. To find one piece can decide the others."),
    ...(here.some((some) => some.length > 1) ? [line(pair(), "Two pieces on a square: one piece that may be either, the likelier first.")] : []),
    line([tag("and", 3)], "Pick a piece, or point at it: it goes together with this square. With a question mark: more often than by chance."),
    line([tag("or", 6)], "It is on this square instead, or one of the two is not there."),
    line([circle(6, 5), ...halfDot(), shape("path", { d: "M20 8V4h4zM26 4h4v4zM30 12v4h-4zM24 16h-4v-4z", fill: "currentColor", "fill-opacity": 0.6 })], "Where it can go; where a part of it may stay behind; what it can take."),
    line(pill(), "The move asks a question. This is the chance that it does what it says."),
    line([shape("rect", { x: 7, y: 2, width: 16, height: 16, fill: YELLOW })], "The last move."),
    ...(men.some((man) => man.phase != null) ? [phases()] : []),
    ...(men.some((man) => man.mark) ? [line(pointers(), "Red, blue and green marks: the parts of a pair. A mark points to the opponent or to its own player.")] : []),
  ];
  return html("div", {}, html("ul", { class: "signs" }, ...lines, ...captions(view).map((text) => html("li", { class: "caption" }, text))));
}

/** What is special about this board. @param {View} view @returns {string[]} */
export function captions(view) {
  const found = [];
  if (view.grid?.length) found.push("Pieces stand on the crossings of the lines. The gap in the middle is the river. The crossed squares are the palaces.");
  if (view.drawings === "draughts") found.push("A disc is a man; a disc with a crown is a king.");
  const letters = new Set(Object.values(view.men).flat().map((man) => man.symbol.toUpperCase()));
  if (view.grid?.length && letters.has("E")) found.push("R chariot, H horse, E elephant, A adviser, K king, C cannon, P pawn.");
  return found;
}

/** A pawn, or a disc, that is half full; a disc until the drawings are there. @param {View} view */
function glass(view) {
  const kind = view.drawings ?? "chess", form = drawingsAt(kind)?.men;
  const { body } = form?.P ?? form?.M ?? DISC;
  const both = shape("g", {});
  if (!form) fetchDrawings(kind).then(() => both.replaceChildren(...glass(view)), () => undefined);
  const man = (/** @type {string} */ fill, /** @type {Record<string, string|number>} */ how) => shape("svg", how, shape("path", { d: body, fill, stroke: INK, "stroke-width": 6 }));
  both.append(man(SILVER, { x: 5, y: 0, width: 20, height: 20, viewBox: "0 0 100 100" }), man(WHITE, { x: 5, y: 10, width: 20, height: 10, viewBox: "0 50 100 50" }));
  return [both];
}

/** @param {number} number of a register @param {number} x */
function plate(number, x) {
  const look = registerLook(number);
  return shape("g", {}, shape("rect", { x: x - 3, y: 4, width: 12, height: 12, rx: 6, fill: look.colour, stroke: INK }), registerShape(look.shape, x + 3, 10, 0.6, look.ink));
}

function pair() {
  return [shape("rect", { x: 1, y: 5, width: 28, height: 10, rx: 5, fill: WHITE, stroke: INK }), shape("path", { d: "M15 7v6", stroke: INK, "stroke-opacity": 0.55 })];
}

/** @param {string} word @param {number} x */
function tag(word, x) {
  return shape("g", { "font-size": 10 }, shape("rect", { x, y: 3, width: 30 - 2 * x, height: 14, rx: 4, fill: registerLook(0).colour, stroke: INK }), shape("text", { x: 15, y: 13.4, fill: INK }, word));
}

/** @param {number} x @param {number} r */
function circle(x, r) {
  return shape("circle", { cx: x - 2, cy: 10, r: r - 1, fill: "currentColor", "fill-opacity": 0.6 });
}

function halfDot() {
  return [shape("circle", { cx: 14, cy: 10, r: 3.6, fill: "none", stroke: "currentColor", "stroke-opacity": 0.6 }), shape("path", { d: "M10.4 10a3.6 3.6 0 0 0 7.2 0z", fill: "currentColor", "fill-opacity": 0.6 })];
}

function pill() {
  return [shape("rect", { x: 1, y: 4, width: 28, height: 12, rx: 6, fill: ACCENT, stroke: "#fff" }), shape("path", { d: "M10 10l3.5 3.5l6.5-7", fill: "none", stroke: "#fff", "stroke-width": 2 })];
}

function phases() {
  const dials = TURNS.map((words, quarter) => html("span", { class: "phase" }, shape("svg", { viewBox: "0 0 20 20", class: "face", "aria-hidden": "true" }, dial(quarter / 4, 10, 10, 8)), words));
  return html("li", { class: "wide" }, html("span", {}, "Key P, or Merge, shows the phase on the plate. You can ignore it until you merge: ", ...dials));
}

function pointers() {
  return [[MARK_COLOURS.red, 9, 0], [MARK_COLOURS.blue, 21, 180]].map(([fill, x, turn]) => shape("path", { d: "M0-6.5L5 6.5L0 3.2L-5 6.5Z", fill, transform: `translate(${x} 10)rotate(${turn})` }));
}
