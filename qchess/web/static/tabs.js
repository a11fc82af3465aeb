// The panel's tabs. Beside the board one is always open; on a phone they are the bar below, and each opens a sheet.
import { keepSetting, setting } from "./settings.js";

/** Where the panel stands beside the board; the same as in table.css. */
const BESIDE = matchMedia("(min-width:900px) and (orientation:landscape),(min-width:640px) and (max-height:560px)");

export class Tabs {
  /** @param {HTMLElement} list @param {(name: string) => void} opened called with the name of the pane that is in sight */
  constructor(list, opened) {
    this.tabs = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[role=tab]")]);
    this.opened = opened;
    this.chosen = setting("tab", "moves");
    if (!this.tabs.some((tab) => tab.id === `tab-${this.chosen}`)) this.chosen = "moves";
    /** whether the sheet of a phone is up */
    this.isUp = false;
    for (const tab of this.tabs) tab.addEventListener("click", () => this.press(tab.id.slice(4)));
    list.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.isUp && this.lower(), { capture: true });
    BESIDE.addEventListener("change", () => this.draw());
    this.draw();
  }

  /** The pane that is in sight; empty if none is. */
  get seen() {
    return BESIDE.matches || this.isUp ? this.chosen : "";
  }

  /** @param {string} name */
  press(name) {
    this.isUp = !(this.isUp && this.chosen === name);
    this.chosen = name;
    keepSetting("tab", name);
    this.draw();
    this.opened(this.seen);
  }

  lower() {
    this.isUp = false;
    this.draw();
  }

  draw() {
    document.body.classList.toggle("sheet", this.isUp);
    for (const tab of this.tabs) {
      const isChosen = tab.id === `tab-${this.chosen}`;
      tab.setAttribute("aria-selected", String(isChosen));
      if (BESIDE.matches) tab.removeAttribute("aria-expanded");
      else tab.setAttribute("aria-expanded", String(isChosen && this.isUp));
      tab.tabIndex = isChosen ? 0 : -1;
      const pane = document.getElementById(tab.getAttribute("aria-controls") ?? "");
      if (pane) pane.hidden = !isChosen;
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = this.tabs.findIndex((tab) => tab === document.activeElement);
    const next = this.tabs[(at + step + this.tabs.length) % this.tabs.length];
    next.focus();
    if (BESIDE.matches) this.press(next.id.slice(4));
  }
}
