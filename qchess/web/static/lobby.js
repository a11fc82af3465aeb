// The first page: choose a game, a board, an opponent, and start.
import { capital } from "./seats.js";
import { byId, html, keepSetting, setting, themeButton } from "./settings.js";

/** @typedef {{name: string, title: string, summary: string, players: string[], presets: {name: string, summary: string}[], options: Record<string, any>}} GameRow */
/** @typedef {{kind: string, seconds: number, extra: number}} Clock */
/** @typedef {{games: GameRow[], agents: string[], backends: string[], clocks: Clock[], public: boolean}} Catalogue */

const FRIEND = "human";
const form = /** @type {HTMLFormElement} */ (byId("new"));
/** @type {Catalogue} */
let catalogue = { games: [], agents: [], backends: [], clocks: [], public: false };
/** @type {GameRow} */
let chosen;

/** @param {string} id @returns {HTMLSelectElement} */
function select(id) {
  return /** @type {HTMLSelectElement} */ (byId(id));
}

/** @param {string} id @returns {HTMLInputElement} */
function input(id) {
  return /** @type {HTMLInputElement} */ (byId(id));
}

/** @param {HTMLSelectElement} field @param {[string, string][]} values @param {string} [first] */
function fill(field, values, first) {
  field.replaceChildren(...values.map(([value, words]) => html("option", { value, selected: value === first ? "" : null }, words)));
}

// -- what can be chosen --------------------------------------------------------------------------------------

function drawGames() {
  const kept = setting("game", catalogue.games[0]?.name ?? "");
  chosen = catalogue.games.find((row) => row.name === kept) ?? catalogue.games[0];
  byId("games").append(...catalogue.games.map((row) => {
    const radio = html("input", { type: "radio", name: "game", value: row.name, checked: row === chosen ? "" : null });
    return html("label", { class: "choice" }, radio, html("b", {}, row.title), html("span", {}, row.summary));
  }));
}

function drawGame() {
  const boards = [{ name: "", summary: "the whole board" }, ...chosen.presets];
  byId("preset").replaceChildren(html("legend", {}, "Board"), ...boards.map((preset, number) => html("label", { class: "choice" },
    html("input", { type: "radio", name: "preset", value: preset.name, checked: number ? null : "" }),
    html("b", {}, preset.name ? capital(preset.name) : "Full"), html("span", {}, preset.summary))));
  const seats = chosen.players.map((player) => /** @type {[string, string]} */ ([player, capital(player)]));
  fill(select("seat"), [...seats, ["", "either, by chance"]], chosen.players[0]);
  byId("options").replaceChildren(...Object.entries(chosen.options).map(([name, told]) => optionField(name, told)));
}

/** A field for one option of the rules: a default value, or `{default, values?, help?}`. @param {string} name @param {any} told */
function optionField(name, told) {
  const isRich = told !== null && typeof told === "object" && !Array.isArray(told) && "default" in told;
  const { default: value, values, help } = isRich ? told : { default: told, values: undefined, help: undefined };
  const id = `option-${name}`;
  const label = html("label", { for: id }, capital(name.replaceAll("_", " ")));
  const more = help ? [html("small", {}, help)] : [];
  if (typeof value === "boolean") {
    return html("div", { class: "field check" }, html("input", { type: "checkbox", id, "data-option": name, "data-default": JSON.stringify(value), checked: value ? "" : null }), label, ...more);
  }
  if (Array.isArray(values)) {
    const field = /** @type {HTMLSelectElement} */ (html("select", { id, "data-option": name, "data-default": JSON.stringify(value) }));
    fill(field, values.map((each) => [JSON.stringify(each), String(each)]), JSON.stringify(value));
    return html("div", { class: "field" }, label, field, ...more);
  }
  const kind = typeof value === "number" ? "number" : "text";
  return html("div", { class: "field" }, label, html("input", { id, type: kind, "data-option": name, "data-default": JSON.stringify(value), value: value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value) }), ...more);
}

function drawRest() {
  const agents = catalogue.agents.map((name) => /** @type {[string, string]} */ ([name, `the computer: ${name}`]));
  fill(select("opponent"), [...agents, [FRIEND, "a friend, by a link"]], setting("opponent", catalogue.agents.includes("greedy") ? "greedy" : FRIEND));
  fill(select("backend"), catalogue.backends.map((name) => [name, name === "sparse" ? "This computer, exactly" : name]), catalogue.backends[0]);
  fill(select("clock"), catalogue.clocks.map((clock) => [JSON.stringify(clock), clockWords(clock)]));
  input("name").value = setting("name", "");
  byId("publicfield").hidden = !catalogue.public;
}

/** @param {Clock} clock */
function clockWords({ kind, seconds, extra }) {
  if (kind === "none") return "no clock";
  const length = seconds % 60 ? `${seconds} seconds` : `${seconds / 60} minutes`;
  return kind === "delay" ? `${length}, with ${extra} free seconds for each move` : extra ? `${length}, plus ${extra} seconds for each move` : length;
}

// -- starting ------------------------------------------------------------------------------------------------

/** The options that differ from the defaults. */
function optionsChosen() {
  /** @type {Record<string, any>} */
  const found = {};
  for (const field of /** @type {NodeListOf<HTMLInputElement|HTMLSelectElement>} */ (form.querySelectorAll("[data-option]"))) {
    const value = field instanceof HTMLSelectElement ? JSON.parse(field.value) : field.type === "checkbox" ? field.checked : field.type === "number" ? Number(field.value) : textValue(field.value);
    if (JSON.stringify(value) !== field.dataset.default) found[field.dataset.option ?? ""] = value;
  }
  for (const line of /** @type {HTMLTextAreaElement} */ (byId("more")).value.split("\n")) {
    const [name, ...rest] = line.split("=");
    if (name.trim()) found[name.trim()] = plainValue(rest.join("=").trim());
  }
  return found;
}

/** @param {string} text */
function textValue(text) {
  return text === "" ? null : plainValue(text);
}

/** A value as people type it: a number, true, false, or JSON; else a text. @param {string} text */
function plainValue(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function request() {
  const data = new FormData(form);
  const opponent = select("opponent").value;
  const { players } = chosen;
  const own = select("seat").value || players[Math.floor(Math.random() * players.length)];
  const preset = String(data.get("preset") ?? "");
  return {
    own,
    body: {
      game: chosen.name, ...(preset ? { preset } : {}), options: optionsChosen(), backend: select("backend").value,
      seats: Object.fromEntries(players.map((player) => [player, player === own ? FRIEND : opponent])),
      ...(select("clock").value ? { clock: JSON.parse(select("clock").value) } : {}),
      public: input("public").checked, takebacks: input("takebacks").checked,
    },
  };
}

/** @param {SubmitEvent} event */
async function start(event) {
  event.preventDefault();
  const { own, body } = request();
  keepSetting("game", chosen.name);
  keepSetting("opponent", select("opponent").value);
  keepSetting("name", input("name").value.trim());
  const answer = await fetch("/api/tables", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  const told = await answer.json();
  if (!answer.ok) {
    byId("problem").textContent = told.error;
    return;
  }
  const secrets = /** @type {Record<string, string>} */ (told.seats);
  const others = Object.entries(secrets).filter(([player]) => player !== own).map(([player, secret]) => `&for-${player}=${secret}`).join("");
  window.location.assign(`/play/${encodeURIComponent(told.game)}#seat=${secrets[own]}${others}`);
}

async function drawLive() {
  const answer = await fetch("/api/tables");
  if (!answer.ok) return;
  const told = await answer.json();
  /** @type {{game: string, title: string, name?: string, ply: number}[]} */
  const tables = told.tables ?? told;
  byId("livebox").hidden = !tables.length;
  byId("live").replaceChildren(...tables.map((table) => html("li", {}, html("a", { href: `/watch/${encodeURIComponent(table.game)}` }, table.name || table.title), html("span", { class: "quiet" }, ` ${table.ply} moves`))));
}

form.addEventListener("submit", start);
byId("games").addEventListener("change", (event) => {
  const name = /** @type {HTMLInputElement} */ (event.target).value;
  chosen = catalogue.games.find((row) => row.name === name) ?? chosen;
  drawGame();
});
themeButton(byId("theme"));
catalogue = await (await fetch("/api/games")).json();
drawGames();
drawGame();
drawRest();
form.dataset.ready = "yes";
await drawLive();
