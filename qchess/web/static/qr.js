// QR codes of short texts (ISO/IEC 18004): byte mode, versions 1 to 10, levels L and M. Loaded when a link is shown.
import { shape } from "./pieces.js";

/** @typedef {"L"|"M"} Level */
/** @typedef {(0|1|null)[][]} Grid row by row; null is what is not set yet */

/** By version: the codewords for checking in a block, and how many data codewords each block has. @type {Record<Level, [number, number[]][]>} */
const BLOCKS = {
  L: [[7, [19]], [10, [34]], [15, [55]], [20, [80]], [26, [108]], [18, [68, 68]], [20, [78, 78]], [24, [97, 97]], [30, [116, 116]], [18, [68, 68, 69, 69]]],
  M: [[10, [16]], [16, [28]], [26, [44]], [18, [32, 32]], [24, [43, 43]], [16, [27, 27, 27, 27]], [18, [31, 31, 31, 31]], [22, [38, 38, 39, 39]], [22, [36, 36, 36, 37, 37]], [26, [43, 43, 43, 43, 44]]],
};
/** The middles of the small squares, by version. */
const CENTRES = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];
/** What a mask inverts. @type {((y: number, x: number) => boolean)[]} */
const MASKS = [
  (y, x) => (y + x) % 2 === 0, (y) => y % 2 === 0, (_, x) => x % 3 === 0, (y, x) => (y + x) % 3 === 0,
  (y, x) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0, (y, x) => ((y * x) % 2) + ((y * x) % 3) === 0,
  (y, x) => (((y * x) % 2) + ((y * x) % 3)) % 2 === 0, (y, x) => (((y + x) % 2) + ((y * x) % 3)) % 2 === 0,
];
const LEVEL_BITS = { L: 1, M: 0 };

// -- numbers of the field with 256 elements ------------------------------------------------------------------

const POWERS = [1];
while (POWERS.length < 255) POWERS.push(POWERS[POWERS.length - 1] < 128 ? POWERS[POWERS.length - 1] * 2 : (POWERS[POWERS.length - 1] * 2) ^ 0x11d);
const LOGS = new Map(POWERS.map((power, exponent) => [power, exponent]));

/** @param {number} a @param {number} b */
function times(a, b) {
  return a && b ? POWERS[(/** @type {number} */ (LOGS.get(a)) + /** @type {number} */ (LOGS.get(b))) % 255] : 0;
}

/** The codewords by which a block is checked: what is left of it after division. @param {number[]} data @param {number} count */
function checks(data, count) {
  let divisor = [1];
  for (let root = 0; root < count; root++) {
    const longer = [...divisor, 0];
    divisor.forEach((factor, at) => (longer[at + 1] ^= times(factor, POWERS[root])));
    divisor = longer;
  }
  const rest = [...data, ...Array(count).fill(0)];
  data.forEach((_, at) => {
    const lead = rest[at];
    divisor.forEach((factor, k) => (rest[at + k] ^= times(factor, lead)));
  });
  return rest.slice(data.length);
}

// -- from text to codewords ----------------------------------------------------------------------------------

/** @param {number} value @param {number} width @returns {(0|1)[]} */
function bits(value, width) {
  return Array.from({ length: width }, (_, at) => /** @type {0|1} */ ((value >> (width - 1 - at)) & 1));
}

/** The smallest version that holds so many bytes. @param {number} length @param {Level} level */
function versionFor(length, level) {
  const found = BLOCKS[level].findIndex(([, data], at) => 4 + (at < 9 ? 8 : 16) + 8 * length <= 8 * data.reduce((sum, one) => sum + one, 0)) + 1;
  if (!found) throw new RangeError(`expected a text that fits a QR code of version 10 at level ${level}, got ${length} bytes`);
  return found;
}

/** @param {Uint8Array} bytes @param {number} version @param {Level} level */
function codewords(bytes, version, level) {
  const [count, sizes] = BLOCKS[level][version - 1];
  const room = sizes.reduce((sum, one) => sum + one, 0);
  const stream = [...bits(4, 4), ...bits(bytes.length, version < 10 ? 8 : 16), ...[...bytes].flatMap((byte) => bits(byte, 8))];
  stream.push(...bits(0, Math.min(4, 8 * room - stream.length)));
  while (stream.length % 8) stream.push(0);
  const data = Array.from({ length: stream.length / 8 }, (_, at) => Number.parseInt(stream.slice(8 * at, 8 * at + 8).join(""), 2));
  for (let fill = 0xec; data.length < room; fill ^= 0xec ^ 0x11) data.push(fill);
  let start = 0;
  const blocks = sizes.map((size) => data.slice(start, (start += size)));
  const checked = blocks.map((block) => checks(block, count));
  const woven = (/** @type {number[][]} */ rows) => Array.from({ length: Math.max(...rows.map((row) => row.length)) }, (_, at) => rows.filter((row) => at < row.length).map((row) => row[at])).flat();
  return [...woven(blocks), ...woven(checked)].flatMap((word) => bits(word, 8));
}

// -- from codewords to squares -------------------------------------------------------------------------------

/** A number with the bits by which it is checked. @param {number} value @param {number} width how many bits are for checking @param {number} divisor */
function guarded(value, width, divisor) {
  let rest = value << width;
  for (let bit = 31 - Math.clz32(rest | 1); bit >= width; bit--) if ((rest >> bit) & 1) rest ^= divisor << (bit - width);
  return (value << width) | rest;
}

/** The grid with all that is the same for each text of a version. @param {number} version @returns {Grid} */
function frame(version) {
  const size = 17 + 4 * version, last = CENTRES[version - 1].at(-1);
  /** @type {Grid} */
  const grid = Array.from({ length: size }, () => Array(size).fill(null));
  const square = (/** @type {number} */ y, /** @type {number} */ x, /** @type {number} */ reach, /** @type {number} */ light) => {
    for (let v = -reach; v <= reach; v++)
      for (let u = -reach; u <= reach; u++) if (grid[y + v]?.[x + u] !== undefined) grid[y + v][x + u] = [light, 4].includes(Math.max(Math.abs(u), Math.abs(v))) ? 0 : 1;
  };
  for (const [y, x] of [[3, 3], [3, size - 4], [size - 4, 3]]) square(y, x, 4, 2);
  for (const y of CENTRES[version - 1])
    for (const x of CENTRES[version - 1]) if (![[6, 6], [6, last], [last, 6]].some(([v, u]) => v === y && u === x)) square(y, x, 2, 1);
  for (let at = 8; at < size - 8; at++) grid[6][at] = grid[at][6] = at % 2 ? 0 : 1;
  for (let at = 0; at < 9; at++) {
    grid[8][at] ??= 0;
    grid[at][8] ??= 0;
    if (at < 8) grid[8][size - 1 - at] = grid[size - 1 - at][8] = at === 7 ? 1 : 0;
  }
  grid[8][size - 8] = 0;
  grid[size - 8][8] = 1;
  if (version > 6) bits(guarded(version, 12, 0x1f25), 18).reverse().forEach((bit, at) => {
    grid[Math.floor(at / 3)][size - 11 + (at % 3)] = grid[size - 11 + (at % 3)][Math.floor(at / 3)] = bit;
  });
  return grid;
}

/** Where the codewords lie, in order: up and down in pairs of columns from the right. @param {Grid} grid @returns {[number, number][]} */
function free(grid) {
  const size = grid.length, found = /** @type {[number, number][]} */ ([]);
  let isUp = true;
  for (let x = size - 1; x > 0; x -= x === 8 ? 3 : 2, isUp = !isUp) {
    for (let at = 0; at < size; at++) for (const u of [x, x - 1]) if (grid[isUp ? size - 1 - at : at][u] === null) found.push([isUp ? size - 1 - at : at, u]);
  }
  return found;
}

/** Writes the level and the mask, twice. @param {Grid} grid @param {Level} level @param {number} mask */
function sign(grid, level, mask) {
  const size = grid.length, word = bits(guarded((LEVEL_BITS[level] << 3) | mask, 10, 0x537) ^ 0x5412, 15);
  const around = /** @type {[number, number][]} */ ([[8, 0], [8, 1], [8, 2], [8, 3], [8, 4], [8, 5], [8, 7], [8, 8], [7, 8], [5, 8], [4, 8], [3, 8], [2, 8], [1, 8], [0, 8]]);
  word.forEach((bit, at) => {
    const [y, x] = around[at];
    grid[y][x] = bit;
    if (at < 7) grid[size - 1 - at][8] = bit;
    else grid[8][size - 15 + at] = bit;
  });
}

/** How hard a grid is to read: runs, blocks, what looks like a corner, too dark or too light. @param {Grid} grid */
function badness(grid) {
  const size = grid.length, rows = grid.map((row) => row.join("")), columns = grid.map((_, x) => grid.map((row) => row[x]).join(""));
  let sum = 0;
  for (const line of [...rows, ...columns]) {
    for (const run of line.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
    for (const look of ["10111010000", "00001011101"]) for (let at = line.indexOf(look); at >= 0; at = line.indexOf(look, at + 1)) sum += 40;
  }
  for (let y = 1; y < size; y++) for (let x = 1; x < size; x++) if (grid[y][x] === grid[y - 1][x] && grid[y][x] === grid[y][x - 1] && grid[y][x] === grid[y - 1][x - 1]) sum += 3;
  const dark = rows.join("").replaceAll("0", "").length / size ** 2;
  return sum + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}

/** The squares of a QR code, row by row, without its quiet edge. @param {string} text @param {Level} [level] @returns {Grid} */
export function squaresOf(text, level = "M") {
  const bytes = new TextEncoder().encode(text), version = versionFor(bytes.length, level);
  const words = codewords(bytes, version, level), bare = frame(version), places = free(bare);
  const tried = MASKS.map((mask, number) => {
    const grid = bare.map((row) => [...row]);
    places.forEach(([y, x], at) => (grid[y][x] = /** @type {0|1} */ ((words[at] ?? 0) ^ Number(mask(y, x)))));
    sign(grid, level, number);
    return { grid, bad: badness(grid) };
  });
  return tried.reduce((best, each) => (each.bad < best.bad ? each : best)).grid;
}

/** A picture of a QR code with its quiet edge, dark on light in every scheme. @param {string} text @param {string} words what it is, for who does not see it */
export function qrCode(text, words) {
  const grid = squaresOf(text), size = grid.length + 8;
  const d = grid.flatMap((row, y) => row.map((cell, x) => (cell ? `M${x + 4} ${y + 4}h1v1h-1z` : ""))).join("");
  return shape("svg", { class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": words, "shape-rendering": "crispEdges" },
    shape("rect", { width: size, height: size, fill: "#fff" }), shape("path", { d, fill: "#000" }));
}
