// The tabs of the panel of a study: one pane is in sight at a time.

/** @param {HTMLElement} list @param {(name: string) => void} [opened] called with the name of the pane that came into sight @returns {(name: string) => void} what opens a pane */
export function mountTabs(list, opened) {
  const tabs = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[role=tab]")]);
  const open = (/** @type {string} */ name) => {
    for (const tab of tabs) {
      const isChosen = tab.id === `tab-${name}`;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      const pane = document.getElementById(tab.getAttribute("aria-controls") ?? "");
      if (pane) pane.hidden = !isChosen;
    }
    opened?.(name);
  };
  for (const tab of tabs) tab.addEventListener("click", () => open(tab.id.slice(4)));
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab === document.activeElement);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    next.focus();
    open(next.id.slice(4));
  });
  open(tabs[0].id.slice(4));
  return open;
}
