// A student's page of a class: the teacher's board, and the questions.
import { Classroom, countsOf, resultOf } from "./classroom.js";
import { move } from "./moving.js";
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
const code = window.location.pathname.split("/")[2] ?? "";
const nameField = /** @type {HTMLInputElement} */ (byId("name"));
const KEPT = `qchess-class-${code}`;
let last = "";

/** @param {string} name the student's own */
function comeIn(name) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(name));
  } catch {
    // storage is forbidden here: a reload asks for the name again
  }
  byId("enter").hidden = true;
  const room = new Classroom(code, "", name);
  room.addEventListener("connection", (event) => {
    const { open, code: why, reason } = /** @type {CustomEvent} */ (event).detail;
    if (!open) byId("connection").textContent = why === 4404 ? "There is no such class." : why === 1008 ? `Closed: ${reason}` : "Connecting …";
    else byId("connection").textContent = "";
  });
  room.addEventListener("refused", (event) => (byId("connection").textContent = /** @type {CustomEvent} */ (event).detail.why));
  room.addEventListener("class", () => draw(room));
  room.connect();
}

/** @param {Classroom} room */
function draw(room) {
  const { title, shown, question, students, name } = room.state;
  byId("title").textContent = title || "Class";
  const here = `You are in${name ? ` as ${name}` : ""}. ${students === 1 ? "Nobody else is here yet." : `${students} are here.`}`;
  const isWaiting = !shown && !question;
  byId("waiting").hidden = !isWaiting;
  viewer.hidden = !shown;
  viewer.toggleAttribute("asked", Boolean(question));
  const told = /** @type {HTMLElement} */ (byId("waiting").firstElementChild);
  if (isWaiting) told.textContent = `Waiting for the teacher. ${here}`;
  byId("here").textContent = question ? here : `Waiting for a question. ${here}`;
  const box = byId("question");
  if (!shown && box.parentElement === viewer) document.querySelector("main")?.append(box); // a question before any board
  else if (shown && box.parentElement !== viewer) viewer.prepend(box);
  if (shown && JSON.stringify(shown) !== last) {
    last = JSON.stringify(shown);
    const isFirst = !viewer.table;
    if (isFirst) viewer.table = table;
    table.show(shown.state);
    if (isFirst) move(table, viewer.board);
    viewer.board.arrows = shown.arrows;
    byId("comment").hidden = !shown.comment;
    byId("comment").textContent = shown.comment;
  }
  drawQuestion(room, question);
}

/** @param {Classroom} room @param {any} question */
function drawQuestion(room, question) {
  const box = byId("question");
  box.hidden = !question;
  if (!question) {
    box.replaceChildren();
    return;
  }
  const { students } = room.state;
  const counted = `${question.answered} of ${Math.max(students, question.answered)} have answered.`;
  const told = html("p", { role: "status" }, question.over ? `${counted} ${resultOf(question)}` : question.mine == null ? "" : `Your answer was counted. You may change it. ${counted}`);
  if (box.dataset.text === question.text && !question.over && box.dataset.over !== "yes") {
    box.querySelector("[role=status]")?.replaceWith(told); // what one is just entering stays
    mark(box, question.mine);
    return;
  }
  box.dataset.text = question.text;
  box.dataset.over = question.over ? "yes" : "";
  const field = question.over ? [] : question.choices.length ? [choicesOf(room, question)] : [percentField(room)];
  box.replaceChildren(html("p", { class: "big" }, question.text), ...field, told, ...countsOf(question));
  mark(box, question.mine);
}

/** Shows which choice is mine. @param {HTMLElement} box @param {number|null} mine */
function mark(box, mine) {
  box.querySelectorAll(".choices button").forEach((button, k) => button.setAttribute("aria-pressed", String(k === mine)));
}

/** @param {Classroom} room @param {any} question */
function choicesOf(room, question) {
  const buttons = question.choices.map((/** @type {string} */ choice, /** @type {number} */ k) => {
    const button = html("button", { type: "button", class: "huge" }, choice);
    button.addEventListener("click", () => room.send({ kind: "answer", value: k }));
    return button;
  });
  return html("div", { class: "choices" }, ...buttons);
}

/** @param {Classroom} room */
function percentField(room) {
  const slider = /** @type {HTMLInputElement} */ (html("input", { type: "range", min: "0", max: "100", value: "50", "aria-label": "probability in percent" }));
  const shown = html("output", {}, "50%");
  const send = html("button", { type: "button", class: "main huge" }, "Answer");
  slider.addEventListener("input", () => (shown.textContent = `${slider.value}%`));
  send.addEventListener("click", () => room.send({ kind: "answer", value: Number(slider.value) }));
  return html("div", { class: "percent" }, slider, shown, send);
}

/** The name that this page had before it was loaded anew; null if it had none yet. @returns {string|null} */
function nameBefore() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
  } catch {
    return null;
  }
}

themeButton(byId("theme"));
byId("enter").addEventListener("submit", (event) => {
  event.preventDefault();
  const name = nameField.value.trim();
  if (code) comeIn(name);
  else {
    const typed = /** @type {HTMLInputElement} */ (byId("code")).value.toLowerCase().replace(/[^a-z0-9]/g, "");
    if (typed) window.location.assign(`/class/${typed}`);
  }
});
byId("codelabel").hidden = Boolean(code);
for (const label of byId("enter").querySelectorAll("label:not(#codelabel), p")) /** @type {HTMLElement} */ (label).hidden = !code;
const before = code ? nameBefore() : null;
if (before !== null) comeIn(before);
else {
  byId("enter").hidden = false;
  (code ? nameField : byId("code")).focus();
}
