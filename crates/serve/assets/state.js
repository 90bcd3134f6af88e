// The state that a link restores. It lives in the fragment of the address, so that it never reaches a server.

/**
 * @typedef {object} State
 * @property {'parse' | 'inside' | 'train'} tab
 * @property {string} text
 * @property {string} model      name of the model; empty for the default
 * @property {string} other      name of the model beside it; empty for none
 * @property {string} view       `tree`, `arcs` or `table`; empty for what the model has
 * @property {number} nbest      how many analyses to ask for
 * @property {'on' | 'off'} colour  whether colours show confidences
 * @property {string} symbol     the symbol looked at
 */

/** @type {State} */
export const DEFAULTS = { tab: 'parse', text: '', model: '', other: '', view: '', nbest: 5, colour: 'on', symbol: '' };

const TABS = ['parse', 'inside', 'train'];

/** Reads a fragment; whatever it does not hold has its default. @param {string} fragment @returns {State} */
export function decode(fragment) {
  const [tab = '', query = ''] = fragment.replace(/^#/, '').split('?', 2);
  const given = new URLSearchParams(query);
  const nbest = Number(given.get('nbest') ?? DEFAULTS.nbest);
  return {
    tab: /** @type {State['tab']} */ (TABS.includes(tab) ? tab : DEFAULTS.tab),
    text: given.get('text') ?? DEFAULTS.text,
    model: given.get('model') ?? DEFAULTS.model,
    other: given.get('other') ?? DEFAULTS.other,
    view: ['tree', 'arcs', 'table'].includes(given.get('view') ?? '') ? given.get('view') ?? '' : DEFAULTS.view,
    nbest: Number.isInteger(nbest) && nbest >= 1 && nbest <= 50 ? nbest : DEFAULTS.nbest,
    colour: given.get('colour') === 'off' ? 'off' : 'on',
    symbol: given.get('symbol') ?? DEFAULTS.symbol,
  };
}

/** The fragment of a state, without what is as by default. @param {State} state */
export function encode(state) {
  const query = new URLSearchParams();
  for (const key of /** @type {const} */ (['model', 'other', 'view', 'nbest', 'colour', 'symbol', 'text'])) {
    if (state[key] !== DEFAULTS[key]) query.set(key, String(state[key]));
  }
  const rest = query.toString();
  return `#${state.tab}${rest ? `?${rest}` : ''}`;
}

/** The one state of the page, and those who want to hear of changes. */
export class Store {
  /** @param {State} state */
  constructor(state) {
    this.state = state;
    /** @type {((state: State, changed: Set<string>) => void)[]} */
    this.listeners = [];
  }

  /** @param {(state: State, changed: Set<string>) => void} listener */
  listen(listener) {
    this.listeners.push(listener);
  }

  /** Changes some fields and tells everyone, if anything changed. @param {Partial<State>} change */
  set(change) {
    const now = { ...this.state, ...change };
    const changed = new Set(Object.keys(change).filter((key) => now[/** @type {keyof State} */ (key)] !== this.state[/** @type {keyof State} */ (key)]));
    if (changed.size === 0) return;
    this.state = now;
    for (const listener of this.listeners) listener(now, changed);
  }
}
