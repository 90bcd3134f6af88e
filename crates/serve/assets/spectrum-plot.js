// The singular values of a symbol as bars, with the level below which they are noise.

import { svg } from './dom.js';

const HEIGHT = 170;
const LEFT = 44;
const BOTTOM = 26;
const TOP = 12;

/**
 * @typedef {object} Spectrum
 * @property {number[]} singular_values
 * @property {number} rank
 * @property {number} noise
 * @property {number} [supported_rank]
 * @property {string} [support]
 */

/** @param {Spectrum} spectrum @param {string} name @returns {SVGSVGElement} */
export function plotSpectrum(spectrum, name) {
  const values = spectrum.singular_values;
  const step = Math.max(14, Math.min(34, 460 / Math.max(values.length, 1)));
  const width = Math.max(280, LEFT + step * values.length + 70);
  const most = Math.max(...values, spectrum.noise, 1e-9);
  const y = (/** @type {number} */ value) => HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * value) / most;
  const description = `${values.length} singular values of ${name}, the largest ${most.toFixed(3)}; ${spectrum.rank} kept; noise level ${spectrum.noise.toFixed(4)}`;
  const element = svg('svg', { class: 'drawing plot', viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: 'img', 'aria-label': description });
  for (const value of [0, most / 2, most]) {
    element.append(
      svg('line', { class: 'axis', x1: LEFT, x2: width - 8, y1: y(value), y2: y(value) }),
      svg('text', { x: LEFT - 6, y: y(value) + 4, 'text-anchor': 'end' }, value.toFixed(2)));
  }
  values.forEach((value, at) => {
    const bar = svg('rect', { class: at < spectrum.rank ? 'bar' : 'bar cut', x: LEFT + step * at + 3, y: y(value).toFixed(1), width: step - 5, height: Math.max(0, HEIGHT - BOTTOM - y(value)).toFixed(1), rx: 2 });
    bar.append(svg('title', {}, `σ${at + 1} = ${value.toFixed(4)}${at < spectrum.rank ? '' : ', not kept'}`));
    element.append(bar);
    if (at === 0 || (at + 1) % 4 === 0) element.append(svg('text', { x: LEFT + step * (at + 0.5), y: HEIGHT - 9, 'text-anchor': 'middle' }, at + 1));
  });
  element.append(
    svg('line', { class: 'noise', x1: LEFT, x2: width - 8, y1: y(spectrum.noise), y2: y(spectrum.noise) }),
    svg('text', { class: 'noise-label', x: width - 10, y: y(spectrum.noise) - 5, 'text-anchor': 'end' }, 'noise'));
  return element;
}

/** What the spectrum says about the number of states. @param {Spectrum} spectrum */
export function verdictOf(spectrum) {
  const dimensions = `${spectrum.rank} dimension${spectrum.rank === 1 ? '' : 's'}`;
  const said = /** @type {Record<string, string>} */ ({
    ample: `The treebank supports ${dimensions} well.`,
    fair: `The treebank supports ${dimensions}.`,
    weak: `${dimensions} are at the edge of what the treebank supports.`,
    none: `${dimensions} are more than the ${spectrum.supported_rank ?? 0} that exceed the noise.`,
  });
  return said[String(spectrum.support).toLowerCase()] ?? '';
}
