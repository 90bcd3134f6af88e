//! The treebank that parsers and re-rankers see: without punctuation, and with tags of a tagger, as in Dhillon et al. (2012).

use corpus::dependency::{is_punctuation, without_words};
use corpus::format::conllu::{Column, Sentence};
use eigentree::Error;
use eigentree::pipeline::annotate_columns;
use eigentree::tagging::{column_data, filled_columns, jackknife};
use models::learn::Learner;
use models::quality::Quality;
use tagging::tagger::{Resources, TaggerConfig, TaggerLearner};

use crate::folders::TreebankParts;
use crate::meter::Stopwatch;

/// Whether punctuation is part of the trees.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Punctuation {
    /// It is.
    #[default]
    Keep,
    /// It is taken out of all trees first.
    Remove,
}

/// Whose tags parsers and re-rankers see.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tags {
    /// Those of the treebank.
    #[default]
    Given,
    /// Those of a tagger; in the training trees, of taggers each learnt from the other parts.
    Jackknifed,
}

/// Into how many parts the training trees are cut for their tags.
const PARTS: usize = 10;

/// The treebank as asked for.
pub(super) fn prepared(
    treebank: &TreebankParts,
    punctuation: Punctuation,
    tags: Tags,
    seed: u64,
    watch: &mut Stopwatch<'_>,
) -> Result<TreebankParts, Error> {
    let mut ours = treebank.clone();
    if punctuation == Punctuation::Remove {
        ours.train = without_punctuation(&ours.train)?;
        for (_, sentences) in &mut ours.parts {
            *sentences = without_punctuation(sentences)?;
        }
    }
    if tags == Tags::Jackknifed {
        let columns = filled_columns(&ours.train, &[Column::Upos, Column::Xpos]);
        let config = TaggerConfig { seed, ..TaggerConfig::quality(Quality::Fast) };
        let learner = TaggerLearner { config };
        let tagger = learner.learn(&column_data(&ours.train, &columns, Resources::default()), watch)?.model;
        let mut scratch = tagger.scratch();
        for sentence in ours.parts.iter_mut().flat_map(|(_, sentences)| sentences) {
            annotate_columns(&tagger, sentence, &mut scratch)
                .map_err(|error| Error::Data(format!("cannot write predicted tags: {error}")))?;
        }
        ours.train = jackknife(&ours.train, &columns, &Resources::default(), &learner, PARTS, watch)?;
    }
    Ok(ours)
}

/// The sentences without punctuation, those with other words.
fn without_punctuation(sentences: &[Sentence]) -> Result<Vec<Sentence>, Error> {
    let shorter = sentences.iter().map(|sentence| {
        without_words(sentence, |word| !is_punctuation(word))
            .map_err(|error| Error::Data(format!("cannot take punctuation out of a sentence: {error}")))
    });
    let shorter: Vec<Sentence> = shorter.collect::<Result<_, _>>()?;
    Ok(shorter.into_iter().filter(|sentence| !sentence.is_empty()).collect())
}
