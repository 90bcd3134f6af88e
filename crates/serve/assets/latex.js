// Analyses as LaTeX: trees for the package forest, arcs for tikz-dependency.

/** @typedef {import('./phrases.js').PhraseNode} PhraseNode */

const SIGNS = /** @type {Record<string, string>} */ ({
  '\\': '\\textbackslash{}', '{': '\\{', '}': '\\}', $: '\\$', '&': '\\&', '#': '\\#', '%': '\\%', _: '\\_', '^': '\\textasciicircum{}', '~': '\\textasciitilde{}',
});

/** @param {string} text */
const escape = (text) => text.replace(/[\\{}$&#%_^~]/g, (sign) => SIGNS[sign]);

/** Square brackets, commas and equals signs mean something to forest, so such labels stand in braces. @param {string} text */
const forestLabel = (text) => (/[[\],=]/.test(text) ? `{${escape(text)}}` : escape(text));

/** @param {PhraseNode} root */
export function forest(root) {
  const lines = ['% \\usepackage[linguistics]{forest}', '\\begin{forest}'];
  /** @type {{node: PhraseNode | null, depth: number}[]} */
  const waiting = [{ node: root, depth: 1 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, depth } = next;
    const indent = '  '.repeat(depth);
    if (!node) lines.push(`${indent}]`);
    else if (node.kind === 'tag') lines.push(`${indent}[${forestLabel(node.label)} ${node.children.map((word) => `[${forestLabel(word.label)}, tier=word]`).join(' ')}]`);
    else {
      lines.push(`${indent}[${forestLabel(node.label)}`);
      waiting.push({ node: null, depth });
      for (let at = node.children.length - 1; at >= 0; at -= 1) waiting.push({ node: node.children[at], depth: depth + 1 });
    }
  }
  return `${[...lines, '\\end{forest}'].join('\n')}\n`;
}

/** @param {import('./engine.js').Word[]} words */
export function tikzDependency(words) {
  const row = (/** @type {(word: import('./engine.js').Word) => string} */ of) => `    ${words.map((word) => escape(of(word))).join(' \\& ')} \\\\`;
  const arcs = words
    .filter((word) => word.head !== null)
    .map((word) => (word.head === 0 ? `  \\deproot{${word.id}}{${escape(word.deprel ?? 'root')}}` : `  \\depedge{${word.head}}{${word.id}}{${escape(word.deprel ?? '')}}`));
  return `${['% \\usepackage{tikz-dependency}', '\\begin{dependency}', '  \\begin{deptext}', row((word) => word.form), row((word) => word.upos ?? word.xpos ?? ''), '  \\end{deptext}', ...arcs, '\\end{dependency}'].join('\n')}\n`;
}
