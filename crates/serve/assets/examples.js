// Sentences to begin with: some for raw text, some for the embedded sample's grammar.

/** @typedef {{name: string, text: string}} Example */

/** Words of the built-in sample grammar, one sentence per line. @type {Example[]} */
export const SAMPLE = [
  { name: 'the dog saw a cat', text: 'the dog saw a cat in the garden .' },
  { name: 'an ambiguity', text: 'the old man saw the dog with the telescope .' },
];

/** @type {Example[]} */
export const TEXTS = [
  { name: 'A short text', text: 'She reads the letters that her brother sent from Lisbon. He never answers.' },
  { name: 'العربية', text: 'قرأ الطالب الكتاب الجديد في المكتبة مساء أمس.' },
  { name: '日本語', text: '昨日 、 友達 と 新しい 図書館 で 本 を 読み まし た 。' },
];
