// The playground in Chromium, served by the program. The tests share the models that they train, in order.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { TRAINING, accessibility, launch, open, scratch, train } from './page.mjs';
import { serveProgram } from './server.mjs';

const SENTENCE = 'the dog saw a cat in the garden .';
const LONG = `${'the old dog saw a cat in the garden and '.repeat(12)}the bird barked .`;

const { EIGENTREE_PROGRAM: program, EIGENTREE_SHOTS: shots } = process.env;

describe('playground', () => {
  let browser;
  let host;
  let folder;
  before(async () => {
    [browser, host, folder] = [await launch(), await serveProgram(program), await scratch()];
  });
  after(async () => {
    await browser?.close();
    await host?.stop();
    await folder?.remove();
  });

  /** Opens a page, runs the steps, and asserts that nothing happened behind their back. */
  const visit = (options, steps) => async () => {
    const opened = await open(browser, host.base, options);
    try {
      await steps(opened.page);
      assert.deepEqual(opened.complaints, []);
    } finally {
      await opened.close();
    }
  };

  test('without a model the page says what to do', visit({}, async (page) => {
    await page.click('text=Train a model');
    assert.equal(await page.getAttribute('#tab-train', 'aria-selected'), 'true');
  }));

  test('training from the embedded sample ends in a tree', visit({}, async (page) => {
    await train(page, 'lpcfg', 'grammar');
    assert.match(await page.innerText('#train-progress'), /f1/i);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#download')]);
    const path = join(folder.path, 'grammar.eig');
    await download.saveAs(path);
    assert.equal(download.suggestedFilename(), 'grammar.eig');
    await page.click('#use-model');
    await page.waitForSelector('svg.tree g.node');
    await page.fill('#text', SENTENCE);
    await page.waitForSelector('svg.tree text.word:text("garden")');
    assert.equal(await page.locator('svg.tree text.word').count(), 9);
    assert.ok((await page.locator('svg.tree g.node.phrase').count()) >= 5);
  }));

  test('pointer and keyboard show a confidence', visit({}, async (page) => {
    await ready(page);
    await page.hover('svg.tree g.node.phrase >> nth=2');
    assert.match(await page.innerText('#tooltip'), /confidence \d+(\.\d)? %/);
    await page.mouse.move(0, 0);
    await page.focus('svg.tree g.part[tabindex="0"]');
    await page.keyboard.press('ArrowRight');
    const label = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    assert.match(label ?? '', /confidence/);
    assert.equal(await page.isVisible('#tooltip'), true);
    await page.keyboard.press('Escape');
    assert.equal(await page.isVisible('#tooltip'), false);
  }));

  test('the list of analyses marks what differs', visit({}, async (page) => {
    await ready(page);
    assert.equal(await page.locator('.nbest li').count(), 5);
    assert.ok((await page.locator('.nbest li:nth-child(2) mark').count()) > 0);
    assert.equal(await page.locator('svg.tree g.differs').count(), 0);
    await page.click('.nbest li:nth-child(2) button');
    assert.ok((await page.locator('svg.tree g.differs').count()) > 0);
  }));

  test('an analysis is copied in every form', visit({}, async (page) => {
    await ready(page);
    const copy = async (name) => {
      await page.click('.menu summary');
      await page.click(`.menu button:text-is("${name}")`);
      await page.waitForFunction(() => document.querySelector('#busy')?.textContent?.includes('copied'));
      return page.evaluate(() => navigator.clipboard.readText());
    };
    assert.match(await copy('Copy brackets'), /^\((ROOT|S|TOP)[^\n]+garden/);
    assert.match(await copy('Copy CoNLL-U'), /^# text = the dog[^]+\n8\tgarden\t/);
    assert.match(await copy('Copy LaTeX (forest)'), /\\begin\{forest\}[^]+tier=word[^]+\\end\{forest\}/);
    const drawing = await copy('Copy SVG');
    assert.match(drawing, /^<svg [^]+garden/);
    assert.doesNotMatch(drawing, /class=|var\(/);
    await page.click('.menu summary');
    await page.click('.menu button:text-is("Copy PNG")');
    await page.waitForFunction(() => document.querySelector('#busy')?.textContent?.includes('PNG: copied'));
    assert.deepEqual(await page.evaluate(async () => (await navigator.clipboard.read())[0].types), ['image/png']);
    await page.click('.menu summary');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('.menu button:text-is("Save PNG")')]);
    const path = join(folder.path, 'tree.png');
    await download.saveAs(path);
    const size = await page.evaluate(async (bytes) => {
      const image = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: 'image/png' }));
      return image.width;
    }, [...(await (await import('node:fs/promises')).readFile(path))]);
    assert.ok(size > 900, `the picture is ${size} wide`);
  }));

  test('a link restores the state', visit({}, async (page) => {
    await ready(page);
    await page.click('button[data-view="table"]');
    await page.uncheck('#colour');
    await page.selectOption('#nbest', '3');
    const hash = await page.evaluate(() => location.hash);
    await page.fill('#text', '');
    await page.waitForSelector('.empty');
    await page.evaluate((wanted) => (location.hash = wanted), hash);
    await page.waitForSelector('#sentences table');
    assert.equal(await page.inputValue('#text'), SENTENCE);
    assert.equal(await page.inputValue('#nbest'), '3');
    assert.equal(await page.isChecked('#colour'), false);
  }));

  test('two models stand side by side with their differences marked', visit({}, async (page) => {
    await ready(page);
    await train(page, 'pcfg', 'plain');
    await page.evaluate((text) => (location.hash = `#parse?model=grammar&other=plain&text=${encodeURIComponent(text)}`), LONG);
    await page.waitForFunction(() => document.querySelectorAll('.pane svg.tree').length === 2);
    assert.match(await page.innerText('.sentence header'), /differ|agree/);
    const [marked, agreed] = [await page.locator('svg.tree g.differs').count(), /agree/.test(await page.innerText('.sentence header'))];
    assert.equal(marked === 0, agreed);
  }));

  test('dependencies, tags and lemmas are drawn as arcs', visit({}, async (page) => {
    await train(page, 'pipeline', 'pipe');
    await page.click('#use-model');
    await page.fill('#text', SENTENCE);
    await page.waitForSelector('svg.arcs text.word:text("garden")');
    assert.equal(await page.locator('svg.arcs path.line').count(), 9);
    await page.hover('svg.arcs text.word:text("dog")');
    assert.match(await page.innerText('#tooltip'), /confidence/);
  }));

  test('spectra, states and active states of a grammar', visit({}, async (page) => {
    await ready(page);
    await page.click('#tab-inside');
    await page.waitForSelector('svg.plot rect.bar');
    assert.ok((await page.locator('svg.plot line.noise').count()) > 0);
    await page.waitForSelector('.by-state svg.tree g.node[class*="state-"]');
    await page.click('td button:text-is("VP")');
    await page.waitForSelector('h2:has-text("VP:")');
    assert.ok((await page.locator('.typical li').count()) > 4);
  }));

  test('automata are drawn as graphs', visit({}, async (page) => {
    await train(page, 'head-automata', 'automata');
    await page.click('#look-inside');
    await page.waitForSelector('svg.graph g.state');
    assert.ok((await page.locator('svg.graph g.arrow').count()) > 0);
  }));

  test('clusters can be searched and walked through', visit({}, async (page) => {
    await train(page, 'clusters', 'words');
    await page.click('#look-inside');
    await page.waitForSelector('svg.dendrogram g.row');
    await page.fill('input[aria-label="A word"]', 'dog');
    await page.click('button:text-is("Find")');
    await page.waitForSelector('h3:has-text("dog and its neighbours")');
    await page.waitForSelector('svg.dendrogram g.found');
    await page.click('button:text-is("whole tree")');
    await page.waitForFunction(() => !document.querySelector('nav[aria-label="Place in the tree"] button:nth-child(2)'));
  }));

  test('wrong data shows a message that says what is wrong', visit({}, async (page) => {
    await page.click('#tab-train');
    await page.click('text=Or paste data');
    await page.fill('#train-data', '(S (NP (DT the) (NN dog))');
    await page.click('#train-start');
    await page.waitForSelector('#message:not([hidden])');
    assert.match(await page.innerText('#message'), /bracket|end|data/i);
    await page.click('button[aria-label="Close the message"]');
    assert.equal(await page.isVisible('#message'), false);
  }));

  test('training can be cancelled', visit({}, async (page) => {
    await page.click('#tab-train');
    const trees = `${'(S (NP (DT the) (NN dog)) (VP (VBD saw) (NP (DT a) (NN cat) (PP (IN in) (NP (DT the) (NN garden))))))\n'.repeat(20_000)}`;
    const path = join(folder.path, 'many.ptb');
    await writeFile(path, trees);
    await page.setInputFiles('#file', path);
    await page.waitForSelector('text=many.ptb: trees in Penn brackets');
    await page.selectOption('#quality', 'best');
    await page.click('#train-start');
    await page.click('#train-progress button:text-is("Cancel")');
    await page.waitForSelector('#train-progress h2:text("Cancelled")', TRAINING);
  }));

  for (const colorScheme of ['light', 'dark']) {
    for (const width of [400, 800, 1200]) {
      test(`accessible and within ${width} pixels in ${colorScheme}`, visit({ width, colorScheme }, async (page) => {
        await ready(page);
        for (const [tab, hash] of [
          ['parse', `#parse?model=grammar&text=${encodeURIComponent(SENTENCE)}`],
          ['long', `#parse?model=grammar&nbest=1&text=${encodeURIComponent(LONG)}`],
          ['arabic', `#parse?model=grammar&text=${encodeURIComponent('قرأ الطالب الكتاب الجديد في المكتبة .')}`],
          ['japanese', `#parse?model=grammar&view=arcs&text=${encodeURIComponent('昨日 、 友達 と 本 を 読み まし た 。')}`],
          ['table', `#parse?model=grammar&view=table&text=${encodeURIComponent(SENTENCE)}`],
          ['inside', `#inside?model=grammar&text=${encodeURIComponent(SENTENCE)}`],
          ['train', '#train'],
        ]) {
          await page.evaluate((wanted) => (location.hash = wanted), hash);
          await page.waitForFunction(() => !document.querySelector('#busy')?.textContent);
          await page.waitForTimeout(150);
          if (shots) await page.screenshot({ path: join(shots, `${tab}-${width}-${colorScheme}.png`), fullPage: true });
          assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)) <= 0, `${tab} is wider than the window`);
          if (width !== 800) assert.deepEqual(await accessibility(page), [], tab);
        }
      }));
    }
  }

  /** A page that shows the sentence parsed by the grammar, which is trained first if need be. */
  async function ready(page) {
    const models = await page.evaluate(() => [...document.querySelectorAll('#model option')].map((option) => option.value));
    if (!models.includes('grammar')) await train(page, 'lpcfg', 'grammar');
    await page.evaluate((text) => (location.hash = `#parse?model=grammar&text=${encodeURIComponent(text)}`), SENTENCE);
    await page.waitForSelector('svg.tree text.word:text("garden")');
  }
});
