// The tab that shows what a model has learnt.

import { automataView } from './automata-view.js';
import { clustersView } from './clusters-view.js';
import { byId, html, setOptions } from './dom.js';
import { showError } from './messages.js';
import { statesView } from './states-view.js';

/** @typedef {import('./engine.js').ModelInfo} ModelInfo */

export class InsideView {
  /** @param {import('./engine.js').Engine} engine @param {import('./state.js').Store} store */
  constructor(engine, store) {
    this.engine = engine;
    this.store = store;
    /** @type {ModelInfo[]} */
    this.models = [];
    this.shown = '';
    /** @type {(changed: Set<string>) => void} */
    this.update = () => {};
    const select = /** @type {HTMLSelectElement} */ (byId('inside-model'));
    select.addEventListener('change', () => this.store.set({ model: select.value }));
    store.listen((state, changed) => {
      if (state.tab !== 'inside') return;
      if (changed.has('model') || changed.has('tab')) void this.show();
      else this.update(changed);
    });
  }

  /** @param {ModelInfo[]} models @param {string | null} preferred */
  setModels(models, preferred) {
    this.models = models;
    this.preferred = preferred;
    this.shown = '';
    if (this.store.state.tab === 'inside') void this.show();
  }

  /** Shows the chosen model, once. */
  async show() {
    const box = byId('inside');
    const { model: wanted } = this.store.state;
    const model = this.models.find((one) => one.name === wanted) ?? this.models.find((one) => one.name === this.preferred) ?? this.models[0];
    setOptions(/** @type {HTMLSelectElement} */ (byId('inside-model')), this.models.map((one) => ({ value: one.name, text: one.name })), model?.name);
    if (!model) return void box.replaceChildren(html('p', { class: 'empty' }, 'There is no model yet. Train one in the tab “Train here”.'));
    if (this.shown === model.name) return this.update(new Set(['symbol', 'text']));
    this.shown = model.name;
    byId('inside-about').textContent = [model.description, model.bytes ? `${(model.bytes / 1e6).toFixed(1)} MB` : ''].filter(Boolean).join(', ');
    this.update = () => {};
    try {
      const inspected = await this.engine.inspect(model.name);
      const parts = [];
      if (model.abilities.includes('states')) {
        const { element, update } = statesView(this.engine, this.store, model.name, inspected);
        this.update = update;
        parts.push(element);
      }
      if (model.abilities.includes('automata')) parts.push(automataView(this.engine, model.name));
      if (model.abilities.includes('clusters')) parts.push(clustersView(this.engine, model.name));
      parts.push(facts(inspected));
      box.replaceChildren(...parts);
    } catch (error) {
      showError(error);
    }
  }
}

/** A value for people: lists with semicolons, fields by name. @param {any} value @returns {string} */
function readable(value) {
  if (Array.isArray(value)) return value.map(readable).join('; ');
  if (value === null || typeof value !== 'object') return String(value);
  return Object.entries(value).map(([key, inner]) => `${key.replaceAll('_', ' ')} ${readable(inner)}`).join(', ');
}

/** Figures, notes and sections of the model file. @param {any} inspected */
function facts(inspected) {
  const pairs = (/** @type {Record<string, any>} */ all = {}) => html('table', {}, html('tbody', {}, ...Object.entries(all).map(([key, value]) =>
    html('tr', {}, html('th', { scope: 'row' }, key.replaceAll('_', ' ')), html('td', {}, readable(value))))));
  const card = html('div', { class: 'card' }, html('h2', {}, 'The model file'));
  const columns = html('div', { class: 'columns' });
  if (Object.keys(inspected.figures ?? {}).length > 0) columns.append(html('section', {}, html('h3', {}, 'Figures'), pairs(inspected.figures)));
  columns.append(html('section', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'How it was made' }, html('h3', {}, 'How it was made'), pairs({ creator: inspected.creator, ...(inspected.notes ?? {}) })));
  card.append(columns);
  if (inspected.sections?.length) {
    card.append(html('details', {}, html('summary', {}, `${inspected.sections.length} sections`), html('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Sections' }, html('table', {},
      html('thead', {}, html('tr', {}, ...['section', 'kind', 'shape', 'bytes'].map((name) => html('th', { scope: 'col' }, name)))),
      html('tbody', {}, ...inspected.sections.map((/** @type {any} */ one) => html('tr', {}, html('td', {}, one.name), html('td', {}, one.kind), html('td', {}, (one.shape ?? []).join('×')), html('td', { class: 'number' }, one.bytes))))))));
  }
  return card;
}
