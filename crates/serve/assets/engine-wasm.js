// The engine inside the page: the library compiled to WebAssembly, in workers, so that the page never waits.
//
// One worker holds the models and answers. Training takes a worker of its own: cancelling ends it, and the page goes on parsing
// meanwhile. The finished model goes from there to the first worker as the bytes of its file.

import { EngineError } from './engine.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./engine.js').Job} Job */

/** A worker and the questions that it has not answered yet. */
class Library {
  constructor() {
    this.worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
    /** @type {Map<number, {resolve: (value: any) => void, reject: (error: unknown) => void, progress?: (job: Job) => void}>} */
    this.waiting = new Map();
    this.asked = 0;
    this.worker.addEventListener('message', ({ data }) => this.hear(data));
    this.worker.addEventListener('error', (event) => this.fail(new EngineError('The library in this page has stopped.', event.message)));
  }

  /** @param {any} data */
  hear({ id, progress, answer, error, bytes }) {
    const one = this.waiting.get(id);
    if (!one) return;
    if (progress) return one.progress?.(progress);
    this.waiting.delete(id);
    if (error) one.reject(new EngineError(error.message, error.hint, error.code));
    else one.resolve(bytes ? { ...answer, bytes } : answer);
  }

  /** @param {unknown} error */
  fail(error) {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }

  /** @param {Record<string, any>} request @param {ArrayBuffer} [bytes] @param {(job: Job) => void} [progress] @returns {Promise<any>} */
  ask(request, bytes, progress) {
    this.asked += 1;
    const id = this.asked;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, progress });
      this.worker.postMessage({ id, request, bytes }, bytes ? [bytes] : []);
    });
  }

  /** @param {unknown} reason */
  end(reason) {
    this.worker.terminate();
    this.fail(reason);
  }
}

/** @returns {Engine} */
export function wasmEngine() {
  const library = new Library();
  /** @type {Map<string, ArrayBuffer>} */
  const files = new Map();
  return {
    place: 'in this tab',
    models: () => library.ask({ call: 'models' }),
    annotate: (request) => library.ask({ call: 'annotate', ...request }),
    inspect: (model) => library.ask({ call: 'inspect', model, top: 200 }),
    states: (model, symbol, member) => library.ask({ call: 'states', model, query: { symbol, member, top: 12 } }),
    activeStates: (model, text, member) => library.ask({ call: 'active_states', model, text, member }),
    automata: (model, head) => library.ask({ call: 'automata', model, head }),
    clusters: (model, query) => library.ask({ call: 'clusters', model, query }),
    load: async (name, bytes) => void (await library.ask({ call: 'load', name }, bytes)),
    async train(request, progress) {
      const trainer = new Library();
      const begun = performance.now();
      const since = () => (performance.now() - begun) / 1000;
      const name = request.name ?? request.family;
      /** @type {Job} */
      let latest = { job: 'here', state: 'running', seconds: 0 };
      const hear = (/** @type {Partial<Job>} */ change) => progress((latest = { ...latest, ...change, seconds: since() }));
      const work = async () => {
        try {
          const { bytes, ...summary } = await trainer.ask({ call: 'train', request }, undefined, hear);
          files.set(name, bytes.slice(0));
          await library.ask({ call: 'load', name }, bytes);
          hear({ state: 'done', model: name, seconds_left: 0, scores: summary.summary });
        } catch (error) {
          if (latest.state !== 'cancelled') hear({ state: 'failed', error: error instanceof EngineError ? error : { message: String(error) } });
        } finally {
          trainer.end(new EngineError('ended'));
        }
        return latest;
      };
      return {
        finished: work(),
        cancel: async () => {
          hear({ state: 'cancelled' });
          trainer.end(new EngineError('cancelled'));
        },
        download: async () => new Blob([files.get(name) ?? new ArrayBuffer(0)], { type: 'application/octet-stream' }),
      };
    },
  };
}
