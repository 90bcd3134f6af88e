//! Scores the trees of a treebank with a grammar.

use corpus::tree::Tree;
use corpus::tree::binarize::{Direction, Horizontal};
use corpus::tree::normal_form::NormalForm;
use grammars::lexicon::Observation;
use grammars::lpcfg::{Lpcfg, Parser, ParserConfig, TreeScore};
use models::learn::Observer;
use models::persist::Metadata;
use models::signed_log::SignedLog;
use serde_json::{Value, json};

use crate::Error;
use crate::streaming::map_in_memory;
use crate::training::{Annotation, prepare};

/// The scores of the trees of a treebank.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GrammarScores {
    /// By tree: its probability, that of its words, and their number; `None` for a tree without words.
    pub trees: Vec<Option<(TreeScore, usize)>>,
}

impl GrammarScores {
    fn known(&self) -> impl Iterator<Item = &(TreeScore, usize)> {
        self.trees.iter().flatten()
    }

    /// The number of words.
    pub fn words(&self) -> usize {
        self.known().map(|(_, words)| words).sum()
    }

    /// The sum of `log |p(tree)|` over the trees that the grammar derives.
    pub fn tree_log(&self) -> f64 {
        total(self.known().map(|(score, _)| score.tree))
    }

    /// The sum of `log |p(x)|` over the sentences that the grammar derives.
    pub fn sentence_log(&self) -> f64 {
        total(self.known().map(|(score, _)| score.sentence))
    }

    /// The number of trees, and of sentences, whose probability has this sign.
    pub fn with_sign(&self, sign: i8) -> (usize, usize) {
        (
            self.known().filter(|(score, _)| score.tree.sign == sign).count(),
            self.known().filter(|(score, _)| score.sentence.sign == sign).count(),
        )
    }

    /// The longest sentence whose probability is computed.
    pub fn longest() -> usize {
        ParserConfig::for_sums().base.max_words
    }

    /// The number of sentences that are longer, which count as not derived.
    pub fn too_long(&self) -> usize {
        self.known().filter(|(_, words)| *words > Self::longest()).count()
    }

    /// Totals as a JSON object.
    pub fn to_json(&self) -> Value {
        let ((negative, negative_sentences), (impossible, underived)) =
            (self.with_sign(-1), self.with_sign(0));
        json!({
            "trees": self.known().count(),
            "tokens": self.words(),
            "log_probability": self.tree_log(),
            "negative": negative,
            "impossible": impossible,
            "sentences": {
                "log_probability": self.sentence_log(),
                "negative": negative_sentences,
                "underived": underived,
                "too_long": self.too_long(),
            },
        })
    }
}

/// The sum of the logarithms of numbers other than 0. Unlike that of the standard library it is never -0.
fn total(numbers: impl Iterator<Item = SignedLog>) -> f64 {
    numbers.filter(|number| number.sign != 0).fold(0.0, |sum, number| sum + number.log)
}

/// The probabilities of trees and of their words, tags unknown, by a grammar with latent states whose file has this metadata.
/// Function tags and empty elements are removed unless `annotation` keeps them.
pub fn score_grammar_trees(
    model: &Lpcfg,
    metadata: &Metadata,
    trees: Vec<Tree>,
    annotation: Annotation,
    observer: &mut dyn Observer,
) -> Result<GrammarScores, Error> {
    let form = normal_form(metadata)?;
    let parser = Parser::new(model, ParserConfig::for_sums());
    let trees = map_in_memory(&trees, observer, |tree, scratch| {
        let tree = prepare(vec![tree.clone()], annotation).pop()?;
        let words: Vec<Observation<'_>> = tree.words().map(Observation::Word).collect();
        let score = parser.score_tree(&form.apply(tree.clone()), &words, scratch);
        Some((score, words.len()))
    })?;
    Ok(GrammarScores { trees })
}

/// The normal form of the trees that a grammar was learnt from, by the notes in its file.
fn normal_form(metadata: &Metadata) -> Result<NormalForm, Error> {
    let number = |name: &str| metadata.notes.get(name).and_then(Value::as_u64);
    let text = |name: &str| metadata.notes.get(name).and_then(Value::as_str);
    let horizontal = match (number("horizontal"), text("horizontal")) {
        (Some(order), _) => Some(Horizontal::Order(order as usize)),
        (None, Some("unlimited")) => Some(Horizontal::Unlimited),
        _ => None,
    };
    let direction = match text("binarize") {
        Some("left") => Some(Direction::Left),
        Some("right") => Some(Direction::Right),
        _ => None,
    };
    let vertical = number("vertical").and_then(|order| usize::try_from(order).ok());
    match (horizontal, vertical, direction) {
        (Some(horizontal), Some(vertical), Some(direction)) if vertical <= NormalForm::MOST_VERTICAL => {
            Ok(NormalForm { horizontal, vertical, direction, ..NormalForm::default() })
        }
        _ => Err(Error::Data(
            "trees cannot be scored: the file of the grammar does not say how its trees were binarised, or says outwards from \
             heads; train it with --binarize left or right"
                .to_owned(),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notes(vertical: u64) -> Metadata {
        let metadata = Metadata::new("lpcfg", 1);
        metadata.with_note("horizontal", 1).with_note("vertical", vertical).with_note("binarize", "left")
    }

    #[test]
    fn the_order_in_a_forged_file_is_not_believed() {
        assert_eq!(normal_form(&notes(2)).expect("an order that can be trained").vertical, 2);
        for order in [17, u64::MAX] {
            assert!(normal_form(&notes(order)).is_err(), "{order}");
        }
    }
}
