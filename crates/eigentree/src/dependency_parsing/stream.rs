//! The driver: read on one thread, parse on all, write in order.

use corpus::error::{ReadError, SyntaxError};
use corpus::format::conllu::{ConlluWriter, Sentence};
use dependency::arcs::{DependencyParse, Word};
use models::learn::Observer;
use rayon::prelude::*;

use super::annotate::annotate;
use super::parser::DependencyParser;
use crate::Error;
use crate::files::Output;
use crate::parsing::Confidences;
use crate::reading::BadItems;
use crate::rounds::{ScratchPool, next_round, read_ahead};

/// Sentences a thread and round: enough that no thread waits long for the slowest sentence.
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

/// What was parsed.
#[derive(Clone, Debug, Default)]
pub struct DependencyReport {
    /// Sentences.
    pub sentences: u64,
    /// Words.
    pub words: u64,
    /// Words without any tag, for which the parser has little to go by.
    pub untagged: u64,
    /// What could not be read and is not in the output.
    pub skipped: Vec<SyntaxError>,
}

/// Parses sentences as they come, and writes them with their trees in the order of the input. Belongs into a stage of the
/// caller's; the output is flushed, not finished.
pub fn parse_dependencies<P: DependencyParser>(
    parser: &P,
    sentences: impl Iterator<Item = Result<Sentence, ReadError>> + Send + 'static,
    config: &DependencyStreamConfig,
    observer: &mut dyn Observer,
    output: &mut Output,
) -> Result<DependencyReport, Error> {
    let round = ROUND * rayon::current_num_threads();
    let received = read_ahead(sentences, round);
    let pool = ScratchPool::<P::Scratch>::new();
    let mut report = DependencyReport::default();
    loop {
        let (mut batch, mut met) = (Vec::new(), 0);
        for sentence in next_round(&received, round) {
            met += 1;
            match (sentence, config.bad_items) {
                (Ok(sentence), _) => batch.push(sentence),
                (Err(ReadError::Syntax(error)), BadItems::Skip) => report.skipped.push(error),
                (Err(error), _) => return Err(error.into()),
            }
        }
        if met == 0 {
            // An interrupt may have ended the program that writes our input too: its end is then none.
            return if observer.cancelled() { Err(Error::Cancelled) } else { Ok(report) };
        }
        let texts: Vec<Result<Vec<u8>, Error>> = batch
            .par_iter()
            .with_max_len(8)
            .map(|sentence| {
                let words = Word::of_sentence(sentence);
                let parses =
                    pool.lend(|scratch| parser.parse_best(&words, config.trees, config.confidences, scratch));
                written(sentence, &parses, config, parser)
            })
            .collect();
        for (sentence, text) in batch.iter().zip(texts) {
            report.sentences += 1;
            report.words += sentence.len() as u64;
            let untagged = |word: &Word<'_>| word.upos == "_" && word.xpos == "_";
            report.untagged +=
                Word::of_sentence(sentence).iter().filter(|word| untagged(word)).count() as u64;
            std::io::Write::write_all(output, &text?).map_err(|error| output.error(error))?;
        }
        // Whoever waits at the other end of a pipe has the answers at once.
        std::io::Write::flush(output).map_err(|error| output.error(error))?;
        observer.advance(met);
        if observer.cancelled() {
            return Err(Error::Cancelled);
        }
    }
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
