// What is drawn over a board on request only, and loaded then: all links as curves, arrows of a teacher or an agent.
import { ACCENT, registerLook } from "./colours.js";
import { registerOf } from "./linking.js";
import { shape } from "./pieces.js";

/** @typedef {import("./wording.js").View} View */
/** @typedef {import("./wording.js").Arrow} Arrow */
/** @typedef {(square: string) => {x: number, y: number}} Centre */

/** All links: whole lines for "and", dashed ones for "or". @param {View} view @param {Centre} centre */
export function curves(view, centre) {
  return (view.links ?? []).flatMap(([a, b, strength, sign]) => {
    const start = centre(a), end = centre(b);
    const middle = { x: (start.x + end.x) / 2 - 0.14 * (end.y - start.y), y: (start.y + end.y) / 2 + 0.14 * (end.x - start.x) };
    const from = towards(start, middle, 36), to = towards(end, middle, 36);
    const d = `M${from.x.toFixed(0)} ${from.y.toFixed(0)}Q${middle.x.toFixed(0)} ${middle.y.toFixed(0)} ${to.x.toFixed(0)} ${to.y.toFixed(0)}`;
    const kind = sign === "together" ? "together" : sign === "either-or" ? "either" : "linked";
    const opacity = (0.45 + 0.55 * Math.min(1, Math.max(0, Number(strength)))).toFixed(2);
    return [shape("path", { d, class: "link under" }), shape("path", { d, class: `link ${kind}`, stroke: registerLook(registerOf(view, a)).colour, "stroke-opacity": opacity })];
  });
}

/** @param {{x: number, y: number}} start @param {{x: number, y: number}} end @param {number} way */
function towards(start, end, way) {
  const far = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  return { x: start.x + (way * (end.x - start.x)) / far, y: start.y + (way * (end.y - start.y)) / far };
}

/** An arrow of a teacher or an agent. @param {Arrow} arrow @param {Centre} centre */
export function note({ start, end }, centre) {
  if (start === end) return [];
  const from = towards(centre(start), centre(end), 20), tip = towards(centre(end), from, 20), stop = towards(tip, from, 22);
  const ux = (tip.x - stop.x) / 22, uy = (tip.y - stop.y) / 22;
  const points = [[tip.x, tip.y], [stop.x - 14 * uy, stop.y + 14 * ux], [stop.x + 14 * uy, stop.y - 14 * ux]];
  return [shape("path", { d: `M${from.x.toFixed(0)} ${from.y.toFixed(0)}L${stop.x.toFixed(0)} ${stop.y.toFixed(0)}`, class: "arrow", stroke: ACCENT }),
    shape("polygon", { points: points.map((point) => point.map((value) => value.toFixed(0)).join(",")).join(" "), class: "head", fill: ACCENT })];
}
