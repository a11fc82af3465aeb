// What the mark of an answer in the move list opens: the branch with another answer, and a hundred answers to the same question.
import { html } from "./settings.js";
import { percent } from "./wording.js";
import { answerOf, inOrder, isYesOrNo, questionIn, wordsOf } from "./ways.js";

/** @typedef {import("./ways.js").Way} Way */
/** @typedef {{ply: number, round: number|null, text: string, says: string, outcomes: Way[], more: number, times?: number, others?: number}} Again */

/** So many other answers are offered; a menu stays short. */
const MOST = 4;
const BELOW = 300;

/** @param {Record<string, number>} some @param {Record<string, number>} others */
const isSame = (some, others) => Object.entries(some).every(([name, value]) => others[name] === value);

export class Marks {
  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
    this.ply = 0;
    this.round = 0;
    /** @type {HTMLElement|null} the mark whose menu is open */
    this.mark = null;
    /** @type {HTMLElement|undefined} where a hundred answers are counted */
    this.counted = undefined;
    this.box = html("div", { class: "marked", hidden: "" });
    document.body.append(this.box);
    document.addEventListener("pointerdown", (event) => !event.composedPath().some((node) => node === this.box || node === this.mark) && this.close(false));
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.mark && (this.close(), event.stopPropagation()), { capture: true });
    this.box.addEventListener("keydown", (event) => this.key(event));
    table.addEventListener("message", (event) => this.take(/** @type {CustomEvent} */ (event).detail));
  }

  /** Opens the menu of a move, or closes it. @param {number} ply @param {HTMLElement} mark */
  toggle(ply, mark) {
    if (this.mark === mark) return this.close();
    this.close(false);
    Object.assign(this, { ply, mark, round: 0 });
    mark.setAttribute("aria-expanded", "true");
    this.box.replaceChildren(html("p", { class: "quiet", role: "status" }, "Looking it up …"));
    this.box.hidden = false;
    this.place(mark.getBoundingClientRect());
    this.table.send({ kind: "again", ply });
  }

  /** Puts the menu beside its mark, inside the window. @param {DOMRect} at */
  place(at) {
    const { style } = this.box, isBelow = window.innerHeight - at.bottom > BELOW;
    const wide = Math.min(320, window.innerWidth - 24);
    style.width = `${wide}px`;
    const least = 12 + (this.mark?.closest(".panel")?.getBoundingClientRect().left ?? 0);
    style.left = `${Math.min(Math.max(least, at.right - wide), window.innerWidth - wide - 12)}px`;
    style.top = isBelow ? `${at.bottom + 4}px` : "auto";
    style.bottom = isBelow ? "auto" : `${Math.max(12, window.innerHeight - at.top + 4)}px`;
    style.maxHeight = `${(isBelow ? window.innerHeight - at.bottom : at.top) - 16}px`;
  }

  /** @param {boolean} [returns] whether the focus goes back to the mark */
  close(returns = true) {
    const { mark } = this;
    this.mark = null;
    this.box.hidden = true;
    mark?.setAttribute("aria-expanded", "false");
    if (returns) mark?.focus({ preventScroll: true });
  }

  /** @param {any} message */
  take(message) {
    if (!this.mark) return;
    if (message.kind === "refused" && message.of === "again") (this.counted?.isConnected ? this.counted : this.box).replaceChildren(html("p", { role: "status" }, message.why));
    if (message.kind !== "again" || message.ply !== this.ply) return;
    if (message.round === null) this.draw(message);
    else this.count(message);
  }

  /** @param {Again} told */
  draw({ ply, text, says, outcomes, more }) {
    const entry = this.table.state?.history[ply - 1];
    const came = Object.fromEntries((entry?.provenance ?? []).map(({ name, value }) => [name, value]));
    const isEither = isYesOrNo(outcomes, says), ways = inOrder(outcomes, isEither), words = wordsOf(ways);
    const verdict = isEither ? ways.map(({ answers }, k) => (isSame(answers, came) ? ["Yes", "No"][k] : "")).join("") : "";
    const head = isEither ? `${questionIn(outcomes, says)} ${verdict}. The chance was ` : "The answer had a chance of ";
    const chance = outcomes.find(({ answers }) => isSame(answers, came))?.probability ?? 0;
    const others = ways.map((way, k) => ({ way, k })).filter(({ way }) => !isSame(way.answers, came));
    const links = others.slice(0, MOST).map(({ way, k }) => html("a", { role: "menuitem", tabindex: "-1", target: "_blank", href: this.address(ply, text, way) }, isEither ? `What if it had been ${["yes", "no"][k]}?` : `What if: ${words[k]}`, ...(isEither ? [] : [html("b", {}, percent(way.probability))])));
    const ask = html("button", { type: "button", role: "menuitem", tabindex: "-1" }, "Ask 100 times");
    ask.addEventListener("click", () => this.table.send({ kind: "again", ply, round: this.round++ }));
    const left = more + Math.max(0, others.length - MOST);
    this.counted = html("div", { class: "hundred", role: "status" });
    this.box.replaceChildren(
      html("p", { class: "asked" }, head, html("b", {}, percent(chance)), "."),
      html("div", { role: "menu", "aria-label": "This question" }, ...links, ask),
      html("p", { class: "quiet" }, "“What if” opens a copy in a new tab. Your game goes on here."),
      ...(left ? [html("p", { class: "quiet" }, `and ${left} more`)] : []), this.counted);
    /** @type {HTMLElement} */ (this.items[0]).focus({ preventScroll: true });
  }

  /** The page that opens the game with another answer to this move. @param {number} ply @param {string} text @param {Way} way */
  address(ply, text, way) {
    return `/study#${new URLSearchParams({ table: this.table.game, ply: `${ply}`, text, answers: JSON.stringify(way.answers) })}`;
  }

  /** How a hundred answers went, beside the odds. @param {Again} told */
  count({ says, outcomes, times, others }) {
    const isEither = isYesOrNo(outcomes, says), ways = inOrder(outcomes, isEither);
    const names = isEither ? ["yes", "no"] : wordsOf(ways);
    const rows = ways.map((way, k) => html("li", {}, html("span", {}, names[k]), html("progress", { max: String(times), value: String(way.times), "aria-hidden": "true" }), html("b", {}, String(way.times)), html("span", { class: "quiet" }, `odds ${percent(way.probability)}`)));
    const bar = html("div", { class: "bar", "aria-hidden": "true" }, ...ways.map((way, k) => {
      const part = html("span", { class: names[k] }, `${names[k]} ${way.times}`);
      part.style.flexGrow = String(way.times);
      return part;
    }));
    const told = html("p", {}, ways.map((way, k) => `${names[k]} ${way.times} (odds ${percent(way.probability)})`).join(", "), ".");
    this.counted?.replaceChildren(...(isEither ? [bar, told] : [html("ul", {}, ...rows)]), ...(others ? [html("p", {}, `${others} times another of the answers came.`)] : []),
      html("p", { class: "quiet" }, `Asked ${times} times of the same position. It changes nothing in the game.`));
    this.counted?.scrollIntoView({ block: "nearest" });
  }

  get items() {
    return /** @type {HTMLElement[]} */ ([...this.box.querySelectorAll("[role=menuitem]")]);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { items } = this, at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1 }[event.key];
    if (event.key === "Tab") this.close();
    else if (event.key === " " && items[at]) items[at].click();
    else if (to !== undefined && items.length) items[to % items.length].focus();
    else return event.stopPropagation();
    if (event.key !== "Tab") event.preventDefault();
    event.stopPropagation();
  }
}
