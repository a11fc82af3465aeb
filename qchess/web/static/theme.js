// Light, dark, or as the reader's system has it; read before the page is drawn, so that it does not flash.
(() => {
  const root = document.documentElement;
  const told = localStorage.getItem("qchess-theme");
  if (told === "light" || told === "dark") root.dataset.theme = told;
})();
