//! The input of dependency parsers: words with tags.

use corpus::format::conllu::Sentence;

/// One word with its tags. Unknown fields are `_`, as in CoNLL-U.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word<'a> {
    /// The form.
    pub form: &'a str,
    /// The lemma.
    pub lemma: &'a str,
    /// The universal tag.
    pub upos: &'a str,
    /// The treebank-specific tag.
    pub xpos: &'a str,
    /// Morphological features, `Case=Nom|Number=Sing`.
    pub feats: &'a str,
}

impl<'a> Word<'a> {
    /// The words of a sentence with their columns.
    pub fn of_sentence(sentence: &'a Sentence) -> Vec<Word<'a>> {
        let words = sentence.words().map(|word| Word {
            form: word.form(),
            lemma: word.lemma(),
            upos: word.upos(),
            xpos: word.xpos(),
            feats: word.feats(),
        });
        words.collect()
    }
}
