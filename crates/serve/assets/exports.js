// Copies an analysis: brackets, CoNLL-U, LaTeX, SVG, PNG.

import { html, svg } from './dom.js';
import { forest, tikzDependency } from './latex.js';
import { showError } from './messages.js';

/** Properties of a drawing that come from style sheets and must travel with a copy. */
const PROPERTIES = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'font-family', 'font-size', 'font-weight', 'font-style', 'color'];
const PNG_SCALE = 3;

/** @typedef {import('./analysis.js').Analysis} Analysis */

/** A drawing that looks the same without the page. @param {SVGSVGElement} drawing */
export function standalone(drawing) {
  const copy = /** @type {SVGSVGElement} */ (drawing.cloneNode(true));
  const [from, to] = [[drawing, ...drawing.querySelectorAll('*')], [copy, ...copy.querySelectorAll('*')]];
  from.forEach((element, at) => {
    const computed = getComputedStyle(element);
    for (const property of PROPERTIES) {
      const value = computed.getPropertyValue(property);
      if (value && value !== 'none' && value !== 'normal') to[at].setAttribute(property, value);
    }
    if (element instanceof SVGPathElement && computed.fill === 'none') to[at].setAttribute('fill', 'none');
    for (const attribute of ['class', 'tabindex', 'role', 'aria-label', 'aria-hidden']) to[at].removeAttribute(attribute);
  });
  const box = drawing.viewBox.baseVal;
  copy.setAttribute('width', String(box.width));
  copy.setAttribute('height', String(box.height));
  copy.prepend(svg('rect', { width: box.width, height: box.height, fill: getComputedStyle(drawing.closest('.viewport') ?? drawing).backgroundColor }));
  return `${new XMLSerializer().serializeToString(copy)}\n`;
}

/** @param {SVGSVGElement} drawing @returns {Promise<Blob>} */
export async function png(drawing) {
  const address = URL.createObjectURL(new Blob([standalone(drawing)], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = html('canvas', { width: image.naturalWidth * PNG_SCALE, height: image.naturalHeight * PNG_SCALE });
    const context = canvas.getContext('2d');
    if (!context) throw new Error('this browser cannot draw the picture');
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large'))), 'image/png'));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** CoNLL-U of one sentence. @param {import('./engine.js').Sentence} sentence */
export function conllu(sentence) {
  const pairs = (/** @type {Record<string, string> | undefined} */ all) => Object.entries(all ?? {}).map(([key, value]) => (value === null ? key : `${key}=${value}`)).join('|') || '_';
  const lines = [`# text = ${sentence.text}`];
  for (const word of sentence.words) {
    const range = sentence.tokens.find((token) => token.first === word.id);
    if (range) lines.push([`${range.first}-${range.last}`, range.form, ...new Array(8).fill('_')].join('\t'));
    lines.push([word.id, word.form, word.lemma ?? '_', word.upos ?? '_', word.xpos ?? '_', pairs(word.feats), word.head ?? '_', word.deprel ?? '_', word.deps ?? '_', pairs(word.misc)].join('\t'));
  }
  return `${lines.join('\n')}\n\n`;
}

/** @param {string} text */
export async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Pages without a secure connection have no clipboard but this one.
  const area = html('textarea', { class: 'skip' });
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

/** Offers a file. @param {Blob} blob @param {string} name */
export function save(blob, name) {
  const address = URL.createObjectURL(blob);
  html('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/**
 * The menu below a drawing.
 * @param {() => Analysis} analysis
 * @param {SVGSVGElement | null} drawing
 * @param {(what: string) => void} tell  what to say when it is done
 */
export function exportMenu(analysis, drawing, tell) {
  /** @type {[string, () => Promise<string | void>][]} */
  const ways = [];
  const { sentence, tree } = analysis();
  /** @param {() => string} of */
  const text = (of) => async () => copyText(of());
  if (tree) {
    ways.push(['Copy brackets', text(() => `${analysis().sentence.tree ?? ''}\n`)]);
    ways.push(['Copy LaTeX (forest)', text(() => forest(/** @type {any} */ (analysis().tree)))]);
  }
  ways.push(['Copy CoNLL-U', text(() => conllu(analysis().sentence))]);
  if (sentence.words.some((word) => word.head !== null)) ways.push(['Copy LaTeX (tikz-dependency)', text(() => tikzDependency(analysis().sentence.words))]);
  if (drawing) {
    ways.push(['Copy SVG', text(() => standalone(drawing))]);
    ways.push(['Save SVG', async () => (save(new Blob([standalone(drawing)], { type: 'image/svg+xml' }), 'eigentree.svg'), 'saved')]);
    if ('ClipboardItem' in window && navigator.clipboard) {
      // The promise goes into the item: some browsers want to be asked while the click lasts.
      ways.push(['Copy PNG', () => navigator.clipboard.write([new ClipboardItem({ 'image/png': png(drawing) })])]);
    }
    ways.push(['Save PNG', async () => (save(await png(drawing), 'eigentree.png'), 'saved')]);
  }
  const menu = html('details', { class: 'menu' }, html('summary', {}, 'Copy as …'),
    html('div', {}, ...ways.map(([name, act]) => html('button', {
      type: 'button',
      click: async () => {
        menu.open = false;
        try {
          tell(`${name}: ${(await act()) ?? 'copied'}.`);
        } catch (error) {
          showError(error);
        }
      },
    }, name))));
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
  return menu;
}
