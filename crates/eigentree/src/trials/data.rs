//! Data of any family, in parts.

use std::path::Path;

use corpus::error::SyntaxError;
use corpus::format::conllu::Sentence;
use corpus::tree::Tree;
use models::learn::Observer;
use tagging::tagger::TaggedSentence;

use super::family::TrialFamily;
use crate::Error;
use crate::reading::{BadItems, read_sentences, read_trees};
use crate::sequences::{SequenceFile, SequenceFormat, read_sequences};
use crate::tagging::read_entities;

/// Training data of a family.
#[derive(Clone, Debug)]
pub enum TrialData {
    /// Constituency trees.
    Trees(Vec<Tree>),
    /// Sentences of CoNLL-U.
    Sentences(Vec<Sentence>),
    /// Sentences with entities.
    Labelled(Vec<TaggedSentence>),
    /// Sequences of symbols.
    Sequences(SequenceFile),
}

impl TrialData {
    /// Reads the data of a family, and returns what was skipped.
    pub fn read(
        family: TrialFamily,
        path: impl AsRef<Path>,
        bad_items: BadItems,
        observer: &mut dyn Observer,
    ) -> Result<(Self, Vec<SyntaxError>), Error> {
        let paths = [path.as_ref()];
        Ok(match family {
            TrialFamily::Pcfg | TrialFamily::Lpcfg => {
                let read = read_trees(&paths, bad_items, observer)?;
                (TrialData::Trees(read.trees), read.skipped)
            }
            TrialFamily::Ner => {
                let read = read_entities(&paths, bad_items, observer)?;
                (TrialData::Labelled(read.sentences), read.skipped)
            }
            TrialFamily::Automaton => {
                (TrialData::Sequences(read_sequences(paths[0], SequenceFormat::Detect)?), Vec::new())
            }
            _ => {
                let read = read_sentences(&paths, bad_items, observer)?;
                (TrialData::Sentences(read.sentences), read.skipped)
            }
        })
    }

    /// Number of sentences.
    pub fn len(&self) -> usize {
        match self {
            TrialData::Trees(trees) => trees.len(),
            TrialData::Sentences(sentences) => sentences.len(),
            TrialData::Labelled(sentences) => sentences.len(),
            TrialData::Sequences(sequences) => sequences.len(),
        }
    }

    /// Whether there are no sentences.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of words.
    pub fn words(&self) -> usize {
        match self {
            TrialData::Trees(trees) => trees.iter().map(Tree::word_count).sum(),
            TrialData::Sentences(sentences) => sentences.iter().map(Sentence::len).sum(),
            TrialData::Labelled(sentences) => sentences.iter().map(|sentence| sentence.words.len()).sum(),
            TrialData::Sequences(SequenceFile::Tokens(lines)) => lines.iter().map(Vec::len).sum(),
            TrialData::Sequences(SequenceFile::Numbered(read)) => read.sequences.iter().map(Vec::len).sum(),
        }
    }

    /// The sentences with these numbers, in this order.
    pub fn part(&self, numbers: &[usize]) -> Self {
        fn pick<T: Clone>(items: &[T], numbers: &[usize]) -> Vec<T> {
            numbers.iter().filter_map(|&number| items.get(number).cloned()).collect()
        }
        match self {
            TrialData::Trees(trees) => TrialData::Trees(pick(trees, numbers)),
            TrialData::Sentences(sentences) => TrialData::Sentences(pick(sentences, numbers)),
            TrialData::Labelled(sentences) => TrialData::Labelled(pick(sentences, numbers)),
            TrialData::Sequences(SequenceFile::Tokens(lines)) => {
                TrialData::Sequences(SequenceFile::Tokens(pick(lines, numbers)))
            }
            TrialData::Sequences(SequenceFile::Numbered(read)) => {
                let mut part = read.clone();
                part.sequences = pick(&read.sequences, numbers);
                TrialData::Sequences(SequenceFile::Numbered(part))
            }
        }
    }

    /// The documents as ranges of sentences, if the data marks where they begin: `# newdoc` of CoNLL-U.
    pub fn documents(&self) -> Option<Vec<std::ops::Range<usize>>> {
        let TrialData::Sentences(sentences) = self else { return None };
        let begins = |sentence: &Sentence| {
            sentence.comments().any(|comment| {
                comment.trim_start_matches('#').trim_start().split([' ', '=']).next() == Some("newdoc")
            })
        };
        let mut starts: Vec<usize> =
            (0..sentences.len()).filter(|&number| begins(&sentences[number])).collect();
        if starts.len() < 2 {
            return None;
        }
        // What stands before the first document belongs to it.
        starts[0] = 0;
        starts.push(sentences.len());
        Some(starts.windows(2).map(|pair| pair[0]..pair[1]).collect())
    }
}
