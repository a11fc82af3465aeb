// The buttons under the board, or where the page wants them: move, split, merge, and moves that no two squares tell.
import { MODES } from "./machine.js";
import { element, shape } from "./pieces.js";

/** @typedef {import("./machine.js").Machine} Machine */
/** @typedef {import("./machine.js").Mode} Mode */
/** @typedef {import("./machine.js").Move} Move */

export const MODE_WORDS = { move: "Move", split: "Split", merge: "Merge" };
export const MODE_HELP = { move: "one piece to one square", split: "one piece to two squares at once", merge: "two parts of a piece to one square" };
const MODE_ICONS = { move: "M3 12h16M14 6l6 6-6 6", split: "M3 12h6M9 12c5 0 4-7 11-7M9 12c5 0 4 7 11 7", merge: "M4 5c7 0 6 7 11 7M4 19c7 0 6-7 11-7M15 12h6" };
const LINES = { viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true" };

/** @param {HTMLElement} bar @param {(mode: Mode) => void} chosen */
export function fillModes(bar, chosen) {
  bar.replaceChildren(...MODES.map((mode, number) => {
    const icon = shape("svg", LINES, shape("path", { d: MODE_ICONS[mode] }));
    const button = element("button", { type: "button", role: "radio", "data-mode": mode, title: `${MODE_WORDS[mode]}: ${MODE_HELP[mode]} (key ${number + 1})` }, icon, MODE_WORDS[mode], element("kbd", { "aria-hidden": "true" }, String(number + 1)));
    button.addEventListener("click", () => chosen(mode));
    button.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[/** @type {KeyboardEvent} */ (event).key];
      if (!step) return;
      event.preventDefault();
      const next = MODES[(number + step + MODES.length) % MODES.length];
      chosen(next);
      /** @type {HTMLElement|null} */ (bar.querySelector(`[data-mode=${next}]`))?.focus();
    });
    return button;
  }));
}

/** @param {HTMLElement} bar @param {Mode} chosen @param {(mode: Mode) => boolean} isOpen */
export function drawModes(bar, chosen, isOpen) {
  for (const button of bar.querySelectorAll("button")) {
    const mode = /** @type {Mode} */ (button.dataset.mode);
    button.setAttribute("aria-checked", String(mode === chosen));
    button.setAttribute("aria-disabled", String(!isOpen(mode)));
    button.tabIndex = mode === chosen ? 0 : -1;
  }
}

/** Buttons of moves that no squares tell. @param {HTMLElement} box @param {Move[]} moves @param {(move: Move) => void} chosen @param {(move: Move) => void} pointed */
export function drawChips(box, moves, chosen, pointed) {
  box.hidden = !moves.length;
  const there = /** @type {HTMLElement[]} */ ([...box.children]);
  if (there.length === moves.length && moves.every(({ text, says }, k) => there[k].dataset.text === text && there[k].title === (says ?? ""))) return;
  const had = /** @type {HTMLElement|null} */ (box.querySelector(":focus"))?.dataset.text;
  const chips = moves.map((move) => {
    const chip = element("button", { type: "button", class: "chip", "data-text": move.text, title: move.says ?? null }, move.label ?? move.text);
    chip.addEventListener("click", () => chosen(move));
    for (const event of ["pointerenter", "focus"]) chip.addEventListener(event, () => pointed(move));
    return chip;
  });
  box.replaceChildren(...chips);
  chips.find((chip) => chip.dataset.text === had)?.focus();
}

/** What is picked and what to pick next, in two sentences. @param {Machine} machine @param {string[]} parts other squares of the piece @param {boolean} waits whether its moves are still asked for @param {string} man what the piece is called, if it is one */
export function picksWords(machine, parts, waits, man) {
  const { picks, mode, isPartNext } = machine;
  const [first, second] = picks, next = [...machine.next()].sort();
  const here = mode === "merge" ? picks : [first, ...parts.filter((name) => !picks.includes(name)).sort()];
  const what = machine.places ? picks.join(", ") : `${man ? `${man.charAt(0).toUpperCase()}${man.slice(1)} on ` : ""}${here.join(" or ")}`;
  if (!next.length) return `${what}. ${waits ? "Looking up its moves." : `No ${mode === "move" ? "plain move" : mode} from here.`}`;
  if (machine.places) return `${what}. Goes with ${next.length > 12 ? `${next.length} squares` : next.join(", ")}.`;
  if (mode === "split") return second ? `Half goes to ${second}. Pick a second square.` : `${what}. Pick two squares to split.`;
  return `${what}. ${isPartNext ? `Pick its other part on ${next.join(" or ")}.` : mode === "merge" ? "Pick a square for both." : "Pick a square."}`;
}
