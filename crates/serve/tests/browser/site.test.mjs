// The playground as static files: the library parses and trains in the tab, and its trees are those of the program.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { TRAINING, accessibility, launch, open, scratch, train } from './page.mjs';
import { serveFolder, serveProgram } from './server.mjs';

const { EIGENTREE_PROGRAM: program, EIGENTREE_SITE: site } = process.env;

const TEXT = [
  'the dog saw a cat in the garden .',
  'the old dog that a bird saw barked and the cat in the house slept .',
  'a zebra quickly gave the children books with pictures of the garden .',
  'she says that the man with the telescope saw the bird .',
].join('\n');

describe('static playground', { skip: site ? false : 'cargo xtask site has built none' }, () => {
  let browser;
  let host;
  let native;
  let folder;
  before(async () => {
    [browser, host, native, folder] = [await launch(), await serveFolder(site), await serveProgram(program), await scratch()];
  });
  after(async () => {
    await browser?.close();
    await host?.stop();
    await native?.stop();
    await folder?.remove();
  });

  /** Opens the page, runs the steps, and asserts that it asked for nothing but files of the site. */
  const visit = (steps) => async () => {
    const opened = await open(browser, host.base);
    try {
      await steps(opened.page);
      assert.deepEqual(opened.complaints, []);
      assert.deepEqual(host.refused, []);
    } finally {
      await opened.close();
    }
  };

  /** Asks the program's server. */
  const ask = async (path, body) => {
    const response = await fetch(`${native.base}api/v1/${path}`, body && { method: 'POST', body: JSON.stringify(body) });
    assert.ok(response.ok, `${path}: ${response.status}`);
    return response;
  };

  /** Trains a model in the program's server and returns its name and file. */
  const trainNatively = async (family, options = {}) => {
    const { job } = await (await ask('train', { family, options, sample: true })).json();
    for (;;) {
      const { state, model, error } = await (await ask(`jobs/${job}`)).json();
      assert.ok(!['failed', 'cancelled'].includes(state), error);
      if (state === 'done') return { model, file: Buffer.from(await (await ask(`jobs/${job}/model`)).arrayBuffer()) };
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };

  /** The analyses that an engine gives, without the numbers, whose last digits may differ. */
  const outline = (document) => document.sentences.map(({ tree, words, nbest }) => ({
    tree,
    words: words.map(({ form, lemma, upos, head, deprel }) => [form, lemma, upos, head, deprel]),
    others: (nbest ?? []).map((other) => other.tree ?? null),
  }));

  test('training in the tab from the embedded sample ends in a tree', visit(async (page) => {
    await page.click('text=Train a model');
    await train(page, 'lpcfg', 'grammar');
    assert.match(await page.innerText('#train-progress'), /f1/i);
    assert.match(await page.innerText('footer'), /in this tab/);
    await page.click('#use-model');
    await page.fill('#text', 'the dog saw a cat in the garden .');
    await page.waitForSelector('svg.tree text.word:text("garden")');
    await page.hover('svg.tree g.node.phrase >> nth=2');
    assert.match(await page.innerText('#tooltip'), /confidence \d+(\.\d)? %/);
    await page.click('#tab-inside');
    await page.waitForSelector('svg.plot rect.bar');
    await page.waitForSelector('.by-state svg.tree g.node[class*="state-"]');
    assert.deepEqual(await accessibility(page), []);
  }));

  for (const family of ['lpcfg', 'pcfg', 'pipeline', 'head-automata']) {
    test(`a model file gives the trees of the program: ${family}`, visit(async (page) => {
      const { model, file } = await trainNatively(family);
      const path = join(folder.path, `${family}.eig`);
      await writeFile(path, file);
      await page.click('#tab-train');
      await page.setInputFiles('#file', path);
      await page.waitForSelector('#panel-parse:not([hidden]) svg');
      const request = { text: TEXT, nbest: 5, confidences: true, phrases: true };
      const here = await page.evaluate(async ({ bytes, request }) => {
        const { wasmEngine } = await import('./engine-wasm.js');
        const engine = wasmEngine();
        await engine.load('it', Uint8Array.from(atob(bytes), (byte) => byte.charCodeAt(0)).buffer);
        return (await engine.annotate({ model: 'it', ...request })).document;
      }, { bytes: file.toString('base64'), request });
      const { document } = await (await ask('annotate', { model, ...request })).json();
      assert.deepEqual(outline(here), outline(document));
    }));
  }

  for (const family of ['lpcfg', 'mst', 'tagger', 'pipeline', 'head-automata', 'clusters']) {
    test(`training in the tab gives what training in the program gives: ${family}`, visit(async (page) => {
      // Parsers that learn a network in the tab differ from those of the program; `fast` has none.
      const options = ['mst', 'pipeline'].includes(family) ? { quality: 'fast' } : {};
      const { model } = await trainNatively(family, options);
      const there = family === 'clusters'
        ? (await (await ask(`models/${model}/clusters?word=dog`)).json()).clusters.map((group) => group.path)
        : outline((await (await ask('annotate', { model, text: TEXT })).json()).document);
      const here = await page.evaluate(async ({ family, options, text }) => {
        const { wasmEngine } = await import('./engine-wasm.js');
        const engine = wasmEngine();
        const training = await engine.train({ family, options, sample: true }, () => {});
        const { state, error } = await training.finished;
        if (state !== 'done') throw new Error(JSON.stringify(error));
        return family === 'clusters' ? engine.clusters(family, { word: 'dog' }) : engine.annotate({ model: family, text });
      }, { family, options, text: TEXT });
      assert.deepEqual(family === 'clusters' ? here.clusters.map((group) => group.path) : outline(here.document), there);
    }));
  }

  test('wrong data and wrong files show a message', visit(async (page) => {
    await page.click('#tab-train');
    await page.click('text=Or paste data');
    await page.fill('#train-data', '(S (NP (DT the) (NN dog))');
    await page.click('#train-start');
    await page.waitForSelector('#message:not([hidden])');
    assert.match(await page.innerText('#message'), /bracket|end|data/i);
    const path = join(folder.path, 'broken.eig');
    await writeFile(path, 'this is no model');
    await page.setInputFiles('#file', path);
    await page.waitForSelector('#message:has-text("cannot load broken")');
  }));

  test('training can be cancelled', visit(async (page) => {
    await page.click('#tab-train');
    await page.selectOption('#quality', 'best');
    await page.click('#train-start');
    await page.click('#train-progress button:text-is("Cancel")');
    await page.waitForSelector('#train-progress h2:text("Cancelled")', TRAINING);
  }));

  test('the book stands beside the page', visit(async (page) => {
    const address = await page.evaluate(() => document.querySelector('#book').href);
    assert.equal(address, `${host.base}book/index.html`);
    assert.equal((await fetch(address)).status, 200);
    const links = await page.evaluate(() => [...document.querySelectorAll('a[data-book]')].map((link) => link.href));
    for (const link of new Set(links)) {
      const text = await (await fetch(link)).text();
      const anchor = new URL(link).hash.slice(1);
      assert.ok(!anchor || text.includes(`id="${anchor}"`), link);
    }
  }));
});
