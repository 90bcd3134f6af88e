// Draws a dependency tree: words in a row with their tags, lemmas and entities below, arcs from heads above.

import { isRightToLeft, percent, svg } from './dom.js';
import { confidenceClass, frame, label, openToKeyboard, part, widthOf } from './drawing.js';

/** @typedef {import('./engine.js').Sentence} Sentence */
/** @typedef {import('./engine.js').Word} Word */

const GAP = 18;
const MARGIN = 20;
const STEP = 26;
const ROW = 20;

/** @typedef {{from: number, to: number, word: Word, height: number}} Arc */

/**
 * Arcs with heights: one more than the highest arc below.
 * @param {Word[]} words
 * @returns {Arc[]}
 */
function arcsOf(words) {
  const arcs = words
    .filter((word) => word.head !== null && word.head > 0)
    .map((word) => ({ from: (word.head ?? 0) - 1, to: word.id - 1, word, height: 1 }));
  const span = (/** @type {Arc} */ arc) => Math.abs(arc.from - arc.to);
  const [low, high] = [(/** @type {Arc} */ arc) => Math.min(arc.from, arc.to), (/** @type {Arc} */ arc) => Math.max(arc.from, arc.to)];
  arcs.sort((one, other) => span(one) - span(other));
  // The highest arc so far over each gap between neighbours.
  const tops = new Array(words.length).fill(0);
  for (const arc of arcs) {
    let top = 0;
    for (let gap = low(arc); gap < high(arc); gap += 1) top = Math.max(top, tops[gap]);
    arc.height = top + 1;
    for (let gap = low(arc); gap < high(arc); gap += 1) tops[gap] = arc.height;
  }
  return arcs;
}

/** The tag that is shown below a word. @param {Word} word */
export const tagOf = (word) => word.upos ?? word.xpos ?? '';

/** Middles of the words from left to right, such that neither words nor the labels of short arcs touch.
 * @param {Word[]} words @param {Arc[]} arcs */
function columns(words, arcs) {
  const widths = words.map((word) => Math.max(widthOf(word.form, 'word'), widthOf(tagOf(word), 'small'), widthOf(word.lemma ?? '', 'small')));
  const gaps = words.map((_, at) => (at + 1 < words.length ? (widths[at] + widths[at + 1]) / 2 + GAP : 0));
  for (const arc of arcs.filter(({ from, to }) => Math.abs(from - to) === 1)) {
    const at = Math.min(arc.from, arc.to);
    gaps[at] = Math.max(gaps[at], widthOf(arc.word.deprel ?? '', 'small') + 22);
  }
  const middles = [MARGIN + (widths[0] ?? 0) / 2];
  for (let at = 0; at + 1 < words.length; at += 1) middles.push(middles[at] + gaps[at]);
  return { middles, widths, width: (middles[middles.length - 1] ?? 0) + (widths[widths.length - 1] ?? 0) / 2 + MARGIN };
}

/**
 * @param {Sentence} sentence
 * @param {object} [options]
 * @param {(word: Word) => {text: string, note: string}[]} [options.alternatives]
 * @param {(word: Word) => 'same' | 'differs'} [options.standing]
 * @param {string} [options.name]
 * @returns {import('./drawing.js').Drawing}
 */
export function drawArcs(sentence, { alternatives = () => [], standing = () => 'same', name = 'Dependencies' } = {}) {
  const { words } = sentence;
  const arcs = arcsOf(words);
  const { middles, widths, width } = columns(words, arcs);
  const mirrored = isRightToLeft(sentence.text);
  const x = (/** @type {number} */ at) => (mirrored ? width - middles[at] : middles[at]);
  const roots = words.filter((word) => word.head === 0);
  const highest = Math.max(roots.length > 0 ? 1 : 0, ...arcs.map((arc) => arc.height));
  const base = MARGIN + STEP * highest + (highest > 0 ? 16 : 0);
  const lemmas = words.some((word) => word.lemma);
  const entityRow = base + 26 + ROW * (lemmas ? 2 : 1);
  const height = entityRow + (sentence.entities.length > 0 ? 30 : 4) + 6;
  const element = frame(width, height, `${name}: ${sentence.text}`, 'arcs');
  const form = (/** @type {number} */ id) => words[id - 1]?.form ?? '';

  /** @param {Word} word */
  const details = (word) => () => ({
    title: word.head === null ? word.form : word.head === 0 ? `${word.deprel ?? 'root'}: ${word.form}` : `${word.deprel ?? ''}: ${form(word.head)} → ${word.form}`,
    lines: [
      [tagOf(word), word.xpos && word.xpos !== tagOf(word) ? word.xpos : '', word.lemma ? `lemma ${word.lemma}` : ''].filter(Boolean).join(' · '),
      Object.entries(word.feats ?? {}).map(([key, value]) => `${key}=${value}`).join(' '),
      word.confidence === null || word.confidence === undefined ? '' : `confidence ${percent(word.confidence)}`,
      ...Object.entries(word.confidences ?? {}).map(([column, share]) => `${column}: ${percent(share)}`),
    ],
    alternatives: alternatives(word),
  });
  /** @param {Word} word */
  const spoken = (word) => [
    word.form, tagOf(word),
    word.head === null ? '' : word.head === 0 ? 'root' : `${word.deprel ?? ''} of ${form(word.head)}`,
    word.confidence === null || word.confidence === undefined ? '' : `confidence ${percent(word.confidence)}`,
    standing(word) === 'differs' ? 'differs' : '',
  ].filter(Boolean).join(', ');

  const drawn = words.map((word, at) => {
    const classes = `${confidenceClass(word.confidence)} ${standing(word)}`;
    const arc = arcs.find((one) => one.word === word);
    return part(
      `arc ${classes}`, spoken(word), details(word),
      arc ? pathOf(arc, x, base) : word.head === 0 ? rootPath(x(at), base) : null,
      arc ? labelOf(arc, x, base) : word.head === 0 ? label('label small', x(at) + 4, MARGIN - 6, word.deprel ?? 'root') : null,
      label('word', x(at), base + 20, word.form),
      label('tag small', x(at), base + 20 + ROW, tagOf(word)),
      word.lemma ? label('lemma small', x(at), base + 20 + 2 * ROW, word.lemma) : null,
    );
  });
  const entities = sentence.entities.map((entity) => {
    const edges = [entity.first - 1, entity.last - 1].flatMap((at) => [x(at) - widths[at] / 2, x(at) + widths[at] / 2]);
    const [left, right] = [Math.min(...edges) - 3, Math.max(...edges) + 3];
    return part(
      `entity ${confidenceClass(entity.confidence)}`, `${entity.label}: ${entity.text}`,
      () => ({ title: entity.label, lines: [entity.text, entity.confidence === null ? '' : `confidence ${percent(entity.confidence)}`], alternatives: [] }),
      svg('path', { d: `M${left.toFixed(1)} ${entityRow}v6H${right.toFixed(1)}v-6` }),
      label('label small', (left + right) / 2, entityRow + 20, entity.label),
    );
  });
  element.append(svg('g', {}, ...drawn), svg('g', {}, ...entities));
  openToKeyboard(element);
  return { element, width, height };
}

/** @param {number} x @param {number} base */
function rootPath(x, base) {
  return svg('path', { class: 'line', d: `M${x.toFixed(1)} ${MARGIN}V${base}m-4 -7l4 7l4 -7` });
}

/** Heads leave room beside the arrows that come in. @param {Arc} arc @param {(at: number) => number} x */
function ends(arc, x) {
  const towards = Math.sign(x(arc.to) - x(arc.from));
  return { from: x(arc.from) + 5 * towards, to: x(arc.to) - 2 * towards };
}

/** @param {Arc} arc @param {(at: number) => number} x @param {number} base */
function pathOf(arc, x, base) {
  const { from, to } = ends(arc, x);
  const top = base - STEP * arc.height;
  const bend = Math.min(14, Math.abs(to - from) / 2) * Math.sign(to - from);
  const line = `M${from.toFixed(1)} ${base}V${top + 14}Q${from.toFixed(1)} ${top} ${(from + bend).toFixed(1)} ${top}` +
    `H${(to - bend).toFixed(1)}Q${to.toFixed(1)} ${top} ${to.toFixed(1)} ${top + 14}V${base}m-4 -7l4 7l4 -7`;
  return svg('path', { class: 'line', d: line });
}

/** @param {Arc} arc @param {(at: number) => number} x @param {number} base */
function labelOf(arc, x, base) {
  const { from, to } = ends(arc, x);
  return label('label small', (from + to) / 2, base - STEP * arc.height - 4, arc.word.deprel ?? '');
}
