// An automaton as a graph: states in a row, arrows forward above them and backward below.

import { svg } from './dom.js';
import { frame, label, openToKeyboard, part, widthOf } from './drawing.js';

const RADIUS = 24;
const MARGIN = 14;
const LINE = 15;
const STEP = 34;

/** @typedef {{nodes: {name: string, note: string}[], arrows: {from: number, to: number, symbols: string[]}[]}} Graph */

/** @param {Graph} graph @param {string} name @returns {import('./drawing.js').Drawing} */
export function drawAutomaton(graph, name) {
  const text = (/** @type {string[]} */ lines) => lines.join(', ');
  const loops = graph.arrows.filter((arrow) => arrow.from === arrow.to);
  const shown = (/** @type {{symbols: string[]}} */ arrow) => (arrow.symbols.length > 3 ? `${text(arrow.symbols.slice(0, 3))} …` : text(arrow.symbols));
  const widest = Math.max(120, ...graph.arrows.map((arrow) => widthOf(shown(arrow), 'small') / Math.max(1, Math.abs(arrow.from - arrow.to)) + 30));
  const gap = Math.min(widest + RADIUS, 260);
  const forward = graph.arrows.filter((arrow) => arrow.to > arrow.from).sort((one, other) => one.to - one.from - (other.to - other.from));
  const backward = graph.arrows.filter((arrow) => arrow.to < arrow.from).sort((one, other) => one.from - one.to - (other.from - other.to));
  const height = (/** @type {number} */ span) => STEP * span;
  // A cubic curve rises to three quarters of its control points.
  const up = Math.max(loops.length > 0 ? 46 : 12, ...forward.map((arrow) => 0.75 * height(arrow.to - arrow.from) + LINE));
  const down = Math.max(8, ...backward.map((arrow) => 0.75 * height(arrow.from - arrow.to) + LINE));
  const middle = MARGIN + up + RADIUS;
  const x = (/** @type {number} */ at) => MARGIN + RADIUS + 30 + gap * at;
  const width = x(graph.nodes.length - 1) + RADIUS + MARGIN + 40;
  const total = middle + RADIUS + down + MARGIN;
  const element = frame(width, total, `${name}: automaton with ${graph.nodes.length} states`, 'graph');

  const arrows = [...forward, ...backward, ...loops].map((arrow) => {
    const [from, to, span] = [x(arrow.from), x(arrow.to), Math.abs(arrow.to - arrow.from)];
    const above = arrow.to >= arrow.from;
    const side = above ? -1 : 1;
    const peak = middle + side * (RADIUS + (span === 0 ? 34 : height(span)));
    const [start, end] = [middle + side * RADIUS * 0.9, middle + side * RADIUS];
    const path = span === 0
      ? `M${from - 9} ${start}C${from - 26} ${peak - 8} ${from + 26} ${peak - 8} ${to + 9} ${start}`
      : `M${from + (above ? 8 : -8)} ${start}C${from + (above ? 20 : -20)} ${peak} ${to - (above ? 20 : -20)} ${peak} ${to - (above ? 6 : -6)} ${end}`;
    const tip = span === 0 ? `M${to + 4} ${start - 8}l5 8l6 -7` : `M${to - (above ? 6 : -6) - 5} ${end + side * 8}L${to - (above ? 6 : -6)} ${end}l6 ${side * 7}`;
    const at = { x: (from + to) / 2, y: span === 0 ? peak - 4 : middle + side * (RADIUS + height(span) * 0.76) + (above ? -5 : 14) };
    return part('arrow', `from ${graph.nodes[arrow.from]?.name} to ${graph.nodes[arrow.to]?.name}: ${text(arrow.symbols)}`,
      () => ({ title: `${graph.nodes[arrow.from]?.name} → ${graph.nodes[arrow.to]?.name}`, lines: arrow.symbols.slice(0, 12), alternatives: [] }),
      svg('path', { d: path + tip }), label('', at.x, at.y, shown(arrow)));
  });
  const states = graph.nodes.map((state, at) => part('state', `state ${state.name}, ${state.note}`,
    () => ({ title: `State ${state.name}`, lines: [state.note], alternatives: [] }),
    svg('circle', { cx: x(at), cy: middle, r: RADIUS }),
    label('', x(at), middle + 2, state.name), label('note', x(at), middle + 15, state.note.replace(/^STOP /, '■ '))));
  element.append(svg('g', {}, ...arrows), svg('g', {}, ...states));
  openToKeyboard(element);
  return { element, width, height: total };
}
