// One analysis of a sentence: the best one or another of the list, and how two of them differ.

import { tagOf } from './arc-drawing.js';
import { alternativesIn, markDifferences, nodesOf, readBrackets, setConfidences, softmax } from './phrases.js';
import { isolated, percent } from './dom.js';

/** @typedef {import('./engine.js').Sentence} Sentence */
/** @typedef {import('./engine.js').Word} Word */
/** @typedef {import('./phrases.js').PhraseNode} PhraseNode */

/** @typedef {{sentence: Sentence, tree: PhraseNode | null, rank: number}} Analysis */

/** Columns that an analysis of the list may change. */
const COLUMNS = /** @type {const} */ (['lemma', 'upos', 'xpos', 'head', 'deprel']);

/**
 * The analysis with this rank, from 0. Confidences belong to the best one; parts that another shares with it keep them.
 * @param {Sentence} sentence
 * @param {number} rank
 * @returns {Analysis}
 */
export function analysisOf(sentence, rank = 0) {
  const best = sentence.tree ? readBrackets(sentence.tree) : null;
  if (best) setConfidences(best, sentence.spans);
  const chosen = sentence.nbest?.[rank];
  if (rank === 0 || !chosen) return { sentence, tree: best, rank: 0 };
  const words = sentence.words.map((word, at) => {
    const other = { ...word };
    for (const column of COLUMNS) if (Array.isArray(chosen[column])) Object.assign(other, { [column]: blank(chosen[column][at]) });
    const same = COLUMNS.every((column) => other[column] === word[column]);
    return same ? other : { ...other, confidence: null, confidences: {} };
  });
  const tree = chosen.tree ? readBrackets(chosen.tree) : best;
  if (tree && best && tree !== best) {
    const known = new Map(nodesOf(best).map((one) => [`${one.start} ${one.end} ${one.label}`, one.confidence]));
    for (const one of nodesOf(tree)) one.confidence = known.get(`${one.start} ${one.end} ${one.label}`) ?? null;
  }
  return { sentence: { ...sentence, words, tree: chosen.tree ?? sentence.tree }, tree, rank };
}

/** `_` is how a column says that it has nothing. @param {any} value */
const blank = (value) => (value === '_' ? null : value);

/** Whether two analyses are of the same words. @param {Analysis} one @param {Analysis} other */
export function comparable(one, other) {
  const forms = (/** @type {Analysis} */ analysis) => analysis.sentence.words.map((word) => word.form).join('\u0000');
  return forms(one) === forms(other);
}

/** Whether a word differs from the one in the same place. @param {Word} word @param {Word} [other] */
export function wordDiffers(word, other) {
  if (!other) return true;
  const given = (/** @type {'head' | 'deprel'} */ column) => word[column] !== null && other[column] !== null && word[column] !== other[column];
  return given('head') || given('deprel') || (tagOf(word) !== '' && tagOf(other) !== '' && tagOf(word) !== tagOf(other));
}

/** Marks what `one` has and `other` has not; counts the phrases and words that differ. @param {Analysis} one @param {Analysis} other */
export function compare(one, other) {
  const phrases = one.tree && other.tree ? markDifferences(one.tree, other.tree) : 0;
  const words = one.sentence.words.filter((word, at) => wordDiffers(word, other.sentence.words[at])).length;
  return { phrases, words };
}

/** What the list offers instead of a phrase. @param {Sentence} sentence */
export function phraseAlternatives(sentence) {
  const listed = (sentence.nbest ?? []).filter((one) => one.tree);
  if (listed.length < 2) return () => [];
  return alternativesIn(listed.map((one) => readBrackets(one.tree ?? '')), listed.map((one) => one.score));
}

/** What the list offers instead of the head, relation and tag of a word. @param {Sentence} sentence */
export function wordAlternatives(sentence) {
  const listed = (sentence.nbest ?? []).map((_, rank) => analysisOf(sentence, rank));
  return (/** @type {Word} */ word) => {
    /** @type {Map<string, number[]>} */
    const found = new Map();
    for (const { sentence: other, rank } of listed) {
      const its = other.words[word.id - 1];
      if (!wordDiffers(word, its)) continue;
      const head = its.head === null ? '' : its.head === 0 ? 'root' : `${its.deprel ?? ''} of ${isolated(other.words[its.head - 1]?.form ?? '?')}`;
      const text = [its.head !== word.head || its.deprel !== word.deprel ? head : '', tagOf(its) !== tagOf(word) ? tagOf(its) : ''].filter(Boolean).join(', ');
      found.set(text, [...(found.get(text) ?? []), rank + 1]);
    }
    return [...found].map(([text, ranks]) => ({ text, note: `analysis ${ranks.join(', ')}` }));
  };
}

/** @typedef {{rank: number, share: string, changes: string[]}} Entry */

/** The list, each entry with what differs from the best. @param {Sentence} sentence @returns {Entry[]} */
export function entriesOf(sentence) {
  const listed = sentence.nbest ?? [];
  const shares = listed.every((one) => one.tree) ? softmax(listed.map((one) => one.score)) : null;
  return listed.map((one, rank) => ({
    rank,
    share: shares ? percent(shares[rank]) : rank === 0 ? 'best' : `−${(listed[0].score - one.score).toFixed(2)}`,
    changes: rank === 0 ? [] : changesOf(sentence, rank),
  }));
}

/** @param {Sentence} sentence @param {number} rank */
function changesOf(sentence, rank) {
  const [best, other] = [analysisOf(sentence), analysisOf(sentence, rank)];
  if (best.tree && other.tree) {
    markDifferences(other.tree, best.tree);
    const words = sentence.words.map((word) => word.form);
    return nodesOf(other.tree).filter((one) => one.standing === 'differs').map((one) => `${one.label} ${isolated(shorten(words.slice(one.start, one.end)))}`);
  }
  return other.sentence.words
    .filter((word, at) => wordDiffers(word, best.sentence.words[at]))
    .map((word) => `${isolated(word.form)}: ${word.head === 0 ? 'root' : `${word.deprel ?? ''} of ${isolated(other.sentence.words[(word.head ?? 0) - 1]?.form ?? '?')}`}${tagOf(word) !== tagOf(best.sentence.words[word.id - 1]) ? ` ${tagOf(word)}` : ''}`);
}

/** @param {string[]} words */
const shorten = (words) => (words.length <= 6 ? words.join(' ') : `${words.slice(0, 3).join(' ')} … ${words.slice(-2).join(' ')}`);
