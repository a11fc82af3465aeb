// The first page: a board to try, three choices, the games. What is chosen rarely is loaded when it is opened.
import { ask } from "./askserver.js";
import { capital } from "./seats.js";
import { byId, html, keepSetting, setting, themeButton } from "./settings.js";

/** @typedef {import("./wording.js").View} View */
/** @typedef {{name: string, title: string, line: string, players: string[], lessons: number, lesson: string, sample: Omit<View, "players">|null}} GameRow */
/** @typedef {{name: string, agent: string, does: string}} Level */
/** @typedef {{games: GameRow[], levels: Level[], try: import("./trying.js").Begun}} Lobby */

const FRIEND = "human";
const form = /** @type {HTMLFormElement} */ (byId("new"));
/** @type {Lobby} */
let lobby;
/** @type {GameRow} */
let chosen;
/** @type {Level|undefined} */
let level;
/** what is open under "More settings" @type {import("./more.js").More|null} */
let more = null;

// -- what is shown -------------------------------------------------------------------------------------------

function drawGames() {
  byId("games").append(...lobby.games.map((row) => {
    const board = html("qc-board", { inert: "", "aria-hidden": "true", "data-sample": row.name });
    return html("label", { class: "game" }, html("input", { type: "radio", name: "game", value: row.name, checked: row === chosen ? "" : null }),
      html("span", { class: "pic" }, ...(row.sample ? [html("span", { class: row.sample.width > 3 ? "" : "narrow" }, board)] : [])), html("b", {}, row.title), html("span", {}, row.line));
  }));
}

/** The positions on the cards, once the page can draw a board. */
function drawSamples() {
  for (const { name, players, sample } of lobby.games) {
    const board = document.querySelector(`[data-sample="${CSS.escape(name)}"]`);
    if (sample && board) Object.assign(board, { plain: true, view: { players, ...sample } });
  }
}

function drawLevels() {
  byId("levels").replaceChildren(...lobby.levels.map((each) => {
    const button = html("button", { type: "button", title: `${each.name} ${each.does}`, "data-level": each.name, "aria-describedby": "how atonce" }, each.name);
    for (const event of ["pointerenter", "focus"]) button.addEventListener(event, () => tell(each));
    for (const event of ["pointerleave", "blur"]) button.addEventListener(event, () => tell(level));
    button.addEventListener("click", () => {
      level = each;
      keepSetting("level", each.name);
      start(each.agent);
    });
    return button;
  }));
}

/** What a game against the computer would be. @param {Level|undefined} shown */
function tell(shown) {
  for (const button of byId("levels").children) button.classList.toggle("on", button.getAttribute("data-level") === shown?.name);
  byId("how").replaceChildren(...(shown ? [html("span", {}, `${capital(shown.does)}.`), " "] : []), html("i", {}, `You play ${more?.words ?? `${capital(chosen.players[0])}, no clock`}.`));
}

function drawChosen() {
  const learned = chosen.lessons ? chosen : lobby.games.find(({ lessons }) => lessons);
  byId("learn").setAttribute("href", learned ? `/learn/${learned.name}#${learned.lesson}` : "/learn");
  if (learned) byId("boards").textContent = `The first of ${learned.lessons} small boards, no maths`;
  more?.show(chosen.name);
  tell(level);
}

// -- starting ------------------------------------------------------------------------------------------------

/** A game of the chosen kind with what is set. @param {string} opponent */
async function start(opponent) {
  byId("problem").textContent = "";
  keepSetting("game", chosen.name);
  try {
    await (await import("./starting.js")).start(chosen, opponent, more?.order());
  } catch (error) {
    byId("problem").textContent = /** @type {Error} */ (error).message;
  }
}

/** Shows or hides what is set rarely. */
async function toggle() {
  const { mountMore } = await import("./more.js");
  more ??= await mountMore(byId("more"), form, lobby.levels, chosen.name, () => tell(level));
  const isHidden = byId("more").toggleAttribute("hidden");
  byId("open").setAttribute("aria-expanded", String(!isHidden));
  tell(level);
  if (!isHidden) byId("more").scrollIntoView({ block: "nearest" });
}

byId("computer").addEventListener("click", () => start(level?.agent ?? FRIEND));
byId("friend").addEventListener("click", () => start(FRIEND));
byId("open").addEventListener("click", toggle);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  start(more?.opponent ?? level?.agent ?? FRIEND);
});
byId("games").addEventListener("change", (event) => {
  const name = /** @type {HTMLInputElement} */ (event.target).value;
  chosen = lobby.games.find((row) => row.name === name) ?? chosen;
  drawChosen();
});
lobby = await ask("/api/lobby");
chosen = lobby.games.find(({ name }) => name === setting("game", "")) ?? lobby.games[0];
level = lobby.levels.find(({ name }) => name === setting("level", "Casual")) ?? lobby.levels[0];
drawLevels();
drawGames();
drawChosen();
const { mountTrying } = await import("./trying.js");
drawSamples();
mountTrying(/** @type {any} */ (byId("try")), byId("told"), byId("again"), lobby.try);
themeButton(byId("theme"));
form.dataset.ready = "yes";
const { tables } = await ask("/api/tables").catch(() => ({ tables: [] }));
if (tables.length || setting("games", "[]") !== "[]") (await import("./running.js")).drawRunning(byId("running"), byId("mine"), tables);
