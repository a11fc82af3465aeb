// The drawings of the men. The server has them (one truth for all pictures); until they are there, letters on a disc stand in.

/** @typedef {{whole?: string, body: string, lines: string, top: number, plinth?: number[]}} Form path data in a box of 100: outline, outline without plinth, lines over it; where it begins, and where the plinth ends */
/** @typedef {{name: string, box?: number, men: Record<string, Form>, other?: Form}} Drawings by letter */

const SVG = "http://www.w3.org/2000/svg";
/** The side of a square, and of the box that men are drawn in. */
export const BOX = 100;
const ROUND = "M16 48A34 34 0 1 1 84 48A34 34 0 1 1 16 48Z";
/** What a man without a drawing stands on. @type {Form} */
export const DISC = { whole: ROUND, body: ROUND, lines: "", top: 14 };
/** @type {Map<string, Drawings>} */
const known = new Map();
/** @type {Map<string, Promise<Drawings>>} */
const asked = new Map();

/**
 * An SVG element with attributes and children.
 * @param {string} tag @param {Record<string, string|number|null|undefined>} [attributes] @param {...(Node|string)} children
 * @returns {SVGElement}
 */
export function shape(tag, attributes = {}, ...children) {
  const node = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== undefined) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/** An HTML element. @param {string} tag @param {Record<string, string|null>} [attributes] @param {...(Node|string)} children @returns {HTMLElement} */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Keeps drawings that came another way, such as with a page that needs no server. @param {Drawings} drawings */
export function keepDrawings(drawings) {
  for (const form of Object.values(drawings.men)) form.whole ??= onPlinth(form);
  known.set(drawings.name, drawings);
}

/** An outline with its plinth, let in where the body's outline turns to run along the bottom. @param {Form} form */
function onPlinth({ body, plinth }) {
  if (!plinth) return body;
  const [left, right] = plinth;
  return body.replace(" 80H", ` 80H${right}A5.5 5.5 0 0 1 ${right} 91H${left}A5.5 5.5 0 0 1 ${left} 80H`);
}

/** Drawings that are here already. @param {string} name @returns {Drawings|undefined} */
export function drawingsAt(name) {
  return known.get(name);
}

/** Asks the server for drawings, once. @param {string} name @returns {Promise<Drawings>} */
export function fetchDrawings(name) {
  const there = known.get(name);
  if (there) return Promise.resolve(there);
  let waiting = asked.get(name);
  if (!waiting) {
    waiting = fetch(`/api/drawings/${encodeURIComponent(name)}`).then((answer) => {
      if (!answer.ok) throw new Error(`no set of pieces ${name}: ${answer.status}`);
      return answer.json();
    }).then((drawings) => {
      keepDrawings({ ...drawings, name });
      return /** @type {Drawings} */ (drawings);
    });
    waiting.catch(() => asked.delete(name));
    asked.set(name, waiting);
  }
  return waiting;
}
