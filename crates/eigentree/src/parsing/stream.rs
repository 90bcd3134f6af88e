//! The driver: read on one thread, parse on all, write in order.

use corpus::error::{ReadError, SyntaxError};
use corpus::tree::marks;
use grammars::lexicon::Observation;
use grammars::marginals::Marginals;
use grammars::pcfg::{Outcome, Parse, Pcfg};
use models::confidence::Confidences;
use models::learn::Observer;
use rayon::prelude::*;

use super::input::{ParseInput, TagUse, observations};
use super::parser::TreeParser;
use super::sink::ParseSink;
use crate::Error;
use crate::conversion::{Item, TagColumn};
use crate::reading::BadItems;
use crate::rounds::{ScratchPool, next_round, read_ahead};

/// Sentences a thread and round: enough that no thread waits long for the slowest sentence.
const ROUND: usize = 64;

/// What is parsed how.
#[derive(Clone, Copy, Debug)]
pub struct StreamConfig {
    /// What the sentences are.
    pub input: ParseInput,
    /// Whose tags count.
    pub tags: TagUse,
    /// Where CoNLL-U has the tags.
    pub tag_column: TagColumn,
    /// How many trees a sentence gets at most.
    pub trees: usize,
    /// Whether the sink is told how sure the model is.
    pub confidences: Confidences,
    /// What happens to sentences that cannot be read.
    pub bad_items: BadItems,
}

/// What was parsed.
#[derive(Clone, Debug, Default)]
pub struct ParsingReport {
    /// Sentences, those without words included.
    pub sentences: u64,
    /// Words.
    pub words: u64,
    /// Sentences that the grammar does not derive, or that are too long for it.
    pub fallbacks: u64,
    /// Of these, sentences above the limit of words.
    pub too_long: u64,
    /// Sentences without words.
    pub empty: u64,
    /// Sentences whose partition function came out negative, as it may where numbers are no probabilities.
    pub negative: u64,
    /// Tags that were given and that the model does not know: their words may have any.
    pub unknown_tags: u64,
    /// What could not be read, each with an empty entry in its place.
    pub skipped: Vec<SyntaxError>,
}

/// Parses sentences as they come, and writes the parses of each in the order of the input. Belongs into a stage of the
/// caller's; the sink is not finished.
pub fn parse_stream<P: TreeParser>(
    parser: &P,
    items: impl Iterator<Item = Result<Item, ReadError>> + Send + 'static,
    config: &StreamConfig,
    observer: &mut dyn Observer,
    sink: &mut ParseSink,
) -> Result<ParsingReport, Error> {
    let round = ROUND * rayon::current_num_threads();
    let received = read_ahead(items, round);
    let pool = ScratchPool::<P::Scratch>::new();
    let mut report = ParsingReport::default();
    loop {
        let mut batch: Vec<Option<Item>> = Vec::new();
        for item in next_round(&received, round) {
            match (item, config.bad_items) {
                (Ok(item), _) => batch.push(Some(item)),
                (Err(ReadError::Syntax(error)), BadItems::Skip) => {
                    report.skipped.push(error);
                    batch.push(None);
                }
                (Err(error), _) => return Err(error.into()),
            }
        }
        if batch.is_empty() {
            // An interrupt may have ended the program that writes our input too: its end is then none.
            if observer.cancelled() {
                return Err(Error::Cancelled);
            }
            report.negative = pool.into_all().iter().map(P::negative).sum();
            return Ok(report);
        }
        for (item, parsed) in batch.iter().zip(parse_batch(parser, &batch, config, &pool)) {
            let words = item.as_ref().map_or(0, Item::word_count);
            report.sentences += 1;
            report.words += words as u64;
            report.unknown_tags += parsed.unknown_tags;
            report.too_long += u64::from(words > parser.max_words());
            let parses = parsed.parses;
            match parses.first().map(|parse| parse.outcome) {
                None => report.empty += u64::from(item.is_some()),
                Some(Outcome::Fallback) => report.fallbacks += 1,
                Some(Outcome::Parsed) => {}
            }
            sink.write(&parses, parsed.marginals.as_ref())?;
        }
        // Whoever types sentences sees the answers at once.
        sink.flush()?;
        observer.advance(batch.len() as u64);
        if observer.cancelled() {
            return Err(Error::Cancelled);
        }
    }
}

/// What became of one sentence.
#[derive(Default)]
struct Parsed {
    parses: Vec<Parse>,
    marginals: Option<Marginals>,
    unknown_tags: u64,
}

/// How many of the given tags the model does not know.
fn unknown_tags(model: &Pcfg, sentence: &[Observation<'_>]) -> u64 {
    let known = |tag: &str| model.lexicon().tags().get(&marks::protect_label(tag)).is_some();
    let unknown = sentence.iter().filter(|observed| match observed {
        Observation::Word(_) => false,
        Observation::Tagged(_, tag) | Observation::Tag(tag) => !known(tag),
    });
    unknown.count() as u64
}

/// Parses the longest first, so that the last to finish are short ones; returns the parses in the order of the batch.
fn parse_batch<P: TreeParser>(
    parser: &P,
    batch: &[Option<Item>],
    config: &StreamConfig,
    pool: &ScratchPool<P::Scratch>,
) -> Vec<Parsed> {
    let length = |at: usize| batch[at].as_ref().map_or(0, Item::word_count);
    let mut order: Vec<usize> = (0..batch.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(length(at)));
    let mut parsed: Vec<(usize, Parsed)> = order
        .into_par_iter()
        .with_max_len(1)
        .map(|at| {
            let Some(item) = &batch[at] else { return (at, Parsed::default()) };
            let sentence = observations(item, config.input, config.tags, config.tag_column);
            let (parses, marginals) = pool.lend(|scratch| match config.confidences {
                Confidences::Skip => (parser.parse_best(&sentence, config.trees, scratch), None),
                Confidences::Compute => parser.parse_with_marginals(&sentence, config.trees, scratch),
            });
            (at, Parsed { parses, marginals, unknown_tags: unknown_tags(parser.grammar(), &sentence) })
        })
        .collect();
    parsed.sort_by_key(|&(at, _)| at);
    parsed.into_iter().map(|(_, parsed)| parsed).collect()
}
