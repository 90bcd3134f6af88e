// Word clusters: search, neighbours, and the tree to walk through.

import { drawClusters } from './cluster-tree.js';
import { html } from './dom.js';
import { EngineError } from './engine.js';
import { showError } from './messages.js';
import { viewport } from './viewport.js';

const DEPTH = 5;
const NEIGHBOURS = 12;

/** @param {import('./engine.js').Engine} engine @param {string} model */
export function clustersView(engine, model) {
  let prefix = '';
  let found = '';
  const tree = html('div', {});
  const trail = html('nav', { class: 'row chips', 'aria-label': 'Place in the tree' });
  const near = html('div', { role: 'status' });
  const word = html('input', { type: 'search', 'aria-label': 'A word', placeholder: 'a word …', autocomplete: 'off' });

  const walk = async (/** @type {string} */ to) => {
    prefix = to;
    const crumb = (/** @type {string} */ path) => html('button', { type: 'button', 'aria-current': path === prefix ? 'true' : null, click: () => walk(path) }, path === '' ? 'whole tree' : path);
    const stops = ['', ...[...Array(Math.ceil(to.length / DEPTH)).keys()].map((at) => to.slice(0, DEPTH * (at + 1)))].filter((path, at, all) => all.indexOf(path) === at);
    trail.replaceChildren(...stops.map(crumb));
    try {
      const answer = await engine.clusters(model, { prefix, depth: DEPTH });
      const drawing = drawClusters(answer.clusters, prefix, found, (group) => (group.clusters > 1 ? walk(group.path) : open(group)));
      const { element, tools } = viewport(drawing, 'Cluster tree');
      tree.replaceChildren(element, html('div', { class: 'pane-tools' }, tools));
    } catch (error) {
      showError(error);
    }
  };
  const open = (/** @type {import('./cluster-tree.js').Group} */ group) => near.replaceChildren(groupList(`Cluster ${group.path}`, [group]));
  const search = async () => {
    const wanted = word.value.trim();
    if (wanted === '') return;
    try {
      const answer = await engine.clusters(model, { word: wanted, neighbours: NEIGHBOURS });
      found = answer.path ?? answer.clusters[0]?.path ?? '';
      near.replaceChildren(groupList(answer.known === false ? `${wanted} is not in the vocabulary; its class:` : `${wanted} and its neighbours`, answer.clusters));
      await walk(found.slice(0, Math.max(0, found.length - 4)));
    } catch (error) {
      near.replaceChildren(html('p', { class: 'notice' }, error instanceof EngineError ? error.message : String(error)));
    }
  };
  void walk('');
  return html('div', { class: 'columns clusters' },
    html('div', { class: 'card' }, html('h2', {}, 'Neighbours'),
      html('form', { class: 'row', submit: (/** @type {Event} */ event) => (event.preventDefault(), search()) }, word, html('button', { class: 'primary' }, 'Find')), near),
    html('div', { class: 'card' }, html('h2', {}, 'Cluster tree'), trail, tree));
}

/** @param {string} title @param {import('./cluster-tree.js').Group[]} groups */
function groupList(title, groups) {
  return html('div', {}, html('h3', { dir: 'auto' }, title), html('table', {},
    html('thead', {}, html('tr', {}, ...['path', 'words', 'most frequent'].map((name) => html('th', { scope: 'col' }, name)))),
    html('tbody', {}, ...groups.map((group) => html('tr', {}, html('td', {}, html('code', {}, group.path)), html('td', { class: 'number' }, group.words), html('td', { dir: 'auto' }, group.top.join(' ')))))));
}
