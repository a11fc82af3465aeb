// What a player has set for good in this browser, and the buttons of the page's head.

/** @param {string} name @param {string} otherwise @returns {string} */
export function setting(name, otherwise) {
  try {
    return localStorage.getItem(`qchess-${name}`) ?? otherwise;
  } catch {
    return otherwise; // storage is forbidden here; the page works without it
  }
}

/** @param {string} name @param {string} value */
export function keepSetting(name, value) {
  try {
    localStorage.setItem(`qchess-${name}`, value);
  } catch {
    // storage is forbidden here; the setting lasts as long as the page
  }
}

/** Whether the page is dark now. */
export function isDark() {
  const told = document.documentElement.dataset.theme;
  return told ? told === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Makes a button switch between light and dark; boards on the page follow. @param {HTMLElement} button */
export function themeButton(button) {
  const show = () => {
    const dark = isDark();
    button.setAttribute("aria-label", dark ? "Light colours" : "Dark colours");
    button.title = button.getAttribute("aria-label") ?? "";
    for (const board of document.querySelectorAll("qc-board")) board.setAttribute("theme", dark ? "dark" : "light");
  };
  button.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    keepSetting("theme", theme);
    show();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  show();
}

/** An HTML element. @param {string} tag @param {Record<string, string|null|undefined>} [attributes] @param {...(Node|string)} children @returns {HTMLElement} */
export function html(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== undefined) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Adds a style sheet of ours to the page. @param {string} name @returns {Promise<unknown>} done when it is there, or cannot be */
export function addSheet(name) {
  return new Promise((resolve) => {
    const link = html("link", { rel: "stylesheet", href: `/static/${name}.css` });
    for (const end of ["load", "error"]) link.addEventListener(end, resolve);
    document.head.append(link);
  });
}

/** The element with this id, which the page has. @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`this page lacks the element ${id}`);
  return found;
}
