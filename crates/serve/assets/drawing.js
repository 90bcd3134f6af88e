// What drawings share: widths of text, classes of confidence, nodes that keyboard and pointer can visit.

import { svg } from './dom.js';

/** Fonts by role. `style.css` has the same. */
const FONTS = { word: '16px', label: '14px', small: '12px' };
const FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans Arabic", "Noto Sans CJK JP", sans-serif';

/** @type {CanvasRenderingContext2D | null} */
let canvas = null;

/** Width of a text in a drawing. @param {string} text @param {keyof typeof FONTS} role */
export function widthOf(text, role) {
  canvas ??= document.createElement('canvas').getContext('2d');
  if (!canvas) return text.length * 8;
  canvas.font = `${FONTS[role]} ${FAMILY}`;
  return canvas.measureText(text).width;
}

/** Lower bounds of the classes of confidence, best last. The legend and the style sheet follow them. */
export const CONFIDENCE_STEPS = [0, 0.5, 0.75, 0.9, 0.97];

/** The class of a confidence, `c0` (least sure) to `c4`; empty if it is not known. @param {number | null | undefined} confidence */
export function confidenceClass(confidence) {
  if (confidence === null || confidence === undefined) return '';
  const step = CONFIDENCE_STEPS.findLastIndex((bound) => confidence >= bound);
  return `c${Math.max(step, 0)}`;
}

/** @typedef {{title: string, lines: string[], alternatives: {text: string, note: string}[]}} Details */

/** @typedef {{element: SVGSVGElement, width: number, height: number}} Drawing */

/**
 * A part of a drawing that can be pointed at and visited with the arrow keys. It announces `details` by an event that bubbles.
 * @param {string} classes
 * @param {string} name  what a screen reader says
 * @param {() => Details} details
 * @param {...(Node | null)} children
 */
export function part(classes, name, details, ...children) {
  const element = svg('g', { class: `part ${classes}`, role: 'img', 'aria-label': name, tabindex: -1 }, ...children);
  const show = () => element.dispatchEvent(new CustomEvent('details', { bubbles: true, detail: { of: element, details: details() } }));
  const hide = () => element.dispatchEvent(new CustomEvent('details', { bubbles: true, detail: null }));
  element.addEventListener('pointerenter', show);
  element.addEventListener('pointerleave', hide);
  element.addEventListener('focus', show);
  element.addEventListener('blur', hide);
  return element;
}

/**
 * The frame of a drawing. Its parts form one stop of the tab key; arrow keys, Home and End move among them.
 * @param {number} width
 * @param {number} height
 * @param {string} name
 * @param {string} classes
 * @returns {SVGSVGElement}
 */
export function frame(width, height, name, classes) {
  const element = svg('svg', {
    class: `drawing ${classes}`, viewBox: `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`,
    width: Math.ceil(width), height: Math.ceil(height), role: 'group', 'aria-label': name,
  });
  element.addEventListener('keydown', (event) => {
    const parts = /** @type {SVGGElement[]} */ ([...element.querySelectorAll('g.part')]);
    const at = parts.indexOf(/** @type {SVGGElement} */ (document.activeElement));
    const next = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: parts.length - 1 }[event.key];
    if (at < 0 || next === undefined || !parts[next]) return;
    event.preventDefault();
    parts[at].setAttribute('tabindex', '-1');
    parts[next].setAttribute('tabindex', '0');
    parts[next].focus();
  });
  return element;
}

/** Makes the first part the one that the tab key reaches. @param {SVGSVGElement} element */
export function openToKeyboard(element) {
  element.querySelector('g.part')?.setAttribute('tabindex', '0');
}

/** Text in a drawing, centred at `x` unless told otherwise. @param {string} classes @param {number} x @param {number} y @param {string} text */
export function label(classes, x, y, text) {
  return svg('text', { class: classes, x: x.toFixed(1), y: y.toFixed(1), 'text-anchor': 'middle' }, text);
}
