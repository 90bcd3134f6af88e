// A part of the cluster tree as a picture that grows to the right; a row opens the part below it.

import { svg } from './dom.js';
import { frame, openToKeyboard, part, widthOf } from './drawing.js';

const ROW = 24;
const STEP = 22;
const MARGIN = 14;

/** @typedef {{path: string, clusters: number, words: number, count: number, top: string[]}} Group */

/**
 * @param {Group[]} groups  from left to right in the tree, none inside another
 * @param {string} prefix   the bits that all share
 * @param {string} found    path of the word searched for; empty if there is none
 * @param {(group: Group) => void} open
 * @returns {import('./drawing.js').Drawing}
 */
export function drawClusters(groups, prefix, found, open) {
  const depth = (/** @type {string} */ path) => path.length - prefix.length;
  const deepest = Math.max(0, ...groups.map((group) => depth(group.path)));
  const x = (/** @type {number} */ level) => MARGIN + STEP * level;
  const y = (/** @type {number} */ row) => MARGIN + ROW * (row + 0.5);
  const text = (/** @type {Group} */ group) => `${group.top.join(' ')}${group.words > group.top.length ? ' …' : ''}`;
  const bits = widthOf('0'.repeat(Math.max(1, ...groups.map((group) => group.path.length))), 'small') + 18;
  const width = x(deepest) + bits + 20 + Math.max(160, ...groups.map((group) => widthOf(text(group), 'label') + 70)) + MARGIN;
  const height = y(groups.length) + MARGIN;
  const element = frame(width, height, `${groups.length} groups of clusters${prefix ? ` below ${prefix}` : ''}`, 'dendrogram');
  const lines = svg('g', { 'aria-hidden': 'true' });
  // Nodes that wait for their sibling: path and height. Groups are in tree order, so siblings end up next to each other.
  /** @type {{path: string, y: number}[]} */
  const waiting = [];
  groups.forEach((group, row) => {
    if (depth(group.path) < deepest) lines.append(svg('path', { d: `M${x(depth(group.path))} ${y(row)}H${x(deepest)}` }));
    let node = { path: group.path, y: y(row) };
    for (let last = waiting[waiting.length - 1]; last && node.path.length > prefix.length && last.path.length === node.path.length && last.path.slice(0, -1) === node.path.slice(0, -1); last = waiting[waiting.length - 1]) {
      waiting.pop();
      const right = x(depth(node.path));
      lines.append(svg('path', { d: `M${right} ${last.y}H${right - STEP}V${node.y}H${right}` }));
      node = { path: node.path.slice(0, -1), y: (last.y + node.y) / 2 };
    }
    waiting.push(node);
  });
  const rows = groups.map((group, row) => {
    const here = found !== '' && found.startsWith(group.path);
    const one = part(`row${here ? ' found' : ''}`, `${group.path}, ${group.words} words: ${text(group)}`,
      () => ({ title: group.path, lines: [`${group.words} words in ${group.clusters} cluster${group.clusters === 1 ? '' : 's'}, ${group.count} tokens`], alternatives: [] }),
      svg('text', { class: 'bits', x: x(deepest) + 8, y: y(row) + 4 }, group.path || '·'),
      svg('text', { x: x(deepest) + 14 + bits, y: y(row) + 4 }, text(group)));
    one.addEventListener('click', () => open(group));
    one.addEventListener('keydown', (event) => event.key === 'Enter' && open(group));
    return one;
  });
  element.append(lines, svg('g', {}, ...rows));
  openToKeyboard(element);
  return { element, width, height };
}
