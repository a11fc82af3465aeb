// The board in a notebook: an anywidget module. What the game is comes as the model's `state`; what people do goes back
// as messages with an id, and their answers come as messages.
import { LATE } from "./board.js";
import { curves, note } from "./curves.js";
import { Halves, halved, isLeftEmptier } from "./halves.js";
import { keepDrawings } from "./pieces.js";
import { Picker } from "./picker.js";
import { QcViewer } from "./viewer.js";

/**
 * @typedef {{get: (name: string) => any, on: (event: string, call: (...args: any[]) => void) => void,
 *   off?: (event: string, call: (...args: any[]) => void) => void, send: (message: any) => void}} Model
 */

LATE.curves = async () => ({ curves, note });
LATE.picker = async () => ({ Picker });
LATE.halves = async () => ({ Halves, halved, isLeftEmptier });

/** A table whose game is in the kernel of the notebook. */
class ModelTable extends EventTarget {
  /** @param {Model} model */
  constructor(model) {
    super();
    this.model = model;
    this.state = model.get("state");
    this.shown = this.state.ply;
    /** @type {HTMLElement|null} */
    this.board = null;
    this.hear = (/** @type {any} */ message) => this.tell(message);
    this.change = () => {
      this.state = model.get("state");
      this.tell({ kind: "state", ply: this.state.ply });
    };
    model.on("change:state", this.change);
    model.on("msg:custom", this.hear);
  }

  /** @param {any} message */
  tell(message) {
    this.dispatchEvent(new CustomEvent("message", { detail: message }));
  }

  /** @param {any} message */
  send(message) {
    this.model.send(message);
  }

  /** @param {string} text */
  play(text) {
    this.send({ kind: "move", ply: this.state.ply, text });
  }

  close() {
    this.model.off?.("change:state", this.change);
    this.model.off?.("msg:custom", this.hear);
  }
}

/** @param {{model: Model, el: HTMLElement}} notebook */
function render({ model, el }) {
  const drawings = model.get("drawings");
  keepDrawings(drawings);
  const table = new ModelTable(model);
  const viewer = /** @type {QcViewer} */ (document.createElement("qc-viewer"));
  /** @type {any} */ (viewer.board).drawings = drawings;
  // on paper of its own, and in the notebook's theme where that says which it is, as JupyterLab does
  viewer.style.cssText = "background:var(--page);padding:.5rem;border-radius:.6rem";
  const light = document.body.dataset.jpThemeLight;
  if (light) [viewer, viewer.board].forEach((part) => part.setAttribute("theme", light === "true" ? "light" : "dark"));
  el.append(viewer);
  viewer.table = table;
  return () => table.close();
}

export default { render };
