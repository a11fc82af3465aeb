// Short sounds, made here: what each is made of, and how one is played.

/** @typedef {"move"|"capture"|"split"|"merge"|"question"|"yes"|"no"|"won"|"lost"|"drawn"|"clock"} Kind */
/** @typedef {{pitch: number, at: number, long: number, soft?: boolean}} Tone when it begins and how long it lasts, in milliseconds */

/** @param {number} pitch @param {number} [at] @returns {Tone} */
const tick = (pitch, at = 0) => ({ pitch, at, long: 60 });
/** @param {number} pitch @param {number} at @returns {Tone} */
const note = (pitch, at) => ({ pitch, at, long: 130 });

/** @type {Record<Kind, Tone[]>} */
export const SOUNDS = {
  move: [tick(220)],
  capture: [tick(180), tick(120, 70)],
  split: [note(440, 0), note(392, 110), note(523, 110)],
  merge: [note(392, 0), note(523, 0), note(440, 110)],
  question: [{ pitch: 330, at: 0, long: 300, soft: true }],
  yes: [note(523, 0), note(659, 110)],
  no: [note(392, 0), note(330, 110)],
  won: [note(392, 0), note(523, 110), note(659, 220)],
  lost: [note(659, 0), note(523, 110), note(392, 220)],
  drawn: [note(392, 0), note(392, 110)],
  clock: [{ pitch: 880, at: 0, long: 30 }],
};

/** @type {AudioContext|null} */
let context = null;

/** Plays a sound. @param {Kind} kind */
export function sound(kind) {
  context ??= new AudioContext();
  const now = context.currentTime;
  for (const { pitch, at, long, soft } of SOUNDS[kind]) {
    const tone = context.createOscillator(), volume = context.createGain();
    const start = now + at / 1000, end = start + long / 1000;
    tone.type = long > 60 ? "sine" : "triangle";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.0001, start);
    volume.gain.exponentialRampToValueAtTime(soft ? 0.06 : 0.12, soft ? start + long / 2000 : start + 0.005);
    volume.gain.exponentialRampToValueAtTime(0.0001, end);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(end);
  }
}

/**
 * What a move sounds like. @param {{text: string, provenance?: {source: string, value: number}[], result?: any}} moved
 * @param {import("./wording.js").View|undefined} before @param {import("./wording.js").View} after
 * @param {string|null|undefined} you one's own side @returns {Kind}
 */
export function soundOf(moved, before, after, you) {
  if (moved.result) return !moved.result.winner ? "drawn" : you && moved.result.winner !== you ? "lost" : "won";
  const open = (moved.provenance ?? []).filter(({ source }) => source !== "certain");
  if (open.length) return open[open.length - 1].value ? "yes" : "no";
  const count = (/** @type {import("./wording.js").View} */ view) => Object.values(view.men).flat().reduce((sum, man) => sum + man.probability, 0);
  if (before && count(after) < count(before) - 0.01) return "capture";
  const at = moved.text.indexOf("^");
  return at < 0 ? "move" : /^[a-z]\d+\^?$/.test(moved.text.slice(0, at + 1)) ? "split" : "merge";
}
