// Moves in lists with a small picture of the man: "♘ f3 or h3". A reader hears the whole move: "knight g1 to f3 or h3".
import { drawingsAt, fetchDrawings, shape } from "./pieces.js";
import { html } from "./settings.js";
import { said } from "./wording.js";

/** @typedef {import("./table.js").Entry} Entry */
/** @typedef {{players: string[], view: {drawings?: string}}} Seen */

const LETTERS = { king: "K", queen: "Q", rook: "R", bishop: "B", knight: "N", pawn: "P", chariot: "R", horse: "H", elephant: "E", adviser: "A", cannon: "C" };
/** Fill and line of the men of the first and the second player. */
const LOOKS = [["#fffefa", "#1a1f26"], ["#20252d", "#f6f3ec"]];

/** What the eye needs beside the picture: where the man goes, and whether he takes. @param {Entry} entry */
export function short(entry) {
  const words = said(entry).slice(`${entry.man} `.length);
  return words.replace(/^[a-z]\d+ (to|takes) /, (_, how) => (how === "to" ? "" : "×"));
}

/** The picture of a man; nothing as long as his drawing is not here. @param {string} man @param {number} player @param {string} kind */
function figure(man, player, kind) {
  const letter = /** @type {Record<string, string>} */ (LETTERS)[man];
  if (kind === "letters") return html("b", { class: `fig letter ${player ? "" : "red"}` }, letter);
  const place = html("span", { class: "fig" });
  const draw = () => {
    const form = drawingsAt(kind)?.men[letter], [fill, ink] = LOOKS[player] ?? LOOKS[0];
    if (form) place.append(shape("svg", { viewBox: "8 6 84 90", width: 18, height: 19 }, shape("path", { d: form.whole, fill, stroke: ink, "stroke-width": 7, "paint-order": "stroke", "stroke-linejoin": "round" }), shape("path", { d: form.lines, fill: "none", stroke: ink, "stroke-width": 3.5 })));
  };
  if (drawingsAt(kind)) draw();
  else fetchDrawings(kind).then(draw, () => undefined);
  return place;
}

/** A move for a list. @param {Entry} entry @param {Seen} seen @returns {Node[]} */
export function label(entry, { players, view }) {
  if (!entry.man) return [html("span", {}, said(entry))];
  const picture = figure(entry.man, players.indexOf(entry.by), view.drawings ?? "chess");
  return [html("span", { class: "hidden" }, said(entry)), html("span", { class: "brief", "aria-hidden": "true" }, picture, short(entry))];
}
