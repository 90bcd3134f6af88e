//! Parsing a stream of sentences with a dependency parser.

use corpus::error::ReadError;
use corpus::format::conllu::{ConlluWriter, Sentence};
use dependency::arcs::{DependencyParse, Word};
use models::learn::Observer;

use super::annotate::annotate;
use super::parser::DependencyParser;
use crate::Error;
use crate::files::Output;
use crate::parsing::Confidences;
use crate::reading::BadItems;
use crate::streaming::{Counts, Done, Job, Report, drive};

/// Sentences per thread and round.
const ROUND: usize = 128;

/// What is written of each sentence.
#[derive(Clone, Copy, Debug)]
pub struct DependencyStreamConfig {
    /// With more than one tree, the sentence is written once for each, best first, with the comments `# parse` and `# score`.
    pub trees: usize,
    /// Whether MISC tells how sure the model is.
    pub confidences: Confidences,
    /// What happens to sentences that cannot be read.
    pub bad_items: BadItems,
}

impl Default for DependencyStreamConfig {
    fn default() -> Self {
        Self { trees: 1, confidences: Confidences::Skip, bad_items: BadItems::default() }
    }
}

/// Parses sentences as they come, and writes them with their trees in the order of the input. The caller must have started a
/// stage, and finishes the output.
pub fn parse_dependencies<P: DependencyParser>(
    parser: &P,
    sentences: impl Iterator<Item = Result<Sentence, ReadError>> + Send + 'static,
    config: &DependencyStreamConfig,
    observer: &mut dyn Observer,
    output: &mut Output,
) -> Result<Report, Error> {
    let job = Job { per_thread: ROUND, bad_items: config.bad_items, length: Sentence::len };
    drive(sentences, &job, observer, output, |sentence, scratch| {
        let words = Word::of_sentence(&sentence);
        let parses = parser.parse_best(&words, config.trees, config.confidences, scratch);
        let untagged = |word: &&Word<'_>| word.upos == "_" && word.xpos == "_";
        let counts = Counts {
            sentences: 1,
            words: words.len() as u64,
            untagged: words.iter().filter(untagged).count() as u64,
            ..Counts::default()
        };
        Ok(Done { counts, entry: written(&sentence, &parses, config, parser)? })
    })
}

/// The sentence with its parses, as text.
fn written<P: DependencyParser>(
    sentence: &Sentence,
    parses: &[DependencyParse],
    config: &DependencyStreamConfig,
    parser: &P,
) -> Result<Vec<u8>, Error> {
    let refused = |error: &dyn std::fmt::Display| {
        Error::Data(format!(
            "cannot write the tree of the sentence at line {}: {error}",
            sentence.first_line()
        ))
    };
    let mut text = Vec::new();
    for (number, parse) in (1..).zip(parses) {
        let mut copy = sentence.clone();
        annotate(&mut copy, parse, parser).map_err(|error| refused(&error))?;
        if config.trees > 1 {
            let ending = sentence.line_ending().as_str();
            let comments = format!("# parse = {number}{ending}# score = {:.6}{ending}", parse.score);
            text.extend_from_slice(comments.as_bytes());
        }
        ConlluWriter::new(&mut text).write(&copy).map_err(|error| refused(&error))?;
    }
    Ok(text)
}
