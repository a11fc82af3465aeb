// A game among people: the links for who is not here yet, with a code to scan, the own name, and the game in the list of one's own.
import { keepGame } from "./running.js";
import { byId, html, keepSetting, setting } from "./settings.js";
import { problem, reach, shareButton } from "./sharing.js";

/** @typedef {import("./table.js").Table} Table */

/** the links that stand there, so that nothing is drawn twice */
let drawn = "";
let isKept = false, wasOpened = false;
/** the field for the name, which keeps what is typed there @type {HTMLElement|undefined} */
let form;

/** @param {HTMLElement} place @param {Table} table @param {URLSearchParams} secrets */
export async function invite(place, table, secrets) {
  const { state } = table;
  if (!state?.you) return;
  if (!state.result && !isKept) keepGame({ game: table.game, you: state.you, seat: table.seat });
  isKept = true;
  const away = state.ply || state.result ? [] : state.players.filter((player) => secrets.get(`for-${player}`) && player !== state.you && !state.seats[player]?.present);
  const asksName = !state.ply && !state.result && !setting("name", "") && setting("name-asked", "") !== "yes";
  const now = `${away.join(" ")} ${asksName}`;
  if (now === drawn) return;
  drawn = now;
  const links = away.length ? await linksTo(table, secrets, away) : [];
  if (drawn !== now) return;
  place.hidden = !links.length && !asksName;
  if (asksName) form ??= nameForm(table, () => invite(place, table, secrets));
  place.replaceChildren(...links, ...(asksName && form ? [form] : []));
  if (place.hidden === wasOpened) openSheet(!place.hidden);
}

/** On a phone all this is in a sheet, which opens once and closes when nothing is left to do. @param {boolean} isOpen */
function openSheet(isOpen) {
  wasOpened = isOpen;
  const tab = byId("tab-moves");
  if (tab.getAttribute("aria-expanded") === String(!isOpen)) tab.click();
  // who picks a man has seen it; the tab opens it again
  if (isOpen) byId("board").addEventListener("qc-square", () => tab.getAttribute("aria-expanded") === "true" && tab.click(), { once: true });
}

/** @param {Table} table @param {URLSearchParams} secrets @param {string[]} away */
async function linksTo(table, secrets, away) {
  const { origin, why } = await reach();
  const game = encodeURIComponent(table.game), title = table.state?.title ?? "";
  /** @type {[string, string][]} */
  const links = [...away.map((player) => /** @type {[string, string]} */ ([`to play ${player}`, `${origin}/play/${game}#seat=${secrets.get(`for-${player}`)}`])), ["to watch", `${origin}/watch/${game}`]];
  const rows = links.map(([words, address]) => {
    const field = /** @type {HTMLInputElement} */ (html("input", { readonly: "", value: address, "aria-label": `the link ${words}` }));
    field.addEventListener("focus", () => field.select());
    return html("p", { class: "row" }, html("span", {}, words), field, shareButton(address, `qchess: ${title}`, "", `the link ${words}`));
  });
  return [html("h2", {}, "Send this link"), ...(why ? [problem(why)] : await code(links[0])), ...rows];
}

/** The first link as a code for a phone's camera. @param {[string, string]} link */
async function code([words, address]) {
  try {
    const { qrCode } = await import("./qr.js");
    return [html("div", { class: "code" }, qrCode(address, `A code for the camera of a phone: the link ${words}`), html("span", {}, `Or scan this ${words}.`))];
  } catch {
    return []; // a server with a very long name: the link is there
  }
}

/** One field, kept for the next games; it can be skipped. @param {Table} table @param {() => void} done */
function nameForm(table, done) {
  const field = /** @type {HTMLInputElement} */ (html("input", { id: "myname", maxlength: "24", autocomplete: "nickname" }));
  const skip = html("button", { type: "button" }, "Skip");
  const made = html("form", { class: "naming" }, html("label", { for: "myname" }, "Your name, for the others"), html("p", { class: "row" }, field, html("button", { class: "main" }, "Say it"), skip));
  const end = () => {
    keepSetting("name-asked", "yes");
    done();
  };
  skip.addEventListener("click", end);
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    const name = field.value.trim();
    if (!name) return end();
    keepSetting("name", name);
    table.name = name; // the next hello has it
    table._socket?.close(4000, "another name");
    end();
  });
  return made;
}
