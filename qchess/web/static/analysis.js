// What an agent thinks of a position, for those who look on; a player of the game is never told.
import { html } from "./settings.js";

/** @typedef {{text: string, value: number|null, visits: number|null, from?: string[], to?: string[], kind?: string}} Candidate */

/**
 * Puts the analysis line into an element of a page that has a table at the server.
 * @param {HTMLElement} body @param {any} table
 */
export function mountAnalysis(body, table) {
  const line = html("div", { class: "line", role: "status" });
  const button = html("button", { type: "button" }, "Analyse this position");
  const always = /** @type {HTMLInputElement} */ (html("input", { type: "checkbox", id: "analyse-always" }));
  body.append(html("div", { class: "row" }, button, html("label", { for: "analyse-always" }, always, " every position")), line);
  const ask = () => {
    line.replaceChildren(html("p", { class: "quiet" }, "Thinking …"));
    table.send({ kind: "analyse", ply: table.shown });
  };
  button.addEventListener("click", ask);
  table.addEventListener("shown", () => {
    table.board.arrows = [];
    line.replaceChildren();
    if (always.checked) ask();
  });
  table.addEventListener("message", (/** @type {CustomEvent} */ event) => {
    const answer = event.detail;
    if (answer.kind === "analysis" && answer.ply === table.shown) drawLine(line, answer, table.board);
    else if (answer.kind === "refused" && answer.of === "analyse") line.replaceChildren(html("p", {}, answer.why));
  });
}

/**
 * The moves that an agent weighed, best first; the best one as an arrow on the board, another one under the pointer.
 * @param {HTMLElement} line @param {{agent: string, candidates: Candidate[], note: string}} answer @param {any} board
 */
export function drawLine(line, answer, board) {
  const items = answer.candidates.map((candidate) => {
    const worth = candidate.value == null ? "" : ` ${candidate.value.toFixed(3)}`;
    const visits = candidate.visits == null ? "" : ` · ${candidate.visits} visits`;
    const item = html("li", { tabindex: "0" }, html("code", {}, candidate.text), html("span", { class: "quiet" }, worth + visits));
    const point = () => (board.arrows = arrowsOf(candidate));
    item.addEventListener("pointerenter", point);
    item.addEventListener("focus", point);
    return item;
  });
  line.replaceChildren(html("p", {}, `${answer.agent} would play`), html("ol", {}, ...items), ...(answer.note ? [html("p", { class: "quiet" }, answer.note)] : []));
  board.arrows = answer.candidates.length ? arrowsOf(answer.candidates[0]) : [];
}

/** A move as arrows: one for each way it goes. @param {Candidate} move */
export function arrowsOf(move) {
  const kind = move.kind === "split" || move.kind === "merge" ? move.kind : "note";
  return (move.from ?? []).flatMap((start) => (move.to ?? []).map((end) => ({ start, end, kind })));
}
