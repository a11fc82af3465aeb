// The code of a class, for a wall: as large as the screen allows, with the address and how many have come in.
import { html } from "./settings.js";
import { reach } from "./sharing.js";

/**
 * Opens the page's whole area with the code; Escape or the button closes it.
 * @param {string} code @param {string} address of the class @param {HTMLElement} back what has the focus afterwards
 * @returns {{told: (text: string) => void, isOpen: () => boolean}}
 */
export function openWall(code, address, back) {
  const here = html("p", { class: "wallhere", role: "status" });
  const close = html("button", { type: "button" }, "Close");
  const where = new URL(address);
  const letters = html("p", { class: "wallcode", "aria-label": `Code: ${[...code].join(" ")}` }, code);
  const picture = html("div", { class: "wallpicture", hidden: "" });
  const host = html("strong", {}, `${where.host}/class`);
  const wall = /** @type {HTMLDialogElement} */ (html("dialog", { class: "wall", "aria-label": "The code of the class" },
    html("p", { class: "wallgo" }, "Go to ", host, " and type"),
    html("div", { class: "wallrow" }, letters, picture), html("div", { class: "wallfoot" }, here, close)));
  drawCode(picture, host, where);
  letters.style.setProperty("--letters", String(code.length));
  document.body.append(wall);
  close.addEventListener("click", () => wall.close());
  wall.addEventListener("close", () => {
    if (document.fullscreenElement) document.exitFullscreen().catch(() => undefined);
    wall.remove();
    back.focus();
  });
  wall.addEventListener("fullscreenchange", () => {
    if (!document.fullscreenElement && wall.open) wall.close(); // one Escape leaves both
  });
  wall.showModal();
  wall.requestFullscreen?.().catch(() => undefined); // where that is forbidden, the page is filled all the same
  return { told: (text) => (here.textContent = text), isOpen: () => wall.open };
}

/** The address that others can open, also as a code for the camera of a phone. @param {HTMLElement} picture @param {HTMLElement} host @param {URL} where */
async function drawCode(picture, host, where) {
  const { origin, why } = await reach();
  if (why) return; // only this computer can open it, as the page of the class says
  host.textContent = `${new URL(origin).host}/class`;
  const { qrCode } = await import("./qr.js");
  picture.replaceChildren(qrCode(`${origin}${where.pathname}`, `A code for the camera of a phone: ${origin}${where.pathname}`));
  picture.hidden = false;
}
