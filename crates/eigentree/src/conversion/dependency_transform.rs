//! Transforms of dependency trees.

use corpus::dependency::function_heads::{content_heads, function_heads};
use corpus::dependency::{is_punctuation, without_words};
use corpus::format::conllu::Sentence;

use super::Step;
use crate::Error;

/// Which words are heads.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum HeadChange {
    /// Those that are.
    #[default]
    Keep,
    /// Function words instead of content words.
    ToFunctionWords,
    /// Content words again.
    ToContentWords,
}

/// Transforms of dependency trees; by default none. Punctuation is removed first.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct DependencyTransforms {
    /// Remove punctuation.
    pub remove_punctuation: Step,
    /// Change heads.
    pub heads: HeadChange,
}

impl DependencyTransforms {
    /// The transformed sentence, which may have no words.
    pub fn apply(&self, sentence: Sentence) -> Result<Sentence, Error> {
        let line = sentence.first_line();
        let failed = |error: &dyn std::fmt::Display| {
            Error::Data(format!("cannot transform the sentence at line {line}: {error}"))
        };
        let sentence = match self.remove_punctuation {
            Step::Leave => sentence,
            Step::Apply => {
                without_words(&sentence, |word| !is_punctuation(word)).map_err(|error| failed(&error))?
            }
        };
        match self.heads {
            _ if sentence.is_empty() => Ok(sentence),
            HeadChange::Keep => Ok(sentence),
            HeadChange::ToFunctionWords => function_heads(&sentence).map_err(|error| failed(&error)),
            HeadChange::ToContentWords => content_heads(&sentence).map_err(|error| failed(&error)),
        }
    }
}
