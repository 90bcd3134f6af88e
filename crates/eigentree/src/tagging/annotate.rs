//! Raw text, or sentences, through a pipeline.

use std::io::Read;
use std::time::Duration;

use crate::pipeline::{Pipeline, Scratch, Stage};
use corpus::error::ReadError;
use corpus::format::conllu::{Sentence, SentenceError};
use corpus::format::raw_text::{Piece, RawTextReader};
use models::learn::Observer;

use super::stream::{conllu_text, sentence_of, unwritable};
use crate::Error;
use crate::conversion::Item;
use crate::files::Output;
use crate::reading::BadItems;
use crate::streaming::{Counts, Done, Job, Report, StageTimes, drive};

/// Pieces of text per thread and round: paragraphs, at most 64 kB each.
const ROUND: usize = 32;
/// Sentences per thread and round, where the words are given.
const SENTENCE_ROUND: usize = 256;

/// How text is annotated.
#[derive(Clone, Copy)]
pub struct AnnotationConfig<'c> {
    /// What happens to lines, or sentences, that cannot be read.
    pub bad_items: BadItems,
    /// The time since some moment, which the library does not know.
    pub clock: &'c (dyn Fn() -> Duration + Sync),
}

impl Default for AnnotationConfig<'_> {
    /// Takes no times.
    fn default() -> Self {
        Self { bad_items: BadItems::default(), clock: &|| Duration::ZERO }
    }
}

/// Takes the times of stages as they begin.
struct Watch<'c> {
    clock: &'c (dyn Fn() -> Duration + Sync),
    times: StageTimes,
    running: Option<(Stage, Duration)>,
}

impl<'c> Watch<'c> {
    fn new(clock: &'c (dyn Fn() -> Duration + Sync)) -> Self {
        Self { clock, times: StageTimes::default(), running: None }
    }

    fn turn(&mut self, stage: Option<Stage>) {
        let now = (self.clock)();
        if let Some((stage, start)) = self.running.take() {
            self.times.add(stage, now.saturating_sub(start));
        }
        self.running = stage.map(|stage| (stage, now));
    }
}

/// Takes text through the stages of a pipeline and writes CoNLL-U, in the order of the text. The caller
/// must have started a stage, and finishes the output.
pub fn annotate_stream(
    pipeline: &Pipeline,
    source: impl Read + Send + 'static,
    name: &str,
    config: &AnnotationConfig<'_>,
    observer: &mut dyn Observer,
    output: &mut Output,
) -> Result<Report, Error> {
    let annotate = |piece: Piece, scratch: &mut Scratch, watch: &mut Watch<'_>| {
        pipeline.annotate(&piece, scratch, |stage| watch.turn(Some(stage)))
    };
    annotate_all(
        RawTextReader::new(source, name),
        ROUND,
        |piece| piece.text.len(),
        annotate,
        config,
        observer,
        output,
    )
}

/// Takes sentences whose words are given through the stages after the tokeniser. CoNLL-U keeps what no stage writes. The caller
/// must have started a stage, and finishes the output.
pub fn annotate_items(
    pipeline: &Pipeline,
    items: impl Iterator<Item = Result<Item, ReadError>> + Send + 'static,
    config: &AnnotationConfig<'_>,
    observer: &mut dyn Observer,
    output: &mut Output,
) -> Result<Report, Error> {
    let annotate = |item: Item, scratch: &mut Scratch, watch: &mut Watch<'_>| {
        let mut sentences = vec![sentence_of(item)?];
        sentences.retain(|sentence| !sentence.is_empty());
        pipeline.annotate_sentences(&mut sentences, scratch, |stage| watch.turn(Some(stage)))?;
        Ok(sentences)
    };
    annotate_all(items, SENTENCE_ROUND, Item::word_count, annotate, config, observer, output)
}

fn annotate_all<T: Send + 'static>(
    items: impl Iterator<Item = Result<T, ReadError>> + Send + 'static,
    per_thread: usize,
    length: impl Fn(&T) -> usize,
    annotate: impl Fn(T, &mut Scratch, &mut Watch<'_>) -> Result<Vec<Sentence>, SentenceError> + Sync,
    config: &AnnotationConfig<'_>,
    observer: &mut dyn Observer,
    output: &mut Output,
) -> Result<Report, Error> {
    let job = Job { per_thread, bad_items: config.bad_items, length };
    drive(items, &job, observer, output, |item, scratch| {
        let mut watch = Watch::new(config.clock);
        let sentences = annotate(item, scratch, &mut watch).map_err(|error| unwritable(&error))?;
        watch.turn(None);
        let counts = Counts {
            sentences: sentences.len() as u64,
            words: sentences.iter().map(|sentence| sentence.len() as u64).sum(),
            times: watch.times,
            ..Counts::default()
        };
        Ok(Done { counts, entry: conllu_text(&sentences)? })
    })
}
