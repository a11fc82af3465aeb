// How men move when a move has come: a slide, a capture, the two parts of a split along arcs, the parts of a merge that
// meet. The message counts at once; the board alone is behind for a moment, and not even that if anything is pressed.
import { setting } from "./settings.js";

/** @typedef {import("./wording.js").View} View */
/** @typedef {import("./wording.js").Man} Man */
/** @typedef {import("./shown.js").Scene} Scene */
/** @typedef {{view: View, long: number, at: (time: number) => Omit<Scene, "view"|"picked"|"over">}} Play what the board shows instead of its View, and for how long */

const SLIDE = 180, TAKEN = 60, PAIR = 320, LEVEL = 160, PLATE = 100, TINT = 120, ARC = 0.35, CAME = 1e-6;

/** From 0 to 1 between two times. @param {number} time @param {number} start @param {number} end */
const part = (time, start, end) => Math.max(0, Math.min(1, (time - start) / (end - start)));

/** Close to `cubic-bezier(.2,.7,.2,1)`: fast at first. @param {number} u */
const eased = (u) => 1 - (1 - u) ** 3;

/** How likely a man is on a square. @param {View} view @param {string} square @param {Man} man */
function shareOf(view, square, man) {
  return (view.men[square] ?? []).filter(({ symbol, player }) => symbol === man.symbol && player === man.player).reduce((sum, { probability }) => sum + probability, 0);
}

/** How likely a side is on a square. @param {View} view @param {string} square @param {number} player */
function sideOn(view, square, player) {
  return (view.men[square] ?? []).filter((man) => man.player === player).reduce((sum, { probability }) => sum + probability, 0);
}

/** The men with those on some squares drawn over the others. @param {View} view @param {string[]} last @returns {View} */
function onTop(view, last) {
  const order = [...Object.keys(view.men).filter((square) => !last.includes(square)), ...last.filter((square) => view.men[square])];
  return { ...view, men: Object.fromEntries(order.map((square) => [square, view.men[square]])) };
}

/** What moves from one board to the next; nothing where that cannot be told. @param {View} old @param {View} fresh @returns {Play|null} */
export function playOf(old, fresh) {
  const single = (/** @type {View} */ view, /** @type {string} */ square) => (view.men[square]?.length === 1 ? view.men[square][0] : undefined);
  const ways = (fresh.arrows ?? []).filter(({ start, end }) => {
    const man = single(old, start);
    return start !== end && man && sideOn(fresh, end, man.player) > sideOn(old, end, man.player) + CAME;
  });
  const starts = ways.map(({ start }) => start), ends = ways.map(({ end }) => end);
  const gone = Object.keys(old.men).filter((square) => !starts.includes(square) && single(old, square) && sideOn(fresh, square, old.men[square][0].player) < CAME);
  const isPair = ways.length > 1 && (new Set(starts).size === 1 || new Set(ends).size === 1), long = isPair ? PAIR : ways.length ? SLIDE : LEVEL;
  // parts that meet, and a man who goes where another was, are still drawn on their old squares
  const isBehind = gone.length > 0 || new Set(ends).size < ends.length || ends.some((square) => old.men[square]?.length);
  const changed = Object.keys(old.men).map((square) => ({ square, man: single(old, square), after: single(fresh, square) }))
    .filter(({ man, after, square }) => man && after && man.symbol === after.symbol && man.player === after.player && Math.abs(man.probability - after.probability) > CAME && !(isBehind && starts.includes(square)));
  if (!ways.length && !gone.length && !changed.length) return null;
  const bend = (/** @type {number} */ number) => (isPair ? (number % 2 ? -ARC : ARC) : 0);
  const isWhole = (/** @type {string} */ start) => sideOn(fresh, start, old.men[start][0].player) < CAME && starts.indexOf(start) === starts.lastIndexOf(start);
  const moving = ways.filter(({ start, end }) => (isBehind ? isWhole(start) : single(fresh, end)));
  const bare = new Set([...gone, ...moving.map(({ start, end }) => (isBehind ? start : end))]);
  return { view: onTop({ ...(isBehind ? old : fresh), arrows: fresh.arrows, marked: fresh.marked }, moving.map(({ start, end }) => (isBehind ? start : end))), long, at: (time) => {
    const far = eased(part(time, 0, long));
    /** @type {Omit<Scene, "view"|"picked"|"over">} */
    const scene = { levels: {}, fades: {}, moved: {}, bare };
    moving.forEach(({ start, end }, number) => {
      if (isBehind) scene.moved[start] = { to: end, way: far, bend: bend(number) };
      else scene.moved[end] = { to: start, way: 1 - far, bend: -bend(number) };
      const [man] = old.men[start], to = shareOf(fresh, end, man);
      if (isBehind && isPair && to > man.probability) scene.levels[start] = man.probability + (to - man.probability) * part(time, long / 2, long);
    });
    for (const square of gone) scene.fades[square] = 1 - part(time, long - TAKEN, long);
    for (const { square, man, after } of changed) if (man && after) scene.levels[square] = man.probability + (after.probability - man.probability) * part(time, 0, LEVEL);
    return scene;
  } };
}

let isAwake = false;

/** From now on men move on a table's board, and a first game is explained. @param {import("./table.js").Table} table @param {import("./board.js").QcBoard} board */
export async function wake(table, board) {
  if (isAwake) return;
  isAwake = true;
  new Motion(table, board);
  fade(board);
  if (table.state?.you && setting("hints", "").split(" ").length < 3) new (await import("./hints.js")).Hints(table, board);
}

/** Plates and tints that were not there come in softly. @param {import("./board.js").QcBoard} board */
function fade(board) {
  const { _picture: picture } = board;
  const there = () => new Map([...picture.querySelectorAll(".plates > *, .tints > *")].map((node) => [`${node.getAttribute("transform")} ${node.textContent}${node.firstElementChild?.getAttribute("fill")}`, node]));
  let had = there();
  new MutationObserver(() => {
    const now = there();
    if (!isStill()) for (const [key, node] of now) if (!had.has(key)) node.animate([{ opacity: 0 }, { opacity: 1 }], node.matches(".plate") ? PLATE : TINT);
    had = now;
  }).observe(picture, { childList: true });
}

/** Whether nothing is to move. */
const isStill = () => setting("answers", "normal") === "none" || matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Motion {
  /** @param {import("./table.js").Table} table @param {import("./board.js").QcBoard} board */
  constructor(table, board) {
    this.table = table;
    this.board = board;
    /** what the board shows, and what it showed before @type {{ply: number, view: View|null}} */
    this.now = this.before = { ply: table.shown, view: board.view };
    this.timer = 0;
    this.isDragged = false;
    // a drag has brought its piece there already
    board.addEventListener("pointerup", () => {
      this.isDragged = board.pointing.press?.dragging ?? false;
    }, { capture: true });
    board.addEventListener("keydown", () => {
      this.isDragged = false;
    }, { capture: true });
    for (const kind of ["pointerdown", "keydown", "click"]) document.addEventListener(kind, () => this.end(), { capture: true });
    document.addEventListener("visibilitychange", () => this.end());
    table.addEventListener("held", () => this.end());
    table.addEventListener("message", (event) => this.take(/** @type {CustomEvent} */ (event).detail));
    table.addEventListener("shown", (event) => {
      [this.before, this.now] = [this.now, /** @type {CustomEvent} */ (event).detail];
      if (this.now.ply !== this.before.ply) this.end();
    });
  }

  /** A move has come, and the board has its position, which is not drawn yet. @param {any} message */
  take(message) {
    const { board, table, before: { ply, view: old } } = this;
    // what was asked has been seen on the board before it counts
    if (message.kind !== "moved" || message.isPassed || !old || ply !== message.ply - 1 || this.now.ply !== message.ply || document.hidden) return;
    const wasDragged = this.isDragged && message.by === table.state?.you;
    if (wasDragged) this.isDragged = false;
    if (isStill() || wasDragged) return;
    const play = playOf(old, message.view);
    if (!play) return;
    const start = performance.now(), { view, long, at } = play;
    const timer = this.timer = window.setTimeout(() => this.end(), long);
    const frame = () => {
      const time = performance.now() - start;
      if (this.timer !== timer || time >= long) return;
      board.scene = { ...at(time), view, picked: [], over: () => [] };
      requestAnimationFrame(frame);
    };
    frame();
  }

  /** The board as it is. */
  end() {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = 0;
    this.board.scene = null;
  }
}
