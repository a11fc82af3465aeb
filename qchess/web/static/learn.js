// The lessons of `qchess learn`, from the same files: a position, a prediction, a move.
import { ask } from "./askserver.js";
import { move } from "./moving.js";
import { byId, html, keepSetting, setting, themeButton } from "./settings.js";
import { QcViewer } from "./viewer.js";

/** @typedef {{game: string, title: string, rules: string[], legend: string[], lessons: {name: string, title: string}[]}} Course */

/** A table whose game is that of a lesson: the server walks through it again with all that was said. */
class LessonTable extends EventTarget {
  /** @param {string} game @param {string} lesson */
  constructor(game, lesson) {
    super();
    this.game = game;
    this.lesson = lesson;
    this.seed = Math.floor(Math.random() * 2 ** 31);
    /** @type {string[]} what the learner said that came to something */
    this.said = [];
    /** @type {any} */
    this.now = null;
    /** @type {any} */
    this.state = null;
    this.shown = 0;
    /** @type {any} */
    this.board = null;
  }

  /** Says something: the number of a prediction, or a move. @param {string} [text] */
  async say(text) {
    const said = text === undefined ? this.said : [...this.said, text];
    try {
      const answer = await ask("/api/lessons", { game: this.game, lesson: this.lesson, seed: this.seed, said });
      if (text === undefined || answer.awaits !== this.now.awaits || answer.step !== this.now.step) this.said = said;
      this.now = answer;
      this.state = answer.state;
      this.tell({ kind: "state", shown: answer.state.ply });
      this.dispatchEvent(new CustomEvent("went"));
    } catch (error) {
      this.tell({ kind: "refused", of: "move", why: /** @type {Error} */ (error).message });
    }
  }

  /** @param {any} message */
  tell(message) {
    this.dispatchEvent(new CustomEvent("message", { detail: message }));
  }

  /** A question of the board: answered after the moves that were played. @param {any} message */
  async send(message) {
    const line = this.state.history.map((/** @type {any} */ entry) => ({ text: entry.text }));
    try {
      this.tell(await ask("/api/study", { game: this.game, options: this.state.rules.options, line, ask: message }));
    } catch (error) {
      this.tell({ kind: "refused", of: message.kind, why: /** @type {Error} */ (error).message });
    }
  }

  /** @param {string} text */
  play(text) {
    this.say(text);
  }
}

const viewer = /** @type {QcViewer} */ (byId("viewer"));

/** The names of the lessons of a game that were finished in this browser. @param {string} game @returns {string[]} */
function done(game) {
  return setting(`lessons-${game}`, "").split(" ").filter(Boolean);
}

/** @param {Course[]} courses */
function drawContents(courses) {
  byId("contents").replaceChildren(...courses.map((course) => {
    const finished = done(course.game);
    const items = course.lessons.map(({ name, title }) => html("li", {}, html("a", { href: `/learn/${course.game}#${name}`, class: finished.includes(name) ? "done" : "" }, title)));
    return html("section", { class: "card" }, html("h2", {}, course.title), html("ol", {}, ...items),
      html("details", {}, html("summary", {}, "The rules in short"), ...course.rules.map((line) => html("p", {}, line))));
  }));
}

/** @param {Course} course @param {string} name */
function begin(course, name) {
  const table = new LessonTable(course.game, name);
  const number = course.lessons.findIndex((lesson) => lesson.name === name);
  byId("contents").hidden = true;
  document.body.classList.add("studying");
  byId("lesson").hidden = false;
  byId("title").textContent = `${course.title}, lesson ${number + 1}: ${course.lessons[number].title}`;
  document.title = `${course.lessons[number].title} · qchess`;
  table.addEventListener("went", () => drawTask(course, number, table));
  viewer.table = table;
  table.say().then(() => move(table, viewer.board));
}

/** @param {Course} course @param {number} number @param {LessonTable} table */
function drawTask(course, number, table) {
  const { now } = table;
  const said = now.says.filter((/** @type {string} */ line) => line !== "Noted.");
  const parts = [
    ...(table.said.length ? [] : now.intro.map((/** @type {string} */ line) => html("p", {}, line))),
    ...(said.length ? [html("div", { class: "said", role: "status" }, ...said.map((/** @type {string} */ line) => html("p", {}, line)))] : []),
  ];
  if (now.awaits === "nothing") {
    keepSetting(`lessons-${course.game}`, [...new Set([...done(course.game), table.lesson])].join(" "));
    const next = course.lessons[number + 1];
    const links = [...(next ? [html("a", { class: "button main", href: `/learn/${course.game}#${next.name}` }, `Next: ${next.title}`)] : []), html("a", { class: "button", href: "/learn" }, "All lessons")];
    parts.push(html("p", {}, "The lesson is done."), html("p", { class: "row" }, ...links));
  } else parts.push(html("p", { class: "task" }, now.task), ...(now.question ? [questionOf(now.question, table)] : [html("p", {}, `Play it on the board${now.question === null && table.now.moves.length ? `: ${table.now.moves[0]}` : ""}.`)]));
  byId("task").replaceChildren(...parts);
}

/** @param {{text: string, choices: string[]}} question @param {LessonTable} table */
function questionOf(question, table) {
  const buttons = question.choices.map((choice, k) => {
    const button = html("button", { type: "button" }, choice);
    button.addEventListener("click", () => table.say(String(k + 1)));
    return button;
  });
  return html("div", {}, html("p", {}, `First a prediction. ${question.text}`), html("div", { class: "choices" }, ...buttons));
}

async function start() {
  themeButton(byId("theme"));
  const { courses } = await ask("/api/lessons");
  const show = () => {
    const game = window.location.pathname.split("/")[2];
    const name = window.location.hash.slice(1);
    const course = courses.find((/** @type {Course} */ each) => each.game === game);
    if (course && course.lessons.some((/** @type {any} */ lesson) => lesson.name === name)) begin(course, name);
    else drawContents(course ? [course] : courses);
  };
  window.addEventListener("hashchange", () => window.location.reload());
  show();
}

start().catch((error) => (byId("contents").textContent = error.message));
