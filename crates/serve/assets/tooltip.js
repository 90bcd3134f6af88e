// Shows details of the part of a drawing that the pointer is on or that has the focus.

import { byId, html } from './dom.js';

/** Starts to listen to the parts of all drawings. */
export function startTooltip() {
  const tooltip = byId('tooltip');
  const hide = () => (tooltip.hidden = true);
  document.addEventListener('details', (event) => {
    const { detail } = /** @type {CustomEvent<{of: Element, details: import('./drawing.js').Details} | null>} */ (event);
    if (!detail) return hide();
    const { title, lines, alternatives } = detail.details;
    tooltip.replaceChildren(
      html('strong', { dir: 'auto' }, title),
      ...lines.filter(Boolean).map((line) => html('p', { dir: 'auto' }, line)),
    );
    if (alternatives.length > 0) {
      const listed = alternatives.slice(0, 4).map(({ text, note }) => html('li', { dir: 'auto' }, `${text} (${note})`));
      tooltip.append(html('p', {}, 'else:'), html('ul', {}, ...listed));
    }
    tooltip.hidden = false;
    place(tooltip, (detail.of.querySelector('rect, text.word, text, circle') ?? detail.of).getBoundingClientRect());
  });
  document.addEventListener('keydown', (event) => event.key === 'Escape' && hide());
  document.addEventListener('scroll', hide, { capture: true, passive: true });
}

/** Above the part if there is room, else below; always inside the window. @param {HTMLElement} tooltip @param {DOMRect} at */
function place(tooltip, at) {
  const { width, height } = tooltip.getBoundingClientRect();
  const left = Math.min(Math.max(8, at.left + at.width / 2 - width / 2), window.innerWidth - width - 8);
  const top = at.top - height - 10 > 8 ? at.top - height - 10 : at.bottom + 12;
  tooltip.style.left = `${left}px`;
  tooltip.style.top = `${top}px`;
}
