//! The tokenizer model.

use super::bonds::Bonds;
use super::config::{Features, TokenizerConfig};
use super::features::Characters;
use super::multiword::Multiword;
use super::protected::{Kind, Protected};
use super::rules;
use models::log_linear::{Lookup, SparseWeights};

/// The decision after a character.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Decision {
    /// The token continues.
    Inside = 0,
    /// The token ends.
    Token = 1,
    /// The sentence ends with the token.
    Sentence = 2,
}

pub(super) const DECISIONS: usize = 3;

/// Splits text into sentences and tokens, and tokens into words. It is immutable and shared by threads.
#[derive(Clone, Debug)]
pub struct Tokenizer {
    pub(super) config: TokenizerConfig,
    /// `None` for a tokenizer by rules.
    pub(super) weights: Option<SparseWeights>,
    pub(super) bonds: Bonds,
    /// What is not divided.
    pub(super) whole: Vec<Kind>,
    pub(super) multiword: Multiword,
}

/// A token: a range of bytes of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextToken {
    /// Its start.
    pub start: usize,
    /// Its end.
    pub end: usize,
}

/// The tokens of a sentence, at least one.
pub type TextSentence = Vec<TextToken>;

/// Scratch memory for one text, reusable.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(super) characters: Characters,
    pub(super) lookup: Lookup,
    pub(super) protected: Protected,
}

impl Tokenizer {
    /// The tokenizer that follows the rules of the [module](super) and splits no token into words.
    ///
    /// ```
    /// use eigentree_tagging::tokenizer::{Scratch, Tokenizer};
    /// let text = "Dr. No (1962) is old. \"Really?\" Yes!!";
    /// let sentences = Tokenizer::rules().split(text, &mut Scratch::default());
    /// let tokens: Vec<Vec<&str>> =
    ///     sentences.iter().map(|tokens| tokens.iter().map(|token| &text[token.start..token.end]).collect()).collect();
    /// assert_eq!(tokens[1], ["No", "(", "1962", ")", "is", "old", "."]);
    /// assert_eq!(tokens[2], ["\"", "Really", "?", "\""]);
    /// assert_eq!(tokens[3], ["Yes", "!!"]);
    /// ```
    pub fn rules() -> Self {
        Self {
            config: TokenizerConfig { features: Features::Characters, ..TokenizerConfig::default() },
            weights: None,
            bonds: Bonds::default(),
            whole: Kind::ALL.to_vec(),
            multiword: Multiword::default(),
        }
    }

    /// The words that tokens are split into.
    pub fn multiword(&self) -> &Multiword {
        &self.multiword
    }

    /// The sentences of a text. The end of the text and an empty line end a sentence.
    pub fn split(&self, text: &str, scratch: &mut Scratch) -> Vec<TextSentence> {
        let Scratch { characters, lookup, protected } = scratch;
        characters.read(text, self.config.features);
        protected.read(characters, &self.whole);
        let mut sentences: Vec<TextSentence> = Vec::new();
        let mut tokens: TextSentence = Vec::new();
        let mut start = None;
        for at in 0..characters.all.len() {
            let (c, byte, _) = characters.all[at];
            if characters.is_space(at) {
                continue;
            }
            let begin = *start.get_or_insert(byte);
            let decision = match gap_after(characters, at) {
                Gap::End => Decision::Sentence,
                Gap::Narrow if protected.holds(at) => Decision::Inside,
                gap => match (self.decide(characters, at, lookup), gap) {
                    // No token extends over the end of a line.
                    (Decision::Inside, Gap::Wide) => Decision::Token,
                    (decision, _) => decision,
                },
            };
            if decision != Decision::Inside {
                tokens.push(TextToken { start: begin, end: byte + c.len_utf8() });
                start = None;
            }
            if decision == Decision::Sentence {
                sentences.push(std::mem::take(&mut tokens));
            }
        }
        sentences
    }

    fn decide(&self, characters: &Characters, at: usize, lookup: &mut Lookup) -> Decision {
        let Some(weights) = &self.weights else { return rules::decide(characters, at) };
        if self.bonds.hold(characters, at) {
            return Decision::Inside;
        }
        let mut sums = [0; DECISIONS];
        lookup.names.clear();
        characters.features(at, |name| lookup.names.push(name));
        weights.add_all(lookup, &mut sums);
        let [inside, token, sentence] = sums;
        if sentence > token && sentence > inside {
            Decision::Sentence
        } else if token > inside {
            Decision::Token
        } else {
            Decision::Inside
        }
    }
}

/// What lies between a character and the next one that is not white space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Gap {
    /// Nothing or one space.
    Narrow,
    /// More than that, or the end of a line.
    Wide,
    /// An empty line, or the end of the text.
    End,
}

fn gap_after(characters: &Characters, at: usize) -> Gap {
    let spaces = characters.all[at + 1..].iter().take_while(|own| own.0.is_whitespace());
    let (mut count, mut lines) = (0, 0);
    for own in spaces {
        count += 1;
        lines += usize::from(own.0 == '\n');
    }
    let ends = at + 1 + count == characters.all.len();
    match (ends, lines) {
        (true, _) | (_, 2..) => Gap::End,
        (_, 1) => Gap::Wide,
        _ if count > 1 => Gap::Wide,
        _ => Gap::Narrow,
    }
}
