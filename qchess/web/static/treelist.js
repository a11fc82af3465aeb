// How a tree of moves and outcomes is written.
import { label } from "./figures.js";
import { markOf } from "./movelist.js";
import { html } from "./settings.js";
import { nodeWords } from "./tree.js";

/** @typedef {{players: string[], view: {drawings?: string}}} Seen what the pictures of the men need of the state that is shown */

/** The main line from a node in one row, and beside it what else was tried. @param {import("./tree.js").Tree} tree @param {number} from @param {number} ply @param {HTMLElement} list @param {number} at @param {Seen} seen */
export function drawFrom(tree, from, ply, list, at, seen) {
  let row = html("li", { class: "main" });
  list.append(row);
  for (let node = from, depth = ply; ; depth++) {
    const [main, ...others] = tree.children(node);
    if (main === undefined) return;
    row.append(...drawNode(tree, main, depth + 1, at, seen));
    if (others.length) {
      const side = html("ul", {});
      for (const other of others) {
        const line = html("li", { class: "main" }, ...drawNode(tree, other, depth + 1, at, seen));
        side.append(line);
        if (tree.children(other).length) drawFrom(tree, other, depth + 1, side, at, seen);
      }
      list.append(html("li", {}, side));
      row = html("li", { class: "main" });
      list.append(row);
    }
    node = main;
  }
}

/** @param {import("./tree.js").Tree} tree @param {number} number @param {number} ply @param {number} at @param {Seen} seen */
function drawNode(tree, number, ply, at, seen) {
  const node = tree.nodes[number];
  const { text, by = "", sentence = "", man, takes, likely = 1 } = node;
  const how = { type: "button", "data-node": String(number), "data-text": text, title: `${text}${sentence && ": "}${sentence}` };
  const button = html("button", { ...how, "aria-label": nodeWords(node, ply), "aria-current": number === at ? "true" : null }, ...label({ ply, text, by, sentence, man, takes }, seen));
  if (likely < 1) button.append(markOf(sentence, likely));
  if (node.set) button.append(html("span", { class: "set" }, "chosen"));
  return [html("span", { class: "step" }, html("span", { class: "number", "aria-hidden": "true" }, `${ply}.`), button), ...(node.comment ? [noteOf(node)] : [])];
}

/** @param {import("./tree.js").Node} node */
export function noteOf(node) {
  return html("span", { class: "note" }, node.comment.length > 90 ? `${node.comment.slice(0, 90)} …` : node.comment);
}
