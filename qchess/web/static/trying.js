// The board of the first page: a knight in two places that splits, meets itself, and is asked for. Nobody answers it.
import { ask } from "./askserver.js";
import "./board.js";
import { html } from "./settings.js";

/** @typedef {import("./wording.js").View} View */
/** @typedef {import("./machine.js").Move} Move */
/** @typedef {{options: {setup: string[]}, view: View, moves: Move[]}} Begun */

/** after so many moves it begins again */
const MOST = 24;
const COUNTS = ["no", "one", "two", "three", "four", "five", "six"];

/** Where the knight may be. @param {View} view */
function places(view) {
  return Object.entries(view.men).filter(([, men]) => men.some(({ symbol, player }) => symbol === "N" && player === 0)).map(([square]) => square);
}

/**
 * Lets a board be played on alone. What was played comes before the first move of the game that the server is asked about.
 * @param {import("./board.js").QcBoard} board @param {HTMLElement} told @param {HTMLElement} again @param {Begun} begun
 */
export function mountTrying(board, told, again, begun) {
  /** @type {string[]} */
  let played = [];
  /** what is said while nothing is picked @type {[string, string]} */
  let rest = ["", ""];
  /** @param {any} what @returns {Promise<any>} */
  const question = (what) => ask("/api/study", { game: "quantum-chess", options: { ...begun.options, setup: [...begun.options.setup, ...played] }, line: [], ask: what });
  /** @param {string} fact @param {string} more */
  const tell = (fact, more) => told.replaceChildren(html("b", {}, fact), ` ${more}`);
  /** @param {View} view @param {Move[]} moves @param {string} [sentence] what the last move came to, where it asked */
  const show = (view, moves, sentence) => {
    const where = places(view);
    const isOver = played.length >= MOST || !Object.values(view.men).some((men) => men.some(({ symbol }) => symbol === "k"));
    const [, answer, chance] = /(Yes|No), (\S+) likely/.exec(sentence ?? "") ?? [];
    const next = isOver ? "" : where.length > 1 ? "Pick a knight." : "Pick the knight, then two squares.";
    const fact = answer === "No" && where.length === 1 ? `No, it is on ${where[0]}.` : `${answer}.`;
    rest = answer ? [fact, `It was ${chance}. ${next}`] : [`One knight, ${COUNTS[where.length] ?? where.length} ${where.length > 1 ? "places" : "place"}.`, next];
    Object.assign(board, { view, moves, playable: !isOver });
    board.setMode(where.length > 1 ? "move" : "split");
    tell(...rest);
    again.hidden = !played.length;
  };
  const begin = () => {
    played = [];
    show(begun.view, begun.moves);
  };
  board.addEventListener("qc-pick", async (event) => {
    const [square] = /** @type {CustomEvent} */ (event).detail.squares;
    const man = board.view?.men[square]?.[0];
    if (!square || !man) tell(...rest);
    else if (man.probability < 1) tell(`Is the knight on ${square}?`, "Nobody knows, until it takes a pawn.");
    if (!square) return;
    const count = played.length;
    const odds = await question({ kind: "odds", square }).catch(() => null);
    if (odds && count === played.length && board.machine.picks[0] === square) board.odds = odds;
  });
  board.addEventListener("qc-hover", (event) => {
    const says = /** @type {CustomEvent} */ (event).detail.ways[0]?.move.says ?? "";
    const [, fact, chances] = /^(.*\?) *(.*)$/.exec(says) ?? [];
    if (fact) tell(fact, `${chances}. ${matchMedia("(pointer:coarse)").matches ? "Tap again" : "Click"} to ask.`);
  });
  board.addEventListener("qc-move", async (event) => {
    board.playable = false;
    try {
      const { entry, state } = await question({ kind: "play", text: /** @type {CustomEvent} */ (event).detail.text });
      board.view = state.view;
      played.push(entry.text);
      const { moves } = await question({ kind: "state" });
      show(state.view, moves, entry.provenance?.length ? entry.sentence : "");
    } catch (error) {
      tell("", /** @type {Error} */ (error).message);
      again.hidden = false;
    }
  });
  again.addEventListener("click", begin);
  begin();
}
