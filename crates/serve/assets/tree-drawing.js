// Draws a tree of phrases: words in one row at the bottom, every phrase above the middle of its children. In trees too deep for
// that, words hang below their own phrases, else lines without end would part them.

import { isRightToLeft, percent, svg } from './dom.js';
import { confidenceClass, frame, label, openToKeyboard, part, widthOf } from './drawing.js';
import { nodesOf } from './phrases.js';

/** @typedef {import('./phrases.js').PhraseNode} PhraseNode */

const LEVEL = 46;
const GAP = 14;
const MARGIN = 18;
const BOX = 22;
/** The most levels of a tree whose words stand in one row. */
const MOST_LEVELS = 12;

/** @typedef {{x: number, y: number, width: number}} Place */

/**
 * Places from left to right: a node is as wide as its label or its children, whichever is wider.
 * @param {PhraseNode} root
 */
function layOut(root) {
  const nodes = nodesOf(root);
  /** @type {Map<PhraseNode, number>} */
  const widths = new Map();
  /** @type {Map<PhraseNode, number>} */
  const depths = new Map([[root, 0]]);
  for (const one of nodes) for (const child of one.children) depths.set(child, (depths.get(one) ?? 0) + 1);
  // Children come after their parents in `nodes`, so the reverse visits them first.
  for (const one of [...nodes].reverse()) {
    const own = widthOf(one.label, one.kind === 'word' ? 'word' : 'label') + (one.kind === 'word' ? 0 : 16);
    const below = one.children.reduce((sum, child) => sum + (widths.get(child) ?? 0), 0) + GAP * Math.max(0, one.children.length - 1);
    widths.set(one, Math.max(own, below));
  }
  const deepest = Math.max(...nodes.filter((one) => one.kind !== 'word').map((one) => depths.get(one) ?? 0));
  /** @type {Map<PhraseNode, number>} */
  const lefts = new Map([[root, MARGIN]]);
  /** @type {Map<PhraseNode, Place>} */
  const places = new Map();
  for (const one of nodes) {
    const [left, width] = [lefts.get(one) ?? 0, widths.get(one) ?? 0];
    const below = one.children.reduce((sum, child) => sum + (widths.get(child) ?? 0), 0) + GAP * Math.max(0, one.children.length - 1);
    let at = left + (width - below) / 2;
    for (const child of one.children) {
      lefts.set(child, at);
      at += (widths.get(child) ?? 0) + GAP;
    }
    const level = deepest > MOST_LEVELS || one.kind === 'phrase' ? depths.get(one) ?? 0 : one.kind === 'word' ? deepest + 1 : deepest;
    places.set(one, { x: left + width / 2, y: MARGIN + BOX / 2 + LEVEL * level - (one.kind === 'word' ? 10 : 0), width });
  }
  // A phrase stands above the middle of its children rather than of its room.
  for (const one of [...nodes].reverse()) {
    if (one.children.length === 0) continue;
    const [first, last] = [places.get(one.children[0]), places.get(one.children[one.children.length - 1])];
    const place = places.get(one);
    if (first && last && place) place.x = (first.x + last.x) / 2;
  }
  const width = (widths.get(root) ?? 0) + 2 * MARGIN;
  return { nodes, places, width, height: MARGIN * 2 + BOX + LEVEL * (deepest + 1) };
}

/**
 * @param {PhraseNode} root
 * @param {object} [options]
 * @param {(one: PhraseNode) => {text: string, note: string}[]} [options.alternatives]
 * @param {string} [options.name]
 * @param {'state' | 'direction'} [options.dimension]  what latent dimensions are called; weights of directions are no shares
 * @returns {import('./drawing.js').Drawing}
 */
export function drawTree(root, { alternatives = () => [], name = 'Tree of phrases', dimension = 'state' } = {}) {
  const { nodes, places, width, height } = layOut(root);
  const words = nodes.filter((one) => one.kind === 'word').map((one) => one.label);
  const mirrored = isRightToLeft(words.join(' '));
  const x = (/** @type {PhraseNode} */ one) => (mirrored ? width - (places.get(one)?.x ?? 0) : places.get(one)?.x ?? 0);
  const y = (/** @type {PhraseNode} */ one) => places.get(one)?.y ?? 0;
  const element = frame(width, height, `${name}: ${words.join(' ')}`, 'tree');
  const edges = svg('g', { class: 'edges', 'aria-hidden': 'true' });
  const labels = svg('g', {});
  for (const one of nodes) {
    for (const child of one.children) {
      // Sideways below the parent, then straight down: the room above a child is its own, so that edges do not meet other nodes.
      const [from, to] = [y(one) + BOX / 2, y(child) - (child.kind === 'word' ? 13 : BOX / 2)];
      const turn = Math.min(to, from + LEVEL - BOX);
      edges.append(svg('path', {
        class: `edge ${child.kind === 'word' ? 'to-word' : confidenceClass(child.confidence)} ${child.standing}`,
        d: `M${x(one).toFixed(1)} ${from}C${x(one).toFixed(1)} ${turn - 6} ${x(child).toFixed(1)} ${from + 2} ${x(child).toFixed(1)} ${turn}V${to}`,
      }));
    }
    if (one.kind === 'word') {
      labels.append(label('word', x(one), y(one) + 6, one.label));
      continue;
    }
    const covered = words.slice(one.start, one.end).join(' ');
    const sure = one.confidence === null ? '' : `, confidence ${percent(one.confidence)}`;
    const box = widthOf(one.label, 'label') + 14;
    const active = one.states[0] ? ` state-${((one.states[0].state - 1) % 12) + 1}` : '';
    labels.append(part(
      `node ${one.kind} ${confidenceClass(one.confidence)} ${one.standing}${active}`,
      `${one.label}: ${covered}${sure}${one.standing === 'differs' ? ', differs' : ''}`,
      () => ({
        title: one.label,
        lines: [
          covered.length > 90 ? `${covered.slice(0, 88)} …` : covered,
          one.confidence === null ? '' : `confidence ${percent(one.confidence)}`,
          ...one.states.slice(0, 4).map(({ state, probability }) => `${dimension} ${state}: ${dimension === 'state' ? percent(probability) : probability.toFixed(3)}`),
        ],
        alternatives: alternatives(one),
      }),
      svg('rect', { x: (x(one) - box / 2).toFixed(1), y: (y(one) - BOX / 2).toFixed(1), width: box.toFixed(1), height: BOX, rx: 6 }),
      label('label', x(one), y(one) + 5, one.label),
    ));
  }
  element.append(edges, labels);
  openToKeyboard(element);
  return { element, width, height };
}
