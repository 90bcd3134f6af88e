// A page in Chromium that remembers everything it should not have done.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
];

/** Starts Chromium: that of `CHROMIUM`, else Debian's. */
export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
}

/** Opens the playground and watches it. `complaints` collects errors and requests to other places. */
export async function open(browser, base, { hash = '', width = 1200, height = 900, colorScheme = 'light' } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  const complaints = [];
  page.on('console', (message) => {
    // Chromium reports every answer from 400 on by itself; what the page makes of them is tested.
    const refused = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !refused) complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(base) && !url.startsWith('data:') && !url.startsWith('blob:')) complaints.push(`request to ${url}`);
  });
  await page.goto(base + hash);
  await page.waitForSelector('html[data-ready]');
  return { page, complaints, close: () => context.close() };
}

/** How long training may take. */
export const TRAINING = { timeout: 120_000 };

/** Trains from the built-in sample and waits for the result. */
export async function train(page, family, name) {
  await page.click('#tab-train');
  await page.click('#use-sample');
  await page.selectOption('#recipe', family);
  await page.fill('#train-name', name);
  await page.click('#train-start');
  await page.waitForSelector(`#train-progress h2:text("${name} is ready")`, TRAINING);
}

/** What axe finds wrong with the page, one line per violation. */
export async function accessibility(page) {
  const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // Evaluated by the debugger, so that the page's own policy stays as strict as it is.
  await page.evaluate(source);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')}`);
}

/** A folder that goes away. */
export async function scratch() {
  const path = await mkdtemp(join(tmpdir(), 'eigentree-browser-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
