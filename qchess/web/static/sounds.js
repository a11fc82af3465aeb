// Three short tones, made here and off until a player switches them on.
import { setting } from "./settings.js";

/** @type {AudioContext|null} */
let context = null;
const TONES = { move: [440], measure: [523, 392], end: [392, 523, 659] };

/** Whether sounds are on. */
export function soundsAreOn() {
  return setting("sounds", "off") === "on";
}

/** Plays a sound if they are on. @param {keyof typeof TONES} kind */
export function sound(kind) {
  if (!soundsAreOn()) return;
  context ??= new AudioContext();
  const start = context.currentTime;
  TONES[kind].forEach((pitch, number) => {
    if (!context) return;
    const tone = context.createOscillator(), volume = context.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.0001, start + 0.09 * number);
    volume.gain.exponentialRampToValueAtTime(0.12, start + 0.09 * number + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.09 * number + 0.12);
    tone.connect(volume).connect(context.destination);
    tone.start(start + 0.09 * number);
    tone.stop(start + 0.09 * number + 0.13);
  });
}
