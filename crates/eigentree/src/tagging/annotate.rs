//! Raw text, or sentences, through a pipeline.

use std::io::Read;
use std::time::Duration;

use crate::pipeline::{Pipeline, Scratch, Stage};
use corpus::error::{ReadError, SyntaxError};
use corpus::format::conllu::{ConlluWriter, Sentence, SentenceError};
use corpus::format::raw_text::{Piece, RawTextReader};
use models::learn::Observer;

use super::deliver::deliver;
use super::stream::sentence_of;
use crate::Error;
use crate::conversion::Item;
use crate::files::Output;
use crate::reading::BadItems;

/// Pieces of text a thread and round: paragraphs, at most 64 kB each.
const ROUND: usize = 32;
/// Sentences a thread and round, where these are given.
const SENTENCE_ROUND: usize = 256;

/// How text is annotated.
#[derive(Clone, Copy)]
pub struct AnnotationConfig<'c> {
    /// What happens to lines, or sentences, that cannot be read.
    pub bad_items: BadItems,
    /// The time since some moment, which the library does not know.
    pub clock: &'c (dyn Fn() -> Duration + Sync),
}

/// What was annotated.
#[derive(Clone, Debug, Default)]
pub struct AnnotationReport {
    /// Paragraphs, or parts of long ones; sentences where these are given.
    pub pieces: u64,
    /// Sentences found.
    pub sentences: u64,
    /// Words found.
    pub words: u64,
    /// What the stages took, all threads together.
    pub times: StageTimes,
    /// Lines that are no text.
    pub skipped: Vec<SyntaxError>,
}

/// The time of each stage.
#[derive(Clone, Copy, Debug, Default)]
pub struct StageTimes([Duration; Stage::ALL.len()]);

impl StageTimes {
    /// The stages that took some time, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (Stage, Duration)> {
        Stage::ALL.into_iter().zip(self.0).filter(|(_, time)| !time.is_zero())
    }

    fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, time)| *sum += time);
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
            self.times.0[stage as usize] += now.saturating_sub(start);
        }
        self.running = stage.map(|stage| (stage, now));
    }
}

/// Takes text through the stages of a pipeline and writes CoNLL-U, in the order of the text. The output is not finished.
pub fn annotate_stream(
    pipeline: &Pipeline,
    source: impl Read + Send + 'static,
    name: &str,
    config: &AnnotationConfig<'_>,
    observer: &mut dyn Observer,
    output: &mut Output,
) -> Result<AnnotationReport, Error> {
    let annotate = |piece: Piece, scratch: &mut Scratch, watch: &mut Watch<'_>| {
        pipeline.annotate(&piece, scratch, |stage| watch.turn(Some(stage)))
    };
    annotate_all(RawTextReader::new(source, name), ROUND, annotate, config, observer, output)
}

/// Takes sentences whose words are given through the stages after the tokeniser. CoNLL-U keeps what no stage writes. The output is not finished.
pub fn annotate_items(
    pipeline: &Pipeline,
    items: impl Iterator<Item = Result<Item, ReadError>> + Send + 'static,
    config: &AnnotationConfig<'_>,
    observer: &mut dyn Observer,
    output: &mut Output,
) -> Result<AnnotationReport, Error> {
    let annotate = |item: Item, scratch: &mut Scratch, watch: &mut Watch<'_>| {
        let mut sentences = vec![sentence_of(item)?];
        sentences.retain(|sentence| !sentence.is_empty());
        pipeline.annotate_sentences(&mut sentences, scratch, |stage| watch.turn(Some(stage)))?;
        Ok(sentences)
    };
    annotate_all(items, SENTENCE_ROUND, annotate, config, observer, output)
}

fn annotate_all<T: Send + 'static>(
    items: impl Iterator<Item = Result<T, ReadError>> + Send + 'static,
    per_thread: usize,
    annotate: impl Fn(T, &mut Scratch, &mut Watch<'_>) -> Result<Vec<Sentence>, SentenceError> + Sync,
    config: &AnnotationConfig<'_>,
    observer: &mut dyn Observer,
    output: &mut Output,
) -> Result<AnnotationReport, Error> {
    let mut report = AnnotationReport::default();
    let work = |item: T, scratch: &mut Scratch| {
        let mut watch = Watch::new(config.clock);
        let sentences = annotate(item, scratch, &mut watch)?;
        watch.turn(None);
        Ok((sentences, watch.times))
    };
    report.skipped =
        deliver(items, per_thread, config.bad_items, observer, output, work, |result, output| {
            let (sentences, times): (Vec<Sentence>, StageTimes) = result;
            report.pieces += 1;
            report.times.add(&times);
            report.sentences += sentences.len() as u64;
            report.words += sentences.iter().map(|sentence| sentence.len() as u64).sum::<u64>();
            sentences.iter().try_for_each(|sentence| ConlluWriter::new(&mut *output).write(sentence))
        })?;
    Ok(report)
}
