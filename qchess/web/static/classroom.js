// A class, as a page knows it: one socket that comes back by itself, and how things stand.

const WAITS = [0, 500, 1000, 2000, 4000];

export class Classroom extends EventTarget {
  /** @param {string} name @param {string} [key] the teacher's @param {string} [called] a student's own name */
  constructor(name, key = "", called = "") {
    super();
    this.name = name;
    this.key = key;
    this.called = called;
    this.client = pageName();
    /** @type {any} */
    this.state = null;
    this._tries = 0;
    this._closed = false;
    /** @type {WebSocket|null} */
    this._socket = null;
  }

  connect() {
    const { protocol, host } = window.location;
    const socket = new WebSocket(`${protocol === "https:" ? "wss" : "ws"}://${host}/ws/class/${this.name}`);
    this._socket = socket;
    socket.addEventListener("open", () => {
      this._tries = 0;
      this.send({ kind: "hello", client: this.client, ...(this.key ? { key: this.key } : {}), ...(this.called ? { name: this.called } : {}) });
      this._tell("connection", { open: true });
    });
    socket.addEventListener("message", (event) => this._take(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => {
      this._tell("connection", { open: false, code: event.code, reason: event.reason });
      if (this._closed || event.code === 1008 || event.code === 4404) return;
      setTimeout(() => this.connect(), WAITS[Math.min(this._tries++, WAITS.length - 1)] * (0.8 + 0.4 * Math.random()));
    });
  }

  /** @param {any} message */
  send(message) {
    if (this._socket?.readyState === WebSocket.OPEN) this._socket.send(JSON.stringify(message));
  }

  close() {
    this._closed = true;
    this._socket?.close();
  }

  /** @param {any} message */
  _take(message) {
    if (message.kind === "class") this.state = { ...this.state, ...message }; // what is shown comes when it changes
    this._tell(message.kind === "class" ? "class" : "refused", message);
  }

  /** @param {string} name @param {any} detail */
  _tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/** A name for this page that a reload keeps, so that nobody is counted twice. */
function pageName() {
  const made = [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  try {
    const kept = sessionStorage.getItem("qchess-class") ?? made;
    sessionStorage.setItem("qchess-class", kept);
    return kept;
  } catch {
    return made; // storage is forbidden here; a reload counts as another page
  }
}

/** How many gave each answer, as bars. @param {any} question @returns {Node[]} */
export function countsOf(question) {
  const { counts, choices } = question;
  if (!counts) return [];
  const most = Math.max(1, ...counts);
  const bars = counts.map((/** @type {number} */ count) => {
    const bar = document.createElement("div");
    bar.style.height = `${(100 * count) / most}%`;
    bar.append(Object.assign(document.createElement("span"), { textContent: count ? String(count) : "" }));
    return bar;
  });
  const box = Object.assign(document.createElement("div"), { className: "bars2" });
  box.style.gridTemplateColumns = `repeat(${counts.length}, 1fr)`;
  box.setAttribute("role", "img");
  box.setAttribute("aria-label", counts.map((/** @type {number} */ count, /** @type {number} */ k) => `${choices[k] ?? `${10 * k} to ${10 * k + 10}%`}: ${count}`).join(", "));
  box.append(...bars);
  const axis = Object.assign(document.createElement("div"), { className: "axis2" });
  axis.append(...(choices.length ? choices : ["0%", "50%", "100%"]).map((/** @type {string} */ text) => Object.assign(document.createElement("span"), { textContent: text })));
  return [box, axis];
}

/** What came out in the end. @param {any} question */
export function resultOf(question) {
  if (!question.over) return "";
  const exact = question.exact == null ? "" : `Exactly ${Number((100 * question.exact).toFixed(2))}%.`;
  const median = question.median == null ? "" : ` The median of the answers is ${Number(question.median.toFixed(1))}%.`;
  return exact + median;
}
