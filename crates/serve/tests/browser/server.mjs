// The two places a playground comes from: the program's server, and a folder of static files.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

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

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

/** Serves a folder as any host of static files would: it answers GET only. `refused` collects what it could not answer. */
export async function serveFolder(folder) {
  const refused = [];
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    const name = path.endsWith('/') ? `${path}index.html` : path;
    try {
      if (request.method !== 'GET') throw new Error(request.method);
      const content = await readFile(join(folder, name));
      response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream' });
      response.end(content);
    } catch {
      refused.push(`${request.method} ${name}`);
      response.writeHead(404);
      response.end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { base: `http://127.0.0.1:${server.address().port}/`, refused, stop };
}
