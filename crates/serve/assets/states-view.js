// Latent states: the symbols of a grammar, their spectra, what each state is like, where states are active in a sentence.

import { html, percent } from './dom.js';
import { isAborted, showError } from './messages.js';
import { nodesOf, readBrackets } from './phrases.js';
import { plotSpectrum, verdictOf } from './spectrum-plot.js';
import { drawTree } from './tree-drawing.js';
import { viewport } from './viewport.js';

/** States that are shown in full at first: those that most nodes are in. */
const OPEN = 4;

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./state.js').Store} Store */

/**
 * @param {Engine} engine
 * @param {Store} store
 * @param {string} model
 * @param {any} inspected  answer of `inspect`
 */
export function statesView(engine, store, model, inspected) {
  const symbols = /** @type {any[]} */ (inspected.latent ?? []);
  const active = html('div', { class: 'card' });
  const detail = html('div', {});
  const rows = new Map(symbols.map((one) => [one.symbol, html('tr', {},
    html('td', {}, html('button', { type: 'button', click: () => store.set({ symbol: one.symbol }) }, one.symbol)),
    html('td', {}, one.kind), html('td', { class: 'number' }, one.nodes), html('td', { class: 'number' }, one.states),
    html('td', { class: 'number' }, one.spectrum ? one.spectrum.ratio.toFixed(3) : ''))]));
  const filter = html('input', {
    type: 'search', 'aria-label': 'Filter symbols', placeholder: 'filter …',
    input: () => rows.forEach((row, symbol) => (row.hidden = !symbol.toLowerCase().includes(filter.value.toLowerCase()))),
  });
  /** The member looked at; at first the one that the active states come from. @type {number | undefined} */
  let member;
  const members = Array.from({ length: inspected.figures?.members ?? 1 }, (_, at) => at + 1);
  const chooser = html('select', { change: () => {
    member = Number(chooser.value);
    void show();
    void activate();
  } }, ...members.map((number) => html('option', { value: number }, number)));
  const table = html('div', { class: 'card' }, html('div', { class: 'row' }, html('h2', {}, 'Symbols'), html('span', { class: 'grow' }), members.length > 1 ? html('label', {}, 'member ', chooser) : null, filter),
    html('div', { class: 'scroll symbols', tabindex: 0, role: 'region', 'aria-label': 'Symbols' }, html('table', {},
      html('thead', {}, html('tr', {}, ...['symbol', 'kind', 'nodes', 'states', 'σₘ/σ₁'].map((name, at) => html('th', { scope: 'col', class: at > 1 ? 'number' : null }, name)))),
      html('tbody', {}, ...rows.values()))));

  const activate = async () => {
    member = (await activeStates(engine, model, store, active, member)) ?? member;
    if (member) chooser.value = String(member);
  };
  const show = async () => {
    const wanted = symbols.some((one) => one.symbol === store.state.symbol) ? store.state.symbol : symbols.find((one) => one.symbol === 'NP')?.symbol ?? symbols[0]?.symbol;
    rows.forEach((row, symbol) => row.classList.toggle('chosen', symbol === wanted));
    if (!wanted) return;
    try {
      const answer = await engine.states(model, wanted, member);
      detail.replaceChildren(...(answer.latent ?? []).map(symbolCard));
    } catch (error) {
      showError(error);
    }
  };
  void activate().then(show);
  const element = html('div', {}, active, html('div', { class: 'columns states' }, table, detail));
  return { element, update: (/** @type {Set<string>} */ changed) => {
    if (changed.has('symbol')) void show();
    if (changed.has('text')) void activate();
  } };
}

/** One symbol: its spectrum and its states. @param {any} symbol */
function symbolCard(symbol) {
  const card = html('div', { class: 'card' }, html('h2', {}, `${symbol.symbol}: ${symbol.states} state${symbol.states === 1 ? '' : 's'}, ${symbol.nodes} nodes`));
  if (symbol.spectrum) card.append(html('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Spectrum' }, plotSpectrum(symbol.spectrum, symbol.symbol)), html('p', { class: 'soft' }, verdictOf(symbol.spectrum)));
  const expansions = symbol.kind === 'preterminal' ? 'words' : 'rules';
  (symbol.latent_states ?? []).forEach((/** @type {any} */ state, /** @type {number} */ at) =>
    card.append(stateSection(`State ${state.state}`, percent(state.share), at < OPEN, expansions, typical(state[expansions]), typical(state.contexts))));
  (symbol.directions ?? []).forEach((/** @type {any} */ direction, /** @type {number} */ at) => {
    const value = direction.singular_value === null ? '' : `σ = ${direction.singular_value.toFixed(4)}`;
    card.append(stateSection(`Direction ${direction.direction}`, value, at < OPEN, expansions, poles(direction[expansions]), poles(direction.contexts)));
  });
  return card;
}

/** @param {string} title @param {string} note @param {boolean} open @param {string} expansions @param {[string, string][]} left @param {[string, string][]} right */
function stateSection(title, note, open, expansions, left, right) {
  const list = (/** @type {string} */ name, /** @type {[string, string][]} */ entries) => html('div', {}, html('h3', { class: 'minor' }, name),
    html('ul', { class: 'typical' }, ...entries.map(([event, figure]) => html('li', {}, html('span', { dir: 'auto' }, event), html('span', { class: 'soft' }, figure)))));
  return html('details', { open }, html('summary', {}, html('strong', {}, title), ' ', html('span', { class: 'soft' }, note)),
    html('div', { class: 'state-lists' }, list(expansions, left), list('contexts', right)));
}

/** Events that are more frequent in the state than elsewhere. @param {[string, number, number, number][]} [events] @returns {[string, string][]} */
const typical = (events = []) => events.filter(([, , lift]) => lift > 0.999).slice(0, 8).map(([event, probability, lift]) => [event, `${percent(probability)}, ×${lift.toFixed(1)}`]);

/** Both ends of a direction. @param {{positive: [string, number, number][], negative: [string, number, number][]}} [ends] @returns {[string, string][]} */
function poles(ends = { positive: [], negative: [] }) {
  return [...ends.positive.slice(0, 5), ...ends.negative.slice(0, 5).reverse()].map(([event, loading]) => [event, `${loading > 0 ? '+' : '−'}${Math.abs(loading).toFixed(2)}`]);
}

/** @type {AbortController | null} */
let asking = null;

/**
 * Draws the current sentence with its active states; returns the member that they belong to.
 * @param {Engine} engine
 * @param {string} model
 * @param {Store} store
 * @param {HTMLElement} box
 * @param {number} [member]
 * @returns {Promise<number | undefined>}
 */
async function activeStates(engine, model, store, box, member) {
  const text = store.state.text.split('\n').find((line) => line.trim() !== '') ?? '';
  box.hidden = text === '';
  if (text === '') return undefined;
  asking?.abort();
  asking = new AbortController();
  try {
    const answer = await engine.activeStates(model, text, member, asking.signal);
    const sentence = answer.sentences[0];
    box.replaceChildren(html('h2', {}, 'States active in the current sentence'));
    if (!sentence?.tree) {
      box.append(html('p', { class: 'empty' }, 'The grammar has no tree for this sentence.'));
      return sentence?.member;
    }
    const tree = readBrackets(sentence.tree);
    // Nodes come from the top down and from left to right, as ours do.
    nodesOf(tree).filter((one) => one.kind !== 'word').forEach((one, at) => (one.states = sentence.nodes[at]?.states ?? []));
    const drawing = drawTree(tree, { name: 'Active states', dimension: sentence.kind === 'directions' ? 'direction' : 'state' });
    drawing.element.addEventListener('click', (event) => {
      const label = /** @type {Element} */ (event.target).closest('g.node')?.querySelector('text')?.textContent;
      if (label) store.set({ symbol: label });
    });
    const { element, tools } = viewport(drawing, 'Active states');
    element.classList.add('by-state');
    const meaning = sentence.kind === 'directions'
      ? 'This member has directions rather than states: colours show the strongest, and weights may be negative.'
      : 'Nodes with equal labels and equal colours are in the same state.';
    box.append(html('p', { class: 'soft' }, `${meaning} The tree is in the grammar’s own normal form. Click a node to see what its symbol is like.`), element, html('div', { class: 'pane-tools' }, tools));
    return sentence.member;
  } catch (error) {
    if (!isAborted(error)) showError(error);
    return undefined;
  }
}
