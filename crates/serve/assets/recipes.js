// What can be trained from what: the families, their recipes, and a guess from the look of the data.

/** @typedef {'trees' | 'conllu' | 'text'} DataKind */

/** @typedef {{family: string, name: string, from: DataKind, qualities: string[], about: string, sample: boolean}} Recipe */

const QUALITIES = ['fast', 'balanced', 'best'];

/** @type {Recipe[]} */
export const RECIPES = [
  { family: 'lpcfg', name: 'Grammar with latent states', from: 'trees', qualities: QUALITIES, about: 'Phrases, by spectral learning', sample: true },
  { family: 'pcfg', name: 'Treebank grammar', from: 'trees', qualities: [], about: 'Phrases, without latent states: the baseline', sample: true },
  { family: 'pipeline', name: 'Pipeline', from: 'conllu', qualities: QUALITIES, about: 'From raw text to tags, lemmas and dependencies', sample: true },
  { family: 'mst', name: 'Dependency parser', from: 'conllu', qualities: QUALITIES, about: 'Dependencies of tokens', sample: true },
  { family: 'head-automata', name: 'Head automata', from: 'conllu', qualities: [], about: 'Dependencies by automata with latent states', sample: true },
  { family: 'tagger', name: 'Tagger', from: 'conllu', qualities: [], about: 'Parts of speech and morphology', sample: true },
  { family: 'clusters', name: 'Word clusters', from: 'text', qualities: [], about: 'A tree of words that occur alike', sample: true },
];

/** @type {Record<DataKind, string>} */
export const KIND_NAMES = { trees: 'trees in Penn brackets', conllu: 'sentences in CoNLL-U', text: 'plain text' };

/** What the data looks like. @param {string} data @returns {DataKind} */
export function kindOf(data) {
  const lines = data.slice(0, 20_000).split('\n').filter((line) => line.trim() !== '').slice(0, 40);
  if (lines.some((line) => /^\d+(-\d+)?\t/.test(line) && line.split('\t').length === 10)) return 'conllu';
  if (lines.length > 0 && lines[0].trimStart().startsWith('(')) return 'trees';
  return 'text';
}
