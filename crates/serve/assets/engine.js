// What the page asks of the library. Two engines answer: a server, and the library itself in a worker of this page.

/**
 * @typedef {object} ModelInfo
 * @property {string} name
 * @property {string} family
 * @property {string} description
 * @property {string[]} abilities  `annotate`, `phrases`, `dependencies`, `tags`, `entities`, `clusters`, `states`, `automata`, …
 * @property {'text' | 'words'} input  raw text, or one sentence per line with tokens separated by spaces
 * @property {number} [bytes]
 * @property {'file' | 'trained'} [origin]
 * @property {Record<string, any>} [metadata]
 */

/**
 * @typedef {object} Word
 * @property {number} id
 * @property {string} form
 * @property {string | null} lemma
 * @property {string | null} upos
 * @property {string | null} xpos
 * @property {Record<string, string>} feats
 * @property {number | null} head
 * @property {string | null} deprel
 * @property {string | null} [deps]
 * @property {Record<string, string>} [misc]
 * @property {number | null} [confidence]
 * @property {Record<string, number>} [confidences]
 */

/**
 * @typedef {object} Sentence
 * @property {string} text
 * @property {Word[]} words
 * @property {{first: number, last: number, form: string}[]} tokens
 * @property {{label: string, first: number, last: number, text: string, confidence: number | null}[]} entities
 * @property {string} [tree]
 * @property {'parsed' | 'fallback'} [outcome]
 * @property {{label: string, start: number, end: number, confidence: number}[]} [spans]
 * @property {Alternative[]} [nbest]
 */

/** An analysis of the list: its score, and the columns in which it differs from the best.
 * @typedef {{score: number, tree?: string} & Record<string, any>} Alternative */

/** @typedef {{text: string, sentences: Sentence[]}} AnnotatedDocument */

/**
 * @typedef {object} Job
 * @property {string} job
 * @property {'queued' | 'running' | 'done' | 'failed' | 'cancelled'} state
 * @property {string} [stage]
 * @property {number} [done]
 * @property {number} [total]
 * @property {number} [seconds]
 * @property {number} [seconds_left]
 * @property {{name: string, seconds: number}[]} [stages]
 * @property {string[]} [notes]
 * @property {Record<string, any>} [scores]
 * @property {string | {message: string, hint?: string}} [error]
 * @property {string} [model]
 */

/**
 * @typedef {object} TrainRequest
 * @property {string} family
 * @property {Record<string, any>} [options]
 * @property {string} [data]
 * @property {boolean} [sample]
 * @property {string} [name]
 */

/**
 * @typedef {object} Engine
 * @property {string} place  where the work is done, for the reader
 * @property {() => Promise<{models: ModelInfo[], default: string | null, limits: Record<string, number>}>} models
 * @property {(request: {model: string, text: string, nbest?: number, confidences?: boolean, phrases?: boolean}, signal?: AbortSignal) => Promise<{model: string, document: AnnotatedDocument}>} annotate
 * @property {(model: string) => Promise<any>} inspect
 * @property {(model: string, symbol: string, member?: number) => Promise<any>} states
 * @property {(model: string, text: string, member?: number, signal?: AbortSignal) => Promise<any>} activeStates
 * @property {(model: string, head?: string) => Promise<any>} automata
 * @property {(model: string, query: Record<string, string | number>) => Promise<any>} clusters
 * @property {(request: TrainRequest, progress: (job: Job) => void) => Promise<Training>} train
 * @property {(name: string, bytes: ArrayBuffer) => Promise<void>} [load]  takes a model file, where that is possible
 */

/** @typedef {{finished: Promise<Job>, cancel: () => Promise<void>, download: () => Promise<Blob>}} Training */

/** A failure that the reader can do something about. */
export class EngineError extends Error {
  /** @param {string} message @param {string} [hint] @param {string} [code] */
  constructor(message, hint = '', code = '') {
    super(message);
    this.name = 'EngineError';
    this.hint = hint;
    this.code = code;
  }
}

/** The engine that the page was built for: a server's page asks the server, static files bring the library. @returns {Promise<Engine>} */
export async function chooseEngine() {
  const wanted = document.querySelector('meta[name="eigentree-engine"]')?.getAttribute('content');
  if (wanted === 'wasm') return (await import('./engine-wasm.js')).wasmEngine();
  return (await import('./engine-http.js')).httpEngine('api/v1');
}
