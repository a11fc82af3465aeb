// How a tree of moves and outcomes is written.
import { html } from "./settings.js";
import { nodeWords } from "./tree.js";
import { percent } from "./wording.js";

/** The main line from a node in one row, and beside it what else was tried. @param {import("./tree.js").Tree} tree @param {number} from @param {number} ply @param {HTMLElement} list @param {number} at */
export function drawFrom(tree, from, ply, list, at) {
  let row = html("li", { class: "main" });
  list.append(row);
  for (let node = from, depth = ply; ; depth++) {
    const [main, ...others] = tree.children(node);
    if (main === undefined) return;
    row.append(...drawNode(tree, main, depth + 1, at));
    if (others.length) {
      const side = html("ul", {});
      for (const other of others) {
        const line = html("li", { class: "main" }, ...drawNode(tree, other, depth + 1, at));
        side.append(line);
        if (tree.children(other).length) drawFrom(tree, other, depth + 1, side, at);
      }
      list.append(html("li", {}, side));
      row = html("li", { class: "main" });
      list.append(row);
    }
    node = main;
  }
}

/** @param {import("./tree.js").Tree} tree @param {number} number @param {number} ply @param {number} at */
function drawNode(tree, number, ply, at) {
  const node = tree.nodes[number];
  const button = html("button", { type: "button", "data-node": String(number), "aria-label": nodeWords(node, ply), "aria-current": number === at ? "true" : null }, node.text);
  if (node.likely !== undefined && node.likely < 1) button.append(" ", html("span", { class: "odds" }, percent(node.likely)));
  if (node.set) button.append(" ", html("span", { class: "set" }, "set"));
  return [html("span", { class: "number", "aria-hidden": "true" }, `${ply}.`), button, ...(node.comment ? [noteOf(node)] : [])];
}

/** @param {import("./tree.js").Node} node */
export function noteOf(node) {
  return html("span", { class: "note" }, node.comment.length > 90 ? `${node.comment.slice(0, 90)} …` : node.comment);
}
