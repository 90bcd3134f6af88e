//! Files of any size through an annotator: read ahead on one thread, annotated on all, written in order, in bounded memory.

use std::path::PathBuf;
use std::time::Duration;

use corpus::format::conllu::Sentence;
use models::learn::Observer;

use super::annotator::{Annotator, AnnotatorScratch};
use super::document_sink::{DocumentSink, Entry};
use super::reader::{Content, Origin, Reader, Work};
use super::rendering::{Begins, Comments, FORMATS, Missing, render};
use crate::Error;
use crate::conversion::Target;
use crate::files::{Output, STANDARD_STREAM, total_size};
use crate::pipeline::Stage;
use crate::reading::{BadItems, Format};
use crate::streaming::{Counts, Done, Job, Report, StageTimes, drive};

/// Pieces of text, at most 64 kB each, or chunks of sentences, per thread and round.
const ROUND: usize = 32;

/// How files are annotated.
#[derive(Clone, Copy)]
pub struct StreamConfig<'c> {
    /// The name of the stage that the observer is told.
    pub stage: &'c str,
    /// The format to write: one of [`FORMATS`]. If not given, CoNLL-U; two columns for entities of words that were not CoNLL-U.
    pub format: Option<Target>,
    /// The format of the files; if not given, by their names and contents. Raw text is the default of annotators that read it.
    pub input: Option<Format>,
    /// What happens to lines, or sentences, that cannot be read.
    pub bad_items: BadItems,
    /// The time since some moment, which the library does not know.
    pub clock: &'c (dyn Fn() -> Duration + Sync),
}

impl Default for StreamConfig<'_> {
    /// CoNLL-U from whatever is there; takes no times.
    fn default() -> Self {
        Self {
            stage: "annotate",
            format: None,
            input: None,
            bad_items: BadItems::default(),
            clock: &|| Duration::ZERO,
        }
    }
}

/// A file to annotate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentFile {
    /// Its path, or `-` for standard input.
    pub path: PathBuf,
    /// Where its annotation goes; `None` if all files go to one output.
    pub output: Option<PathBuf>,
}

impl DocumentFile {
    /// The name of the document: that of the file without its folder and endings, fit for an id; none for standard input.
    pub fn name(&self) -> Option<String> {
        if self.path.as_os_str() == STANDARD_STREAM {
            return None;
        }
        let name = self.path.file_name()?.to_string_lossy().into_owned();
        let name = name.split_once('.').map_or(name.as_str(), |(stem, _)| stem).to_owned();
        let name: String =
            name.chars().map(|c| if c.is_whitespace() || c == '/' { '_' } else { c }).collect();
        (!name.is_empty()).then_some(name)
    }
}

/// Annotates files, in their order: each into its own output if it has one, else all into `output`, which the caller finishes.
/// It starts a stage of the observer that counts bytes.
pub fn annotate_files(
    annotator: &Annotator<'_>,
    files: &[DocumentFile],
    output: Option<&mut Output>,
    config: &StreamConfig<'_>,
    observer: &mut dyn Observer,
) -> Result<Report, Error> {
    if let Some(format) = config.format.filter(|format| !FORMATS.contains(format)) {
        let names = FORMATS.map(Target::name).join(", ");
        let asked = format.name();
        return Err(Error::Data(format!(
            "annotated words cannot be written as {asked}; choose one of {names}"
        )));
    }
    let total = total_size(files.iter().map(|file| &file.path));
    observer.stage_of_bytes(config.stage, total);
    let reader = Reader::new(files.to_vec(), config.input, annotator.reads_raw_text());
    let names: Vec<Option<String>> = files.iter().map(DocumentFile::name).collect();
    let mut sink = DocumentSink::new(files, output, config.format.unwrap_or(Target::Conllu));
    let job = Job { per_thread: ROUND, bad_items: config.bad_items, length: Work::length, foretell: None };
    let several = files.len() > 1;
    let report = drive(reader, &job, observer, &mut sink, |work: Work, scratch: &mut AnnotatorScratch| {
        let mut watch = Watch::new(config.clock);
        let (annotated, place) = match work.content {
            Content::Begin => {
                return Ok(Done { counts: Counts::default(), entry: Entry::Begin(work.file) });
            }
            Content::Piece(piece, place) => {
                (annotator.annotate_piece(&piece, scratch, &mut |stage| watch.turn(Some(stage)))?, place)
            }
            Content::Sentences(sentences, place) => {
                (annotator.annotate_all(sentences, scratch, &mut |stage| watch.turn(Some(stage)))?, place)
            }
        };
        watch.turn(None);
        let of_words =
            |count: fn(&Sentence) -> u64| annotated.iter().map(|one| count(one.sentence())).sum::<u64>();
        let counts = Counts {
            sentences: annotated.len() as u64,
            words: of_words(|sentence| sentence.len() as u64),
            untagged: if annotator.relies_on_tags() { of_words(untagged) } else { 0 },
            times: watch.times,
            ..Counts::default()
        };
        let comments = Comments {
            // What is given as CoNLL-U keeps the comments that it has.
            missing: match place.origin {
                Origin::Text => Missing::Add,
                Origin::Words if annotator.reads_raw_text() => Missing::Add,
                Origin::Words | Origin::Columns => Missing::Leave,
            },
            begins: if place.first && (place.origin == Origin::Text || several) {
                Begins::Document
            } else {
                Begins::Nothing
            },
            name: names.get(work.file).and_then(Option::as_deref),
        };
        let usual = match place.origin {
            Origin::Words if annotator.finds_only_entities() => Target::Bio,
            _ => Target::Conllu,
        };
        let rendered = render(annotated, comments, config.format.unwrap_or(usual))?;
        Ok(Done { counts, entry: Entry::Sentences { rendered, read: work.read, words: counts.words } })
    })?;
    sink.finish()?;
    Ok(report)
}

/// Words without any tag.
fn untagged(sentence: &Sentence) -> u64 {
    sentence.words().filter(|word| word.upos() == "_" && word.xpos() == "_").count() as u64
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
