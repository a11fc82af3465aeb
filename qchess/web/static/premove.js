// Moves that are not played at once: one that is to be confirmed, and one that is chosen while the other side is to move.
import { html } from "./settings.js";
import { moveWords } from "./wording.js";

/** @typedef {import("./later.js").Later} Later */
/** @typedef {import("./machine.js").Move} Move */

/** what is chosen for later: the square of a man, then where he goes @type {string[]} */
let chosen = [];
let isListening = false;

/** Shows a move and asks whether it is meant. @param {Later} later @param {Move} move @param {() => void} play */
export function confirm({ board, table }, move, play) {
  document.getElementById("confirm-move")?.remove();
  const ply = table.state?.ply, go = html("button", { type: "button", class: "main" }, "Play"), back = html("button", { type: "button" }, "Take back");
  const place = html("div", { id: "confirm-move", class: "offers", role: "group", "aria-label": "Confirm the move" }, html("p", {}, html("span", {}, `${moveWords(move.text)}?`), go, back));
  const listens = new AbortController();
  const end = () => {
    listens.abort();
    place.remove();
    board.arrows = [];
    board.focusBoard();
  };
  board.arrows = move.from.flatMap((start) => move.to.map((end) => ({ start, end })));
  back.addEventListener("click", end);
  go.addEventListener("click", () => {
    end();
    if (table.state?.ply === ply) play();
  });
  for (const name of ["qc-pick", "qc-move"]) board.addEventListener(name, end, { signal: listens.signal });
  table.addEventListener("message", () => table.state?.ply !== ply && end(), { signal: listens.signal });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    end();
  }, { capture: true, signal: listens.signal });
  document.getElementById("offers")?.after(place);
  board.say("");
  go.focus();
}

/** Takes a press on a square while the other side is to move. @param {Later} later @param {string} square */
export function pick(later, square) {
  const { board, table } = later, { state } = table;
  if (!state?.you || state.result || state.you === state.player || table.shown !== state.ply) return;
  const own = state.players.indexOf(state.you);
  if (!isListening) listen(later);
  if (chosen.length === 1 && square !== chosen[0]) chosen = [chosen[0], square];
  else chosen = board.view?.men[square]?.some(({ player }) => player === own) && square !== chosen[0] ? [square] : [];
  show(board);
}

/** @param {import("./board.js").QcBoard} board */
function show(board) {
  const [start, end] = chosen;
  board.lit = chosen;
  board.arrows = end ? [{ start, end }] : [];
  board.say(end ? `${start}–${end} is played when it is your turn, if it can be. Escape takes it back.` : start ? `For your next move: ${start}. Pick a square.` : "");
}

/** @param {Later} later */
function listen(later) {
  isListening = true;
  const { board, table } = later;
  table.addEventListener("message", (event) => {
    const { kind, of } = /** @type {CustomEvent} */ (event).detail, { state } = table;
    if (kind === "odds" && chosen.length) play(later, board.odds?.moves ?? []);
    else if (kind === "refused" && of === "odds") play(later, []);
    if (!chosen.length || !["moved", "state"].includes(kind)) return;
    if (!state || state.result || chosen.length < 2 || kind === "state") drop(board);
    else if (state.you === state.player && state.moves) play(later, state.moves);
    else if (state.you === state.player) table.send({ kind: "odds", ply: state.ply, square: chosen[0] });
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !chosen.length) return;
    event.stopPropagation();
    drop(board);
  }, { capture: true });
}

/** @param {import("./board.js").QcBoard} board */
function drop(board) {
  chosen = [];
  show(board);
}

/** It is the own turn: the move is played if it can be, else it is gone and the board says so. @param {Later} later @param {Move[]} moves */
function play({ board, table }, moves) {
  const [start, end] = chosen;
  if (!end) return;
  drop(board);
  const found = moves.find(({ kind, from, to }) => kind === "move" && from[0] === start && to[0] === end);
  if (found) {
    board.playable = false;
    table.play(found.text);
  } else board.say(`${start}–${end} cannot be played now. Your move.`);
}
