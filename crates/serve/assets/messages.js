// Messages to the reader: what went wrong and what to do, and short news for screen readers.

import { byId, html } from './dom.js';
import { EngineError } from './engine.js';

/** Shows a failure until it is closed or something succeeds. @param {unknown} error */
export function showError(error) {
  const box = byId('message');
  const [text, hint] = error instanceof EngineError ? [error.message, error.hint] : [`Something went wrong: ${error instanceof Error ? error.message : String(error)}`, ''];
  box.replaceChildren(html('div', {},
    html('p', {}, text, hint ? html('br') : null, hint ? html('span', { class: 'hint' }, hint) : null),
    html('button', { type: 'button', 'aria-label': 'Close the message', click: clearError }, '×')));
  box.hidden = false;
}

/** Removes the message, if there is one. */
export function clearError() {
  byId('message').hidden = true;
}

let forget = 0;

/** Says something short that goes away. @param {string} text */
export function tell(text) {
  byId('busy').textContent = text;
  clearTimeout(forget);
  if (text && !text.endsWith('…')) forget = window.setTimeout(() => (byId('busy').textContent = ''), 4000);
}

/** Whether a request was given up for a newer one. @param {unknown} error */
export const isAborted = (error) => error instanceof DOMException && error.name === 'AbortError';
