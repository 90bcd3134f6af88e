// The tab that trains: data, recipe, progress, and what to do with the model.

import { byId, html, percent, setOptions } from './dom.js';
import { EngineError } from './engine.js';
import { save } from './exports.js';
import { clearError, showError } from './messages.js';
import { KIND_NAMES, RECIPES, kindOf } from './recipes.js';

/** @typedef {import('./engine.js').Job} Job */

export class TrainView {
  dropText = html('p', {}, '');
  paste = html('textarea', { id: 'train-data', rows: 4, spellcheck: 'false', placeholder: '(S (NP (DT the) (NN dog)) (VP (VBZ barks)))', input: () => this.typed() });
  recipe = html('select', { id: 'recipe', change: () => this.chosen() });
  quality = html('select', { id: 'quality' });
  qualityLabel = html('label', {}, 'quality ', this.quality);
  name = html('input', { type: 'text', id: 'train-name', value: 'sample', size: 14, maxlength: 60 });
  about = html('span', { class: 'about' });
  start = html('button', { class: 'primary', id: 'train-start' }, 'Train');
  progress = html('div', { class: 'card', hidden: true, id: 'train-progress' });
  /** What was dropped, chosen or pasted; `null` for the sample. @type {{name: string, data: string} | null} */
  file = null;
  limit = Infinity;

  /**
   * @param {import('./engine.js').Engine} engine
   * @param {import('./state.js').Store} store
   * @param {() => Promise<void>} refresh  asks for the models again
   */
  constructor(engine, store, refresh) {
    this.engine = engine;
    this.store = store;
    this.refresh = refresh;
    byId('train').append(html('form', { class: 'card', submit: (/** @type {Event} */ event) => (event.preventDefault(), this.train()) },
      html('div', { class: 'row' }, html('h2', {}, 'Train a model here'), html('span', { class: 'grow' }), html('a', { 'data-book': 'guides/playground.html#train-here' }, 'What happens')),
      this.dropZone(), html('details', {}, html('summary', {}, 'Or paste data'), html('label', { class: 'stacked' }, 'Data', this.paste)),
      html('div', { class: 'row spaced' }, html('label', {}, 'Recipe ', this.recipe), this.qualityLabel, html('label', {}, 'name ', this.name), this.start), this.about), this.progress);
    this.useSample();
  }

  /** @param {Record<string, number>} limits */
  setLimits(limits) {
    this.limit = limits.training_bytes ?? Infinity;
  }

  dropZone() {
    const picker = html('input', { type: 'file', id: 'file', hidden: true, change: () => picker.files?.[0] && this.take(picker.files[0]) });
    const drop = html('div', { class: 'drop' }, html('p', {}, `Drop a treebank (Penn brackets or CoNLL-U) or a plain text here${this.engine.load ? ', or a model file (.eig) to use it' : ''}.`),
      html('div', { class: 'row' }, html('button', { type: 'button', class: 'quiet', click: () => picker.click() }, 'Choose a file …'),
        html('button', { type: 'button', class: 'quiet', id: 'use-sample', click: () => this.useSample() }, 'Take the built-in sample')), picker, this.dropText);
    for (const name of ['dragenter', 'dragover']) drop.addEventListener(name, (event) => (event.preventDefault(), drop.classList.add('over')));
    for (const name of ['dragleave', 'drop']) drop.addEventListener(name, () => drop.classList.remove('over'));
    drop.addEventListener('drop', (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) void this.take(file);
    });
    return drop;
  }

  /** Reads a file. @param {File} file */
  async take(file) {
    if (file.size > this.limit) return showError(new EngineError(`${file.name} has ${file.size} bytes; at most ${this.limit} are taken here.`, 'The command line takes any size: eigentree train.'));
    if (this.engine.load && file.name.endsWith('.eig')) return this.load(file);
    try {
      const packed = /\.gz$/.test(file.name);
      const stream = packed ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream();
      const data = await new Response(stream).text();
      this.file = { name: file.name, data };
      this.name.value = file.name.replace(/(\.\w+)+$/, '').slice(0, 60) || 'model';
      this.offer(kindOf(data), `${file.name}: ${KIND_NAMES[kindOf(data)]}, ${(data.length / 1000).toFixed(0)} kB`);
    } catch {
      showError(new EngineError(`${file.name} cannot be read as text.`));
    }
  }

  /** Loads a model file and uses it. @param {File} file */
  async load(file) {
    const name = file.name.replace(/\.eig$/, '');
    clearError();
    try {
      await this.engine.load?.(name, await file.arrayBuffer());
      await this.refresh();
      await this.use(name);
    } catch (error) {
      showError(error);
    }
  }

  typed() {
    const data = this.paste.value;
    if (data.trim() === '') return this.useSample();
    this.file = { name: 'pasted data', data };
    this.offer(kindOf(data), `Pasted: ${KIND_NAMES[kindOf(data)]}`);
  }

  useSample() {
    this.file = null;
    this.name.value = 'sample';
    this.offer(null, 'The built-in sample: sentences drawn from a small English grammar.');
  }

  /** Offers the recipes for this kind of data. @param {import('./recipes.js').DataKind | null} kind @param {string} text */
  offer(kind, text) {
    this.dropText.textContent = text;
    const fitting = RECIPES.filter((recipe) => (kind === null ? recipe.sample : recipe.from === kind));
    setOptions(this.recipe, fitting.map((recipe) => ({ value: recipe.family, text: recipe.name })));
    this.chosen();
  }

  chosen() {
    const recipe = RECIPES.find((one) => one.family === this.recipe.value);
    if (!recipe) return;
    this.about.textContent = `${recipe.about}; learns from ${KIND_NAMES[recipe.from]}.`;
    this.qualityLabel.hidden = recipe.qualities.length === 0;
    setOptions(this.quality, recipe.qualities.map((value) => ({ value, text: value })));
  }

  async train() {
    const recipe = RECIPES.find((one) => one.family === this.recipe.value);
    if (!recipe) return;
    clearError();
    this.start.disabled = true;
    this.progress.hidden = false;
    this.progress.replaceChildren(html('h2', {}, 'Starting …'));
    const name = this.name.value.trim() || recipe.family;
    const options = recipe.qualities.length > 0 ? { quality: this.quality.value } : {};
    const data = this.file ? { data: this.file.data } : { sample: true };
    try {
      const training = await this.engine.train({ family: recipe.family, options, name, ...data }, (job) => this.report(job, () => training.cancel()));
      const job = await training.finished;
      this.finished(job, training);
    } catch (error) {
      this.progress.hidden = true;
      showError(error);
    } finally {
      this.start.disabled = false;
    }
  }

  /** Shows the progress. @param {Job} job @param {() => Promise<void>} cancel */
  report(job, cancel) {
    const share = job.total ? Math.min(1, (job.done ?? 0) / job.total) : null;
    const bar = html('progress', { max: 1, 'aria-label': 'Progress of the stage' });
    if (share !== null) bar.value = share;
    const left = job.seconds_left === undefined || job.seconds_left === null ? '' : `, about ${seconds(job.seconds_left)} left`;
    if (!this.progress.querySelector('.live')) {
      this.progress.replaceChildren(html('h2', {}, 'Training'), html('div', { class: 'live' }),
        html('button', { type: 'button', class: 'quiet', click: () => cancel().catch(showError) }, 'Cancel'));
    }
    this.progress.querySelector('.live')?.replaceChildren(
      html('p', {}, `${job.state === 'queued' ? 'Waiting for its turn' : job.stage ?? 'Starting'}; ${seconds(job.seconds ?? 0)} so far${left}`), bar, stages(job));
  }

  /** Shows the result. @param {Job} job @param {import('./engine.js').Training} training */
  async finished(job, training) {
    if (job.state === 'cancelled') return void this.progress.replaceChildren(html('h2', {}, 'Cancelled'), html('p', { class: 'soft' }, 'Nothing was kept.'));
    if (job.state !== 'done') {
      this.progress.hidden = true;
      const error = typeof job.error === 'string' ? { message: job.error } : job.error;
      return showError(new EngineError(error?.message ?? 'The training failed.', error?.hint));
    }
    await this.refresh();
    const model = job.model ?? '';
    this.progress.replaceChildren(
      html('h2', { role: 'status' }, `${model} is ready after ${seconds(job.seconds ?? 0)}`), scores(job), stages(job),
      ...(job.notes ?? []).map((note) => html('p', { class: 'soft' }, note)),
      html('div', { class: 'row' },
        html('button', { type: 'button', class: 'primary', id: 'use-model', click: () => this.use(model).catch(showError) }, 'Use it'),
        html('button', { type: 'button', class: 'quiet', id: 'look-inside', click: () => this.store.set({ tab: 'inside', model }) }, 'Look inside'),
        html('button', { type: 'button', class: 'quiet', id: 'download', click: async () => save(await training.download(), `${model}.eig`) }, 'Download the model')));
  }

  /** Parses with the new model at once; looks inside one that cannot. @param {string} model */
  async use(model) {
    const { models } = await this.engine.models();
    const parses = models.find((one) => one.name === model)?.abilities.includes('annotate');
    const text = this.store.state.text || 'the dog saw a cat in the garden .';
    this.store.set(parses ? { tab: 'parse', model, text } : { tab: 'inside', model });
  }
}

/** @param {number} value */
const seconds = (value) => (value < 10 ? `${value.toFixed(1)} s` : value < 90 ? `${Math.round(value)} s` : `${Math.round(value / 60)} min`);

/** @param {Job} job */
function stages(job) {
  return html('ul', { class: 'stages' }, ...(job.stages ?? []).map((stage) => html('li', {}, html('span', {}, stage.name), html('span', { class: 'soft' }, seconds(stage.seconds)))));
}

/** The scores on held-out sentences, whatever the family calls them. @param {Job} job */
function scores(job) {
  const found = /** @type {[string, number][]} */ ([]);
  const visit = (/** @type {any} */ value, /** @type {string} */ path) => {
    if (typeof value === 'number' && /(^|[ .])(f1|uas|las|accuracy|upos|lemma)$/i.test(path)) found.push([path, value]);
    else if (value && typeof value === 'object') for (const [key, inner] of Object.entries(value)) visit(inner, `${path} ${key.replaceAll('_', ' ')}`.trim());
  };
  visit(job.scores, '');
  if (found.length === 0) return html('span', {});
  return html('ul', { class: 'stages' }, ...found.slice(0, 8).map(([name, value]) => html('li', {}, html('span', {}, name), html('strong', {}, value <= 1 ? percent(value) : value.toFixed(1)))));
}
