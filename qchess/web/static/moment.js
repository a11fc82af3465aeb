// The moment of measurement: the question stands over the board, what may change trembles, the answer fills one man and
// pales the others, they fly home, and the move is made. The table's next message waits until the answer was seen.
import { isOpen } from "./filling.js";
import { linksOf } from "./linking.js";
import { BOX, shape } from "./pieces.js";
import { html, setting } from "./settings.js";
import { went } from "./ways.js";
import { percent } from "./wording.js";

/** @typedef {import("./wording.js").View} View */
/** @typedef {import("./wording.js").Man} Man */
/** @typedef {{shimmer: number, answer: number, home: number, settled: number, end: number}} Pace in milliseconds after the answer has come */
/** @typedef {{square: string, from: number, to: number, sign: number, goes: string, home: string, isGhost: boolean, isTaken: boolean}} Part a man that the answer may change */
/** @typedef {{question: string, verdict: string, fact: string, chance: number, good: boolean|null}} Words */
/** @typedef {{by: string, player: string, sentence: string, view: View, provenance?: import("./table.js").Answer[]}} Moved */

/** @type {Record<string, Pace>} */
export const PACES = {
  slow: { shimmer: 450, answer: 1200, home: 1575, settled: 2175, end: 3000 },
  normal: { shimmer: 300, answer: 800, home: 1050, settled: 1450, end: 2000 },
  quick: { shimmer: 300, answer: 300, home: 500, settled: 800, end: 1000 },
};
const SWING = 0.13, FILL = 160, DIM = 150, RING = 450, LATER = 70, CAME = 1e-6;

/** Whether an answer was open before it came. @param {{source: string}} answer */
export const wasOpen = (answer) => answer.source !== "certain";

/** What a move asked and what came, for the banner. @param {Moved} moved @returns {Words} */
export function wordsOf({ sentence, provenance = [] }) {
  const chance = provenance.filter(wasOpen).reduce((product, answer) => product * answer.probability, 1);
  const good = went(sentence), [, question = "", verdict = "", rest = ""] = /^([^?]+\?) (Yes|No), [^.]*? likely\. ?(.*)$/.exec(sentence) ?? [];
  if (!question) return { question: "This move has to know.", verdict: "", fact: sentence.split(/(?<=\.) /)[0] ?? "", chance, good };
  const [, who = "", where = ""] = /^Is (.+?) (on [a-z]\d+|empty)\?$/.exec(question) ?? [];
  const is = verdict === "Yes" ? "is" : "is not";
  const fact = who && !who.includes(" and ") ? `${who.startsWith("the ") ? `T${who.slice(1)}` : who} ${is} ${where}.` : rest.split(/(?<=\.) /)[0] || question;
  return { question, verdict, fact, chance, good };
}

/** The same man on a square of a View, and how likely he is there. @param {View} view @param {string} square @param {Man} man */
function shareOf(view, square, man) {
  return (view.men[square] ?? []).filter((each) => each.symbol === man.symbol && each.player === man.player).reduce((sum, each) => sum + each.probability, 0);
}

/** How likely a side is on a square. @param {View} view @param {string} square @param {number} player */
function sideOn(view, square, player) {
  return (view.men[square] ?? []).filter((each) => each.player === player).reduce((sum, each) => sum + each.probability, 0);
}

/** What becomes of each man that may change. @param {View} old @param {View} fresh @param {string} asked @returns {Part[]} */
export function partsOf(old, fresh, asked) {
  const ways = (fresh.arrows ?? []).filter(({ start, end }) => start !== end);
  const gain = (/** @type {string} */ square, /** @type {number} */ player) => sideOn(fresh, square, player) - sideOn(old, square, player);
  const parts = Object.entries(old.men).filter(([, here]) => here.length === 1).map(([square, [man]]) => {
    const stays = shareOf(fresh, square, man);
    const way = stays < man.probability ? ways.find(({ start, end }) => start === square && gain(end, man.player) > CAME) : undefined;
    const to = Math.min(1, stays + (way ? gain(way.end, man.player) : 0));
    const isTaken = to < CAME && ways.some(({ end, start }) => end === square && old.men[start] && gain(end, old.men[start][0].player) > CAME);
    return { square, man, from: man.probability, to: to > 1 - CAME ? 1 : to, sign: signOf(old, asked, square, to - man.probability), goes: way?.end ?? "", home: "", isGhost: to < CAME && !isTaken, isTaken };
  }).filter(({ from, to, goes, square }) => Math.abs(from - to) > CAME || goes || square === asked);
  const linked = (/** @type {string} */ a, /** @type {string} */ b) => linksOf(old, a).some((link) => link.includes(b));
  for (const part of parts.filter(({ isGhost }) => isGhost)) {
    const kin = parts.filter((other) => !other.isGhost && other.man.symbol === part.man.symbol && other.man.player === part.man.player && other.to > other.from);
    part.home = (kin.find((other) => linked(other.square, part.square)) ?? kin[0])?.square ?? "";
  }
  return parts;
}

/** Whether a man rises together with the one that is asked about, or against him. @param {View} view @param {string} asked @param {string} square @param {number} change */
function signOf(view, asked, square, change) {
  if (!asked) return change < 0 ? -1 : 1;
  if (square === asked) return 1;
  const sign = linksOf(view, asked).find((link) => link.includes(square))?.[3];
  const [man] = view.men[square], [first] = view.men[asked] ?? [];
  return sign === "either-or" || (!sign && first && man.symbol === first.symbol && man.player === first.player) ? -1 : 1;
}

/** From 0 to 1 between two times. @param {number} time @param {number} start @param {number} end */
function way(time, start, end) {
  return Math.max(0, Math.min(1, (time - start) / Math.max(1, end - start)));
}

/** Fast at first. @param {number} u */
const eased = (u) => 1 - (1 - u) ** 3;

/**
 * What the board shows at a time.
 * @param {View} old @param {Part[]} parts @param {string} asked @param {Set<string>} bright @param {Pace} pace @param {number} time
 * @returns {import("./shown.js").Scene}
 */
export function sceneAt(old, parts, asked, bright, pace, time) {
  /** @type {import("./shown.js").Scene} */
  const scene = { view: old, levels: {}, fades: {}, moved: {}, bare: new Set(), picked: asked && time < pace.home ? [asked] : [], over: () => [] };
  const trembles = time > pace.shimmer && time < pace.answer ? Math.sin(4 * Math.PI * way(time, pace.shimmer, pace.answer)) : 0;
  const filled = way(time, pace.answer, pace.answer + FILL), flown = way(time, pace.home, pace.settled);
  for (const { square, from, to, sign, goes, home, isGhost, isTaken } of parts) {
    const share = from < 1 ? Math.max(0.02, Math.min(0.98, from + SWING * sign * trembles)) : 1;
    scene.levels[square] = isGhost || isTaken ? share : share + (to - share) * filled;
    if (isGhost) {
      scene.fades[square] = 1 - 0.5 * filled - 0.5 * flown;
      if (home) scene.moved[square] = { to: home, way: eased(flown) };
    } else if (isTaken) scene.fades[square] = 1 - way(flown, 0.7, 1);
    else if (goes) scene.moved[square] = { to: goes, way: eased(way(flown, 0.25, 1)) };
    if (time >= pace.answer && (to === 1 || to < CAME || flown > 0)) scene.bare.add(square);
  }
  const dim = way(time, 0, DIM) * (1 - way(time, pace.home, pace.home + DIM));
  const rest = time - pace.answer;
  scene.over = (spots) => [...veil(spots, bright, dim), ...(asked && rest > 0 ? rings(spots.get(asked), rest) : [])];
  return scene;
}

/** @param {Map<string, {x: number, y: number}>} spots @param {Set<string>} bright @param {number} dim */
function veil(spots, bright, dim) {
  const rest = [...spots].filter(([name]) => !bright.has(name)).map(([, { x, y }]) => `M${x} ${y}h${BOX}v${BOX}h-${BOX}z`).join("");
  return dim > 0 && rest ? [shape("path", { d: rest, class: "veil", fill: "#0f141b", "fill-opacity": (0.58 * dim).toFixed(3) })] : [];
}

/** @param {{x: number, y: number}|undefined} spot @param {number} time */
function rings(spot, time) {
  if (!spot) return [];
  return [5, 3, 2].map((width, number) => [width, (time - LATER * number) / RING]).filter(([, u]) => u > 0 && u < 1).map(([width, u]) =>
    shape("circle", { class: "ring", cx: spot.x + BOX / 2, cy: spot.y + BOX / 2, r: (BOX * (0.32 + 0.75 * eased(u))).toFixed(1), fill: "none", stroke: "#fff", "stroke-width": width, "stroke-opacity": (1 - u).toFixed(3) }));
}

export class Moment {
  /** @param {import("./table.js").Table} table @param {import("./board.js").QcBoard} board @param {(head: string, rest: string) => void} say */
  constructor(table, board, say) {
    this.table = table;
    this.board = board;
    this.say = say;
    // its text is said by the sentence, which is heard once for the question and once for the answer
    this.banner = html("div", { id: "banner", class: "banner", "aria-hidden": "true", hidden: "" });
    board.after(this.banner);
    /** @type {number[]} */
    this.timers = [];
    this.isAnswered = this.isSettled = this.isOver = true;
    for (const kind of ["pointerdown", "keydown", "click"]) board.addEventListener(kind, (event) => this.pressed(event), { capture: true });
  }

  /** Plays what a move asked and what came; the message itself counts from the answer on. @param {Moved} moved */
  play(moved) {
    this.stop();
    const { state } = this.table;
    if (!state || this.table.shown !== state.ply) {
      this.table.go();
      return;
    }
    const pace = PACES[setting("answers", "normal")] ?? PACES.normal, isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const words = wordsOf(moved), old = state.view;
    const named = words.verdict && /\bon ([a-z]\d+)/.exec(words.question)?.[1] || "", asked = old.men[named] ? named : "";
    const parts = partsOf(old, moved.view, asked);
    const changed = [...new Set([...Object.keys(old.men), ...Object.keys(moved.view.men)])].filter((square) => !isSame(old.men[square] ?? [], moved.view.men[square] ?? []));
    const bright = new Set([...changed, ...(moved.view.marked ?? []), ...(asked ? [asked] : [])]);
    this.isAnswered = this.isSettled = this.isOver = false;
    this.isLow = Number((asked || [...bright][0] || "a1").slice(1)) > old.height / 2 === (this.board.below === 0);
    const yes = words.verdict === "Yes" ? words.chance : 1 - words.chance;
    this.show(words.question, "", words.verdict ? percent(yes) : "");
    this.say(words.question, words.verdict ? `Yes ${percent(yes)}, no ${percent(1 - yes)}.` : "");
    const start = performance.now();
    const frame = () => {
      if (this.isSettled) return;
      this.board.scene = sceneAt(old, parts, asked, bright, pace, isCalm ? DIM : performance.now() - start);
      if (!isCalm) requestAnimationFrame(frame);
    };
    frame();
    this.timers = [
      window.setTimeout(() => this.answer(words), pace.answer),
      window.setTimeout(() => this.settle(), isCalm ? pace.answer : pace.settled),
      // whoever is to move may do so at once: there is no reply to wait for
      ...(moved.player === state.you ? [window.setTimeout(() => this.go(), pace.settled)] : []),
      window.setTimeout(() => this.end(), pace.end),
    ];
    this.words = words;
  }

  /** The answer: from now on the move counts, in the list, the strips and the sentence. @param {Words|undefined} words */
  answer(words) {
    if (this.isAnswered) return;
    this.isAnswered = true;
    if (words) this.show(words.fact, words.verdict, percent(words.chance), words.good);
    this.table.pass();
  }

  /** The board as it is after the move; the reply still waits. */
  settle() {
    if (this.isSettled) return;
    this.isSettled = true;
    this.board.scene = null;
    this.answer(this.words);
  }

  /** The answer was seen: what has come in the meantime comes now. */
  go() {
    if (this.isOver) return;
    this.isOver = true;
    this.settle();
    this.table.go();
    this.table.dispatchEvent(new Event("seen"));
  }

  /** The banner goes, and the reply comes. */
  end() {
    this.stop();
    this.go();
  }

  stop() {
    for (const timer of this.timers) clearTimeout(timer);
    this.banner.hidden = true;
  }

  /** A press on the board: at first the settled board, then the reply. @param {Event} event */
  pressed(event) {
    if (this.isOver && event.type !== "keydown") this.banner.hidden = true;
    if (this.isOver || (event instanceof KeyboardEvent && (event.ctrlKey || event.metaKey || event.altKey || ["Tab", "Shift"].includes(event.key)))) return;
    if (event.type === "click" && /** @type {MouseEvent} */ (event).detail) return; // its pointerdown came before
    event.stopPropagation();
    if (event.type === "keydown") event.preventDefault();
    if (this.isSettled) this.end();
    else this.settle();
  }

  /** The word is the answer, its colour whether the move did what it says; a sign stands where both are the same. @param {string} words @param {string} verdict @param {string} odds @param {boolean|null} [good] */
  show(words, verdict, odds, good) {
    const sign = verdict ? html("strong", { class: good ? "yes" : "no" }, `${good === (verdict === "Yes") ? (good ? "✓ " : "✕ ") : ""}${verdict}`) : "";
    this.banner.className = `banner${this.isLow ? " low" : ""}`;
    this.banner.replaceChildren(sign, html("span", {}, words), html("b", {}, odds));
    this.banner.hidden = false;
  }
}

/** Whether the same men are on a square, as likely. @param {Man[]} old @param {Man[]} fresh */
function isSame(old, fresh) {
  return old.length === fresh.length && old.every((man, k) => man.symbol === fresh[k].symbol && man.player === fresh[k].player && Math.abs(man.probability - fresh[k].probability) < CAME && isOpen(man) === isOpen(fresh[k]));
}
