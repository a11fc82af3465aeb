// The page of a table: for players and for whoever looks on.
import "./board.js";
import { Later } from "./later.js";
import { capital, drawActs, drawStrip } from "./seats.js";
import { byId, html, keepSetting, setting, themeButton } from "./settings.js";
import { Table } from "./table.js";
import { Tabs } from "./tabs.js";
import { moveWords, said as moved } from "./wording.js";

/** @typedef {import("./board.js").QcBoard} QcBoard */
/** @typedef {import("./wording.js").View} View */

const [, place, game] = window.location.pathname.split("/");
const secrets = new URLSearchParams(window.location.hash.slice(1));
const table = new Table(decodeURIComponent(game ?? ""), place === "play" ? secrets.get("seat") ?? "" : "", setting("name", ""));
const board = /** @type {QcBoard} */ (byId("board"));
const later = new Later(table, board, secrets);
const tabs = new Tabs(byId("tabs"), () => openPane());
/** @type {Map<number, {view: View, sentence: string}>} */
const positions = new Map();
let isTurned = false;
let isFirst = true;
/** what happened, and what the board says of a pick, which is shown instead */
let fact = ["", ""], said = "";
table.board = board;
board.placeButtons(byId("modes"), byId("others"));
board.asksFirst = ({ touch }) => touch !== undefined && setting("asks-first", "yes") === "yes";

// -- what the server says

/** @type {Record<string, (message: any) => void>} */
const TAKES = {
  state: takeState,
  moved: takeMoved,
  odds: takeOdds,
  danger: ({ ply, kings }) => {
    if (ply === table.state?.ply && ply === table.shown) board.danger = kings;
  },
  preview: (message) => later.asking?.take(message),
  position: takePosition,
  seats: () => drawAround(),
  offer: () => drawAround(),
  waiting: (message) => {
    drawAround();
    tell("Asking …", `${capital(message.by)} played ${moveWords(message.text)}: ${message.question || "it asks a question"}. Waiting for the answer from ${message.backend}. You may close this page.`);
  },
  thinking: (message) => {
    table.thinking = message.player;
    drawAround();
  },
  refused: takeRefused,
  notice: (message) => tell("", message.text),
};

table.addEventListener("message", (event) => {
  const message = /** @type {CustomEvent} */ (event).detail;
  TAKES[message.kind]?.(message);
});

table.addEventListener("connection", (event) => {
  const { open, code, reason } = /** @type {CustomEvent} */ (event).detail;
  const words = open ? "" : code === 4404 ? "There is no such table." : code === 1008 ? `Closed: ${reason}` : "Connecting …";
  byId("connection").textContent = words;
});

table.holds = (message) => later.shows(message);
table.addEventListener("held", (event) => {
  board.say("");
  later.play(/** @type {CustomEvent} */ (event).detail, tell);
});

function takeState() {
  const state = /** @type {import("./table.js").State} */ (table.state);
  positions.clear();
  later.asking?.known.clear();
  document.title = `${state.name || state.title} · qchess`;
  byId("title").textContent = state.name || state.title;
  if (isFirst) board.below = seatBelow();
  isFirst = false;
  // a game that has split before may split again, although no split is legal now
  if (state.history.some((entry) => entry.text.includes("^"))) board.modes = "always";
  const last = state.history.at(-1);
  if (state.result) tell("The game is over.", resultWords());
  else if (last) tell(turnWords(), `${answerBefore(last)}${told(last)}`);
  else tell(turnWords(), state.you ? `You play ${state.you}. ${capital(state.player)} begins.${state.view.drawings === "marks" ? " Pick two squares for your mark." : ""}` : "The game begins.");
  table.shown = state.ply;
  if (state.ply) table.send({ kind: "look", ply: 0 });
  drawAll();
  if (state.pending) TAKES.waiting(state.pending);
}

/** @param {any} message */
function takeMoved(message) {
  table.thinking = "";
  board.say("");
  const isLive = table.shown === message.ply - 1;
  if (message.ply === 2) table.send({ kind: "look", ply: 0 });
  if (isLive) table.shown = message.ply;
  tell(message.result ? resultWords() : turnWords(), `${answerBefore(message)}${told(message)}`);
  later.sound(message);
  if (isLive) drawAll();
  else drawAround();
}

/** @param {any} message */
function takeOdds(message) {
  if (message.ply !== table.state?.ply) return;
  if (message.square && board.machine.picks[0] === message.square) board.odds = { square: message.square, moves: message.moves };
}

/** @param {any} message */
function takePosition(message) {
  positions.set(message.ply, message);
  if (!message.ply) later.takes(message.view).then(drawClocks);
  if (table.shown === message.ply) drawAll();
}

/** @param {any} message */
function takeRefused(message) {
  if (["danger", "odds", "preview", "again"].includes(message.of)) return;
  tell("", message.why);
  board.say(message.why);
  if (message.of === "move") drawAll();
}

// -- what the page shows

/** The sentence about a move: what was asked, what came, how likely it was. @param {import("./table.js").Entry} entry */
function told(entry) {
  const head = `${capital(entry.by)} plays ${moved(entry)}.`;
  if (entry.sentence) return `${head} ${entry.sentence}`;
  const [, to = ""] = /^[a-z]\d+-([a-z]\d+)$/.exec(entry.text) ?? [], state = table.state;
  if (state && entry.ply === state.ply && !entry.provenance && state.view.men[to]?.[0].probability < 1) return `${head} Nothing was asked: the square was empty.`;
  return head;
}

/** The answer to one's own question, which a reply must not take out of sight. @param {{ply: number}} reply */
function answerBefore({ ply }) {
  const own = table.state?.history.find((each) => each.ply === ply - 1 && each.by === table.state?.you);
  const isOpen = own?.provenance?.some((answer) => answer.source !== "certain");
  const answer = (isOpen && own?.sentence.match(/^[^?.]*\? \w+/)?.[0]) || "";
  return answer && `${answer}. `;
}

function resultWords() {
  const { result, you } = table.state ?? {};
  return (you && result?.winner !== you ? result?.sentence.replace("the opponent resigned", "you resigned") : result?.sentence) ?? "";
}

/** Whose turn it is, as a fact. */
function turnWords() {
  const state = table.state;
  if (!state) return "";
  return state.player === state.you ? "Your move." : `${capital(state.player)} to move.`;
}

/** Says what happened: the fact, then what is to be said of it. @param {string} head @param {string} rest */
function tell(head, rest) {
  fact = [head, rest];
  drawSentence();
}

function drawSentence() {
  const [head, ...rest] = said ? said.split(/(?<=[:.?]) /) : fact;
  byId("sentence").replaceChildren(...(head ? [html("b", {}, head), " "] : []), rest.join(" "));
}

/** The player at the lower side: one's own, else the first. */
function seatBelow() {
  const state = table.state;
  const own = state?.you ? Math.max(0, state.players.indexOf(state.you)) : 0;
  return isTurned ? (own ? 0 : 1) : own ? 1 : 0;
}

function drawAll() {
  const state = table.state;
  if (!state) return;
  const isLive = table.shown === state.ply;
  const shown = isLive ? { view: state.view, sentence: "" } : positions.get(table.shown);
  later.clear();
  if (!isLive) later.moment?.end();
  if (shown) {
    board.view = shown.view;
    board.playable = isLive && !state.result && !state.pending && state.you === state.player;
    board.moves = isLive && state.you === state.player ? state.moves : [];
    if (state.result) board.modes = "never";
    if (isLive) later.warn();
    else board.danger = {};
    openPane();
    table.dispatchEvent(new CustomEvent("shown", { detail: { ply: table.shown, view: shown.view } }));
  }
  if (!isLive) {
    const entry = state.history.find((each) => each.ply === table.shown);
    tell(`Position after ${table.shown} of ${state.ply} moves.`, entry ? told(entry) : "");
  }
  drawAround();
}

function drawAround() {
  const state = table.state;
  if (!state) return;
  drawClocks();
  later.offers();
  drawActs(table, byId("acts"));
  later.moves(look);
  const isLive = table.shown === state.ply;
  const entry = state.history.find((each) => each.ply === table.shown);
  later.answers(entry);
  for (const id of ["first", "previous"]) /** @type {HTMLButtonElement} */ (byId(id)).disabled = table.shown === 0;
  for (const id of ["next", "last"]) /** @type {HTMLButtonElement} */ (byId(id)).disabled = isLive;
  byId("keyboard").hidden = !mayType();
  if (!mayType()) byId("typed").hidden = true;
  document.body.classList.toggle("clocked", Boolean(state.clocks));
  document.body.classList.toggle("past", !isLive);
}

/** Fills the pane that is in sight. */
function openPane() {
  later.open(tabs.seen, table.shown === table.state?.ply ? table.state.view : positions.get(table.shown)?.view);
}

// -- what the player does

/** Shows the position after some plies. @param {number} ply */
function look(ply) {
  const state = table.state;
  if (!state) return;
  table.shown = Math.max(0, Math.min(state.ply, ply));
  if (table.shown !== state.ply && !positions.has(table.shown)) table.send({ kind: "look", ply: table.shown });
  else if (table.shown === state.ply && state.history.length) tell(state.result ? resultWords() : turnWords(), told(state.history[state.history.length - 1]));
  drawAll();
}

board.addEventListener("qc-move", (event) => {
  const { text, move } = /** @type {CustomEvent} */ (event).detail;
  later.clear();
  const play = () => {
    board.playable = false;
    board.say(`${moveWords(text)} …`);
    table.play(text);
  };
  if (setting("confirm", "no") === "yes") later.early("confirm", move, play);
  else play();
});

board.addEventListener("qc-square", (event) => !board.playable && later.early("pick", /** @type {CustomEvent} */ (event).detail.square));

board.addEventListener("qc-pick", (event) => {
  const [square] = /** @type {CustomEvent} */ (event).detail.squares;
  later.clear();
  if (square) table.send({ kind: "odds", ply: table.state?.ply, square });
});

board.addEventListener("qc-hover", (event) => {
  const { square, ways } = /** @type {CustomEvent} */ (event).detail;
  table.dispatchEvent(new CustomEvent("pointed", { detail: { square } }));
  if (ways?.length) later.point(ways[0].move);
});

byId("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = /** @type {HTMLInputElement} */ (byId("text"));
  const text = field.value.trim();
  if (text) table.play(text);
  field.value = "";
  closeTyped();
});

board.addEventListener("qc-say", (event) => {
  said = /** @type {CustomEvent} */ (event).detail.text;
  drawSentence();
});

/** Whether moves can be typed here. */
function mayType() {
  return Boolean(table.state?.you && !table.state.result);
}

/** What opened the field, which gets the focus back. @type {HTMLElement|null} */
let opener = null;

function openTyped() {
  if (!mayType()) return;
  opener = /** @type {HTMLElement|null} */ (document.activeElement);
  byId("typed").hidden = false;
  document.body.classList.add("typing");
  byId("text").focus();
}

function closeTyped() {
  byId("typed").hidden = true;
  document.body.classList.remove("typing");
  if (opener === board) board.focusBoard();
  else opener?.focus();
}

byId("keyboard").addEventListener("click", openTyped);
byId("typed").addEventListener("keydown", (event) => event.key === "Escape" && closeTyped());

/** @type {Record<string, () => void>} */
const PRESSED = {
  ",": () => look(table.shown - 1),
  ".": () => look(table.shown + 1),
  f: flip,
  l: showLinks,
  p: () => {
    board.phases = !board.phases;
  },
  m: switchSounds,
  d: () => byId("theme").click(),
  "/": openTyped,
  "?": () => later.about(),
};
const JUMPS = { first: () => 0, previous: () => table.shown - 1, next: () => table.shown + 1, last: () => table.state?.ply ?? 0 };
for (const [id, where] of Object.entries(JUMPS)) byId(id).addEventListener("click", () => look(where()));
byId("flip").addEventListener("click", flip);
byId("links").addEventListener("click", showLinks);
byId("sounds").addEventListener("click", switchSounds);

function flip() {
  isTurned = !isTurned;
  board.below = seatBelow();
  drawAround();
}

function showLinks() {
  board.links = board.links === "all" ? "pointed" : "all";
  byId("links").setAttribute("aria-pressed", String(board.links === "all"));
}

function switchSounds() {
  keepSetting("sounds", later.hasSounds ? "off" : "on");
  later.sound("move");
  drawSounds(later.hasSounds);
}

/** @param {boolean} isOn */
function drawSounds(isOn) {
  byId("sounds").setAttribute("aria-pressed", String(isOn));
  byId("sounds").title = isOn ? "Sounds are on" : "Sounds are off";
}

// what is open goes first, before a pick on the board is taken back
document.addEventListener("keydown", (event) => event.key === "Escape" && later.about(false), { capture: true });
document.addEventListener("keydown", (event) => {
  const isWriting = /** @type {HTMLElement} */ (event.target).matches?.("input, select, textarea");
  if (isWriting || event.ctrlKey || event.metaKey || event.altKey) return;
  const act = /** @type {Record<string, () => void>} */ (PRESSED)[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

if (place === "watch") {
  const analysis = byId("analysis");
  analysis.hidden = false;
  later.look();
  import("./analysis.js").then(({ mountAnalysis }) => mountAnalysis(analysis, table));
}
setInterval(() => table.state?.clocks?.running && !table.state.result && drawClocks(), 100);

function drawClocks() {
  const state = table.state;
  if (!state) return;
  later.tick();
  const low = state.players[board.below] ?? state.players[0];
  drawStrip(table, byId("below"), [low]);
  drawStrip(table, byId("above"), state.players.filter((player) => player !== low));
}

themeButton(byId("theme"));
if (setting("squares", "")) import("./about.js").then(({ recolour }) => recolour());
drawSounds(later.hasSounds);
byId("menu").addEventListener("click", () => later.about());
table.connect();
