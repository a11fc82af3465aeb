// A page that stands alone: the whole game lies in it, and nobody is asked.
import { keepDrawings } from "./pieces.js";
import "./viewer.js";

/** @typedef {{state: any, positions: any[], circuits: Record<string, any>, drawings: any}} Kept */

/** A table whose every answer lies in the page. */
class KeptTable extends EventTarget {
  /** @param {Kept} kept */
  constructor(kept) {
    super();
    this.kept = kept;
    this.state = kept.state;
    this.shown = kept.state.ply;
    /** @type {HTMLElement|null} */
    this.board = null;
  }

  /** Answers at once, from what lies in the page. @param {any} message */
  send(message) {
    queueMicrotask(() => this.dispatchEvent(new CustomEvent("message", { detail: this.answer(message) })));
  }

  /** @param {any} message */
  answer(message) {
    if (message.kind === "look") return { kind: "position", ...this.kept.positions[message.ply] };
    const found = message.kind === "circuit" && !message.form && this.kept.circuits[this.name(message)];
    if (found) return { kind: "circuit", ...found, ply: message.ply };
    return { kind: "refused", of: message.kind, why: "This page has the circuits as the rules write them. Open the record with `qchess web` for more." };
  }

  /** @param {any} message */
  name(message) {
    if (message.level !== "program") return "none";
    return message.of === "move" ? `move ${message.ply}` : message.of;
  }

  play() {}
}

const kept = /** @type {Kept} */ (JSON.parse(document.getElementById("game")?.textContent ?? "{}"));
keepDrawings(kept.drawings);
const viewer = /** @type {any} */ (document.querySelector("qc-viewer"));
viewer.board.drawings = kept.drawings;
viewer.table = new KeptTable(kept);

const play = /** @type {HTMLButtonElement} */ (document.getElementById("play"));
let timer = 0;

/** Goes one move on, as long as there is one. */
function step() {
  const { shown, state } = viewer.table;
  if (shown < state.ply) viewer.look(shown + 1);
  if (viewer.table.shown >= state.ply) stop();
}

function stop() {
  clearInterval(timer);
  timer = 0;
  play.textContent = "Play the game";
  play.setAttribute("aria-pressed", "false");
}

play.addEventListener("click", () => {
  if (timer) {
    stop();
    return;
  }
  if (viewer.table.shown >= viewer.table.state.ply) viewer.look(0);
  play.textContent = "Stop";
  play.setAttribute("aria-pressed", "true");
  timer = setInterval(step, 1200);
});
viewer.look(Number(new URLSearchParams(location.search).get("ply") ?? viewer.table.state.ply));
