// What a move would ask: its outcomes with their odds and their boards, before it is played.
import { percent } from "./wording.js";
import { html } from "./settings.js";

/** @typedef {import("./wording.js").View} View */
/** @typedef {import("./machine.js").Move} Move */
/** @typedef {import("./board.js").QcBoard} QcBoard */
/** @typedef {{probability: number, answers: Record<string, number>, sentence: string, view: View}} Outcome */

const WAIT = 140;
const SHOWN = 4;

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
    const cards = outcomes.slice(0, SHOWN).map((outcome) => this.card(outcome));
    const left = more + Math.max(0, outcomes.length - SHOWN);
    this.panel.hidden = false;
    this.panel.replaceChildren(
      html("h2", {}, html("code", {}, move.text), " ", html("span", { class: "says" }, move.says ?? "asks a question")),
      html("div", { class: "outcomes", "aria-busy": String(!outcomes.length) }, ...(cards.length ? cards : [html("p", { class: "quiet" }, "Working out how it can end …")])),
      ...(left ? [html("p", { class: "quiet" }, `and ${left} more ways`)] : []),
      this.playButton(move));
  }

  /** For fingers: the move is played from here, too. @param {Move} move */
  playButton(move) {
    const button = html("button", { type: "button", class: "main go" }, `Play ${move.text}`);
    button.addEventListener("click", () => this.board.choose(move.text));
    return button;
  }

  /** @param {Outcome} outcome */
  card(outcome) {
    const small = /** @type {QcBoard} */ (html("qc-board", { class: "small", inert: "" }));
    small.modes = "never";
    small.plain = true;
    small.below = this.board.below;
    const theme = this.board.getAttribute("theme");
    if (theme) small.setAttribute("theme", theme);
    small.view = outcome.view;
    const share = /** @type {HTMLProgressElement} */ (html("progress", { max: "1", value: String(outcome.probability), "aria-hidden": "true" }));
    const words = outcome.sentence || Object.entries(outcome.answers).map(([name, value]) => `${name} = ${value}`).join(", ");
    const card = html("button", { type: "button", class: "outcome" }, small, html("strong", {}, percent(outcome.probability)), share, html("span", {}, words));
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
