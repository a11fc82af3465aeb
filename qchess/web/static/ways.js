// The ways a move can end, in the words of cards and menus: whether they are yes and no, and what is special about each.

/** @typedef {{probability: number, answers: Record<string, number>, sentence: string, times?: number}} Way */

/** The question and its answer before what comes of it, and how likely it was: a head has them already. */
const ASKED = /^[^?.]*\? (Yes|No), [^.]* likely\. ?/, LIKELY = / ?This was [^.]* likely\.$/;
const QUESTION = /^(?:Is|Are) [^?]*\?/;

/** The value of the one answer of a way. @param {Way} way */
export const answerOf = ({ answers }) => Object.values(answers)[0];

/** The question of a move as people ask it, if it is one of yes and no. @param {Way[]} ways @param {string} says */
export function questionIn(ways, says) {
  return QUESTION.exec(ways[0]?.sentence ?? "")?.[0] ?? QUESTION.exec(says)?.[0] ?? "";
}

/** Whether a move did what it says; null where nothing tells. A yes may mean no: the half that moves is elsewhere. @param {string} sentence */
export function went(sentence) {
  const [, told] = /(The capture succeeded|Nothing was captured)\./.exec(sentence) ?? /\? (Yes|No), /.exec(sentence) ?? [];
  return told ? told === "Yes" || told.startsWith("The") : null;
}

/** Whether there are two ways, yes and no. @param {Way[]} ways @param {string} says */
export function isYesOrNo(ways, says) {
  return ways.length === 2 && questionIn(ways, says) !== "" && ways.every(({ answers }) => Object.keys(answers).length === 1)
    && [0, 1].every((value) => ways.some((way) => answerOf(way) === value));
}

/** Yes before no; else the likeliest first. @template {Way} T @param {T[]} ways @param {boolean} isEither @returns {T[]} */
export function inOrder(ways, isEither) {
  return [...ways].sort((a, b) => (isEither ? answerOf(b) - answerOf(a) : b.probability - a.probability));
}

/** What is special about each way, in short sentences: what all of them say is left out. @param {Way[]} ways @returns {string[]} */
export function wordsOf(ways) {
  const said = ways.map(({ sentence }) => sentence.replace(ASKED, "").replace(LIKELY, "").replace(/ \([^)]*\)/g, "").split(/(?<=\.) /).filter(Boolean));
  return said.map((parts, k) => {
    const own = parts.filter((part) => !said.every((others) => others.includes(part)));
    return (own.length ? own : parts).join(" ") || Object.entries(ways[k].answers).map(([name, value]) => `${name} = ${value}`).join(", ");
  });
}
