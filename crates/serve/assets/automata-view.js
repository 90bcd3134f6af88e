// Head automata: one graph for the modifiers on each side of a head.

import { drawAutomaton } from './automaton-graph.js';
import { html, setOptions } from './dom.js';
import { showError } from './messages.js';
import { viewport } from './viewport.js';

/** @param {import('./engine.js').Engine} engine @param {string} model */
export function automataView(engine, model) {
  const heads = html('select', { change: () => show(heads.value) });
  const graphs = html('div', {});
  const show = async (/** @type {string} */ head) => {
    try {
      const answer = await engine.automata(model, head);
      graphs.replaceChildren(...answer.automata.map(card));
      if (answer.automata.length === 0) graphs.append(html('p', { class: 'empty' }, 'This head has no automaton.'));
    } catch (error) {
      showError(error);
    }
  };
  const begin = async () => {
    try {
      const { heads: names } = await engine.automata(model);
      setOptions(heads, /** @type {string[]} */ (names).map((value) => ({ value, text: value })), names[0]);
      if (names.length > 0) await show(names[0]);
    } catch (error) {
      showError(error);
    }
  };
  void begin();
  return html('div', { class: 'card' }, html('div', { class: 'row' }, html('h2', {}, 'Automata'), html('label', {}, 'head ', heads)), graphs);
}

/** @param {any} automaton */
function card(automaton) {
  const title = `${automaton.symbol}, ${automaton.direction} modifiers`;
  const values = (automaton.singular_values ?? []).slice(0, 8).map((/** @type {number} */ value) => value.toFixed(3)).join(', ');
  const section = html('section', {}, html('h3', {}, title), html('p', { class: 'soft' }, automaton.states ? `${automaton.states} states, ${automaton.modifiers} modifiers${values ? `; singular values ${values}` : ''}` : 'without hidden states'));
  if (automaton.graph) {
    const { element, tools } = viewport(drawAutomaton(automaton.graph, title), title);
    section.append(element, html('div', { class: 'pane-tools' }, tools));
  }
  return section;
}
