// A View as SVG, layer by layer: squares, last move, danger, tints, labels, frames, dots, men, plates, words, pills.
import { registerLook } from "./colours.js";
import { Filling, isOpen, placed } from "./filling.js";
import { linkedWith, registerOf } from "./linking.js";
import { BOX, shape } from "./pieces.js";
import { danger, hasPlates, pill, plate, plateEdge, pointer, sharedPlate, short, sizesOf, tag } from "./plates.js";

/** @typedef {import("./wording.js").View} View */
/** @typedef {import("./wording.js").Arrow} Arrow */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {Map<string, Point>} Spots */
/** @typedef {{kind: "go"|"part"|"take"|"join", asks: boolean, chance: number|null, works: string}} Target */
/**
 * @typedef {object} How
 * @property {number} [below] the player at the lower side
 * @property {number} [side] a square's side in pixels
 * @property {boolean} [plain] without labels, as on a small picture
 * @property {boolean} [phases] whether plates have dials
 * @property {boolean} [links] whether all links are drawn
 * @property {string} [asked] the square whose links are told
 * @property {string[]} [parts] squares that have other parts of its piece
 * @property {string[]} [picked]
 * @property {Map<string, Target>} [targets]
 * @property {Record<string, number>} [danger] how likely the king on a square can be taken
 * @property {Arrow[]} [notes] arrows of a teacher or an agent
 * @property {typeof import("./curves.js")} [over] what draws links and notes, once it is loaded
 * @property {import("./shown.js").Scene|null} [scene] a frame of what plays
 */
/** @typedef {How & {view: View, spots: Spots, sizes: import("./plates.js").Sizes}} Drawn */

const MARKED = { x: 0, y: 0, width: BOX, height: BOX };

/** The squares row by row from the top, as the player sees them who sits below. @param {View} view @param {number} below */
export function rowsOf(view, below) {
  const rows = [];
  for (let y = view.height - 1; y >= 0; y--) {
    rows.push(Array.from({ length: view.width }, (_, x) => String.fromCharCode(97 + x) + (y + 1)));
  }
  return below === 0 ? rows : rows.reverse().map((row) => row.reverse());
}

/** The whole board as one SVG element. @param {View} view @param {How} [how] @returns {SVGElement} */
export function drawView(view, how = {}) {
  const on = { ...how, view, spots: spotsOf(view, how.below ?? 0), sizes: sizesOf(how.side || 60) };
  const filling = new Filling(view);
  const { links, notes = [], over } = how;
  const middle = (/** @type {string} */ name) => centre(on.spots, name);
  const layers = [
    layer("squares", squares(on)), layer("lasts", lasts(on)), layer("dangers", dangers(on)), layer("tints", tints(on)),
    layer("labels", how.plain ? [] : labels(on)), layer("frames", frames(on)), layer("links", links && over ? over.curves(view, middle) : []),
    layer("dots", dots(on)), layer("men", men(on, filling)), layer("plates", plates(on), { "font-size": short(on.sizes.font), "stroke-width": short(1.6 * on.sizes.unit) }), layer("tags", tags(on)),
    layer("pills", pills(on)), layer("notes", over ? notes.flatMap((arrow) => over.note(arrow, middle)) : []), layer("over", how.scene?.over(on.spots) ?? []),
  ];
  return shape("svg", { viewBox: `0 0 ${view.width * BOX} ${view.height * BOX}`, class: "picture", "aria-hidden": "true", focusable: "false" },
    filling.defs, ...(Object.keys(how.danger ?? {}).length ? [glow()] : []), ...layers.filter((each) => each.firstChild));
}

/** The upper left corner of each square. @param {View} view @param {number} below @returns {Spots} */
function spotsOf(view, below) {
  /** @type {Spots} */
  const spots = new Map();
  rowsOf(view, below).forEach((row, y) => row.forEach((name, x) => spots.set(name, { x: x * BOX, y: y * BOX })));
  return spots;
}

/** @param {Spots} spots @param {string} name @returns {Point} */
function centre(spots, name) {
  const spot = spots.get(name) ?? { x: 0, y: 0 };
  return { x: spot.x + BOX / 2, y: spot.y + BOX / 2 };
}

/** @param {string} name @param {SVGElement[]} shapes @param {Record<string, number>} [look] */
function layer(name, shapes, look = {}) {
  return shape("g", { class: name, ...look }, ...shapes);
}

/** Shapes on a square, in hundredths of it. @param {Spots} spots @param {string} name @param {...SVGElement} shapes */
function at(spots, name, ...shapes) {
  const { x, y } = spots.get(name) ?? { x: 0, y: 0 };
  return shape("g", { transform: `translate(${x} ${y})` }, ...shapes);
}

// -- the board

/** Whether a square is a dark one. @param {View} view @param {string} name */
function isDark(view, name) {
  return !view.grid?.length && (name.charCodeAt(0) + Number(name.slice(1))) % 2 === 0;
}

/** @param {Drawn} on */
function squares({ view, spots }) {
  const dark = [...spots].filter(([name]) => isDark(view, name)).map(([, { x, y }]) => `M${x} ${y}h${BOX}v${BOX}h-${BOX}z`).join("");
  // in a part of a board, a line may end beyond it
  const point = (/** @type {string} */ name) => (spots.has(name) ? centre(spots, name) : { x: BOX * (name.charCodeAt(0) - 96.5), y: BOX * (view.height + 0.5 - Number(name.slice(1))) });
  const lines = (view.grid ?? []).map((line) => line.map(point)).map(([a, b]) => `M${a.x} ${a.y}L${b.x} ${b.y}`).join("");
  return [shape("rect", { width: view.width * BOX, height: view.height * BOX, class: "light" }),
    ...(dark ? [shape("path", { d: dark, class: "dark" })] : []), ...(lines ? [shape("path", { d: lines, class: "gridline" })] : [])];
}

/** The squares of the last move. @param {Drawn} on */
function lasts({ view, spots }) {
  const marked = new Set([...(view.marked ?? []), ...(view.arrows ?? []).flatMap(({ start, end }) => [start, end])]);
  return [...marked].filter((name) => spots.has(name)).map((name) => shape("rect", { ...spots.get(name), width: BOX, height: BOX, class: "last" }));
}

/** Rank upper left, file lower right; on small squares not where a plate stands. @param {Drawn} on */
function labels({ view, spots, sizes, below = 0 }) {
  const font = Math.max(10, Math.min(14, 0.13 * sizes.side)) * sizes.unit;
  const rows = rowsOf(view, below), last = rows[rows.length - 1];
  const isFree = (/** @type {string} */ name, here = view.men[name] ?? []) => here.length < 2 && (sizes.side >= 60 || !here.some(isOpen));
  const text = (/** @type {string} */ name, /** @type {string} */ words, /** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ end) =>
    shape("text", { x: Number(((spots.get(name)?.x ?? 0) + x).toFixed(1)), y: Number(((spots.get(name)?.y ?? 0) + y).toFixed(1)), "font-size": Number(font.toFixed(1)), class: `label${end}${isDark(view, name) ? " ondark" : ""}` }, words);
  return [...rows.filter(([name]) => isFree(name)).map(([name]) => text(name, name.slice(1), 3.2 * sizes.unit, font + 0.5 * sizes.unit, "")),
    ...last.filter((name) => isFree(name)).map((name) => text(name, name[0], BOX - 3.2 * sizes.unit, BOX - 3.9 * sizes.unit, " end"))];
}

/** @param {Drawn} on */
function dangers({ spots, danger: told = {} }) {
  return Object.keys(told).filter((name) => spots.has(name)).map((name) => shape("rect", { ...spots.get(name), width: BOX, height: BOX, fill: "url(#danger)" }));
}

function glow() {
  const stops = [["0", "#ff2b1f", ".95"], [".45", "#e0261c", ".75"], ["1", "#c62828", "0"]];
  return shape("radialGradient", { id: "danger" }, ...stops.map(([offset, colour, opacity]) => shape("stop", { offset, "stop-color": colour, "stop-opacity": opacity })));
}

// -- what is asked and picked

/** The squares that are linked with the one that is asked about. @param {Drawn} on @returns {import("./linking.js").Linked[]} */
function linked({ view, asked, parts = [] }) {
  const found = asked ? linkedWith(view, asked) : [];
  const more = parts.filter((name) => !found.some(({ square }) => square === name));
  return [...found, ...more.map((square) => ({ square, word: "or", strength: 1 }))];
}

/** @param {Drawn} on */
function tints(on) {
  const { unit } = on.sizes, edge = 1.8 * unit;
  return linked(on).filter(({ square }) => !on.picked?.includes(square)).map(({ square }) => {
    const fill = registerLook(registerOf(on.view, square)).colour;
    return at(on.spots, square, shape("rect", { ...MARKED, fill, class: "tint" }),
      shape("rect", { ...inset(edge), rx: 4 * unit, fill: "none", stroke: fill, "stroke-width": 3.2 * unit }));
  });
}

/** @param {number} edge */
function inset(edge) {
  return { x: edge, y: edge, width: BOX - 2 * edge, height: BOX - 2 * edge };
}

/** @param {Drawn} on */
function frames({ spots, sizes, picked = [] }) {
  const { unit } = sizes, where = { ...inset(2 * unit), rx: 4 * unit, fill: "none" };
  return picked.filter((name) => spots.has(name)).map((name) => at(spots, name, shape("rect", { ...MARKED, class: "pickfill" }),
    shape("rect", { ...where, class: "pickline", "stroke-width": 7 * unit }), shape("rect", { ...where, class: "pick", "stroke-width": 4 * unit })));
}

/** Where a move can go, where only a part of it may arrive, what it takes. @param {Drawn} on */
function dots({ spots, targets = new Map() }) {
  return [...targets].map(([name, { kind }]) => at(spots, name, ...(kind === "take"
    ? [shape("path", { d: "M0 27V0h27zM73 0h27v27zM100 73v27h-27zM27 100h-27v-27z", class: "dot take" })]
    : kind === "join" ? [shape("circle", { cx: 50, cy: 46, r: 43, class: "dotring" })] : kind === "go" ? [shape("circle", { cx: 50, cy: 50, r: 15.5, class: "dot go" })]
      : [shape("circle", { cx: 50, cy: 50, r: 15, class: "dotring" }), shape("path", { d: "M35 50a15 15 0 0 0 30 0z", class: "dot part" })])));
}

// -- men and what is said of them

/** @param {Drawn} on @param {Filling} filling */
function men({ view, spots, sizes, scene }, filling) {
  const edge = hasPlates(sizes) ? plateEdge(sizes) : BOX;
  return Object.entries(view.men).flatMap(([name, found]) => {
    const share = scene?.levels[name];
    const here = share === undefined || found.length > 1 ? found : [{ ...found[0], probability: share }];
    const { x, y } = onWay(spots, name, scene?.moved[name]);
    const all = placed(here, edge).map(({ man, place }) =>
      filling.man(man, { ...place, x: x + place.x, y: y + place.y }, { whole: edge === BOX || here.length > 1, name }));
    return scene && name in scene.fades ? [shape("g", { opacity: short(scene.fades[name]) }, ...all)] : all;
  });
}

/** The corner of a square, or on a way to another. @param {Spots} spots @param {string} name @param {any} [moved] */
function onWay(spots, name, moved) {
  const from = spots.get(name) ?? { x: 0, y: 0 }, to = (moved && spots.get(moved.to)) ?? from, way = moved?.way ?? 0;
  const x = to.x - from.x, y = to.y - from.y, bend = 2 * way * (1 - way) * (moved?.bend ?? 0);
  return { x: from.x + way * x - bend * y, y: from.y + way * y + bend * x };
}

/** @param {Drawn} on */
function plates({ view, spots, sizes, phases, scene, plain }) {
  if (!hasPlates(sizes)) return [];
  const shaped = (view.groups ?? []).length > 1;
  // the plate of two kinds needs 46 pixels; on a small picture the men must do
  return Object.entries(view.men).filter(([name, here]) => here.some(isOpen) && !scene?.bare.has(name) && !(plain && here[1] && sizes.side < 46)).map(([name, here]) => {
    const number = registerOf(view, name);
    const sorted = [...here].sort((a, b) => b.probability - a.probability);
    const { x, y } = spots.get(name) ?? { x: 0, y: 0 }, where = `translate(${x} ${y})`;
    return here.length > 1 ? sharedPlate(number, sorted, sizes, where) : plate(number, here[0], sizes, where, { shaped, phases });
  });
}

/** Words of links, marks of pairs, dangers. @param {Drawn} on */
function tags(on) {
  const { view, spots, sizes, danger: told = {} } = on;
  const marks = Object.entries(view.men).flatMap(([name, here]) => here.filter((man) => man.mark).slice(0, 1).map((man) => at(spots, name, pointer(/** @type {any} */ (man.mark), sizes))));
  if (!hasPlates(sizes)) return marks;
  const words = linked(on).filter(({ word, square }) => word && spots.has(square)).map(({ word, square }) => {
    const { x, y } = spots.get(square) ?? { x: 0, y: 0 };
    return at(spots, square, tag(word, registerOf(view, square), sizes, { left: x === 0, top: y === 0 }));
  });
  return [...marks, ...words, ...Object.entries(told).filter(([name]) => spots.has(name)).map(([name, chance]) => at(spots, name, danger(chance, sizes)))];
}

/** @param {Drawn} on */
function pills({ spots, sizes, targets = new Map() }) {
  if (!hasPlates(sizes)) return [];
  return [...targets].filter(([, { chance }]) => chance !== null).map(([name, { chance }]) => at(spots, name, pill(chance, sizes, spots.get(name)?.y === 0)));
}
