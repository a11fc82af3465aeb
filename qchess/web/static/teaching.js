// The teacher's half of a class, on the study page: what is shown here is shown to everybody in the class.
import { ask } from "./askserver.js";
import { Classroom, countsOf, resultOf } from "./classroom.js";
import { html } from "./settings.js";
import { problem, reach } from "./sharing.js";
import { openWall } from "./wall.js";

const KEPT = "qchess-teaches";

/** The class that this page opened before it was loaded anew; null if there is none. @returns {{name: string, key: string}|null} */
function before() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
  } catch {
    return null; // storage is forbidden here: a reload gives the class up
  }
}

/** @param {{name: string, key: string}} opened */
function keep(opened) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(opened));
  } catch {
    // storage is forbidden here: a reload gives the class up
  }
}

/**
 * Puts the class into an element of the study page.
 * @param {HTMLElement} body @param {any} table the study
 */
export function mountTeaching(body, table) {
  const begin = html("button", { type: "button", class: "main" }, "Open a class");
  const told = html("p", { role: "status" });
  body.replaceChildren(html("p", { class: "quiet" }, "Everyone in the class sees your board, and you can ask questions."), begin, told);
  const earlier = before();
  if (earlier) {
    const again = html("button", { type: "button" }, "Continue your class");
    again.addEventListener("click", () => teach(body, table, new Classroom(earlier.name, earlier.key)));
    begin.after(" ", again);
  }
  begin.addEventListener("click", async () => {
    try {
      const opened = await ask("/api/classes", { title: table.tree.title });
      keep(opened);
      teach(body, table, new Classroom(opened.name, opened.key));
    } catch (error) {
      told.textContent = /** @type {Error} */ (error).message;
    }
  });
}

/** @param {HTMLElement} body @param {any} table @param {Classroom} room */
function teach(body, table, room) {
  const address = `${window.location.origin}/class/${room.name}`;
  const link = html("a", { href: address, target: "_blank" }, address);
  reach().then(({ origin, why }) => {
    if (why) link.after(problem(why));
    else link.textContent = `${origin}/class/${room.name}`;
  });
  const here = html("p", { role: "status" });
  const join = html("div", {}, link);
  const question = html("div", { class: "question" });
  const move = /** @type {HTMLInputElement} */ (html("input", { id: "askmove", maxlength: "64", spellcheck: "false", placeholder: "c3-d5" }));
  const text = /** @type {HTMLInputElement} */ (html("input", { id: "asktext", maxlength: "400" }));
  const choices = /** @type {HTMLTextAreaElement} */ (html("textarea", { id: "askchoices", rows: "2", placeholder: "one choice per line" }));
  const odds = html("button", { type: "button" }, "Ask how likely");
  const choose = html("button", { type: "button" }, "Ask to choose");
  const reveal = html("button", { type: "button", class: "main" }, "Show the answers");
  const clear = html("button", { type: "button" }, "Done");
  const large = html("button", { type: "button", class: "main" }, "Show the code");
  const answers = html("div", { class: "row" }, reveal, clear);
  /** @type {ReturnType<typeof openWall>|undefined} */
  let wall;
  answers.hidden = true;
  body.replaceChildren(
    answers, question, html("div", { class: "row" }, html("p", { class: "code" }, room.name), large), join, here,
    html("h2", {}, "Ask the class"),
    html("div", { class: "fields2" }, html("div", { class: "row ends" }, html("label", {}, "How likely is this move?", move), odds),
      html("label", {}, "Or your own question", text), html("label", {}, "with these choices", choices), choose));
  large.addEventListener("click", () => {
    wall = openWall(room.name, address, large);
    wall.told((here.textContent ?? "").replace(/:.*/, "."));
  });
  const now = () => ({ game: table.tree.game, options: table.tree.options, line: table.tree.line(table.at) });
  let shown = "";
  const show = () => {
    const node = table.tree.nodes[table.at];
    const message = { kind: "show", ...now(), comment: node.comment, arrows: node.arrows };
    const key = JSON.stringify(message);
    if (key === shown) return;
    shown = key;
    room.send(message);
  };
  let timer = 0;
  const soon = () => {
    clearTimeout(timer);
    timer = window.setTimeout(show, 250);
  };
  table.addEventListener("changed", soon);
  room.addEventListener("connection", (event) => {
    shown = "";
    const { open, code } = /** @type {CustomEvent} */ (event).detail;
    if (open) show();
    else here.textContent = code === 4404 || code === 1008 ? "This class is over. Open a new one." : "Connecting …";
  });
  room.addEventListener("refused", (event) => (here.textContent = /** @type {CustomEvent} */ (event).detail.why));
  room.addEventListener("class", () => {
    const { students, names: called, question: asked } = room.state;
    const counted = students ? `${students} ${students === 1 ? "student is" : "students are"} here` : "Nobody is here yet";
    wall?.told(`${counted}.`); // without names, which the class does not see
    here.textContent = called?.length ? `${counted}: ${called.join(", ")}.` : `${counted}.`;
    // the screen may be on a wall: what was answered is seen when it is shown to all
    const count = asked ? `${asked.answered} of ${Math.max(students, asked.answered)} have answered.` : "";
    question.replaceChildren(...(asked ? [html("p", { class: "big" }, asked.text), html("p", { role: "status" }, `${count} ${resultOf(asked)}`),
      ...(asked.over ? countsOf(asked) : [html("progress", { max: String(Math.max(1, students)), value: String(asked.answered), "aria-label": "answered" })])] : []));
    const isNew = asked && answers.hidden;
    answers.hidden = !asked;
    if (isNew) answers.scrollIntoView({ block: "nearest" });
    join.hidden = Boolean(asked); // the code is enough for who comes late
    /** @type {HTMLButtonElement} */ (reveal).disabled = !asked || asked.over;
  });
  odds.addEventListener("click", () => move.value.trim() && room.send({ kind: "ask", ...now(), move: move.value.trim() }));
  choose.addEventListener("click", () => {
    const lines = choices.value.split("\n").map((line) => line.trim()).filter(Boolean);
    if (text.value.trim() && lines.length > 1) room.send({ kind: "ask", text: text.value.trim(), choices: lines });
    else here.textContent = "A question needs a text and at least two choices.";
  });
  reveal.addEventListener("click", () => room.send({ kind: "reveal" }));
  clear.addEventListener("click", () => room.send({ kind: "clear" }));
  // the move that the pointer asks about is the one that a teacher is likely to ask about
  table.board.addEventListener("qc-hover", (/** @type {CustomEvent} */ event) => {
    const way = event.detail.ways?.[0];
    if (way && document.activeElement !== move) move.value = way.move?.text ?? way.text;
  });
  room.connect();
}
