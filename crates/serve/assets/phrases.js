// Trees of phrases: brackets to nodes, what nodes have in common, which alternatives a list of trees offers.

import { percent } from './dom.js';

/**
 * @typedef {object} PhraseNode
 * @property {string} label        label of a phrase, tag of a word, or the word itself
 * @property {'phrase' | 'tag' | 'word'} kind
 * @property {number} start        first word, from 0
 * @property {number} end          after the last word
 * @property {PhraseNode[]} children
 * @property {number | null} confidence
 * @property {'same' | 'differs'} standing  beside another tree
 * @property {{state: number, probability: number}[]} states  active latent states, most probable first
 */

/** Words of treebanks that stand for brackets, as readers know them. */
const ESCAPES = new Map([['-LRB-', '('], ['-RRB-', ')'], ['-LSB-', '['], ['-RSB-', ']'], ['-LCB-', '{'], ['-RCB-', '}']]);

/** @param {string} label @param {PhraseNode['kind']} kind @param {number} start @returns {PhraseNode} */
const node = (label, kind, start) => ({ label, kind, start, end: start, children: [], confidence: null, standing: 'same', states: [] });

/** Reads Penn brackets, such as `(S (NP (PRP It)) (VP (VBZ rains)))`. No recursion: trees may be deep.
 * @param {string} brackets @returns {PhraseNode} */
export function readBrackets(brackets) {
  /** @type {PhraseNode[]} */
  const open = [];
  let words = 0;
  let root = null;
  for (const [piece] of brackets.matchAll(/\(\s*[^\s()]*|\)|[^\s()]+/gu)) {
    if (piece.startsWith('(')) {
      open.push(node(piece.slice(1).trim(), 'phrase', words));
    } else if (piece === ')') {
      const done = open.pop();
      if (!done) throw new SyntaxError('a bracket closes that was never opened');
      done.end = words;
      if (open.length > 0) open[open.length - 1].children.push(done);
      else root = done;
    } else {
      const above = open[open.length - 1];
      if (!above) throw new SyntaxError(`the word ${piece} stands outside of all brackets`);
      const word = node(ESCAPES.get(piece) ?? piece, 'word', words);
      words += 1;
      word.end = words;
      above.children.push(word);
      above.kind = 'tag';
    }
  }
  if (!root) throw new SyntaxError('the tree does not end');
  return root;
}

/** All nodes, from the top down and from left to right. @param {PhraseNode} root @returns {PhraseNode[]} */
export function nodesOf(root) {
  const found = [];
  const waiting = [root];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    found.push(next);
    for (let at = next.children.length - 1; at >= 0; at -= 1) waiting.push(next.children[at]);
  }
  return found;
}

/** Gives the nodes their confidences, which come in the order of the nodes without words.
 * @param {PhraseNode} root @param {{confidence: number}[]} [spans] */
export function setConfidences(root, spans = []) {
  const inner = nodesOf(root).filter((one) => one.kind !== 'word');
  if (spans.length !== inner.length) return;
  inner.forEach((one, at) => (one.confidence = spans[at].confidence));
}

/** @param {PhraseNode} one */
const key = (one) => `${one.start} ${one.end} ${one.label}`;

/** Marks the nodes of `root` that `other` does not have. @param {PhraseNode} root @param {PhraseNode} other @returns {number} */
export function markDifferences(root, other) {
  const inner = (/** @type {PhraseNode} */ tree) => nodesOf(tree).filter((one) => one.kind !== 'word');
  const known = new Map();
  for (const one of inner(other)) known.set(key(one), (known.get(key(one)) ?? 0) + 1);
  let differing = 0;
  for (const one of inner(root)) {
    const left = known.get(key(one)) ?? 0;
    known.set(key(one), left - 1);
    one.standing = left > 0 ? 'same' : 'differs';
    if (left <= 0) differing += 1;
  }
  return differing;
}

/**
 * What a list of trees has instead of each node of the first: other labels over the same words, or the phrases that cross it.
 * Shares are those of the scores, which are log-probabilities.
 * @param {PhraseNode[]} trees best first
 * @param {number[]} scores
 * @returns {(one: PhraseNode) => {text: string, note: string}[]}
 */
export function alternativesIn(trees, scores) {
  const shares = softmax(scores);
  const tables = trees.map((tree) => nodesOf(tree).filter((one) => one.kind !== 'word'));
  return (wanted) => {
    /** @type {Map<string, number>} */
    const found = new Map();
    tables.forEach((nodes, at) => {
      if (nodes.some((one) => key(one) === key(wanted))) return;
      const same = nodes.filter((one) => one.start === wanted.start && one.end === wanted.end && (one.kind === 'tag') === (wanted.kind === 'tag'));
      const crossing = nodes.filter((one) => one.start < wanted.end && wanted.start < one.end && !contains(one, wanted) && !contains(wanted, one));
      const text = same.length > 0
        ? same.map((one) => one.label).join(' over ')
        : crossing.length > 0
          ? `${crossing[crossing.length - 1].label} over other words`
          : 'no phrase here';
      found.set(text, (found.get(text) ?? 0) + shares[at]);
    });
    return [...found].sort(([, one], [, other]) => other - one).map(([text, share]) => ({ text, note: percent(share) }));
  };
}

/** @param {PhraseNode} outer @param {PhraseNode} inner */
const contains = (outer, inner) => outer.start <= inner.start && inner.end <= outer.end;

/** Shares in proportion to the exponentials. @param {number[]} scores */
export function softmax(scores) {
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const sum = powers.reduce((one, other) => one + other, 0);
  return powers.map((power) => power / sum);
}
