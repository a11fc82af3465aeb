// What the signs on this board mean: only those that are on it, and what is special about its squares.
import { GROUP_COLOURS, MARK_COLOURS, PHASE_COLOURS } from "./colours.js";
import { clock } from "./drawing.js";
import { shape } from "./pieces.js";
import { html } from "./settings.js";

/** @typedef {import("./wording.js").View} View */

const PHASE_WORDS = ["no turn", "¼ turn", "½ turn", "¾ turn"];

/** One line: a small picture and its meaning. @param {SVGElement[]} picture @param {string} words */
function line(picture, words) {
  return html("li", {}, shape("svg", { viewBox: "0 0 30 20", class: "sign", "aria-hidden": "true" }, ...picture), html("span", {}, words));
}

/** @param {View} view @returns {HTMLElement} */
export function legendOf(view) {
  const men = Object.values(view.men).flat();
  const alone = Object.values(view.men).filter((here) => here.length === 1).flat();
  const signs = view.links?.map((link) => link[3]) ?? [];
  const lines = [
    ...(alone.some((man) => man.probability < 1) ? [line(arc(), "A piece that may be elsewhere: the arc and the number show how likely it is here.")] : []),
    ...(Object.values(view.men).some((here) => here.length > 1) ? [line(pair(), "Two drawings on a square: one piece that may be either. The bar and the number show the chance of the likelier one.")] : []),
    ...(men.some((man) => man.phase != null) ? [phases()] : []),
    ...(view.groups?.length ? [line(frame(), "One frame and one letter: squares that belong to one register. Finding one piece can decide the others.")] : []),
    ...(signs.includes("together") ? [line(knot("="), "Together: both squares are taken, or neither (more often than by chance).")] : []),
    ...(signs.includes("either-or") ? [line(knot("≠"), "Either-or: if one square is taken, the other is empty (more often than by chance).")] : []),
    ...(men.some((man) => man.mark) ? [line(pointer(), "Red and blue marks: the two halves of a pair. A mark points to the opponent or to its own player.")] : []),
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

function arc() {
  return [shape("circle", { cx: 15, cy: 10, r: 8, class: "track" }), shape("path", { d: "M15 2a8 8 0 0 1 0 16", class: "arc", stroke: PHASE_COLOURS[0] }), shape("text", { x: 15, y: 10, dy: ".36em", class: "mid" }, "½")];
}

function pair() {
  return [shape("rect", { x: 3, y: 13, width: 12, height: 4, fill: "#b5622a" }), shape("rect", { x: 15, y: 13, width: 12, height: 4, fill: "none", stroke: "#b5622a" }), shape("text", { x: 15, y: 7, dy: ".36em", class: "mid" }, "½")];
}

function phases() {
  const clocks = PHASE_WORDS.map((words, quarter) => html("span", { class: "phase" }, shape("svg", { viewBox: "0 0 20 20", class: "face", "aria-hidden": "true" }, clock(quarter / 4, 10, 10, 8)), words));
  return html("li", { class: "wide" }, html("span", {}, "The clock is the phase. You can ignore it until you merge: ", ...clocks));
}

function frame() {
  return [shape("rect", { x: 5, y: 1.5, width: 17, height: 17, rx: 3, fill: GROUP_COLOURS[0], "fill-opacity": 0.2, stroke: GROUP_COLOURS[0], "stroke-width": 2 }), shape("text", { x: 13.5, y: 10, dy: ".36em", class: "mid" }, "α")];
}

/** @param {string} sign */
function knot(sign) {
  return [shape("path", { d: "M1 10h28", class: "arc thin", stroke: GROUP_COLOURS[2], "stroke-dasharray": sign === "=" ? null : "4 3" }), shape("circle", { cx: 15, cy: 10, r: 6, class: "knot" }), shape("text", { x: 15, y: 10, dy: ".36em", class: "mid" }, sign)];
}

function pointer() {
  return [[MARK_COLOURS.red, 9, 0], [MARK_COLOURS.blue, 21, 180]].map(([fill, x, turn]) => shape("polygon", { points: "0,-6.5 5,6.5 0,3.2 -5,6.5", fill, transform: `translate(${x} 10) rotate(${turn})` }));
}
