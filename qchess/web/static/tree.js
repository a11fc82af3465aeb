// A study as a tree: every node is a position, with the move that led to it, how its questions were answered, and notes.
import { percent, said } from "./wording.js";

/** @typedef {{start: string, end: string, kind?: string}} Arrow */
/**
 * @typedef {{parent: number|null, text: string, by?: string, sentence?: string, man?: string, takes?: boolean, answers?: Record<string, number>|null,
 *   set?: boolean, likely?: number, comment: string, arrows: Arrow[]}} Node
 */
/** @typedef {{format?: string, title: string, game: string, options: Record<string, any>, nodes: Node[]}} StudyValues */

export class Tree {
  /** @param {Partial<StudyValues>} [values] */
  constructor(values = {}) {
    this.title = values.title ?? "";
    this.game = values.game ?? "quantum-chess";
    this.options = values.options ?? {};
    /** @type {Node[]} */
    this.nodes = (values.nodes?.length ? values.nodes : [{ parent: null, text: "" }]).map((node) => ({ ...node, comment: node.comment ?? "", arrows: node.arrows ?? [] }));
  }

  /** The study as it is kept and shared. @returns {StudyValues} */
  values() {
    return { format: "qchess-study-1", title: this.title, game: this.game, options: this.options, nodes: this.nodes };
  }

  /** The nodes that follow a node, the main one first. @param {number} at */
  children(at) {
    return this.nodes.flatMap((node, number) => (node.parent === at ? [number] : []));
  }

  /** The nodes from the first move to a node. @param {number} at @returns {number[]} */
  path(at) {
    const found = [];
    for (let k = at; k > 0; k = this.nodes[k].parent ?? 0) found.unshift(k);
    return found;
  }

  /** The moves to a node, as the server wants them. @param {number} at */
  line(at) {
    return this.path(at).map((number) => ({ text: this.nodes[number].text, answers: this.nodes[number].answers ?? null }));
  }

  /** The node of a move after a node; a new one, unless there is one with the same outcome. @param {number} at @param {any} entry */
  add(at, entry) {
    const known = this.children(at).find((number) => this.nodes[number].text === entry.text && (!entry.answers || JSON.stringify(this.nodes[number].answers) === JSON.stringify(entry.answers)));
    if (known !== undefined) {
      this.nodes[known].set &&= Boolean(entry.set); // once drawn, an outcome is no longer only set
      return known;
    }
    const open = (entry.provenance ?? []).filter((/** @type {any} */ answer) => answer.source !== "certain");
    const likely = open.reduce((/** @type {number} */ all, /** @type {any} */ answer) => all * answer.probability, 1);
    const { text, by, sentence, man, takes, answers, set } = entry;
    this.nodes.push({ parent: at, text, by, sentence: sentence ?? "", man, takes, answers: answers ?? null, set: Boolean(set), likely: Math.min(1, likely), comment: "", arrows: [] });
    return this.nodes.length - 1;
  }

  /** Takes a node with all that follows out of the tree. @param {number} at @returns {number} the node before it */
  remove(at) {
    const gone = new Set([at]);
    this.nodes.forEach((node, number) => node.parent !== null && gone.has(node.parent) && gone.add(number));
    const before = this.nodes[at].parent ?? 0;
    const kept = this.nodes.map((_, number) => number).filter((number) => !gone.has(number));
    const now = new Map(kept.map((number, place) => [number, place]));
    this.nodes = kept.map((number) => ({ ...this.nodes[number], parent: number ? now.get(this.nodes[number].parent ?? 0) ?? 0 : null }));
    return now.get(before) ?? 0;
  }

  /** Puts a node before its siblings: it becomes the main line. @param {number} at @returns {number} where it is now */
  promote(at) {
    const first = this.children(this.nodes[at].parent ?? 0)[0];
    if (at === 0 || first === at) return at;
    const order = this.nodes.map((_, number) => number);
    const family = order.filter((number) => number === at || this.path(number).includes(at));
    const rest = order.filter((number) => !family.includes(number));
    const place = rest.indexOf(first);
    const sorted = [...rest.slice(0, place), ...family, ...rest.slice(place)];
    const now = new Map(sorted.map((number, where) => [number, where]));
    this.nodes = sorted.map((number) => ({ ...this.nodes[number], parent: number ? now.get(this.nodes[number].parent ?? 0) ?? 0 : null }));
    return now.get(at) ?? 0;
  }

  /** Where a line of moves, as somebody brought it, ends. @param {any[]} line */
  grow(line) {
    return line.reduce((at, entry) => this.add(at, entry), 0);
  }
}

/** What a node's move is called in a list. @param {Node} node @param {number} ply */
export function nodeWords(node, ply) {
  const answer = /\? (Yes|No), /.exec(node.sentence ?? "")?.[1].toLowerCase();
  const odds = node.likely !== undefined && node.likely < 1 ? `, asked: ${answer ? `${answer}, ` : ""}${percent(node.likely)}` : "";
  return `${ply}. ${node.by ?? ""} ${said(node)}${odds}${node.set ? ", outcome chosen" : ""}${node.comment ? ", with a comment" : ""}`;
}
