//! The symbols of a sentence: tags, pairs of tags, or words.

use corpus::format::conllu::Sentence;
use corpus::ids::Id;
use corpus::vocab::{Vocab, VocabBuilder};

use super::config::{Alphabet, SYNTACTIC_FEATURES};
use crate::arcs::Word;

corpus::define_ids! {
    /// A symbol of the automata.
    SymbolId;
    /// A coarser class of symbols.
    ClassId;
}

/// A column without a value.
pub(super) const MISSING: &str = "_";

/// The alphabet of a model, with a class for each symbol that replaces it where it is rare or unknown.
#[derive(Clone, PartialEq, Debug)]
pub struct Symbols {
    pub(super) alphabet: Alphabet,
    pub(super) names: Vocab<SymbolId>,
    pub(super) classes: Vocab<ClassId>,
    /// The class of every symbol.
    pub(super) class_of: Vec<ClassId>,
    /// The most frequent symbol of every class.
    pub(super) frequent: Vec<SymbolId>,
    /// The most frequent symbol of all.
    pub(super) default: SymbolId,
}

impl Symbols {
    /// The symbols of the sentences. `None` if there are no words.
    pub fn of_sentences(sentences: &[Sentence], alphabet: Alphabet, word_count: usize) -> Option<Self> {
        let frequent_words = match alphabet {
            Alphabet::Words => frequent_words(sentences, word_count),
            _ => Vocab::from_iter(std::iter::empty::<&str>()),
        };
        let (mut names, mut classes) = (VocabBuilder::new(), VocabBuilder::new());
        let (mut class_of, mut counts): (Vec<ClassId>, Vec<usize>) = (Vec::new(), Vec::new());
        let mut name = String::new();
        for token in sentences.iter().flat_map(Word::of_sentence) {
            write_name(alphabet, token, &mut name, |word| frequent_words.get(word).is_some());
            let symbol: SymbolId = names.intern(&name);
            if symbol.index() == counts.len() {
                counts.push(0usize);
                class_of.push(classes.intern(class_name(alphabet, token)));
            }
            counts[symbol.index()] += 1;
        }
        let most = |symbols: &mut dyn Iterator<Item = usize>| {
            // Ties go to the first symbol.
            symbols.max_by_key(|&symbol| (counts[symbol], std::cmp::Reverse(symbol))).and_then(SymbolId::new)
        };
        let default = most(&mut (0..counts.len()))?;
        let frequent = (0..classes.len())
            .map(|class| {
                let mut members = (0..counts.len()).filter(|&symbol| class_of[symbol].index() == class);
                most(&mut members).unwrap_or(default)
            })
            .collect();
        Some(Self { alphabet, names: names.freeze(), classes: classes.freeze(), class_of, frequent, default })
    }

    /// The number of symbols.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Always false.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The kind of symbols.
    pub fn alphabet(&self) -> Alphabet {
        self.alphabet
    }

    /// The name of a symbol.
    pub fn name(&self, symbol: SymbolId) -> &str {
        self.names.text(symbol)
    }

    /// The symbol with this name.
    pub fn get(&self, name: &str) -> Option<SymbolId> {
        self.names.get(name)
    }

    /// All symbols with their names.
    pub fn iter(&self) -> impl Iterator<Item = (SymbolId, &str)> {
        self.names.iter()
    }

    /// The number of classes.
    pub(super) fn class_count(&self) -> usize {
        self.classes.len()
    }

    /// The class of a symbol, as an index.
    pub(super) fn class(&self, symbol: usize) -> usize {
        self.class_of[symbol].index()
    }

    /// Encodes a sentence. Unknown symbols become the most frequent symbol of their class, or of all.
    pub fn encode(&self, words: &[Word<'_>], symbols: &mut Vec<SymbolId>) {
        symbols.clear();
        let mut name = String::new();
        for &token in words {
            write_name(self.alphabet, token, &mut name, |word| self.names.get(word).is_some());
            let known = self.names.get(&name).or_else(|| {
                let class = self.classes.get(class_name(self.alphabet, token))?;
                Some(self.frequent[class.index()])
            });
            symbols.push(known.unwrap_or(self.default));
        }
    }
}

/// The part of speech used by lexical models and classes: the universal one if there is one.
pub(super) fn part_of_speech<'t>(token: Word<'t>) -> &'t str {
    if token.upos == MISSING { token.xpos } else { token.upos }
}

fn class_name<'t>(alphabet: Alphabet, token: Word<'t>) -> &'t str {
    match alphabet {
        Alphabet::Product | Alphabet::Features | Alphabet::Words => part_of_speech(token),
        Alphabet::Upos | Alphabet::Xpos => MISSING,
    }
}

fn write_name(alphabet: Alphabet, token: Word<'_>, name: &mut String, is_symbol: impl Fn(&str) -> bool) {
    name.clear();
    match alphabet {
        Alphabet::Upos => name.push_str(part_of_speech(token)),
        Alphabet::Xpos => name.push_str(if token.xpos == MISSING { token.upos } else { token.xpos }),
        Alphabet::Product => write_product(token, name),
        Alphabet::Features => {
            write_product(token, name);
            for feature in token.feats.split('|') {
                let attribute = feature.split('=').next().unwrap_or(feature);
                if SYNTACTIC_FEATURES.contains(&attribute) {
                    name.push('|');
                    name.push_str(feature);
                }
            }
        }
        Alphabet::Words => {
            write_word(token, name);
            if !is_symbol(name) {
                name.clear();
                write_product(token, name);
            }
        }
    }
}

pub(super) fn write_product(token: Word<'_>, name: &mut String) {
    name.push_str(part_of_speech(token));
    if token.upos != MISSING && token.xpos != MISSING {
        name.push('/');
        name.push_str(token.xpos);
    }
}

fn write_word(token: Word<'_>, name: &mut String) {
    name.push_str(part_of_speech(token));
    name.push(':');
    name.extend(token.form.chars().flat_map(char::to_lowercase));
}

fn frequent_words(sentences: &[Sentence], word_count: usize) -> Vocab<SymbolId> {
    let mut words: VocabBuilder<SymbolId> = VocabBuilder::new();
    let mut counts = Vec::new();
    let mut name = String::new();
    for token in sentences.iter().flat_map(Word::of_sentence) {
        name.clear();
        write_word(token, &mut name);
        let word = words.intern(&name).index();
        counts.resize(words.len(), 0);
        counts[word] += 1;
    }
    let words = words.freeze();
    words.iter().filter(|(word, _)| counts[word.index()] >= word_count.max(1)).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_with_features_leave_agreement_out() {
        let word =
            |feats: &'static str| Word { form: "they", lemma: "they", upos: "PRON", xpos: "PRP", feats };
        let name = |feats: &'static str| {
            let mut name = String::new();
            write_name(Alphabet::Features, word(feats), &mut name, |_| true);
            name
        };
        assert_eq!(name("Case=Nom|Number=Plur|Person=3|PronType=Prs"), "PRON/PRP|Case=Nom|PronType=Prs");
        assert_eq!(name("Number=Plur"), "PRON/PRP");
        assert_eq!(name("_"), "PRON/PRP");
        assert_eq!(class_name(Alphabet::Features, word("_")), "PRON");
    }
}
