// The engine that asks the server which sent this page.

import { EngineError } from './engine.js';
import { askToken, authorization } from './token.js';

/** How often to ask for progress if the server's events do not come through. */
const POLL_MILLISECONDS = 500;

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./engine.js').Job} Job */

/** @param {string} base address of the interface @returns {Engine} */
export function httpEngine(base) {
  /** @param {string} path @param {RequestInit} [init] @returns {Promise<Response>} */
  async function ask(path, init = {}) {
    let response;
    try {
      response = await fetch(`${base}/${path}`, { ...init, headers: { ...init.headers, ...authorization() } });
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw new EngineError('The server does not answer.', 'Is `eigentree serve` still running?', 'unreachable');
    }
    if (response.status === 401) {
      const token = await askToken();
      if (token) return ask(path, init);
    }
    if (!response.ok) throw await failure(response);
    return response;
  }

  /** @param {string} path @param {AbortSignal} [signal] */
  const get = async (path, signal) => (await ask(path, { signal })).json();
  /** @param {string} path @param {object} body @param {AbortSignal} [signal] */
  const post = async (path, body, signal) =>
    (await ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), signal })).json();
  /** @param {string} name */
  const model = (name) => `models/${encodeURIComponent(name)}`;

  return {
    place: 'on this server',
    models: () => get('models'),
    annotate: (request, signal) => post('annotate', request, signal),
    inspect: (name) => get(`${model(name)}/inspect?top=200`),
    states: (name, symbol, member) => get(`${model(name)}/states?symbol=${encodeURIComponent(symbol)}&top=12${member ? `&member=${member}` : ''}`),
    activeStates: (name, text, member, signal) => post('states', { model: name, text, member }, signal),
    automata: (name, head) => get(`${model(name)}/automata${head ? `?head=${encodeURIComponent(head)}` : ''}`),
    clusters: (name, query) => get(`${model(name)}/clusters?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))}`),
    async train(request, progress) {
      const { job } = await post('train', request);
      return {
        finished: follow(`${base}/jobs/${job}`, () => get(`jobs/${job}`), progress),
        cancel: async () => void (await ask(`jobs/${job}`, { method: 'DELETE' })),
        download: async () => (await ask(`jobs/${job}/model`)).blob(),
      };
    },
  };
}

/** @param {Response} response */
async function failure(response) {
  const wait = response.headers.get('retry-after');
  try {
    const { error } = await response.json();
    return new EngineError(error.message, error.hint ?? (wait ? `Try again in ${wait} s.` : ''), error.code);
  } catch {
    return new EngineError(`The server answered ${response.status}.`, wait ? `Try again in ${wait} s.` : '', String(response.status));
  }
}

/** @param {Job} job */
const isFinal = (job) => ['done', 'failed', 'cancelled'].includes(job.state);

/**
 * Follows a job by the server's events, or by asking again and again where they fail.
 * @param {string} address
 * @param {() => Promise<Job>} ask
 * @param {(job: Job) => void} progress
 * @returns {Promise<Job>}
 */
function follow(address, ask, progress) {
  return new Promise((resolve, reject) => {
    const events = new EventSource(`${address}/events`);
    /** @param {Job} job */
    const hear = (job) => {
      progress(job);
      if (isFinal(job)) {
        events.close();
        resolve(job);
        return true;
      }
      return false;
    };
    events.addEventListener('progress', (event) => hear(JSON.parse(/** @type {MessageEvent} */ (event).data)));
    events.addEventListener('error', () => {
      events.close();
      const poll = async () => {
        try {
          if (!hear(await ask())) setTimeout(poll, POLL_MILLISECONDS);
        } catch (error) {
          reject(error);
        }
      };
      void poll();
    });
  });
}
