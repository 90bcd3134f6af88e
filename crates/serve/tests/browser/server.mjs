// The program's server.

import { spawn } from 'node:child_process';
import { once } from 'node:events';

const START_MILLISECONDS = 20_000;

/** Starts `eigentree serve` on a free port. */
export async function serveProgram(program, models = []) {
  const child = spawn(program, ['serve', ...models, '--port', '0'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const address = new Promise((resolve, reject) => {
    const hear = (chunk) => {
      said += chunk;
      const found = said.match(/http:\/\/127\.0\.0\.1:\d+/);
      if (found) resolve(`${found[0]}/`);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
    setTimeout(() => reject(new Error(`the server did not say its address: ${said}`)), START_MILLISECONDS).unref();
  });
  return {
    base: await address,
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
