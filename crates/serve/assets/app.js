// Starts the page: engine, state in the address, tabs, theme.

import { byId } from './dom.js';
import { chooseEngine } from './engine.js';
import { InsideView } from './inside-view.js';
import { showError } from './messages.js';
import { ParseView } from './parse-view.js';
import { Store, decode, encode } from './state.js';
import { startTooltip } from './tooltip.js';
import { TrainView } from './train-view.js';

const TABS = /** @type {const} */ (['parse', 'inside', 'train']);
const store = new Store(decode(location.hash));

/** Shows one panel; the others are hidden from everyone. @param {string} tab */
function showTab(tab) {
  for (const name of TABS) {
    const button = byId(`tab-${name}`);
    button.setAttribute('aria-selected', String(name === tab));
    button.tabIndex = name === tab ? 0 : -1;
    byId(`panel-${name}`).hidden = name !== tab;
  }
}

function startTabs() {
  for (const name of TABS) byId(`tab-${name}`).addEventListener('click', () => store.set({ tab: name }));
  byId('tabs').addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = TABS[(TABS.indexOf(store.state.tab) + step + TABS.length) % TABS.length];
    store.set({ tab: next });
    byId(`tab-${next}`).focus();
  });
  showTab(store.state.tab);
}

/** Light, dark or as the system says; the choice stays in this browser. */
function startTheme() {
  const root = document.documentElement;
  const apply = (/** @type {string | null} */ theme) => (theme ? root.setAttribute('data-theme', theme) : root.removeAttribute('data-theme'));
  const remembered = () => { try { return localStorage.getItem('theme'); } catch { return null; } };
  apply(remembered());
  byId('theme').addEventListener('click', () => {
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    const next = dark ? 'light' : 'dark';
    apply(next);
    try { localStorage.setItem('theme', next); } catch { /* private windows may refuse; the page works without */ }
  });
}

/** Points links at the book, wherever it is; also those that come later. */
function startBookLinks() {
  const book = document.querySelector('meta[name="eigentree-book"]')?.getAttribute('content') ?? '';
  const point = () => {
    for (const link of document.querySelectorAll('a[data-book]:not([href])')) link.setAttribute('href', book + link.getAttribute('data-book'));
  };
  point();
  new MutationObserver(point).observe(document.body, { childList: true, subtree: true });
}

async function start() {
  startTabs();
  startTheme();
  startBookLinks();
  startTooltip();
  const engine = await chooseEngine();
  byId('place').textContent = engine.place;
  const [parse, inside] = [new ParseView(engine, store), new InsideView(engine, store)];
  const refresh = async () => {
    const { models, default: preferred, limits } = await engine.models();
    parse.setModels(models, preferred);
    inside.setModels(models, preferred);
    train.setLimits(limits ?? {});
  };
  const train = new TrainView(engine, store, refresh);
  store.listen((state, changed) => {
    if (changed.has('tab')) showTab(state.tab);
    history.replaceState(null, '', encode(state));
  });
  window.addEventListener('hashchange', () => store.set(decode(location.hash)));
  await refresh();
  document.documentElement.dataset.ready = 'true';
}

start().catch(showError);
