// What the marks of a board mean: only those that can occur on it, and what is special about its squares. The small
// pictures carry their own colours, as a legend stands outside the board.
import { ACCENT, MARK_COLOURS, registerLook } from "./colours.js";
import { DISC, drawingsAt, fetchDrawings, shape } from "./pieces.js";
import { dial, registerShape } from "./plates.js";
import { html } from "./settings.js";

/** @typedef {import("./wording.js").View} View */
/** @typedef {import("./board.js").QcBoard} QcBoard */

const INK = "#14181d", WHITE = "#fffefa", SILVER = "#b4bdc7", YELLOW = "#ffdf6b";

/** One line: a small picture, its name and its meaning. @param {SVGElement[]} picture @param {string} name @param {string} words */
function line(picture, name, words) {
  return html("li", {}, shape("svg", { viewBox: "0 0 30 20", class: "sign", "aria-hidden": "true" }, ...picture), html("span", {}, html("b", {}, name), ` ${words}`));
}

/** What can occur in our games besides men, plates and the last move; in other games what is on the board is told. @type {Record<string, string>} */
const OCCURS = {
  "quantum-chess": "links goes asks phases", "quantum-checkers": "links goes asks phases", "piece-qubit-chess": "pairs links goes asks",
  "niels-chess": "links goes asks pointers", "niels-xiangqi": "links goes asks pointers", "quantum-tic-tac-toe": "links asks",
};

/**
 * The lines for a board: nine at most, only of marks that can occur in this game, and the switch for phases.
 * @param {View} view @param {string} [game] @param {QcBoard} [board] @returns {HTMLElement}
 */
export function legendOf(view, game = "", board = undefined) {
  const here = Object.values(view.men), men = here.flat();
  const can = (/** @type {string} */ mark, /** @type {boolean} */ isHere) => isHere || (OCCURS[game] ?? (["links", "goes", "asks"].includes(mark) ? mark : "")).includes(mark);
  const hasPhases = can("phases", men.some((man) => man.phase != null)), isThreatened = Boolean(Object.keys(board?.danger ?? {}).length);
  const lines = [
    line(glass(view), "Filled to its odds, like a glass.", "Half full: it is here with a chance of 50%. Under 10% it is small."),
    line([plate(0, 4), plate(1, 17)], "One colour and shape:", "these squares belong together. Find one, and you learn about the others. White: it belongs with no other."),
    ...(can("pairs", here.some((some) => some.length > 1)) ? [line(pair(), "Two on a square:", "one piece that may be either, the likelier first.")] : []),
    ...(can("links", false) ? [line([tag("and", 0.5, 16), tag("or", 17.5, 12)], "and, or:", "there if the picked piece is there, or if it is not. With a question mark: more often than by chance.")] : []),
    ...(can("goes", false) ? [line([circle(6, 5), ...halfDot(), shape("path", { d: "M20 8V4h4zM26 4h4v4zM30 12v4h-4zM24 16h-4v-4z", fill: "currentColor", "fill-opacity": 0.6 })], "Dot, half a dot, corners:", "where it can go; where a part may stay behind; what it can take.")] : []),
    ...(can("asks", false) ? [line(pill(), "Tick:", "the move asks a question. It works with this chance.")] : []),
    line([shape("rect", { x: 7, y: 2, width: 16, height: 16, fill: YELLOW })], "Yellow:", "the last move."),
    ...(hasPhases ? [line([dial(0, 5, 10, 4), dial(0.25, 15, 10, 4), dial(0.5, 25, 10, 4)], "Dial:", "the phase. You can ignore it until you merge.")] : []),
    ...(can("pointers", men.some((man) => man.mark)) ? [line(pointers(), "Red, blue and green marks:", "the parts of a pair. A mark points to the opponent or to its own player.")] : []),
    ...(isThreatened ? [line([shape("circle", { cx: 15, cy: 10, r: 8, fill: "#c62828", "fill-opacity": 0.5 }), shape("text", { x: 15, y: 14, fill: "#fff", "font-size": 12 }, "!")], "Red:", "this king can be taken next.")] : []),
  ];
  return html("div", {}, html("ul", { class: "signs" }, ...lines, ...captions(view).map((text) => html("li", { class: "caption" }, text))), ...(hasPhases && board ? [phaseSwitch(board)] : []));
}

/** The latest switch of each board, which its key P moves, too. @type {WeakMap<QcBoard, HTMLInputElement>} */
const SWITCHES = new WeakMap();

/** @param {QcBoard} board */
function phaseSwitch(board) {
  const box = /** @type {HTMLInputElement} */ (html("input", { type: "checkbox", role: "switch" }));
  box.checked = board.phases;
  box.addEventListener("change", () => {
    board.phases = box.checked;
  });
  if (!SWITCHES.has(board)) board.addEventListener("qc-phases", () => Object.assign(SWITCHES.get(board) ?? {}, { checked: board.phases }));
  SWITCHES.set(board, box);
  return html("label", { class: "switch" }, box, " Show phase", html("kbd", { "aria-hidden": "true" }, "P"));
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

/** @param {string} word @param {number} x @param {number} wide */
function tag(word, x, wide) {
  return shape("g", { "font-size": 7.5 }, shape("rect", { x, y: 4, width: wide, height: 12, rx: 3, fill: registerLook(0).colour, stroke: INK }), shape("text", { x: x + wide / 2, y: 12.6, fill: INK }, word));
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

function pointers() {
  return [[MARK_COLOURS.red, 9, 0], [MARK_COLOURS.blue, 21, 180]].map(([fill, x, turn]) => shape("path", { d: "M0-6.5L5 6.5L0 3.2L-5 6.5Z", fill, transform: `translate(${x} 10)rotate(${turn})` }));
}
