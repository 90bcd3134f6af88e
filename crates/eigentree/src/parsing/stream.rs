//! Parsing a stream of sentences with a grammar.

use corpus::error::ReadError;
use corpus::format::conllu::Sentence;
use corpus::tree::marks;
use grammars::lexicon::Observation;
use grammars::marginals::Marginals;
use grammars::pcfg::{Outcome, Parse, Pcfg};
use models::confidence::Confidences;
use models::learn::Observer;

use super::forecast::Forecast;
use super::input::{TagUse, observations};
use super::parser::TreeParser;
use super::sink::ParseSink;
use crate::Error;
use crate::conversion::{Item, TagColumn};
use crate::reading::{BadItems, Format};
use crate::streaming::{Counts, Done, Job, Report, drive};

/// Sentences per thread and round.
const ROUND: usize = 64;

/// How sentences are parsed.
#[derive(Clone, Copy, Debug)]
pub struct StreamConfig {
    /// What the sentences are.
    pub input: Format,
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

impl Default for StreamConfig {
    fn default() -> Self {
        Self {
            input: Format::Words,
            tags: TagUse::Predicted,
            tag_column: TagColumn::default(),
            trees: 1,
            confidences: Confidences::Skip,
            bad_items: BadItems::default(),
        }
    }
}

/// The parses of one sentence, best first, and how sure the model is of their nodes.
pub(crate) struct Parsed {
    /// The sentence as it was given, if it was CoNLL-U.
    pub(crate) given: Option<Sentence>,
    pub(crate) parses: Vec<Parse>,
    pub(crate) marginals: Option<Marginals>,
}

/// Parses sentences as they come, and writes the parses of each in the order of the input. The caller must have started a
/// stage, and finishes the sink.
pub fn parse_stream<P: TreeParser>(
    parser: &P,
    items: impl Iterator<Item = Result<Item, ReadError>> + Send + 'static,
    config: &StreamConfig,
    observer: &mut dyn Observer,
    sink: &mut ParseSink,
) -> Result<Report, Error> {
    let foretell = |words| match words > parser.max_words() {
        true => None,
        false => Forecast::of(words, parser.grammar()).map(|forecast| forecast.to_string()),
    };
    let job = Job {
        per_thread: ROUND,
        bad_items: config.bad_items,
        length: Item::word_count,
        foretell: Some(&foretell),
    };
    let mut report =
        drive(items, &job, observer, sink, |item, scratch| Ok(parse(parser, &item, config, scratch)))?;
    // Each has an empty entry in its place.
    report.counts.sentences += report.skipped.len() as u64;
    Ok(report)
}

fn parse<P: TreeParser>(
    parser: &P,
    item: &Item,
    config: &StreamConfig,
    scratch: &mut P::Scratch,
) -> Done<Parsed> {
    let sentence = observations(item, config.input, config.tags, config.tag_column);
    let negative = P::negative(scratch);
    let (parses, marginals) = match config.confidences {
        Confidences::Skip => (parser.parse_best(&sentence, config.trees, scratch), None),
        Confidences::Compute => parser.parse_with_marginals(&sentence, config.trees, scratch),
    };
    let outcome = parses.first().map(|parse| parse.outcome);
    let counts = Counts {
        sentences: 1,
        words: sentence.len() as u64,
        empty: u64::from(outcome.is_none()),
        fallbacks: u64::from(outcome == Some(Outcome::Fallback)),
        too_long: u64::from(sentence.len() > parser.max_words()),
        negative: P::negative(scratch) - negative,
        unknown_tags: unknown_tags(parser.grammar(), &sentence),
        ..Counts::default()
    };
    let given = match item {
        Item::Dependencies(sentence) => Some(sentence.clone()),
        _ => None,
    };
    Done { counts, entry: Parsed { given, parses, marginals } }
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
