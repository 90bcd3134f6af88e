// The tab that parses what is typed.

import { byId, html, afterPause, setOptions } from './dom.js';
import { CONFIDENCE_STEPS } from './drawing.js';
import { SAMPLE, TEXTS } from './examples.js';
import { copyText } from './exports.js';
import { clearError, isAborted, showError, tell } from './messages.js';
import { sentenceView, viewsOf } from './sentence-view.js';

/** Sentences drawn at first; more on demand, since thousands of drawings would slow the page down. */
const PAGE = 12;
const TYPING_MILLISECONDS = 250;

/** @typedef {import('./engine.js').ModelInfo} ModelInfo */
/** @typedef {import('./engine.js').Sentence} Sentence */

export class ParseView {
  /** @param {import('./engine.js').Engine} engine @param {import('./state.js').Store} store */
  constructor(engine, store) {
    this.engine = engine;
    this.store = store;
    /** @type {ModelInfo[]} */
    this.models = [];
    /** @type {AbortController | null} */
    this.running = null;
    /** @type {{name: string, sentences: Sentence[]}[]} */
    this.results = [];
    this.listen();
  }

  listen() {
    const text = /** @type {HTMLTextAreaElement} */ (byId('text'));
    const typed = afterPause(TYPING_MILLISECONDS, () => this.store.set({ text: text.value }));
    text.addEventListener('input', () => typed());
    byId('parse-form').addEventListener('submit', (event) => event.preventDefault());
    const select = (/** @type {string} */ id) => /** @type {HTMLSelectElement} */ (byId(id));
    select('model').addEventListener('change', () => this.store.set({ model: select('model').value }));
    select('other').addEventListener('change', () => this.store.set({ other: select('other').value }));
    select('nbest').addEventListener('change', () => this.store.set({ nbest: Number(select('nbest').value) }));
    byId('colour').addEventListener('change', () => this.store.set({ colour: /** @type {HTMLInputElement} */ (byId('colour')).checked ? 'on' : 'off' }));
    byId('views').addEventListener('click', (event) => {
      const view = /** @type {HTMLElement} */ (event.target).dataset.view;
      if (view) this.store.set({ view });
    });
    byId('link').addEventListener('click', async () => {
      await copyText(location.href);
      tell('Link copied.');
    });
    this.store.listen((_, changed) => {
      if (['text', 'model', 'other', 'nbest'].some((key) => changed.has(key))) void this.parse();
      else if (changed.has('view') || changed.has('colour')) this.draw();
    });
  }

  /** Takes the list of models. @param {ModelInfo[]} models @param {string | null} preferred */
  setModels(models, preferred) {
    this.models = models.filter((model) => model.abilities.includes('annotate'));
    this.preferred = preferred;
    const options = this.models.map((model) => ({ value: model.name, text: model.name }));
    setOptions(/** @type {HTMLSelectElement} */ (byId('model')), options, this.model()?.name);
    setOptions(/** @type {HTMLSelectElement} */ (byId('other')), [{ value: '', text: '(nothing)' }, ...options], this.store.state.other);
    void this.parse();
  }

  /** The chosen model, else the preferred one, else any. @returns {ModelInfo | undefined} */
  model() {
    const { model } = this.store.state;
    return this.models.find((one) => one.name === model) ?? this.models.find((one) => one.name === this.preferred) ?? this.models[0];
  }

  /** Shows the state in the form. */
  sync() {
    const { text, nbest, colour, other } = this.store.state;
    const area = /** @type {HTMLTextAreaElement} */ (byId('text'));
    if (area.value !== text) area.value = text;
    /** @type {HTMLSelectElement} */ (byId('nbest')).value = String(nbest);
    /** @type {HTMLInputElement} */ (byId('colour')).checked = colour === 'on';
    const model = this.model();
    if (model) /** @type {HTMLSelectElement} */ (byId('model')).value = model.name;
    /** @type {HTMLSelectElement} */ (byId('other')).value = this.models.some((one) => one.name === other) ? other : '';
    byId('text-label').textContent = model?.input === 'words' ? 'Sentences, one per line, tokens separated by spaces' : 'Text';
    const examples = model?.origin === 'trained' || model?.input === 'words' ? [...SAMPLE, ...TEXTS.slice(1)] : TEXTS;
    byId('examples').replaceChildren(...examples.map((example) =>
      html('button', { type: 'button', click: () => this.store.set({ text: example.text }) }, example.name)));
  }

  /** Asks for the analyses; a newer question replaces an older one. */
  async parse() {
    this.sync();
    this.running?.abort();
    const [model, { text, nbest, other }] = [this.model(), this.store.state];
    if (!model || text.trim() === '') {
      this.results = [];
      return this.draw();
    }
    const running = new AbortController();
    this.running = running;
    tell('parsing …');
    const names = [model.name, ...(other && other !== model.name && this.models.some((one) => one.name === other) ? [other] : [])];
    try {
      const answers = await Promise.all(names.map((name) => this.engine.annotate({ model: name, text, nbest, confidences: true, phrases: true }, running.signal)));
      if (running.signal.aborted) return;
      this.results = answers.map((answer, at) => ({ name: names[at], sentences: answer.document.sentences }));
      clearError();
      tell('');
      this.draw();
    } catch (error) {
      if (isAborted(error) || running.signal.aborted) return;
      tell('');
      this.results = [];
      this.draw();
      showError(error);
    }
  }

  /** Draws the results. @param {number} [most] */
  draw(most = PAGE) {
    const { view, colour } = this.store.state;
    const box = byId('sentences');
    const sentences = this.results[0]?.sentences ?? [];
    byId('parse-tools').hidden = sentences.length === 0;
    box.classList.toggle('by-confidence', colour === 'on');
    if (sentences.length === 0) {
      byId('legend').hidden = true;
      box.replaceChildren(this.emptyPage());
      return;
    }
    const possible = new Set(sentences.flatMap(viewsOf));
    const chosen = possible.has(/** @type {any} */ (view)) ? view : viewsOf(sentences[0])[0];
    for (const button of byId('views').querySelectorAll('button')) {
      button.disabled = !possible.has(/** @type {any} */ (button.dataset.view));
      button.setAttribute('aria-pressed', String(button.dataset.view === chosen));
    }
    this.legend(colour === 'on' && chosen !== 'table');
    const shown = sentences.slice(0, most).map((sentence, at) => sentenceView(
      this.results.filter((result) => result.sentences[at]).map((result) => ({ name: result.name, sentence: result.sentences[at] })),
      /** @type {any} */ (chosen), at + 1));
    box.replaceChildren(...shown);
    const left = sentences.length - most;
    if (left > 0) box.append(html('button', { type: 'button', class: 'quiet', click: () => this.draw(most + 4 * PAGE) }, `Show ${Math.min(left, 4 * PAGE)} of ${left} more sentences`));
  }

  /** What to do when there is nothing to show. */
  emptyPage() {
    if (this.models.length > 0) return html('p', { class: 'empty' }, 'Type a sentence above, or take an example.');
    return html('div', { class: 'card' }, html('h2', {}, 'No model yet'),
      html('p', {}, 'Train one here from the built-in sample: it takes seconds. Or ',
        ...(this.engine.load ? ['drop a model file there.'] : ['start the server with a model file: ', html('code', {}, 'eigentree serve en.eig'), '.'])),
      html('button', { type: 'button', class: 'primary', click: () => this.store.set({ tab: 'train' }) }, 'Train a model'));
  }

  /** @param {boolean} shown */
  legend(shown) {
    const known = this.results.some((result) => result.sentences.some((sentence) => sentence.spans || sentence.words.some((word) => word.confidence !== null && word.confidence !== undefined)));
    byId('legend').hidden = !shown || !known;
    const texts = CONFIDENCE_STEPS.map((low, at) => (at === 0 ? `below ${100 * CONFIDENCE_STEPS[1]} %` : `from ${100 * low} %`));
    byId('legend').replaceChildren('Confidence:', ...texts.map((text, at) => html('span', { class: `swatch c${at}` }, text)));
  }
}
