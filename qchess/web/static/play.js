// The page of a table: for players and for whoever looks on.
import "./board.js";
import { Asking } from "./asking.js";
import { legendOf } from "./legend.js";
import { MoveList } from "./movelist.js";
import { capital, drawActs, drawInvite, drawOffers, drawStrip } from "./seats.js";
import { byId, html, keepSetting, setting, themeButton } from "./settings.js";
import { drawProvenance } from "./provenance.js";
import { drawShots } from "./shots.js";
import { sound, soundsAreOn, switchSounds } from "./sounds.js";
import { Table } from "./table.js";
import { percent } from "./wording.js";

/** @typedef {import("./board.js").QcBoard} QcBoard */
/** @typedef {import("./wording.js").View} View */

const [, place, game] = window.location.pathname.split("/");
const secrets = new URLSearchParams(window.location.hash.slice(1));
const table = new Table(decodeURIComponent(game ?? ""), place === "play" ? secrets.get("seat") ?? "" : "", setting("name", ""));
const board = /** @type {QcBoard} */ (byId("board"));
const asking = new Asking(byId("ask"), board, table);
const moves = new MoveList(byId("moves"), look);
/** @type {Map<number, {view: View, sentence: string}>} */
const positions = new Map();
let isTurned = false;
let isFirst = true;
table.board = board;

// -- what the server says ------------------------------------------------------------------------------------

/** @type {Record<string, (message: any) => void>} */
const TAKES = {
  state: takeState,
  moved: takeMoved,
  odds: takeOdds,
  preview: (message) => asking.take(message),
  position: takePosition,
  seats: () => drawAround(),
  offer: () => drawAround(),
  waiting: (message) => {
    drawAround();
    tell(`${capital(message.by)} played ${message.text}: ${message.question || "it asks a question"}. Waiting for the answer from ${message.backend}. You may close this page.`);
  },
  thinking: (message) => {
    table.thinking = message.player;
    drawAround();
  },
  refused: takeRefused,
  notice: (message) => tell(message.text),
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

function takeState() {
  const state = /** @type {import("./table.js").State} */ (table.state);
  positions.clear();
  asking.known.clear();
  document.title = `${state.name || state.title} · qchess`;
  byId("title").textContent = state.name || state.title;
  if (isFirst) board.below = seatBelow();
  isFirst = false;
  // a game that has split before may split again, although no split is legal now
  if (state.history.some((entry) => entry.text.includes("^"))) board.modes = "always";
  const last = state.history.at(-1);
  tell(state.result ? resultWords() : last ? told(last) : state.you ? `You play ${state.you}. ${capital(state.player)} begins.` : "The game begins.");
  table.shown = state.ply;
  drawAll();
  drawAbout();
  const links = invitations();
  drawInvite(byId("invite"), state.history.length || state.result ? {} : links);
  if (state.pending) TAKES.waiting(state.pending);
}

/** @param {any} message */
function takeMoved(message) {
  table.thinking = "";
  board.say("");
  byId("invite").hidden = true;
  const isLive = table.shown === message.ply - 1;
  if (isLive) table.shown = message.ply;
  tell(told(message) + (message.result ? ` ${resultWords()}` : ""));
  sound(message.result ? "end" : message.provenance?.length ? "measure" : "move");
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
  if (table.shown === message.ply) drawAll();
}

/** @param {any} message */
function takeRefused(message) {
  if (message.of === "odds" || message.of === "preview") return;
  tell(message.why);
  board.say(message.why);
  if (message.of === "move") drawAll();
}

// -- what the page shows -------------------------------------------------------------------------------------

/** The sentence about a move: what was asked, what came, how likely it was. @param {{by: string, text: string, sentence: string, provenance?: any[]}} entry */
function told(entry) {
  const head = `${capital(entry.by)}: ${entry.text}.`;
  if (entry.sentence) return `${head} ${entry.sentence}`;
  const open = (entry.provenance ?? []).filter((answer) => answer.source !== "certain");
  return open.length ? `${head} ${open.map((answer) => `${answer.name} = ${answer.value}, which had ${percent(answer.probability)}`).join("; ")}.` : head;
}

function resultWords() {
  const result = table.state?.result;
  if (!result) return "";
  return result.winner ? `${capital(result.winner)} wins (${result.reason}).` : `A draw (${result.reason}).`;
}

/** @param {string} text */
function tell(text) {
  byId("sentence").textContent = text;
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
  asking.clear();
  if (shown) {
    board.view = shown.view;
    board.playable = isLive && !state.result && !state.pending && state.you === state.player;
    board.moves = isLive && state.you === state.player ? state.moves : [];
    drawLegend(shown.view);
    table.dispatchEvent(new CustomEvent("shown", { detail: { ply: table.shown, view: shown.view } }));
  }
  if (!isLive) {
    const entry = state.history.find((each) => each.ply === table.shown);
    tell(`Position after ${table.shown} of ${state.ply} moves. ${entry ? told(entry) : ""}`);
  }
  drawAround();
}

function drawAround() {
  const state = table.state;
  if (!state) return;
  const low = state.players[board.below] ?? state.players[0];
  drawStrip(table, byId("below"), [low]);
  drawStrip(table, byId("above"), state.players.filter((player) => player !== low));
  drawOffers(table, byId("offers"));
  drawActs(table, byId("acts"));
  moves.draw(state.history, state.players.length, table.shown);
  const isLive = table.shown === state.ply;
  const entry = state.history.find((each) => each.ply === table.shown);
  drawShots(byId("shots"), entry);
  drawProvenance(byId("provenance"), entry);
  for (const id of ["first", "previous"]) /** @type {HTMLButtonElement} */ (byId(id)).disabled = table.shown === 0;
  for (const id of ["next", "last"]) /** @type {HTMLButtonElement} */ (byId(id)).disabled = isLive;
  byId("typed").hidden = !state.you || Boolean(state.result);
  document.body.classList.toggle("past", !isLive);
}

/** @param {View} view */
function drawLegend(view) {
  byId("legend").querySelector(".body")?.replaceChildren(legendOf(view));
}

function drawAbout() {
  const state = table.state;
  if (!state) return;
  const options = Object.entries(state.rules.options).map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(", ");
  const id = encodeURIComponent(state.game);
  const link = (/** @type {string} */ kind, /** @type {string} */ words) => html("a", { href: `/api/tables/${id}/record.${kind}`, download: `${state.game}.${kind}` }, words);
  byId("about").querySelector(".body")?.replaceChildren(
    html("p", {}, `${state.title}${options ? ` (${options})` : ""}. Questions are answered by ${state.backend}.`),
    html("p", {}, "The record: ", link("json", "JSON"), ", ", link("txt", "text"), ", ", link("svg", "picture"), ", ", link("moving.svg", "animated picture"), ", ", link("html", "web page"), ". ", html("a", { href: `/watch/${id}` }, "The link for spectators")),
  );
}

/** The links for friends, as the lobby left them in the address. */
function invitations() {
  const state = table.state;
  /** @type {Record<string, string>} */
  const links = {};
  for (const player of state?.players ?? []) {
    const secret = secrets.get(`for-${player}`);
    if (secret && player !== state?.you && !state?.seats[player]?.present) links[`to play ${player}`] = `${window.location.origin}/play/${game}#seat=${secret}`;
  }
  if (Object.keys(links).length) links["to watch"] = `${window.location.origin}/watch/${game}`;
  return links;
}

// -- what the player does ------------------------------------------------------------------------------------

/** Shows the position after some plies. @param {number} ply */
function look(ply) {
  const state = table.state;
  if (!state) return;
  table.shown = Math.max(0, Math.min(state.ply, ply));
  if (table.shown !== state.ply && !positions.has(table.shown)) table.send({ kind: "look", ply: table.shown });
  else if (table.shown === state.ply && state.history.length) tell(told(state.history[state.history.length - 1]));
  drawAll();
}

board.addEventListener("qc-move", (event) => {
  const { text } = /** @type {CustomEvent} */ (event).detail;
  asking.clear();
  board.playable = false;
  board.say(`${text} …`);
  table.play(text);
});

board.addEventListener("qc-pick", (event) => {
  const [square] = /** @type {CustomEvent} */ (event).detail.squares;
  asking.clear();
  if (square) table.send({ kind: "odds", ply: table.state?.ply, square });
});

board.addEventListener("qc-hover", (event) => {
  const { square, ways } = /** @type {CustomEvent} */ (event).detail;
  table.dispatchEvent(new CustomEvent("pointed", { detail: { square } }));
  if (ways?.length) asking.point(ways[0].move);
});

byId("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = /** @type {HTMLInputElement} */ (byId("text"));
  const text = field.value.trim();
  if (text) table.play(text);
  field.value = "";
});

const JUMPS = { first: () => 0, previous: () => table.shown - 1, next: () => table.shown + 1, last: () => table.state?.ply ?? 0 };
for (const [id, where] of Object.entries(JUMPS)) byId(id).addEventListener("click", () => look(where()));
byId("flip").addEventListener("click", flip);
byId("links").addEventListener("click", showLinks);
byId("sounds").addEventListener("click", () => drawSounds(switchSounds()));

function flip() {
  isTurned = !isTurned;
  board.below = seatBelow();
  drawAround();
}

function showLinks() {
  board.links = board.links === "all" ? "pointed" : "all";
  byId("links").setAttribute("aria-pressed", String(board.links === "all"));
}

/** @param {boolean} isOn */
function drawSounds(isOn) {
  byId("sounds").setAttribute("aria-pressed", String(isOn));
  byId("sounds").title = isOn ? "Sounds are on" : "Sounds are off";
}

document.addEventListener("keydown", (event) => {
  const isWriting = /** @type {HTMLElement} */ (event.target).matches?.("input, select, textarea");
  if (isWriting || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === ",") look(table.shown - 1);
  else if (event.key === ".") look(table.shown + 1);
  else if (event.key === "f") flip();
  else if (event.key === "l") showLinks();
  else if (event.key === "p") board.phases = !board.phases;
});

for (const [id, module, mount] of [["circuit", "./circuit.js", "mountCircuit"], ["analysis", "./analysis.js", "mountAnalysis"]]) {
  const panel = /** @type {HTMLDetailsElement} */ (byId(id));
  panel.addEventListener("toggle", async () => {
    const body = /** @type {HTMLElement} */ (panel.querySelector(".body"));
    if (!panel.open || body.dataset.mounted) return;
    body.dataset.mounted = "yes";
    try {
      (await import(module))[mount](body, table);
    } catch (error) {
      body.textContent = `This part could not be loaded: ${error}`;
    }
  });
}

const legend = /** @type {HTMLDetailsElement} */ (byId("legend"));
legend.open = setting("legend", matchMedia("(min-width: 62rem)").matches ? "open" : "") === "open";
legend.addEventListener("toggle", () => keepSetting("legend", legend.open ? "open" : "closed"));
byId("analysis").hidden = place !== "watch";
setInterval(() => table.state?.clocks?.running && !table.state.result && drawClocks(), 100);

function drawClocks() {
  const state = table.state;
  if (!state) return;
  const low = state.players[board.below] ?? state.players[0];
  drawStrip(table, byId("below"), [low]);
  drawStrip(table, byId("above"), state.players.filter((player) => player !== low));
}

themeButton(byId("theme"));
drawSounds(soundsAreOn());
table.connect();
