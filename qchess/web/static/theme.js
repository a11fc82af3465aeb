// Light, dark, or as the reader's system has it; read before the page is drawn, so that it does not flash.
(() => {
  const root = document.documentElement;
  const told = localStorage.getItem("qchess-theme");
  const squares = localStorage.getItem("qchess-squares");
  if (squares) root.dataset.squares = squares;
  if (told === "light" || told === "dark") root.dataset.theme = told;
})();
