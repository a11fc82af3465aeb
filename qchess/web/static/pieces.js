// The drawings of the men. The server has them (one truth for all pictures); until they are there, letters on a disc stand in.

/** @typedef {{name: string, box?: number, men: Record<string, string>, other?: string}} Drawings SVG elements by letter; `{side}` is the class of a side */

const SVG = "http://www.w3.org/2000/svg";
export const BOX = 45;
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

/** Keeps drawings that came another way, such as with a page that needs no server. @param {Drawings} drawings */
export function keepDrawings(drawings) {
  known.set(drawings.name, drawings);
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

/** @type {Map<string, SVGElement[]>} */
const drawn = new Map();

/**
 * A side's man in a box of 45 by 45.
 * @param {string} symbol @param {string} side @param {Drawings|undefined} drawings @returns {SVGElement[]}
 */
export function pieceShapes(symbol, side, drawings) {
  const letter = symbol.toUpperCase();
  const markup = drawings?.men[letter];
  if (drawings && markup) {
    const key = `${drawings.name} ${letter} ${side}`;
    if (!drawn.has(key)) drawn.set(key, parsed(markup.replaceAll("{side}", side)));
    return (drawn.get(key) ?? []).map((node) => /** @type {SVGElement} */ (node.cloneNode(true)));
  }
  return [
    shape("circle", { cx: 22.5, cy: 22.5, r: 15, class: `man ${side}` }),
    shape("text", { x: 22.5, y: 22.5, dy: ".35em", class: `mid letters ${side} ${letter.length > 1 ? "long" : ""}` }, letter),
  ];
}

/** SVG elements from their text. @param {string} markup @returns {SVGElement[]} */
function parsed(markup) {
  const page = new DOMParser().parseFromString(`<svg xmlns="${SVG}">${markup}</svg>`, "image/svg+xml");
  return [...page.documentElement.children].map((node) => /** @type {SVGElement} */ (document.importNode(node, true)));
}
