// A window on a drawing: it scrolls, zooms and fits.

import { html } from './dom.js';

const LEAST = 0.2;
const MOST = 4;

/**
 * @param {import('./drawing.js').Drawing} drawing
 * @param {string} name
 * @param {'start' | 'end'} [side]  where to begin, for scripts from right to left
 * @returns {{element: HTMLElement, tools: HTMLElement}}
 */
export function viewport(drawing, name, side = 'start') {
  let scale = 1;
  const window = html('div', { class: 'viewport', tabindex: 0, role: 'region', 'aria-label': `${name}; plus and minus zoom` }, drawing.element);
  /** @param {number} wanted */
  const zoom = (wanted) => {
    const [before, middle] = [scale, window.scrollLeft + window.clientWidth / 2];
    scale = Math.min(MOST, Math.max(LEAST, wanted));
    drawing.element.setAttribute('width', String(Math.round(drawing.width * scale)));
    drawing.element.setAttribute('height', String(Math.round(drawing.height * scale)));
    window.scrollLeft = (middle * scale) / before - window.clientWidth / 2;
  };
  const fit = () => zoom(Math.min(1, window.clientWidth / drawing.width));
  window.addEventListener('wheel', (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(scale * Math.exp(-event.deltaY / 300));
  }, { passive: false });
  window.addEventListener('keydown', (event) => {
    const action = { '+': () => zoom(scale * 1.25), '=': () => zoom(scale * 1.25), '-': () => zoom(scale / 1.25), 0: () => zoom(1), f: fit }[event.key];
    if (!action || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    action();
  });
  const tools = html('span', { class: 'pane-tools', role: 'group', 'aria-label': 'Zoom' },
    html('button', { type: 'button', 'aria-label': 'Zoom out', click: () => zoom(scale / 1.25) }, '−'),
    html('button', { type: 'button', 'aria-label': 'Zoom in', click: () => zoom(scale * 1.25) }, '+'),
    html('button', { type: 'button', click: fit }, 'Fit'));
  if (side === 'end') requestAnimationFrame(() => (window.scrollLeft = window.scrollWidth));
  return { element: window, tools };
}
