// Elements of the page and of drawings, without a framework.

const SVG = 'http://www.w3.org/2000/svg';

/** @typedef {string | number | Node | null | undefined | false} Child */

/**
 * Sets attributes; functions become listeners, `null` and `false` are left out.
 * @param {Element} element
 * @param {Record<string, any>} attributes
 */
function assign(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
}

/** @param {Element} element @param {(Child | Child[])[]} children */
function append(element, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function html(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  assign(element, attributes);
  append(element, children);
  return element;
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElementTagNameMap[K]} */ (document.createElementNS(SVG, tag));
  assign(element, attributes);
  append(element, children);
  return element;
}

/**
 * The element with this id, which the page must have.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return /** @type {T} */ (element);
}

/** Replaces the options of a list of choices and keeps the choice, if it is still there.
 * @param {HTMLSelectElement} select
 * @param {{value: string, text: string, disabled?: boolean}[]} options
 * @param {string} [chosen] */
export function setOptions(select, options, chosen = select.value) {
  select.replaceChildren(
    ...options.map(({ value, text, disabled }) => html('option', { value, disabled: disabled ?? false }, text)),
  );
  if (options.some((option) => option.value === chosen)) select.value = chosen;
}

/** Calls `action` when calls have ceased for some milliseconds.
 * @template {unknown[]} A
 * @param {number} milliseconds
 * @param {(...values: A) => void} action
 * @returns {(...values: A) => void} */
export function afterPause(milliseconds, action) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = window.setTimeout(() => action(...values), milliseconds);
  };
}

/** A share in per cent: `93 %`, with a decimal where it matters. @param {number} share */
export function percent(share) {
  const value = 100 * share;
  return `${value > 99 && value < 100 ? Math.min(99.9, value).toFixed(1) : value.toFixed(value < 10 ? 1 : 0)} %`;
}

/** Whether text runs from right to left, by its first letter with a direction. @param {string} text */
export function isRightToLeft(text) {
  const letter = text.match(/\p{L}/u);
  return letter !== null && /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(letter[0]);
}

/** Words within text of ours: whatever their direction, ours stays. @param {string} words */
export const isolated = (words) => `\u2068${words}\u2069`;
