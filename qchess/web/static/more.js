// What is set rarely about a new game: board, sides, clock, who answers, rules. Loaded when it is opened.
import { ask } from "./askserver.js";
import { capital } from "./seats.js";
import { addSheet, html, keepSetting, setting } from "./settings.js";

/** @typedef {{name: string, players: string[], presets: {name: string, summary: string}[], options: Record<string, any>}} GameRow */
/** @typedef {{kind: string, seconds: number, extra: number}} Clock */
/** @typedef {{name: string, title: string, devices: string[]}} Answering */
/** @typedef {{games: GameRow[], agents: string[], answering: Answering[], typed: boolean, clocks: Clock[], public: boolean}} Catalogue */

/** @typedef {{name: string, agent: string, does: string}} Level */

/** the value for a device that is named whole */
const ANOTHER = "another";

/** @param {string} id @param {string} label @param {HTMLElement} field @param {...HTMLElement} more */
function labelled(id, label, field, ...more) {
  field.id = id;
  return html("div", { class: "field" }, html("label", { for: id }, label), field, ...more);
}

/** @param {HTMLSelectElement} field @param {[string, string][]} values @param {string} [first] */
function fill(field, values, first) {
  field.replaceChildren(...values.map(([value, words]) => html("option", { value, selected: value === first ? "" : null }, words)));
}

/** @returns {HTMLSelectElement} */
function select() {
  return /** @type {HTMLSelectElement} */ (html("select"));
}

/** @param {string} id @param {string} label @param {HTMLElement} box */
function ticked(id, label, box) {
  box.id = id;
  return html("div", { class: "field check" }, box, html("label", { for: id }, label));
}

/** @param {boolean} isOn */
function tick(isOn) {
  return /** @type {HTMLInputElement} */ (html("input", { type: "checkbox", checked: isOn ? "" : null }));
}

/** @param {Clock} clock */
function clockWords({ kind, seconds, extra }) {
  if (kind === "none") return "no clock";
  const length = seconds % 60 ? `${seconds} seconds` : seconds === 60 ? "1 minute" : `${seconds / 60} minutes`;
  return kind === "delay" ? `${length}, with ${extra} free seconds for each move` : extra ? `${length}, plus ${extra} seconds for each move` : length;
}

export class More {
  /** @param {HTMLElement} place @param {HTMLFormElement} form @param {Catalogue} catalogue @param {Level[]} levels @param {string} game */
  constructor(place, form, catalogue, levels, game) {
    this.form = form;
    this.catalogue = catalogue;
    this.game = catalogue.games[0];
    this.presets = html("fieldset", { class: "fields", id: "preset" });
    this.against = select();
    this.seat = select();
    this.name = /** @type {HTMLInputElement} */ (html("input", { maxlength: "24", autocomplete: "nickname" }));
    this.clock = select();
    this.backend = select();
    this.device = /** @type {HTMLInputElement} */ (html("input", { list: "devices", spellcheck: "false", autocomplete: "off", maxlength: "200" }));
    this.devices = html("datalist", { id: "devices" });
    this.deviceHelp = html("small", { id: "devicehelp" });
    this.device.setAttribute("aria-describedby", "devicehelp");
    this.takebacks = tick(true);
    this.watched = tick(false);
    this.options = html("div", { class: "fields" });
    this.lines = /** @type {HTMLTextAreaElement} */ (html("textarea", { rows: "2", spellcheck: "false" }));
    this.deviceField = labelled("device", "Which device", this.device, this.devices, this.deviceHelp);
    const watched = ticked("public", "Anyone may watch", this.watched);
    watched.hidden = !catalogue.public;
    place.replaceChildren(this.presets,
      html("fieldset", { class: "fields" }, html("legend", {}, "Players"), labelled("opponent", "Against", this.against), labelled("seat", "You play", this.seat), labelled("name", "Your name", this.name)),
      html("fieldset", { class: "fields" }, html("legend", {}, "Table"), labelled("clock", "Clock", this.clock), labelled("backend", "Questions are answered by", this.backend), this.deviceField, ticked("takebacks", "Moves may be taken back", this.takebacks), watched),
      html("fieldset", {}, html("legend", {}, "Rules"), this.options, labelled("lines", "More options for this game, one per line, as name=value", this.lines)),
      html("div", {}, html("button", { class: "main" }, "Start the game")));
    const agents = catalogue.agents.map((name) => /** @type {[string, string]} */ ([name, levels.filter(({ agent }) => agent === name).map((level) => `${level.name}: ${level.does}`)[0] ?? `The computer: ${name}`]));
    fill(this.against, [...agents, ["human", "A friend, by a link"]], setting("opponent", catalogue.agents.includes("greedy") ? "greedy" : "human"));
    fill(this.clock, catalogue.clocks.map((clock) => [JSON.stringify(clock), capital(clockWords(clock))]));
    fill(this.backend, [...catalogue.answering.map(({ name, title }) => /** @type {[string, string]} */ ([name, title])), ...(catalogue.typed ? [/** @type {[string, string]} */ ([ANOTHER, "Another, by its whole name …"])] : [])]);
    this.name.value = setting("name", "");
    this.backend.addEventListener("change", () => this.showDevices());
    this.showDevices();
    this.show(game);
  }

  /** Shows what can be set for a game. @param {string} name */
  show(name) {
    this.game = this.catalogue.games.find((row) => row.name === name) ?? this.game;
    const { presets, players, options } = this.game;
    this.presets.replaceChildren(html("legend", {}, "Board"), ...[{ name: "", summary: "the whole board" }, ...presets].map((preset, number) => html("label", { class: "choice" },
      html("input", { type: "radio", name: "preset", value: preset.name, checked: number ? null : "" }),
      html("b", {}, preset.name ? capital(preset.name) : "Full"), html("span", {}, preset.summary))));
    fill(this.seat, [...players.map((player) => /** @type {[string, string]} */ ([player, capital(player)])), ["", "Either, by chance"]], players[0]);
    this.options.replaceChildren(...Object.entries(options).map(([option, told]) => optionField(option, told)));
  }

  /** A family of devices needs the name of one. */
  showDevices() {
    const { value } = this.backend;
    const isAnother = value === ANOTHER, isFamily = value.includes("<");
    const known = isAnother ? this.catalogue.answering.flatMap(({ name, devices }) => devices.map((device) => name.replace(/<.*/, device))) : this.catalogue.answering.find(({ name }) => name === value)?.devices ?? [];
    this.deviceField.hidden = !isAnother && !isFamily;
    this.device.required = !this.deviceField.hidden;
    this.device.value = known.length === 1 ? known[0] : "";
    this.devices.replaceChildren(...known.map((device) => html("option", { value: device })));
    this.deviceHelp.textContent = isAnother ? "Its name and settings, such as aer-noisy,shots=400" : known.length ? `Such as ${known.slice(0, 3).join(", ")}; settings follow after a comma.` : "The name of a device that your account may use.";
  }

  /** Who plays against, as the field says. */
  get opponent() {
    return this.against.value;
  }

  /** What is set, in a few words. */
  get words() {
    const seat = this.seat.value ? capital(this.seat.value) : "a side by chance";
    return `${seat}, ${this.clock.value ? clockWords(JSON.parse(this.clock.value)) : "no clock"}`;
  }

  /** What a new table is ordered with, and the own seat. @returns {{own: string, body: Record<string, any>}} */
  order() {
    const { players } = this.game;
    const preset = String(new FormData(this.form).get("preset") ?? "");
    const backend = this.backend.value === ANOTHER ? this.device.value.trim() : this.backend.value.replace(/<.*/, this.device.value.trim());
    keepSetting("opponent", this.opponent);
    keepSetting("name", this.name.value.trim());
    return {
      own: this.seat.value || players[Math.floor(Math.random() * players.length)],
      body: {
        ...(preset ? { preset } : {}), options: this.optionsChosen(), backend,
        ...(this.clock.value ? { clock: JSON.parse(this.clock.value) } : {}),
        public: this.watched.checked, takebacks: this.takebacks.checked,
      },
    };
  }

  /** The options that differ from the defaults. */
  optionsChosen() {
    /** @type {Record<string, any>} */
    const found = {};
    for (const field of /** @type {NodeListOf<HTMLInputElement|HTMLSelectElement>} */ (this.options.querySelectorAll("[data-option]"))) {
      const value = field instanceof HTMLSelectElement ? JSON.parse(field.value) : field.type === "checkbox" ? field.checked : field.type === "number" ? Number(field.value) : field.value === "" ? null : plainValue(field.value);
      if (JSON.stringify(value) !== field.dataset.default) found[field.dataset.option ?? ""] = value;
    }
    for (const line of this.lines.value.split("\n")) {
      const [name, ...rest] = line.split("=");
      if (name.trim()) found[name.trim()] = plainValue(rest.join("=").trim());
    }
    return found;
  }
}

/** A value as people type it: a number, true, false, or JSON; else a text. @param {string} text */
function plainValue(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A field for one option of the rules: a default value, or `{default, values?, help?}`. @param {string} name @param {any} told */
function optionField(name, told) {
  const isRich = told !== null && typeof told === "object" && !Array.isArray(told) && "default" in told;
  const { default: value, values, help } = isRich ? told : { default: told, values: undefined, help: undefined };
  const id = `option-${name}`, words = capital(name.replaceAll("_", " "));
  const more = help ? [html("small", {}, help)] : [];
  /** @param {HTMLElement} field */
  const named = (field) => {
    Object.assign(field.dataset, { option: name, default: JSON.stringify(value) });
    return field;
  };
  if (typeof value === "boolean") return ticked(id, words, named(tick(value)));
  if (Array.isArray(values)) {
    const field = select();
    fill(field, values.map((each) => [JSON.stringify(each), String(each)]), JSON.stringify(value));
    return labelled(id, words, named(field), ...more);
  }
  const text = value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
  return labelled(id, words, named(html("input", { type: typeof value === "number" ? "number" : "text", value: text })), ...more);
}

/**
 * Fills the place with what can be set.
 * @param {HTMLElement} place @param {HTMLFormElement} form @param {Level[]} levels @param {string} game @param {() => void} changed
 */
export async function mountMore(place, form, levels, game, changed) {
  const [catalogue] = await Promise.all([ask("/api/games"), addSheet("more")]);
  const made = new More(place, form, catalogue, levels, game);
  place.addEventListener("change", changed);
  return made;
}
