// A View as SVG, layer by layer, in the language of the pictures that the Python side draws.
import { ARROW_COLOURS, MARK_COLOURS, PHASE_COLOURS, RING_COLOUR, SIDES, groupColour, groupLetter, quarterOf } from "./colours.js";
import { BOX, drawingsAt, pieceShapes, shape } from "./pieces.js";
import { groupOf, isLettered, oddsText } from "./wording.js";

/** @typedef {import("./wording.js").View} View */
/** @typedef {import("./wording.js").Man} Man */
/** @typedef {import("./wording.js").Arrow} Arrow */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {Map<string, Point>} Spots */

/** Room for the labels of ranks at the left and of files below; a hair elsewhere. */
export const LEFT = 14, BELOW = 14, EDGE = 2;
const RADIUS = 20;
const FAINTEST = 0.7;
/** Where several men share a square: how large each is drawn, and where, as parts of the square. */
const SHARED = [[0.74, -0.02, 0], [0.5, 0.51, 0.45], [0.4, 0.6, 0.02], [0.4, 0, 0.6]];

/** The squares row by row from the top, as the player sees them who sits below. @param {View} view @param {number} below */
export function rowsOf(view, below) {
  const rows = [];
  for (let y = view.height - 1; y >= 0; y--) {
    rows.push(Array.from({ length: view.width }, (_, x) => String.fromCharCode(97 + x) + (y + 1)));
  }
  return below === 0 ? rows : rows.reverse().map((row) => row.reverse());
}

/** The size of the picture in its own units. @param {View} view @param {boolean} [plain] */
export function sizeOf(view, plain = false) {
  const [wide, high] = plain ? [0, 0] : [LEFT + EDGE, BELOW + EDGE];
  return { width: view.width * BOX + wide, height: view.height * BOX + high };
}

/**
 * The whole board as one SVG element. `plain` leaves out labels of files and ranks, for small pictures.
 * @param {View} view @param {{below?: number, links?: string[]|"all", plain?: boolean, notes?: Arrow[], hideArrows?: boolean}} [how]
 * @returns {SVGElement}
 */
export function drawView(view, how = {}) {
  const below = how.below ?? 0;
  const spots = spotsOf(view, below);
  const { width, height } = sizeOf(view, how.plain);
  const box = `${how.plain ? LEFT : 0} ${how.plain ? EDGE : 0} ${width} ${height}`;
  const arrows = how.hideArrows ? [] : view.arrows ?? [];
  return shape("svg", { viewBox: box, class: "picture", "aria-hidden": "true", focusable: "false" },
    layer("squares", squares(view, spots)),
    layer("labels", how.plain ? [] : labels(view, below)),
    layer("groups", groups(view, spots)),
    layer("shafts", arrows.flatMap((arrow, number) => shaft(arrow, bendOf(arrows, number), spots))),
    layer("men", men(view, spots)),
    layer("links", links(view, how.links ?? [], spots)),
    layer("heads", arrows.flatMap((arrow, number) => head(arrow, bendOf(arrows, number), spots))),
    layer("tags", tags(view, spots)),
    layer("notes", (how.notes ?? []).flatMap((arrow) => [...shaft({ ...arrow, kind: arrow.kind ?? "note" }, 0, spots), ...head({ ...arrow, kind: arrow.kind ?? "note" }, 0, spots)])),
    layer("numbers", numbers(view, spots)));
}

/** @param {View} view @param {number} below @returns {Spots} the upper left corner of each square */
export function spotsOf(view, below) {
  /** @type {Spots} */
  const spots = new Map();
  rowsOf(view, below).forEach((row, y) => row.forEach((name, x) => spots.set(name, { x: LEFT + x * BOX, y: EDGE + y * BOX })));
  return spots;
}

/** @param {Spots} spots @param {string} name @returns {Point} */
function centre(spots, name) {
  const spot = spots.get(name) ?? { x: 0, y: 0 };
  return { x: spot.x + BOX / 2, y: spot.y + BOX / 2 };
}

/** @param {string} name @param {SVGElement[]} shapes */
function layer(name, shapes) {
  return shape("g", { class: `layer ${name}` }, ...shapes);
}

// -- the board ---------------------------------------------------------------------------------------------

/** @param {View} view @param {Spots} spots */
function squares(view, spots) {
  const shapes = [];
  for (const [name, { x, y }] of spots) {
    const isLight = view.grid?.length || (name.charCodeAt(0) + Number(name.slice(1))) % 2;
    shapes.push(shape("rect", { x, y, width: BOX, height: BOX, class: isLight ? "light" : "dark", "data-sq": name }));
    if (view.marked?.includes(name)) shapes.push(shape("rect", { x, y, width: BOX, height: BOX, class: "last" }));
  }
  for (const [start, end] of view.grid ?? []) {
    const a = centre(spots, start), b = centre(spots, end);
    shapes.push(shape("path", { d: `M${a.x} ${a.y}L${b.x} ${b.y}`, class: "gridline" }));
  }
  return shapes;
}

/** @param {View} view @param {number} below */
function labels(view, below) {
  const shapes = [];
  const low = EDGE + BELOW / 2 + 1 + view.height * BOX;
  for (let x = 0; x < view.width; x++) {
    const letter = String.fromCharCode(97 + (below === 0 ? x : view.width - 1 - x));
    shapes.push(shape("text", { x: LEFT + (x + 0.5) * BOX, y: low, dy: ".35em", class: "mid label" }, letter));
  }
  for (let y = 0; y < view.height; y++) {
    const rank = below === 0 ? view.height - y : y + 1;
    shapes.push(shape("text", { x: LEFT / 2, y: EDGE + (y + 0.5) * BOX, dy: ".35em", class: "mid label" }, String(rank)));
  }
  return shapes;
}

/** A frame of the register's colour in each of its squares; dashed from the seventh on. @param {View} view @param {Spots} spots */
function groups(view, spots) {
  return (view.groups ?? []).flatMap((group, number) => group.map((name) => {
    const { x, y } = spots.get(name) ?? { x: 0, y: 0 };
    const colour = groupColour(number);
    return shape("rect", { x: x + 1.2, y: y + 1.2, width: BOX - 2.4, height: BOX - 2.4, rx: 5, class: "group", fill: colour, stroke: colour, "stroke-dasharray": number > 5 ? "5 3" : null });
  }));
}

/** The letter of its register in the upper left corner of each square. @param {View} view @param {Spots} spots */
function tags(view, spots) {
  if (!isLettered(view)) return [];
  return (view.groups ?? []).flatMap((group, number) => group.map((name) => {
    const { x, y } = spots.get(name) ?? { x: 0, y: 0 };
    return shape("text", { x: x + 4, y: y + (view.men[name]?.length > 1 ? 38 : 11.5), class: "odds tag" }, groupLetter(number));
  }));
}

// -- men ---------------------------------------------------------------------------------------------------

/** @param {View} view @param {Spots} spots */
function men(view, spots) {
  return Object.entries(view.men).flatMap(([name, here]) => {
    const { x, y } = spots.get(name) ?? { x: 0, y: 0 };
    if (here.length !== 1) return sharing(view, name, x, y);
    const man = here[0];
    const isOpen = Boolean(oddsText(man.probability));
    return [shape("g", { transform: `translate(${x} ${y})`, "data-man": name }, ...(isOpen ? ring(man) : []), drawn(view, man, isOpen), ...pointer(man))];
  });
}

/** @param {View} view @param {Man} man @param {boolean} ghost */
function drawn(view, man, ghost) {
  const side = SIDES[man.player % SIDES.length] + (view.players[man.player] === "red" ? " red" : "");
  const opacity = ghost ? (FAINTEST + (1 - FAINTEST) * man.probability).toFixed(2) : null;
  return shape("g", { class: ghost ? "ghost" : "sure", opacity }, ...pieceShapes(man.symbol, side, drawingsAt(view.drawings ?? "chess")));
}

/** An arc as long as the probability, from the top clockwise, and the clock of the phase. @param {Man} man */
function ring(man) {
  const around = 2 * Math.PI * RADIUS;
  const share = Math.min(1, Math.max(0, man.probability)) * around;
  const colour = man.phase == null ? RING_COLOUR : PHASE_COLOURS[quarterOf(man.phase)];
  const dashes = `${share.toFixed(2)} ${around.toFixed(2)}`;
  const at = { cx: 22.5, cy: 22.5, r: RADIUS, transform: "rotate(-90 22.5 22.5)" };
  return [
    shape("circle", { ...at, class: "track" }),
    shape("circle", { ...at, class: "rim", "stroke-dasharray": dashes }),
    shape("circle", { ...at, class: "ring", stroke: colour, "stroke-dasharray": dashes }),
    ...(man.phase == null ? [] : [clock(man.phase, 38.6, 6.6, 4.6)]),
  ];
}

/** A clock face whose hand and colour are the phase: up for 0, right for a quarter turn. @param {number} phase @param {number} x @param {number} y @param {number} r */
export function clock(phase, x, y, r) {
  const quarter = quarterOf(phase);
  const angle = 2 * Math.PI * phase;
  const hand = `M${x} ${y}L${(x + 0.82 * r * Math.sin(angle)).toFixed(2)} ${(y - 0.82 * r * Math.cos(angle)).toFixed(2)}`;
  return shape("g", { class: "clock" },
    shape("circle", { cx: x, cy: y, r, class: "face", fill: PHASE_COLOURS[quarter] }),
    shape("path", { d: hand, class: quarter === 1 ? "hand onlight" : "hand" }));
}

/** The mark of a man at the lower left of his square. @param {Man} man */
function pointer(man) {
  if (!man.mark) return [];
  const fill = /** @type {Record<string, string>} */ (MARK_COLOURS)[man.mark.colour] ?? man.mark.colour;
  return [shape("polygon", { points: "0,-6.5 5,6.5 0,3.2 -5,6.5", fill, class: "pointer", transform: `translate(8 36.5) rotate(${Number(man.mark.degrees)})` })];
}

/** Men on one square: the likeliest large, the others small beside it, and each one's share as a bar below. @param {View} view @param {string} name @param {number} x @param {number} y */
function sharing(view, name, x, y) {
  const here = [...view.men[name]].sort((a, b) => b.probability - a.probability);
  const shapes = here.slice(0, SHARED.length).map((man, number) => {
    const [scale, right, down] = SHARED[number];
    return shape("g", { transform: `translate(${x + right * BOX} ${y + down * BOX}) scale(${scale})`, "data-man": name }, drawn(view, man, false));
  });
  let done = 0;
  const group = groupOf(view, name);
  const colour = group < 0 ? RING_COLOUR : groupColour(group);
  here.forEach((man, number) => {
    const width = man.probability * (BOX - 6);
    shapes.push(shape("rect", { x: x + 3 + done, y: y + BOX - 4.4, width, height: 3, class: "bar", fill: number ? "none" : colour, stroke: colour }));
    done += width;
  });
  return shapes;
}

/** The odds as text: of one man below, of the likeliest of several at the top. @param {View} view @param {Spots} spots */
function numbers(view, spots) {
  return Object.entries(view.men).flatMap(([name, here]) => {
    const text = oddsText(Math.max(...here.map((man) => man.probability)));
    if (!text) return [];
    const { x, y } = spots.get(name) ?? { x: 0, y: 0 };
    const size = text.length === 1 ? "" : text.length <= 4 ? "long" : "longer";
    return [shape("text", { x: x + 43.2, y: y + (here.length === 1 ? 38.6 : 9.5), dy: ".35em", class: `end odds ${size}` }, text)];
  });
}

// -- links and arrows --------------------------------------------------------------------------------------

/** The links of some squares, or all: whole lines "together", dashed ones "either-or". @param {View} view @param {string[]|"all"} wanted @param {Spots} spots */
function links(view, wanted, spots) {
  const shown = (view.links ?? []).filter(([a, b]) => wanted === "all" || wanted.includes(a) || wanted.includes(b));
  return shown.flatMap(([a, b, strength, sign]) => {
    const start = centre(spots, a), end = centre(spots, b);
    const middle = aside(start, end, 0.14);
    const from = towards(start, middle, RADIUS - 3), to = towards(end, middle, RADIUS - 3);
    const group = groupOf(view, a);
    const opacity = (0.45 + 0.55 * Math.min(1, Math.max(0, Number(strength)))).toFixed(2);
    const d = `M${from.x.toFixed(1)} ${from.y.toFixed(1)}Q${middle.x.toFixed(1)} ${middle.y.toFixed(1)} ${to.x.toFixed(1)} ${to.y.toFixed(1)}`;
    const top = { x: (from.x + 2 * middle.x + to.x) / 4, y: (from.y + 2 * middle.y + to.y) / 4 };
    const kind = sign === "together" ? "together" : sign === "either-or" ? "either" : "linked";
    const shapes = [shape("path", { d, class: "link under" }), shape("path", { d, class: `link ${kind}`, stroke: group < 0 ? RING_COLOUR : groupColour(group), "stroke-opacity": opacity })];
    if (kind !== "linked") {
      shapes.push(shape("circle", { cx: top.x, cy: top.y, r: 6, class: "knot" }));
      shapes.push(shape("text", { x: top.x, y: top.y, dy: ".35em", class: "mid knottext" }, kind === "together" ? "=" : "≠"));
    }
    return shapes;
  });
}

/** How far an arrow bends: not at all if it is the only one of its kind; the ways of a split or merge part. @param {Arrow[]} arrows @param {number} number */
function bendOf(arrows, number) {
  const kind = arrows[number].kind ?? "move";
  if (arrows.filter((arrow) => (arrow.kind ?? "move") === kind).length === 1) return 0;
  return 0.16 * (number % 2 ? -1 : 1) * (kind === "merge" ? -1 : 1);
}

/** @param {Arrow} arrow */
function arrowColour(arrow) {
  return /** @type {Record<string, string>} */ (ARROW_COLOURS)[arrow.kind ?? "move"] ?? ARROW_COLOURS.move;
}

/** @param {Arrow} arrow @param {number} bend @param {Spots} spots */
function path(arrow, bend, spots) {
  const start = centre(spots, arrow.start), end = centre(spots, arrow.end);
  const middle = aside(start, end, bend);
  const tip = towards(end, middle, 16);
  return { start, middle, tip, begin: towards(start, middle, 9), stop: towards(tip, middle, 9) };
}

/** @param {Arrow} arrow @param {number} bend @param {Spots} spots */
function shaft(arrow, bend, spots) {
  if (arrow.start === arrow.end) return [];
  const { begin, middle, stop } = path(arrow, bend, spots);
  return [shape("path", { d: `M${begin.x.toFixed(1)} ${begin.y.toFixed(1)}Q${middle.x.toFixed(1)} ${middle.y.toFixed(1)} ${stop.x.toFixed(1)} ${stop.y.toFixed(1)}`, class: "arrow", stroke: arrowColour(arrow) })];
}

/** @param {Arrow} arrow @param {number} bend @param {Spots} spots */
function head(arrow, bend, spots) {
  if (arrow.start === arrow.end) return [];
  const { middle, tip } = path(arrow, bend, spots);
  const far = Math.hypot(tip.x - middle.x, tip.y - middle.y) || 1;
  const ux = (tip.x - middle.x) / far, uy = (tip.y - middle.y) / far;
  const x = tip.x - 11 * ux, y = tip.y - 11 * uy;
  const points = [[tip.x, tip.y], [x - 5.5 * uy, y + 5.5 * ux], [x + 5.5 * uy, y - 5.5 * ux]];
  return [shape("polygon", { points: points.map((point) => point.map((value) => value.toFixed(1)).join(",")).join(" "), class: "head", fill: arrowColour(arrow) })];
}

/** @param {Point} start @param {Point} end @param {number} way */
function towards(start, end, way) {
  const far = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  return { x: start.x + (way * (end.x - start.x)) / far, y: start.y + (way * (end.y - start.y)) / far };
}

/** @param {Point} start @param {Point} end @param {number} bend */
function aside(start, end, bend) {
  return { x: (start.x + end.x) / 2 - bend * (end.y - start.y), y: (start.y + end.y) / 2 + bend * (end.x - start.x) };
}
