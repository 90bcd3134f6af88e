// The engine inside the page: the library compiled to WebAssembly, in workers, so that the page never waits.
//
// One worker holds the models and answers. Training takes a worker of its own: cancelling ends it, and the page goes on parsing
// meanwhile. The finished model goes from there to the first worker as the bytes of its file.

import { EngineError } from './engine.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./engine.js').Job} Job */

/**
 * A question that has no answer yet.
 * @typedef {object} Question
 * @property {Record<string, any>} request
 * @property {ArrayBuffer} [bytes]  a model file that goes with it
 * @property {(progress: Partial<Job>) => void} [progress]
 * @property {(value: any) => void} resolve
 * @property {(error: unknown) => void} reject
 */

/** A worker, and the questions for it: it gets one at a time, so that those that nobody wants any more are never asked. */
class Library {
  constructor() {
    /** @type {Question[]} */
    this.queue = [];
    this.start();
  }

  start() {
    this.worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
    this.busy = false;
    this.worker.addEventListener('message', ({ data }) => this.hear(data));
    this.worker.addEventListener('error', (event) => this.hear({ error: { message: 'The library did not start.', hint: event.message } }));
  }

  /** @param {{progress?: Partial<Job>, answer?: any, bytes?: ArrayBuffer, error?: {message: string, hint?: string, code?: string}}} data */
  hear({ progress, answer, bytes, error }) {
    if (progress) return this.queue[0]?.progress?.(progress);
    const question = this.queue.shift();
    this.busy = false;
    if (error) question?.reject(new EngineError(error.message, error.hint, error.code));
    else question?.resolve(bytes ? { ...answer, bytes } : answer);
    // A library that crashed answers nothing any more.
    if (error?.code !== 'crashed') this.next();
  }

  next() {
    const question = this.queue[0];
    if (this.busy || !question) return;
    this.busy = true;
    this.worker?.postMessage({ request: question.request, bytes: question.bytes }, question.bytes ? [question.bytes] : []);
  }

  /**
   * @param {Record<string, any>} request
   * @param {{bytes?: ArrayBuffer, progress?: (progress: Partial<Job>) => void, signal?: AbortSignal}} [more]
   * @returns {Promise<any>}
   */
  ask(request, { bytes, progress, signal } = {}) {
    return new Promise((resolve, reject) => {
      const question = { request, bytes, progress, resolve, reject };
      this.queue.push(question);
      signal?.addEventListener('abort', () => {
        const at = this.queue.indexOf(question);
        // The first one may be under way; its answer is not looked at.
        if (at > 0) this.queue.splice(at, 1);
        reject(signal.reason);
      });
      this.next();
    });
  }

  /** Ends the worker. Nothing is answered any more. @param {unknown} reason */
  end(reason) {
    this.worker?.terminate();
    for (const { reject } of this.queue.splice(0)) reject(reason);
  }
}

/** The models, and the worker that has them. A library that fails in the midst of an answer starts again with the same models. */
class Shelf {
  library = new Library();
  /** The files of the models, by name. @type {Map<string, Blob>} */
  files = new Map();

  /** @param {Record<string, any>} request @param {AbortSignal} [signal] @returns {Promise<any>} */
  async ask(request, signal) {
    try {
      return await this.library.ask(request, { signal });
    } catch (error) {
      if (error instanceof EngineError && error.code === 'crashed') await this.restart();
      throw error;
    }
  }

  async restart() {
    this.library.end(new EngineError('The library had to start again.', 'Ask again.'));
    this.library = new Library();
    for (const [name, file] of this.files) await this.library.ask({ call: 'load', name }, { bytes: await file.arrayBuffer() });
  }

  /** @param {string} name @param {ArrayBuffer} bytes */
  async load(name, bytes) {
    const file = new Blob([bytes], { type: 'application/octet-stream' });
    await this.library.ask({ call: 'load', name }, { bytes });
    this.files.set(name, file);
  }

  /** The name, with a number if there is such a model already. @param {string} wish */
  freeName(wish) {
    let name = wish;
    for (let number = 2; this.files.has(name); number += 1) name = `${wish}-${number}`;
    return name;
  }
}

/** @returns {Engine} */
export function wasmEngine() {
  const shelf = new Shelf();
  return {
    place: 'in this tab',
    models: () => shelf.ask({ call: 'models' }),
    annotate: (request, signal) => shelf.ask({ call: 'annotate', ...request }, signal),
    inspect: (model) => shelf.ask({ call: 'inspect', model, query: { top: 200 } }),
    states: (model, symbol, member) => shelf.ask({ call: 'states', model, query: { symbol, member, top: 12 } }),
    activeStates: (model, text, member, signal) => shelf.ask({ call: 'active_states', model, text, member }, signal),
    automata: (model, head) => shelf.ask({ call: 'automata', model, query: { head } }),
    clusters: (model, query) => shelf.ask({ call: 'clusters', model, query }),
    load: (name, bytes) => shelf.load(name, bytes),
    train: async (request, progress) => train(shelf, request, progress),
  };
}

/**
 * Trains in a worker of its own.
 * @param {Shelf} shelf
 * @param {import('./engine.js').TrainRequest} request
 * @param {(job: Job) => void} progress
 * @returns {import('./engine.js').Training}
 */
function train(shelf, request, progress) {
  const trainer = new Library();
  const begun = performance.now();
  const name = shelf.freeName(request.name ?? request.family);
  /** @type {Job} */
  let latest = { job: name, state: 'running', seconds: 0 };
  const hear = (/** @type {Partial<Job>} */ change) => progress((latest = { ...latest, ...change, seconds: (performance.now() - begun) / 1000 }));
  const work = async () => {
    try {
      const { bytes, summary, notes } = await trainer.ask({ call: 'train', request }, { progress: hear });
      await shelf.load(name, bytes);
      hear({ state: 'done', model: name, seconds_left: 0, scores: summary, notes });
    } catch (error) {
      if (latest.state !== 'cancelled') hear({ state: 'failed', error: error instanceof EngineError ? error : { message: String(error) } });
    } finally {
      trainer.end(new EngineError('The training has ended.'));
    }
    return latest;
  };
  return {
    finished: work(),
    cancel: async () => {
      hear({ state: 'cancelled' });
      trainer.end(new EngineError('The training was cancelled.'));
    },
    download: async () => shelf.files.get(name) ?? new Blob(),
  };
}
