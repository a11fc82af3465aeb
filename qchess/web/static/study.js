// The study page: a tree of moves and outcomes, notes, set-up, files, sharing, a class, an analysis line.
import { drawLine } from "./analysis.js";
import { Arrows } from "./arrows.js";
import { ask } from "./askserver.js";
import { mountCircuit } from "./circuit.js";
import { legendOf } from "./legend.js";
import { byId, html, keepSetting, setting, themeButton } from "./settings.js";
import { move } from "./moving.js";
import { mountSetup } from "./setup.js";
import { mountTabs } from "./studytabs.js";
import { mountTeaching } from "./teaching.js";
import { Tree } from "./tree.js";
import { drawFrom, noteOf } from "./treelist.js";
import { QcViewer, capital } from "./viewer.js";
import { percent } from "./wording.js";

const DRAFT = "study-draft";
const FILES = { json: "record", html: "page", animated: "animated picture", svg: "picture" };

/** A table whose game is a line of the tree; the server works out each position and keeps nothing. */
class StudyTable extends EventTarget {
  constructor() {
    super();
    this.tree = new Tree();
    /** the node that is shown */
    this.at = 0;
    /** @type {any} */
    this.state = null;
    this.shown = 0;
    /** @type {any} */
    this.board = null;
    /** @type {Map<string, any>} states by their lines */
    this.known = new Map();
    this.setsOutcomes = () => false;
    /** takes a move of a set-up instead of playing it @type {((text: string) => void)|null} */
    this.setsUp = null;
    /** @type {(text: string, ways: any[]) => void} */
    this.choose = () => undefined;
  }

  /** @param {any} message */
  tell(message) {
    this.dispatchEvent(new CustomEvent("message", { detail: message }));
  }

  /** What the server says after the line to the present node. @param {any} message */
  ask(message) {
    return ask("/api/study", { game: this.tree.game, options: this.tree.options, line: this.tree.line(this.at), ask: message });
  }

  /** A question of the viewer. @param {any} message */
  async send(message) {
    const at = this.at;
    try {
      const answer = await this.ask(message);
      if (at === this.at) this.tell(answer);
    } catch (error) {
      this.tell({ kind: "refused", of: message.kind, why: /** @type {Error} */ (error).message });
    }
  }

  /** Plays a move here; where it can end in several ways, the teacher may choose. @param {string} text */
  async play(text) {
    if (this.setsUp) {
      this.setsUp(text);
      return;
    }
    try {
      if (this.setsOutcomes()) {
        const { outcomes } = await this.ask({ kind: "preview", text });
        if (outcomes.length > 1) {
          this.choose(text, outcomes);
          return;
        }
      }
      await this.playSo(text);
    } catch (error) {
      this.tell({ kind: "refused", of: "move", why: /** @type {Error} */ (error).message });
    }
  }

  /** Plays a move with these answers, or with drawn ones. @param {string} text @param {Record<string, number>} [answers] */
  async playSo(text, answers) {
    const { entry, state } = await this.ask({ kind: "play", text, ...(answers ? { answers } : {}) });
    const child = this.tree.add(this.at, entry);
    this.known.set(JSON.stringify(this.tree.line(child)), state);
    await this.go(child);
  }

  /** Shows a node. @param {number} node */
  async go(node) {
    this.at = node;
    const key = JSON.stringify(this.tree.line(node));
    let state = this.known.get(key);
    if (!state) {
      try {
        state = await this.ask({ kind: "state" });
      } catch (error) {
        this.tell({ kind: "refused", of: "look", why: /** @type {Error} */ (error).message });
        return;
      }
      this.known.set(key, state);
    }
    if (this.at !== node) return;
    const path = this.tree.path(node);
    const history = state.history.map((/** @type {any} */ entry, /** @type {number} */ k) => ({ ...entry, set: this.tree.nodes[path[k]]?.set }));
    this.state = { ...state, history };
    this.tell({ kind: "state", shown: state.ply });
    this.dispatchEvent(new CustomEvent("went"));
  }

  /** Goes along the line: back to an earlier node, or on by the main line. @param {number} ply */
  jump(ply) {
    const path = [0, ...this.tree.path(this.at)];
    if (ply < path.length) {
      this.go(path[Math.max(0, ply)]);
      return;
    }
    let node = this.at;
    for (let left = ply - path.length + 1; left > 0 && this.tree.children(node).length; left--) node = this.tree.children(node)[0];
    this.go(node);
  }

  /** Whether the tree goes on from here. */
  goesOn() {
    return this.tree.children(this.at).length > 0;
  }

  /** Begins with another tree. @param {Tree} tree @param {number} [at] */
  async begin(tree, at = 0) {
    this.tree = tree;
    this.known.clear();
    await this.go(at);
    viewer.board.modes = "auto"; // another game may have no splits
  }
}

const table = new StudyTable();
const viewer = /** @type {QcViewer} */ (byId("viewer"));
const comment = /** @type {HTMLTextAreaElement} */ (byId("comment"));
const title = /** @type {HTMLInputElement} */ (byId("name"));
const chooser = byId("choose");
/** the name and key of the study, if it is shared */
const shared = { name: window.location.pathname.split("/")[2] ?? "", key: "" };

// -- the tree ------------------------------------------------------------------------------------------------

function drawTree() {
  const { tree, at } = table;
  const list = html("ul", {});
  if (table.state) drawFrom(tree, 0, 0, list, at, table.state);
  byId("tree").replaceChildren(...(tree.nodes[0].comment ? [noteOf(tree.nodes[0])] : []), list);
  for (const id of ["promote", "remove"]) /** @type {HTMLButtonElement} */ (byId(id)).disabled = at === 0;
}

byId("tree").addEventListener("click", (event) => {
  const button = /** @type {HTMLElement} */ (event.target).closest("button");
  if (button) table.go(Number(button.dataset.node));
});
byId("remove").addEventListener("click", () => table.go(table.tree.remove(table.at)));
byId("promote").addEventListener("click", () => table.go(table.tree.promote(table.at)));

// -- what was changed ------------------------------------------------------------------------------------------

table.addEventListener("went", () => {
  const node = table.tree.nodes[table.at];
  chooser.hidden = true;
  comment.value = node.comment;
  viewer.board.arrows = node.arrows;
  if (node.comment) viewer.tell(`${viewer.words(table.state, table.state.ply)} ${node.comment}`);
  changed();
  byId("tree").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
});

/** Draws the tree, and keeps it in this browser as a draft. */
function changed() {
  drawTree();
  byId("title").textContent = table.tree.title || `Study: ${table.state?.title ?? ""}`;
  document.title = `${table.tree.title || "Study"} · qchess`;
  if (title.value !== table.tree.title) title.value = table.tree.title;
  keepSetting(DRAFT, JSON.stringify(table.tree.values()));
  table.dispatchEvent(new CustomEvent("changed"));
}

comment.addEventListener("input", () => {
  table.tree.nodes[table.at].comment = comment.value;
  changed();
});
title.addEventListener("input", () => {
  table.tree.title = title.value;
  changed();
});

/** Draws an arrow, or takes the same one back. @param {string} start @param {string} end */
function toggleArrow(start, end) {
  const node = table.tree.nodes[table.at];
  const others = node.arrows.filter((arrow) => arrow.start !== start || arrow.end !== end);
  node.arrows = others.length < node.arrows.length ? others : [...others, { start, end, kind: "note" }];
  viewer.board.arrows = node.arrows;
  changed();
}

const arrows = new Arrows(viewer.board, () => table.tree.nodes[table.at].arrows, toggleArrow);
byId("draws").addEventListener("click", () => {
  arrows.isOn = !arrows.isOn;
  byId("draws").setAttribute("aria-pressed", String(arrows.isOn));
});
byId("arrow").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = /** @type {HTMLInputElement} */ (byId("arrowtext"));
  const [start, end] = field.value.trim().toLowerCase().split(/[\s-]+/);
  const named = [start, end].every((square) => /^[a-z]\d\d?$/.test(square ?? ""));
  if (named && start !== end) toggleArrow(start, end);
  field.value = "";
});
byId("noarrows").addEventListener("click", () => {
  table.tree.nodes[table.at].arrows = [];
  viewer.board.arrows = [];
  changed();
});
byId("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = /** @type {HTMLInputElement} */ (byId("text"));
  if (field.value.trim()) table.play(field.value.trim());
  field.value = "";
});

// -- outcomes that the teacher sets ------------------------------------------------------------------------------

table.setsOutcomes = () => /** @type {HTMLInputElement} */ (byId("setting")).checked;
table.choose = (text, ways) => {
  const buttons = ways.map((way) => {
    const words = way.sentence || Object.entries(way.answers).map(([name, value]) => `${name} = ${value}`).join(", ");
    const button = html("button", { type: "button" }, html("span", {}, words), html("strong", {}, percent(way.probability)));
    const show = () => viewer.board.showPreview(way.view, `if so: ${percent(way.probability)}`);
    button.addEventListener("pointerenter", show);
    button.addEventListener("focus", show);
    for (const event of ["pointerleave", "blur"]) button.addEventListener(event, () => viewer.board.showPreview(null));
    button.addEventListener("click", () => end(() => table.playSo(text, way.answers)));
    return button;
  });
  const draw = html("button", { type: "button" }, "Draw it at random");
  draw.addEventListener("click", () => end(() => table.playSo(text)));
  chooser.replaceChildren(html("h2", {}, html("code", {}, text), " can end in several ways. Which one do you want to see?"), html("div", { class: "ways" }, ...buttons, draw));
  chooser.hidden = false;
  buttons[0].focus();
};

/** @param {() => Promise<void>} play */
function end(play) {
  viewer.board.showPreview(null);
  chooser.hidden = true;
  play().catch((error) => viewer.tell(error.message));
}

// -- files, links -------------------------------------------------------------------------------------------------

/** Opens a game or a study that somebody brings. @param {string} text */
async function open(text) {
  try {
    const values = text.trimStart().startsWith("{") ? JSON.parse(text) : null;
    if (values?.format === "qchess-study-1") {
      await table.begin(new Tree(values));
      return;
    }
    const found = await ask("/api/study/open", { text });
    const tree = new Tree({ game: found.game, options: found.options, title: "" });
    await table.begin(tree, tree.grow(found.line));
  } catch (error) {
    viewer.tell(/** @type {Error} */ (error).message);
  }
}

byId("file").addEventListener("change", async (event) => {
  const [file] = /** @type {HTMLInputElement} */ (event.target).files ?? [];
  if (file) await open(await file.text());
});
byId("openpaste").addEventListener("click", () => open(/** @type {HTMLTextAreaElement} */ (byId("paste")).value));

/** @param {string} text @param {string} name */
function download(text, name) {
  const link = /** @type {HTMLAnchorElement} */ (html("a", { href: URL.createObjectURL(new Blob([text])), download: name }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** @param {string[]} notations of the game's own */
function drawSaves(notations) {
  const buttons = [...Object.entries(FILES), ...notations.map((form) => [form, form.toUpperCase()])].map(([form, words]) => {
    const button = html("button", { type: "button", class: "small" }, capital(words));
    button.addEventListener("click", async () => {
      try {
        const { text } = await table.ask({ kind: "record", form });
        download(text, `${table.tree.game}.${form === "animated" ? "moving.svg" : form}`);
      } catch (error) {
        viewer.tell(/** @type {Error} */ (error).message);
      }
    });
    return button;
  });
  byId("saves").replaceChildren("Save this line as ", ...buttons);
}

byId("savestudy").addEventListener("click", () => download(JSON.stringify(table.tree.values(), null, 1), `${table.tree.game}.study.json`));
byId("publish").addEventListener("click", async () => {
  try {
    const again = shared.key ? { name: shared.name, key: shared.key } : {};
    const found = await ask("/api/studies", { study: table.tree.values(), ...again });
    Object.assign(shared, { name: found.name, key: found.key ?? shared.key });
    keepSetting(`study-${shared.name}`, shared.key);
    const address = `${window.location.origin}/study/${shared.name}`;
    byId("link").replaceChildren("Anyone with this link can see the study: ", html("a", { href: address }, address));
    byId("publish").textContent = "Share my changes";
  } catch (error) {
    byId("link").textContent = /** @type {Error} */ (error).message;
  }
});

// -- analysis -------------------------------------------------------------------------------------------------------

/** @param {string[]} agents */
function mountAnalysis(agents) {
  const names = agents.length ? agents : ["mcts@0.5s", "greedy"];
  const line = html("div", { class: "line", role: "status" });
  const select = /** @type {HTMLSelectElement} */ (html("select", { "aria-label": "Analysis by" }, ...names.map((name) => html("option", {}, name))));
  select.value = names.find((name) => name.startsWith("mcts")) ?? names[0];
  const button = html("button", { type: "button" }, "Analyse this position");
  button.addEventListener("click", async () => {
    line.textContent = "Thinking …";
    try {
      drawLine(line, /** @type {any} */ (await table.ask({ kind: "analyse", agent: select.value })), viewer.board);
    } catch (error) {
      line.textContent = /** @type {Error} */ (error).message;
    }
  });
  table.addEventListener("went", () => line.replaceChildren());
  byId("analysis").append(html("div", { class: "row" }, select, button), line);
}

// -- the beginning ----------------------------------------------------------------------------------------------------

/** The study that the address names, the draft of this browser, or a new one. */
async function first() {
  if (shared.name) {
    shared.key = setting(`study-${shared.name}`, "");
    return new Tree((await ask(`/api/studies/${shared.name}`)).study);
  }
  const draft = setting(DRAFT, "");
  return new Tree(draft ? JSON.parse(draft) : {});
}

let paneSeen = "moves";
/** @type {import("./palette.js").Palette|undefined} */
let palette;

/** Fills the pane that came into sight. @param {string} name */
async function openPane(name) {
  paneSeen = name;
  const view = table.state?.view;
  const pane = byId("pane-circuit");
  if (name !== "setup") palette?.close();
  if (name === "circuit" && !pane.firstChild) mountCircuit(pane, table);
  if (name === "more" && view) byId("legend").replaceChildren(legendOf(view, table.tree.game, viewer.board));
  if (name !== "setup" || !table.state) return;
  const { Palette } = await import("./palette.js");
  palette ??= new Palette(byId("palette"), table, viewer, (values) => table.begin(new Tree(values)));
  if (paneSeen === "setup") palette.open();
}

/** Opens the branch in which a move of the game was answered otherwise. @param {number} ply @param {string} text @param {Record<string, number>} answers */
async function otherwise(ply, text, answers) {
  table.at = table.tree.path(table.at)[ply - 2] ?? 0;
  await table.playSo(text, answers);
}

async function start() {
  themeButton(byId("theme"));
  viewer.table = table;
  const { games, agents } = await ask("/api/study/setups");
  const named = () => games.find((/** @type {any} */ game) => game.name === table.tree.game)?.notations ?? [];
  mountSetup(/** @type {HTMLFormElement} */ (byId("setup").querySelector("form")), games, (values) => table.begin(new Tree(values)), () => table.tree);
  mountTeaching(byId("pane-class"), table);
  const openTab = mountTabs(byId("tabs"), openPane);
  table.addEventListener("shown", () => paneSeen !== "setup" && openPane(paneSeen));
  table.addEventListener("went", () => palette?.isOpen && openTab("moves")); // what was set up has begun, or something else is looked at
  mountAnalysis(agents);
  table.addEventListener("went", () => drawSaves(named()));
  const { table: asked, ply, text, answers } = Object.fromEntries(new URLSearchParams(window.location.hash.slice(1)));
  if (asked) {
    const record = await (await fetch(`/api/tables/${encodeURIComponent(asked)}/record.json`)).text();
    await open(record);
    const back = html("button", { type: "button" }, "Back to the game");
    back.addEventListener("click", () => {
      window.close(); // the tab that this was opened in
      window.location.href = "/";
    });
    document.querySelector(".pages")?.replaceChildren(back);
    if (ply) await otherwise(Number(ply), text ?? "", JSON.parse(answers ?? "null"));
  } else await table.begin(await first());
  await move(table, viewer.board);
}

start().catch((error) => viewer.tell(error.message));
