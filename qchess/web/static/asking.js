// What a move would ask: its outcomes with their odds and their boards, before it is played.
import { moveWords } from "./movelist.js";
import { html } from "./settings.js";
import { manName, percent } from "./wording.js";

/** @typedef {import("./wording.js").View} View */
/** @typedef {import("./machine.js").Move} Move */
/** @typedef {import("./board.js").QcBoard} QcBoard */
/** @typedef {{probability: number, answers: Record<string, number>, sentence: string, view: View}} Outcome */

const WAIT = 140;
const SHOWN = 4;
/** The question and its answer before what comes of it: the card's head has them already. */
const ASKED = /^[^?.]*\? (Yes|No), [^.]* likely\. ?/;

/** The value of the one answer of an outcome. @param {Outcome} outcome */
function answerOf(outcome) {
  return Object.values(outcome.answers)[0];
}

/** Whether there are two outcomes, yes and no. @param {Outcome[]} outcomes */
function isYesOrNo(outcomes) {
  return outcomes.length === 2 && outcomes.every(({ answers }) => Object.keys(answers).length === 1) && new Set(outcomes.map(answerOf)).size === 2 && outcomes.every((outcome) => [0, 1].includes(answerOf(outcome)));
}

/** The question of a move: "Is the knight on f3?". @param {View|null} view @param {Move} move */
function questionOf(view, move) {
  const asked = (move.says ?? "").split("?")[0];
  if (!asked) return `${moveWords(move.text)} asks a question`;
  const square = /^Is ([a-z]\d+) full$/.exec(asked)?.[1] ?? "";
  const men = view?.men[square] ?? [];
  return view && men.length === 1 ? `Is the ${manName(view, men[0]).split(" ").pop()} on ${square}?` : `${asked}?`;
}

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
    const sorted = isYesOrNo(outcomes) ? [...outcomes].sort((a, b) => answerOf(b) - answerOf(a)) : [...outcomes].sort((a, b) => b.probability - a.probability);
    const cards = sorted.slice(0, SHOWN).map((outcome) => this.card(outcome, isYesOrNo(outcomes)));
    const left = more + Math.max(0, outcomes.length - SHOWN);
    this.panel.hidden = false;
    this.panel.replaceChildren(
      html("h2", {}, questionOf(this.board.view, move)), html("p", { class: "quiet final" }, "This move has to know. The answer is final."),
      html("div", { class: "outcomes", "aria-busy": String(!outcomes.length) }, ...(cards.length ? cards : [html("p", { class: "quiet" }, "Working out how it can end …")])),
      ...(left ? [html("p", { class: "quiet" }, `and ${left} more`)] : []),
      html("div", { class: "row goes" }, this.button(`Play ${moveWords(move.text)}`, "main go", () => this.board.choose(move.text)), this.button("Cancel", "", () => {
        this.board.cancel();
        this.clear();
      })));
  }

  /** @param {string} words @param {string} kind @param {() => void} done */
  button(words, kind, done) {
    const button = html("button", { type: "button", class: kind }, words);
    button.addEventListener("click", done);
    return button;
  }

  /** @param {Outcome} outcome @param {boolean} isEither whether the question is answered by yes or no */
  card(outcome, isEither) {
    const small = /** @type {QcBoard} */ (html("qc-board", { class: "small", inert: "" }));
    small.modes = "never";
    small.plain = true;
    small.below = this.board.below;
    const theme = this.board.getAttribute("theme");
    if (theme) small.setAttribute("theme", theme);
    small.view = outcome.view;
    const share = /** @type {HTMLProgressElement} */ (html("progress", { max: "1", value: String(outcome.probability), "aria-hidden": "true" }));
    const words = outcome.sentence.replace(ASKED, "") || outcome.sentence || Object.entries(outcome.answers).map(([name, value]) => `${name} = ${value}`).join(", ");
    const isYes = isEither && answerOf(outcome) === 1;
    const head = html("span", { class: "head" }, ...(isEither ? [html("strong", { class: isYes ? "yes" : "no" }, isYes ? "Yes" : "No"), " "] : []), html("b", {}, percent(outcome.probability)));
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
