// The token of servers that want one. It stays in this window.

import { html } from './dom.js';

const KEY = 'eigentree-token';
let token = '';
try {
  token = sessionStorage.getItem(KEY) ?? '';
} catch {
  // Private windows may refuse; the token then lasts until the page is left.
}

/** The header that carries the token, if there is one. @returns {Record<string, string>} */
export const authorization = () => (token ? { authorization: `Bearer ${token}` } : {});

/** @type {Promise<string> | null} */
let asking = null;

/** Asks for the token, once for all requests that want it. Empty if the reader declines. */
export function askToken() {
  asking ??= new Promise((resolve) => {
    const field = html('input', { type: 'password', autocomplete: 'off', autofocus: true });
    const dialog = html('dialog', { class: 'card', close: () => {
      token = dialog.returnValue === 'use' ? field.value.trim() : '';
      try { sessionStorage.setItem(KEY, token); } catch { /* as above */ }
      dialog.remove();
      asking = null;
      resolve(token);
    } }, html('form', { method: 'dialog' }, html('h2', {}, 'This server wants a token'), html('label', { class: 'stacked' }, 'Token ', field),
      html('div', { class: 'row spaced' }, html('button', { class: 'primary', value: 'use' }, 'Go on'), html('button', { class: 'quiet', value: 'no', formnovalidate: true }, 'Cancel'))));
    document.body.append(dialog);
    dialog.showModal();
  });
  return asking;
}
