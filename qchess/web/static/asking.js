// What a move would ask: its outcomes with their odds and their boards, before it is played.
import { html } from "./settings.js";
import { answerOf, inOrder, isYesOrNo, questionIn, went, wordsOf } from "./ways.js";
import { kindName, moveWords, percent } from "./wording.js";

/** @typedef {import("./wording.js").View} View */
/** @typedef {import("./machine.js").Move} Move */
/** @typedef {import("./board.js").QcBoard} QcBoard */
/** @typedef {{probability: number, answers: Record<string, number>, sentence: string, view: View}} Outcome */

const WAIT = 140;
const SHOWN = 4;
/** The question of a move: "Is the knight on f3?". @param {View|null} view @param {Move} move @param {Outcome[]} ways */
function questionOf(view, move, ways) {
  const asked = questionIn(ways, move.says ?? "");
  if (!asked) return `${capital(playWords(view, move))} asks a question`;
  const square = /^Is ([a-z]\d+) full\?$/.exec(asked)?.[1] ?? "";
  const men = view?.men[square] ?? [];
  return view && men.length === 1 ? `Is the ${kindName(view, men[0])} on ${square}?` : asked;
}

/** A move as one says it: "knight takes e5", "pawn to g4". @param {View|null} view @param {Move} move */
function playWords(view, { text, from, to, kind }) {
  const words = moveWords(text).replace(/^([a-z]\d+)(?=[a-z]\d+$)/, "$1–"), men = view?.men[from[0]] ?? [];
  if (!view || kind !== "move" || men.length !== 1 || words !== `${from[0]}–${to[0]}`) return words;
  const takes = (view.men[to[0]] ?? []).some(({ player }) => player !== men[0].player);
  return `${kindName(view, men[0])} ${takes ? "takes" : "to"} ${to[0]}`;
}

/** Words with a capital; the name of a square stays as it is. @param {string} words */
const capital = (words) => (/^[a-z]\d/.test(words) ? words : words.slice(0, 1).toUpperCase() + words.slice(1));

export class Asking {
  /** @param {HTMLElement} panel @param {QcBoard} board @param {import("./table.js").Table} table */
  constructor(panel, board, table) {
    this.panel = panel;
    this.board = board;
    this.table = table;
    /** @type {Map<string, Outcome[]>} */
    this.known = new Map();
    this.wanted = "";
    this.timer = 0;
    document.addEventListener("keydown", (event) => this.key(event), { capture: true });
  }

  /** Enter plays the move whose question is open, and Escape takes it back, if nothing else has the focus; whoever goes over the board by keys does both there. @param {KeyboardEvent} event */
  key(event) {
    const { board, move, panel } = this, path = event.composedPath(), at = /** @type {HTMLElement} */ (path[0]);
    if (panel.hidden || !move || event.ctrlKey || event.metaKey || event.altKey || board.isAsking) return;
    const isOurs = path.includes(panel) ? event.key === "Escape" : at === document.body || (path.includes(board) && !at.matches(":focus-visible"));
    if (!isOurs) return;
    if (event.key === "Enter") board.choose(move.text);
    else if (event.key === "Escape") this.cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Takes back what was picked. */
  cancel() {
    this.board.cancel();
    this.clear();
  }

  /** A move is under the pointer, or in focus; it is asked about unless it certainly asks nothing. @param {Move|undefined} move */
  point(move) {
    if (!move) return;
    const asks = move.measures || (move.chances?.length ?? 0) > 1;
    if (!asks) {
      this.clear();
      return;
    }
    if (this.wanted === move.text) return;
    this.wanted = move.text;
    this.show(move, []);
    clearTimeout(this.timer);
    const ply = this.table.state?.ply ?? 0;
    const there = this.known.get(`${ply} ${move.text}`);
    if (there) this.show(move, there);
    else this.timer = window.setTimeout(() => this.table.send({ kind: "preview", ply, text: move.text }), WAIT);
    this.move = move;
  }

  /** The server's answer. @param {{ply: number, text: string, outcomes: Outcome[], more?: number}} message */
  take(message) {
    this.known.set(`${message.ply} ${message.text}`, message.outcomes);
    if (this.wanted === message.text && this.move) this.show(this.move, message.outcomes, message.more ?? 0);
  }

  /** Nothing is asked about any more. */
  clear() {
    if (!this.wanted && this.panel.hidden) return;
    clearTimeout(this.timer);
    this.wanted = "";
    this.panel.hidden = true;
    this.panel.replaceChildren();
    this.board.showPreview(null);
  }

  /** @param {Move} move @param {Outcome[]} outcomes @param {number} [more] */
  show(move, outcomes, more = 0) {
    const isEither = isYesOrNo(outcomes, move.says ?? ""), sorted = inOrder(outcomes, isEither), words = wordsOf(sorted);
    const cards = sorted.slice(0, SHOWN).map((outcome, k) => this.card(outcome, isEither, words[k]));
    const left = more + Math.max(0, outcomes.length - SHOWN);
    this.panel.hidden = false;
    this.panel.replaceChildren(
      html("h2", {}, questionOf(this.board.view, move, outcomes)), html("p", { class: "quiet final" }, "This move has to know. The answer is final."),
      html("div", { class: "outcomes", "aria-busy": String(!outcomes.length) }, ...(cards.length ? cards : [html("p", { class: "quiet" }, "Working out how it can end …")])),
      ...(left ? [html("p", { class: "quiet" }, `and ${left} more`)] : []),
      html("div", { class: "row goes" }, this.button(`Play ${playWords(this.board.view, move)}`, "main go", () => this.board.choose(move.text), html("kbd", { "aria-hidden": "true" }, "Enter")), this.button("Cancel", "", () => this.cancel())),
      html("p", { class: "quiet hint" }, "Point at a small board to see it large."));
  }

  /** @param {string} words @param {string} kind @param {() => void} done @param {...Node} more */
  button(words, kind, done, ...more) {
    const button = html("button", { type: "button", class: kind }, words, ...more);
    button.addEventListener("click", done);
    return button;
  }

  /** @param {Outcome} outcome @param {boolean} isEither whether the question is answered by yes or no @param {string} words */
  card(outcome, isEither, words) {
    const small = /** @type {QcBoard} */ (html("qc-board", { class: "small", inert: "" }));
    small.modes = "never";
    small.plain = true;
    small.below = this.board.below;
    const theme = this.board.getAttribute("theme");
    if (theme) small.setAttribute("theme", theme);
    small.view = outcome.view;
    const share = /** @type {HTMLProgressElement} */ (html("progress", { max: "1", value: String(outcome.probability), "aria-hidden": "true" }));
    const isYes = isEither && answerOf(outcome) === 1;
    const head = html("span", { class: "head" }, ...(isEither ? [html("strong", { class: went(outcome.sentence) ? "yes" : "no" }, isYes ? "Yes" : "No"), " "] : []), html("b", {}, percent(outcome.probability)));
    const card = html("button", { type: "button", class: "outcome" }, small, head, share, html("span", { class: "words" }, words));
    const look = () => this.board.showPreview(outcome.view, `if so: ${percent(outcome.probability)}`);
    // a card that appears under a pointer at rest is not meant; one that the pointer goes to is
    card.addEventListener("pointermove", (event) => event.pointerType !== "touch" && (event.movementX || event.movementY) && !this.board.isPreviewing && look());
    card.addEventListener("focus", () => card.matches(":focus-visible") && look());
    card.addEventListener("pointerleave", () => this.board.showPreview(null));
    card.addEventListener("blur", () => this.board.showPreview(null));
    card.addEventListener("click", () => (this.board.isPreviewing ? this.board.showPreview(null) : look()));
    return card;
  }
}
