// A student's page of a class: the teacher's board, and the questions.
import { Classroom, countsOf, resultOf } from "./classroom.js";
import { byId, html, themeButton } from "./settings.js";
import { QcViewer } from "./viewer.js";

/** A table that shows what the teacher shows; no question is open here. */
class ShownTable extends EventTarget {
  constructor() {
    super();
    /** @type {any} */
    this.state = null;
    this.shown = 0;
    /** @type {any} */
    this.board = null;
  }

  /** @param {any} message */
  send(message) {
    const why = message.kind === "look" ? "The teacher shows one position at a time." : "Circuits are shown by the teacher, and on the study page.";
    queueMicrotask(() => this.dispatchEvent(new CustomEvent("message", { detail: { kind: "refused", of: message.kind, why } })));
  }

  play() {}

  /** Only what the teacher shows. */
  jump() {}

  goesOn() {
    return false;
  }

  /** @param {any} state */
  show(state) {
    this.state = state;
    this.dispatchEvent(new CustomEvent("message", { detail: { kind: "state", shown: state.ply } }));
  }
}

const viewer = /** @type {QcViewer} */ (byId("viewer"));
const table = new ShownTable();
const room = new Classroom(window.location.pathname.split("/")[2] ?? "");
let last = "";

room.addEventListener("connection", (event) => {
  const { open, code, reason } = /** @type {CustomEvent} */ (event).detail;
  byId("connection").textContent = open ? "" : code === 4404 ? "There is no such class." : code === 1008 ? `Closed: ${reason}` : "Connecting …";
});
room.addEventListener("refused", (event) => (byId("connection").textContent = /** @type {CustomEvent} */ (event).detail.why));
room.addEventListener("class", () => {
  const { title, shown, question } = room.state;
  byId("title").textContent = title || "Class";
  if (shown && JSON.stringify(shown) !== last) {
    last = JSON.stringify(shown);
    if (!viewer.table) viewer.table = table;
    table.show(shown.state);
    viewer.board.arrows = shown.arrows;
    byId("comment").hidden = !shown.comment;
    byId("comment").textContent = shown.comment;
  }
  if (!shown) viewer.tell("The class has not started yet.");
  drawQuestion(question);
});

/** @param {any} question */
function drawQuestion(question) {
  const box = byId("question");
  box.hidden = !question;
  if (!question) {
    box.replaceChildren();
    return;
  }
  const told = html("p", { role: "status" }, question.over ? `${question.answered} answered. ${resultOf(question)}` : question.mine == null ? "" : `Your answer was counted (${question.answered} so far).`);
  if (box.dataset.text === question.text && !question.over && box.dataset.over !== "yes") {
    box.querySelector("[role=status]")?.replaceWith(told); // what one is just entering stays
    return;
  }
  box.dataset.text = question.text;
  box.dataset.over = question.over ? "yes" : "";
  const field = question.over ? [] : question.choices.length ? [choicesOf(question)] : [percentField()];
  box.replaceChildren(html("p", { class: "big" }, question.text), ...field, told, ...countsOf(question));
}

/** @param {any} question */
function choicesOf(question) {
  const buttons = question.choices.map((/** @type {string} */ choice, /** @type {number} */ k) => {
    const button = html("button", { type: "button" }, choice);
    button.addEventListener("click", () => room.send({ kind: "answer", value: k }));
    return button;
  });
  return html("div", { class: "choices" }, ...buttons);
}

function percentField() {
  const slider = /** @type {HTMLInputElement} */ (html("input", { type: "range", min: "0", max: "100", value: "50", "aria-label": "probability in percent" }));
  const shown = html("output", {}, "50%");
  const send = html("button", { type: "button", class: "main" }, "Answer");
  slider.addEventListener("input", () => (shown.textContent = `${slider.value}%`));
  send.addEventListener("click", () => room.send({ kind: "answer", value: Number(slider.value) }));
  return html("div", { class: "percent" }, slider, shown, send);
}

themeButton(byId("theme"));
room.connect();
