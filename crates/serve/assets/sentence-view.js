// One sentence: its drawing or table, by one model or two, and its list of analyses.

import { analysisOf, comparable, compare, entriesOf, phraseAlternatives, wordAlternatives, wordDiffers } from './analysis.js';
import { drawArcs, tagOf } from './arc-drawing.js';
import { html, isRightToLeft, percent } from './dom.js';
import { exportMenu } from './exports.js';
import { tell } from './messages.js';
import { drawTree } from './tree-drawing.js';
import { viewport } from './viewport.js';

/** @typedef {import('./engine.js').Sentence} Sentence */
/** @typedef {import('./analysis.js').Analysis} Analysis */
/** @typedef {'tree' | 'arcs' | 'table'} View */

/** @typedef {{name: string, sentence: Sentence}} Reading  a model's name and what it makes of the sentence */

/** The views that make sense of a sentence, the most telling first. @param {Sentence} sentence @returns {View[]} */
export function viewsOf(sentence) {
  /** @type {View[]} */
  const views = [];
  if (sentence.tree) views.push('tree');
  if (sentence.words.some((word) => word.head !== null) || !sentence.tree) views.push('arcs');
  return [...views, 'table'];
}

/**
 * @param {Reading[]} readings one or two
 * @param {View} wanted
 * @param {number} number
 */
export function sentenceView(readings, wanted, number) {
  const [first, second] = readings;
  const article = html('article', { class: 'card sentence', 'aria-label': `Sentence ${number}` });
  const panes = html('div', { class: 'panes' });
  const [one, other] = [analysisOf(first.sentence), second ? analysisOf(second.sentence) : null];
  const same = other ? comparable(one, other) : false;
  const header = html('header', {}, html('p', { dir: 'auto' }, first.sentence.text));
  if (other) header.append(html('span', { class: 'soft' }, verdict(one, other, same)));
  if (first.sentence.outcome === 'fallback') header.append(html('span', { class: 'soft' }, 'The grammar has no tree for this sentence; these are its best parts.'));
  panes.append(pane(first, one, same ? other : null, wanted, second ? first.name : ''));
  if (second && other) panes.append(pane(second, other, same ? one : null, wanted, second.name));
  article.append(header, panes);
  return article;
}

/** @param {Analysis} one @param {Analysis} other @param {boolean} same */
function verdict(one, other, same) {
  if (!same) return 'The models divide this text into different words.';
  const { phrases, words } = compare(one, other);
  const counts = [phrases > 0 ? `${phrases} phrase${phrases > 1 ? 's' : ''}` : '', words > 0 ? `${words} word${words > 1 ? 's' : ''}` : ''].filter(Boolean);
  return counts.length === 0 ? 'The models agree.' : `${counts.join(' and ')} differ${phrases + words === 1 ? 's' : ''}.`;
}

/**
 * @param {Reading} reading
 * @param {Analysis} shown
 * @param {Analysis | null} beside
 * @param {View} wanted
 * @param {string} title
 */
function pane(reading, shown, beside, wanted, title) {
  const element = html('section', { class: 'pane', 'aria-label': title || reading.name });
  const body = html('div', {});
  /** @param {Analysis} analysis @param {Analysis | null} reference */
  const show = (analysis, reference) => body.replaceChildren(...drawn(reading, analysis, reference, wanted));
  show(shown, beside);
  if (title) element.append(html('h3', {}, title));
  element.append(body);
  const entries = entriesOf(reading.sentence);
  if (entries.length > 1) {
    element.append(list(entries, (rank) => {
      const chosen = analysisOf(reading.sentence, rank);
      show(chosen, rank === 0 ? beside : analysisOf(reading.sentence));
    }));
  }
  return element;
}

/** @param {Reading} reading @param {Analysis} analysis @param {Analysis | null} reference @param {View} wanted */
function drawn(reading, analysis, reference, wanted) {
  const { sentence } = analysis;
  const views = viewsOf(sentence);
  const view = views.includes(wanted) ? wanted : views[0];
  if (reference) compare(analysis, reference);
  const standing = (/** @type {import('./engine.js').Word} */ word) => (reference && wordDiffers(word, reference.sentence.words[word.id - 1]) ? /** @type {const} */ ('differs') : /** @type {const} */ ('same'));
  if (view === 'table') return [table(sentence, standing), html('div', { class: 'pane-tools' }, exportMenu(() => analysis, null, tell))];
  const drawing = view === 'tree' && analysis.tree
    ? drawTree(analysis.tree, { alternatives: phraseAlternatives(reading.sentence) })
    : drawArcs(sentence, { alternatives: wordAlternatives(reading.sentence), standing });
  const { element, tools } = viewport(drawing, view === 'tree' ? 'Tree' : 'Dependencies', isRightToLeft(sentence.text) ? 'end' : 'start');
  return [element, html('div', { class: 'pane-tools' }, tools, exportMenu(() => analysis, drawing.element, tell))];
}

/** @param {Sentence} sentence @param {(word: import('./engine.js').Word) => string} standing */
function table(sentence, standing) {
  const columns = /** @type {[string, (word: import('./engine.js').Word) => string, string][]} */ ([
    ['', (word) => String(word.id), 'number'],
    ['word', (word) => word.form, ''],
    ['lemma', (word) => word.lemma ?? '', ''],
    ['tag', (word) => tagOf(word), ''],
    ['features', (word) => Object.entries(word.feats ?? {}).map(([key, value]) => `${key}=${value}`).join(' '), 'features'],
    ['head', (word) => (word.head === null ? '' : word.head === 0 ? '–' : `${word.head} ${sentence.words[word.head - 1]?.form ?? ''}`), ''],
    ['relation', (word) => word.deprel ?? '', ''],
    ['entity', (word) => sentence.entities.find((entity) => entity.first <= word.id && word.id <= entity.last)?.label ?? '', ''],
    ['confidence', (word) => (word.confidence === null || word.confidence === undefined ? '' : percent(word.confidence)), 'number'],
  ]);
  const used = columns.filter(([name, of]) => name === '' || name === 'word' || sentence.words.some((word) => of(word) !== ''));
  const row = (/** @type {import('./engine.js').Word} */ word) => html('tr', {},
    ...used.map(([name, of, kind]) => html('td', { dir: 'auto', class: [kind, standing(word) === 'differs' && ['tag', 'head', 'relation'].includes(name) ? 'differs' : ''].join(' ').trim() || null }, of(word))));
  return html('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Words' }, html('table', {},
    html('thead', {}, html('tr', {}, ...used.map(([name, , kind]) => html('th', { scope: 'col', class: kind || null }, name || '#')))),
    html('tbody', {}, ...sentence.words.map(row))));
}

/** @param {import('./analysis.js').Entry[]} entries @param {(rank: number) => void} choose */
function list(entries, choose) {
  const buttons = entries.map(({ rank, share, changes }) => html('button', {
    type: 'button', 'aria-pressed': rank === 0 ? 'true' : 'false',
    click: () => {
      buttons.forEach((button, at) => button.setAttribute('aria-pressed', String(at === rank)));
      choose(rank);
    },
  }, html('span', { class: 'share' }, share), html('span', { class: 'changes' },
    ...(rank === 0 ? ['as drawn'] : changes.slice(0, 5).flatMap((change) => [html('mark', {}, change), ' '])),
    changes.length > 5 ? `and ${changes.length - 5} more` : '')));
  return html('details', { class: 'nbest', open: entries.length <= 5 }, html('summary', {},
    `${entries.length} best analyses, each with its ${entries[0]?.share.endsWith('%') ? 'share among these' : 'distance from the best'}`),
    html('ol', {}, ...buttons.map((button) => html('li', {}, button))));
}
