"use strict";
// Sorts, chooses, filters, and leads from a picture to its cases. All that is shown is in the page without it.
(() => {
  const all = (what, inside = document) => [...inside.querySelectorAll(what)];
  const text = (cell) => cell?.textContent.trim() ?? "";
  const heads = (table) => [...table.tHead.rows[0].cells];
  const body = (table) => [...table.tBodies[0].rows];

  // -- sorting ------------------------------------------------------------------------------------------------

  const WORDS = { "not done": Infinity, "not half done": Infinity, "nobody else": 0 };
  const NEXT = { none: "ascending", ascending: "descending", descending: "none" };
  const number = (cell) => WORDS[text(cell)] ?? parseFloat(cell?.dataset.v ?? text(cell));

  function compare([one, x], [other, y]) {
    if (isNaN(x) || isNaN(y)) return isNaN(x) - isNaN(y) || one.localeCompare(other);
    return x === y ? 0 : x < y ? -1 : 1;
  }

  function sort(table, column, way, original) {
    const keyed = original.map((row) => [text(row.cells[column]), number(row.cells[column]), row]);
    const full = keyed.filter(([word]) => word).sort(compare);
    if (way === "descending") full.reverse();
    const empty = keyed.filter(([word]) => !word);
    const rows = way === "none" ? original : [...full, ...empty].map(([, , row]) => row);
    table.tBodies[0].append(...rows);
    heads(table).forEach((head, place) => head.setAttribute("aria-sort", place === column ? way : "none"));
  }

  for (const table of all("table.sort")) {
    const original = body(table);
    heads(table).forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      head.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => sort(table, column, NEXT[head.getAttribute("aria-sort")], original));
    });
  }

  const bar = document.getElementById("bar");
  if (!bar) return;

  // -- what is chosen, kept in the address --------------------------------------------------------------------

  const boxes = all("#choose input");
  const selects = all("#filters select");
  const COLOURS = Number(bar.dataset.colours);
  const usual = { chosen: bar.dataset.chosen, times: bar.dataset.times };
  const state = { chosen: [] };

  function read() {
    const told = new URLSearchParams(location.hash.slice(1));
    const names = (told.get("chosen") ?? usual.chosen).split(",");
    const known = (name, place) => boxes.some((box) => box.value === name) && names.indexOf(name) === place;
    state.chosen = Array.from({ length: COLOURS }, (_, place) => (known(names[place], place) ? names[place] : ""));
    for (const select of selects) {
      select.value = told.get(select.name) ?? usual[select.name] ?? "";
      if (select.selectedIndex < 0) select.value = usual[select.name] ?? "";
      state[select.name] = select.value;
    }
  }

  // the part of the address for a state; what is as when the page is opened is left out
  function written(told) {
    const named = { ...told, chosen: told.chosen.join(",").replace(/,+$/, "") };
    const parts = Object.entries(named).filter(([key, value]) => value !== (usual[key] ?? ""));
    return "#" + new URLSearchParams(parts).toString().replaceAll("%2C", ",");
  }

  function keep() {
    const place = written(state);
    history.replaceState(null, "", place === "#" ? location.pathname + location.search : place);
  }

  // -- colours ------------------------------------------------------------------------------------------------

  const marks = boxes.map((_, place) => all(`[data-s="${place}"]`));

  function paint() {
    boxes.forEach((box, place) => {
      const slot = state.chosen.indexOf(box.value);
      box.checked = slot >= 0;
      box.disabled = slot < 0 && !state.chosen.includes("");
      document.documentElement.style.setProperty(`--s${place}`, slot < 0 ? "var(--grey)" : `var(--p${slot})`);
      for (const mark of marks[place]) {
        mark.classList.toggle("on", slot >= 0);
        if (slot >= 0 && mark.localName === "g") mark.parentNode.append(mark); // in front of the grey ones
      }
    });
  }

  for (const box of boxes) {
    box.addEventListener("change", () => {
      const slot = state.chosen.indexOf(box.checked ? "" : box.value);
      state.chosen[slot] = box.checked ? box.value : "";
      paint();
      filter();
      keep();
      const full = !state.chosen.includes("");
      document.getElementById("said").value = full ? "There are no more colours: remove one simulator first." : "";
    });
  }

  // -- the list of runs, and the filters ------------------------------------------------------------------------

  const list = document.getElementById("runs");
  const tables = all("main table").map((table) => ({ table, names: heads(table).map(text) }));
  const columns = heads(list).map(text);
  const SMALL = Number(document.body.dataset.small);
  const kinds = Object.fromEntries(boxes.map((box) => [box.value, box.dataset.kind]));
  const words = (name) => [...selects.find((each) => each.name === name).options];
  const clocks = words("times").map(({ value }) => value);
  const runs = body(list).map((row) => {
    const cell = (name) => row.cells[columns.indexOf(name)];
    const word = (name) => text(cell(name));
    const times = Object.fromEntries(clocks.map((by) => [by, number(cell(`${by}, ms`))]));
    return { row, times, simulator: word("simulator"), family: word("family"), track: word("track"),
      case: word("case"), size: Number(word("wires")) <= SMALL ? "1" : "0" };
  });

  // the commands stand in a last column
  list.tHead.rows[0].insertCell().outerHTML = "<th scope=col class=last>run it again";
  const outside = list.dataset.families.split(";");
  const calls = Object.fromEntries(boxes.map((box) => [box.value, box.dataset.call]));
  const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`);
  for (const run of runs) {
    const command = outside.includes(run.family) ? list.dataset.outside : list.dataset.again;
    const code = document.createElement("code");
    code.textContent = command.replace("SIMULATOR", () => quoted(calls[run.simulator]))
      .replace("CASE", () => quoted(run.case));
    const cell = run.row.insertCell();
    cell.className = "last";
    cell.append(code);
  }

  // whether a row of a table with these columns has what is asked for; a column that it lacks asks nothing
  function wanted(row, names, inList) {
    const fits = (name, test) => {
      const place = names.indexOf(name);
      return place < 0 || !row.cells[place] || test(text(row.cells[place]));
    };
    return ["family", "track", "outcome"].every((name) => !state[name] || fits(name, (word) => word === state[name]))
      && (!state.wires || fits("wires", (word) => Number(Number(word) <= SMALL) === Number(state.wires)))
      && (!inList || !state.simulator || fits("simulator", (word) =>
        state.simulator === "chosen" ? state.chosen.includes(word) : word === state.simulator));
  }

  function filter() {
    for (const { table, names } of tables) {
      for (const row of body(table)) row.hidden = !wanted(row, names, table === list);
    }
    const left = runs.filter(({ row }) => !row.hidden);
    document.getElementById("shown").textContent =
      left.length < runs.length ? `${left.length} of ${runs.length} runs fit the filter.` : "";
    const told = selects.filter((each) => each.value !== (usual[each.name] ?? ""))
      .map((each) => each.selectedOptions[0].textContent);
    document.getElementById("filtered").textContent = told.join(", ");
    // columns of other times, and those in which nothing is left, are out of the way
    columns.forEach((name, place) => {
      const [by] = name.split(", ");
      const away = (clocks.includes(by) && by !== state.times) || !left.some(({ row }) => text(row.cells[place]));
      for (const row of list.rows) if (row.cells[place].hidden !== away) row.cells[place].hidden = away;
    });
  }

  // -- small pictures -------------------------------------------------------------------------------------------

  const short = (value) => (value < 99.5 ? String(Number(value.toPrecision(2))) : value.toFixed(0));
  const named = (select, value) => words(select).find((each) => each.value === value).textContent;
  const many = (count) => `${count} case${count === 1 ? "" : "s"}`;

  // the shortest time of an exact simulator on each case
  function fastest() {
    const best = new Map();
    for (const run of runs) {
      const time = run.times[state.times];
      if (kinds[run.simulator] === "exact" && time < (best.get(run.case) ?? Infinity)) best.set(run.case, time);
    }
    return best;
  }

  function draw() {
    const best = fastest();
    const track = state.track || "native";
    for (const figure of all("figure[data-family]")) {
      const { low, high, left, right } = figure.parentNode.dataset;
      const at = (value) => Number(left) + (right - left) * (Math.log10(value) - low) / (high - low);
      const { family, size } = figure.dataset;
      const mine = runs.filter((run) => run.family === family && run.size === size && run.track === track);
      const cases = new Set(mine.map((run) => run.case).filter((name) => best.has(name))).size;
      figure.hidden = !cases || ![family, ""].includes(state.family) || ![size, ""].includes(state.wires);
      const what = `${track}, ${many(cases)}`;
      figure.querySelector("figcaption span").textContent = what;
      const told = all("a", figure).map((line) => drawLine(line, mine, best, cases, at));
      const by = `of ${named("wires", size)}, by ${named("times", state.times)}`;
      const title = `${family}, ${what} ${by}: times the fastest exact`;
      const svg = figure.querySelector("svg");
      svg.setAttribute("aria-label", `${title}: ${told.join("; ")}.`);
      svg.querySelector("title").textContent = title;
    }
  }

  function drawLine(line, mine, best, cases, at) {
    const name = text(line.querySelector(".name"));
    const ratio = (run) => run.times[state.times] / best.get(run.case);
    const here = mine.filter((run) => run.simulator === name && ratio(run) > 0);
    const ratios = here.map(ratio);
    const mean = Math.exp(ratios.reduce((sum, each) => sum + Math.log(each), 0) / ratios.length);
    const whole = cases > 0 && ratios.length === cases;
    const rows = new Map(here.map((run) => [run.row.id, ratio(run)]));
    for (const dot of all("circle[data-r]", line)) {
      const value = rows.get(`r${dot.dataset.r}`);
      dot.toggleAttribute("hidden", !value);
      if (value) dot.setAttribute("cx", at(value).toFixed(1));
      dot.replaceChildren();
    }
    const mark = line.querySelector(".mark");
    mark.toggleAttribute("hidden", !whole);
    if (whole) mark.setAttribute("cx", at(mean).toFixed(1));
    const ends = ratios.length ? [Math.min(...ratios), Math.max(...ratios)].map((each) => at(each).toFixed(1)) : [0, 0];
    const y = mark.getAttribute("cy");
    line.querySelector(".span").setAttribute("d", `M${ends[0]} ${y}H${ends[1]}`);
    const value = whole ? short(mean) : ratios.length ? `${ratios.length} of ${cases}` : "none";
    line.querySelector(".value").textContent = value;
    const told = `${name} ${whole ? "" : "did "}${value}`;
    line.querySelector("title").textContent = told;
    return told;
  }

  // a dot says which case it is when it is pointed at
  document.addEventListener("pointerover", ({ target }) => {
    if (!target.matches("circle[data-r]") || target.firstChild) return;
    const run = runs[target.dataset.r];
    const title = document.createElementNS(target.namespaceURI, "title");
    title.textContent = `${run.simulator} on ${run.case}: ${Number(run.times[state.times].toPrecision(3))} ms`;
    target.append(title);
  });

  // -- from a picture to its cases --------------------------------------------------------------------------------

  function jump(line, dot) {
    const figure = line.closest("figure");
    const { family = "", size } = figure.dataset;
    const simulator = text(line.querySelector(".name"));
    const track = family && (state.track || "native");
    const next = { ...state, simulator, family, track, wires: size, outcome: "" };
    location.hash = written(next); // a step that one can go back
    show();
    document.getElementById("all").open = true;
    all("#runs .at").forEach((row) => row.classList.remove("at"));
    const row = dot && document.getElementById(`r${dot.dataset.r}`);
    row?.classList.add("at");
    const heading = document.getElementById("every");
    heading.scrollIntoView();
    heading.focus({ preventScroll: true });
  }

  for (const figure of all("figure")) {
    const lines = all("a", figure);
    lines.forEach((line, place) => {
      line.setAttribute("tabindex", place ? -1 : 0);
      line.addEventListener("click", (event) => {
        event.preventDefault();
        jump(line, event.target.closest("circle[data-r]"));
      });
      line.addEventListener("keydown", (event) => {
        const to = lines[place + { ArrowUp: -1, ArrowDown: 1 }[event.key]];
        if (!to) return;
        event.preventDefault();
        line.setAttribute("tabindex", -1);
        to.setAttribute("tabindex", 0);
        to.focus();
      });
    });
  }

  // -- the whole ----------------------------------------------------------------------------------------------

  function show() {
    read();
    paint();
    filter();
    draw();
  }

  for (const select of selects) {
    select.addEventListener("change", () => {
      state[select.name] = select.value;
      filter();
      draw();
      keep();
    });
  }
  document.getElementById("reset").addEventListener("click", () => {
    for (const select of selects) state[select.name] = select.value = usual[select.name] ?? "";
    filter();
    draw();
    keep();
  });
  // an address without a state is a place on the page
  addEventListener("hashchange", () => (!location.hash || location.hash.includes("=") ? show() : keep()));
  bar.hidden = false;
  show();
})();
