// The worker around the library compiled to WebAssembly. Requests and answers are JSON; model files are bytes.

/** How often progress is reported at most. */
const REPORT_MILLISECONDS = 100;

/**
 * @typedef {object} Exports
 * @property {WebAssembly.Memory} memory
 * @property {(length: number) => number} input   room for the next request
 * @property {(length: number) => number} file    room for the next model file
 * @property {() => void} call                    answers the request
 * @property {() => number} output                where the answer begins
 * @property {() => number} output_length
 * @property {() => number} output_file           where the model file of the answer begins
 * @property {() => number} output_file_length
 */

/** @type {WebAssembly.Memory | null} */
let memory = null;

/** @type {(stage: string, done: number, total: number) => void} */
let report = () => {};

const library = start();

/** @returns {Promise<Exports>} */
async function start() {
  const response = await fetch(new URL('eigentree.wasm', import.meta.url));
  if (!response.ok) throw new Error(`eigentree.wasm: the host answered ${response.status}`);
  // Not from the stream: that needs a media type which not every host of static files knows.
  const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), {
    eigentree: {
      // The library calls this in the midst of its work; a total below zero is not known.
      progress(/** @type {number} */ name, /** @type {number} */ length, /** @type {number} */ done, /** @type {number} */ total) {
        if (memory) report(new TextDecoder().decode(new Uint8Array(memory.buffer, name, length)), done, total);
      },
    },
  });
  const exports = /** @type {any} */ (instance.exports);
  memory = exports.memory;
  return exports;
}

self.addEventListener('message', async ({ data: { request, bytes } }) => {
  try {
    const exports = await library;
    report = stopwatch((progress) => self.postMessage({ progress }));
    put(exports, exports.input, new TextEncoder().encode(JSON.stringify(request)));
    put(exports, exports.file, new Uint8Array(bytes ?? new ArrayBuffer(0)));
    exports.call();
    const answer = JSON.parse(new TextDecoder().decode(take(exports, exports.output(), exports.output_length())));
    const file = take(exports, exports.output_file(), exports.output_file_length());
    if (answer.error) self.postMessage({ error: answer.error });
    else self.postMessage({ answer, bytes: file.length > 0 ? file.buffer : undefined });
  } catch (error) {
    const message = `The library failed: ${error instanceof Error ? error.message : error}`;
    self.postMessage({ error: { message, code: 'crashed', hint: 'A text or a treebank may be too large for the memory of a browser tab.' } });
  }
});

/** @param {Exports} exports @param {(length: number) => number} room @param {Uint8Array} bytes */
function put(exports, room, bytes) {
  const at = room(bytes.length);
  new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
}

/** A copy: the memory moves when it grows. @param {Exports} exports @param {number} at @param {number} length */
function take(exports, at, length) {
  return new Uint8Array(exports.memory.buffer, at, length).slice();
}

/**
 * Turns stages and counts into the progress of a job. The library has no clock; this is it.
 * @param {(progress: object) => void} tell
 * @returns {(stage: string, done: number, total: number) => void}
 */
function stopwatch(tell) {
  /** @type {{name: string, seconds: number}[]} */
  const stages = [];
  let [begun, told, current] = [performance.now(), 0, ''];
  return (stage, done, total) => {
    const now = performance.now();
    const isNew = stages.length === 0 || stage !== current || done === 0;
    if (isNew) {
      const previous = stages.at(-1);
      if (previous) previous.seconds = (now - begun) / 1000;
      stages.push({ name: stage, seconds: 0 });
      [begun, current] = [now, stage];
    }
    const seconds = (now - begun) / 1000;
    stages[stages.length - 1].seconds = seconds;
    if (!isNew && now - told < REPORT_MILLISECONDS) return;
    told = now;
    const left = total > 0 && done > 0 && seconds > 0.2 ? (seconds * (total - done)) / done : null;
    tell({ stage, done, total: total < 0 ? null : total, stages: stages.map((one) => ({ ...one })), seconds_left: left });
  };
}
