// Giving a link to others: the address under which they reach this server, the device's own way to share, or a copy.
import { html } from "./settings.js";

/** @typedef {{origin: string, why: string}} Reach `why`: one sentence if nobody else can open a link */

/** Where this page was opened by its own machine's name for itself. */
const ALONE = /^(127\.|localhost$|\[::1\]$)/;
/** @type {Promise<Reach>|undefined} */
let asked;

/** The address that others open: the one of this page, unless that means their own machine. @returns {Promise<Reach>} */
export function reach() {
  const here = { origin: window.location.origin, why: "" };
  if (!ALONE.test(window.location.hostname)) return Promise.resolve(here);
  asked ??= fetch("/api/address").then((answer) => answer.json()).then(({ address, why }) => ({ origin: address ?? here.origin, why: why ?? "" })).catch(() => here);
  return asked;
}

/** Why nobody else can open a link, with its command as code. @param {string} why */
export function problem(why) {
  return html("p", { class: "problem" }, ...why.split("`").map((part, at) => (at % 2 ? html("code", {}, part) : part)));
}

/** Copies a text, also where pages may not use the clipboard by themselves. @param {string} text @param {HTMLElement} beside */
async function copy(text, beside) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = /** @type {HTMLTextAreaElement} */ (html("textarea", { readonly: "", class: "hidden", "aria-hidden": "true" }, text));
    beside.after(field);
    field.select();
    const isDone = document.execCommand("copy");
    field.remove();
    beside.focus();
    return isDone;
  }
}

/**
 * A button that gives an address on: by the device's own way to share where there is one, else as a copy.
 * @param {string} address @param {string} title @param {string} [words] @param {string} [what] what is given on, for a screen reader
 */
export function shareButton(address, title, words = "", what = "") {
  const isShared = typeof navigator.share === "function", says = words || (isShared ? "Share" : "Copy");
  const button = html("button", { type: "button", class: "share" }, says);
  if (what) button.setAttribute("aria-label", `${says} ${what}`);
  button.addEventListener("click", async () => {
    if (isShared) {
      await navigator.share({ title, url: address }).catch(() => undefined); // it was taken back
      return;
    }
    button.textContent = (await copy(address, button)) ? "Copied" : "Copy it by hand";
    button.setAttribute("aria-label", button.textContent);
  });
  return button;
}
