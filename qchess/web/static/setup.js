// Setting up: a game, one of its small boards, or a position as the game writes it, with moves that lead there.
import { html } from "./settings.js";

/** @typedef {{name: string, title: string, presets: {name: string, summary: string, options: any}[], position: string|null, setup: string|null}} Setup */

/**
 * Fills a form that begins a study.
 * @param {HTMLFormElement} form @param {Setup[]} games @param {(values: any) => Promise<void>} begin
 * @param {() => {game: string, options: any}} now what is studied at the moment
 */
export function mountSetup(form, games, begin, now) {
  const game = /** @type {HTMLSelectElement} */ (html("select", { name: "game" }, ...games.map((each) => html("option", { value: each.name }, each.title))));
  const preset = /** @type {HTMLSelectElement} */ (html("select", { name: "preset" }));
  const position = /** @type {HTMLInputElement} */ (html("input", { name: "position", spellcheck: "false", maxlength: "2000" }));
  const moves = /** @type {HTMLInputElement} */ (html("input", { name: "moves", spellcheck: "false", maxlength: "2000", placeholder: "b1^a3c3 ..." }));
  const more = /** @type {HTMLTextAreaElement} */ (html("textarea", { name: "more", rows: "2", spellcheck: "false", placeholder: "level=2" }));
  const positionLabel = html("label", {}, "Position", position);
  const movesLabel = html("label", {}, "Set-up moves; they use no turn", moves);
  const problem = html("p", { role: "status", class: "problem" });
  form.append(html("div", { class: "fields2" }, html("label", {}, "Game", game), html("label", {}, "Board", preset), positionLabel, movesLabel,
    html("label", {}, "More options for the rules, one per line", more), html("button", { class: "main" }, "Start from here"), problem));
  const chosen = () => games.find((each) => each.name === game.value) ?? games[0];
  const draw = () => {
    const each = chosen();
    preset.replaceChildren(html("option", { value: "" }, "the usual start"), ...each.presets.map(({ name, summary }) => html("option", { value: name }, `${name}: ${summary}`)));
    positionLabel.hidden = !each.position;
    positionLabel.firstChild?.replaceWith(`Position (${each.position ?? ""})`);
    movesLabel.hidden = !each.setup;
  };
  game.addEventListener("change", draw);
  form.closest("details")?.addEventListener("toggle", () => {
    const { game: name, options } = now();
    game.value = name;
    draw();
    const each = chosen();
    if (each.position && typeof options[each.position] === "string") position.value = options[each.position];
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const each = chosen();
    const options = { ...(each.presets.find(({ name }) => name === preset.value)?.options ?? {}), ...optionsOf(more.value) };
    if (each.position && position.value.trim()) options[each.position] = position.value.trim();
    if (each.setup && moves.value.trim()) options[each.setup] = moves.value.trim();
    problem.textContent = "";
    try {
      await begin({ game: each.name, options, title: "" });
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
    }
  });
  draw();
}

/** Options as people write them, one a line. @param {string} text @returns {Record<string, any>} */
export function optionsOf(text) {
  /** @type {Record<string, any>} */
  const found = {};
  for (const line of text.split("\n").filter((each) => each.includes("="))) {
    const [name, ...rest] = line.split("=");
    const value = rest.join("=").trim();
    try {
      found[name.trim()] = JSON.parse(value);
    } catch {
      found[name.trim()] = value;
    }
  }
  return found;
}
