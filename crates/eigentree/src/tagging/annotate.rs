//! Raw text, or sentences, through a pipeline.

use std::io::{Read, Write};

use corpus::error::{ReadError, SyntaxError};
use corpus::format::conllu::{ConlluWriter, Sentence, SentenceError};
use corpus::format::raw_text::{Piece, RawTextReader};
use models::learn::Observer;
use models::pipeline::{Pipeline, PipelineScratch};

use super::stream::sentence_of;
use crate::Error;
use crate::conversion::Item;
use crate::files::Output;
use crate::reading::BadItems;
use crate::rounds::{ScratchPool, in_rounds};

/// Pieces of text a thread and round: paragraphs, at most 64 kB each.
const ROUND: usize = 32;
/// Sentences a thread and round, where these are given.
const SENTENCE_ROUND: usize = 256;

/// What was annotated.
#[derive(Clone, Debug, Default)]
pub struct AnnotationReport {
    /// Paragraphs, or parts of long ones; sentences where these are given.
    pub pieces: u64,
    /// Sentences found.
    pub sentences: u64,
    /// Words found.
    pub words: u64,
    /// Lines that are no text.
    pub skipped: Vec<SyntaxError>,
}

/// Takes text through the stages of a pipeline and writes CoNLL-U, in the order of the text. The output is not finished.
pub fn annotate_stream(
    pipeline: &Pipeline,
    source: impl Read + Send + 'static,
    name: &str,
    bad_items: BadItems,
    observer: &mut dyn Observer,
    output: &mut Output,
) -> Result<AnnotationReport, Error> {
    let annotate = |piece: Piece, scratch: &mut PipelineScratch| pipeline.annotate(&piece, scratch);
    annotate_all(RawTextReader::new(source, name), ROUND, annotate, bad_items, observer, output)
}

/// Takes sentences whose words are given through the stages after the tokeniser. CoNLL-U keeps what no stage writes. The output is not finished.
pub fn annotate_items(
    pipeline: &Pipeline,
    items: impl Iterator<Item = Result<Item, ReadError>> + Send + 'static,
    bad_items: BadItems,
    observer: &mut dyn Observer,
    output: &mut Output,
) -> Result<AnnotationReport, Error> {
    let annotate = |item: Item, scratch: &mut PipelineScratch| {
        let mut sentence = sentence_of(item)?;
        pipeline.annotate_sentence(&mut sentence, scratch)?;
        Ok(if sentence.is_empty() { Vec::new() } else { vec![sentence] })
    };
    annotate_all(items, SENTENCE_ROUND, annotate, bad_items, observer, output)
}

fn annotate_all<T: Send + 'static>(
    items: impl Iterator<Item = Result<T, ReadError>> + Send + 'static,
    per_thread: usize,
    annotate: impl Fn(T, &mut PipelineScratch) -> Result<Vec<Sentence>, SentenceError> + Sync,
    bad_items: BadItems,
    observer: &mut dyn Observer,
    output: &mut Output,
) -> Result<AnnotationReport, Error> {
    let pool = ScratchPool::<PipelineScratch>::new();
    let mut report = AnnotationReport::default();
    let work = |item: Result<T, ReadError>| item.map(|item| pool.lend(|scratch| annotate(item, scratch)));
    in_rounds(items, per_thread, observer, work, |result| {
        let Some(result) = result else { return output.flush().map_err(|error| output.error(error).into()) };
        match (result, bad_items) {
            (Ok(sentences), _) => {
                let sentences = sentences
                    .map_err(|error| Error::Data(format!("a sentence cannot be written: {error}")))?;
                report.pieces += 1;
                for sentence in &sentences {
                    report.sentences += 1;
                    report.words += sentence.len() as u64;
                    let written = ConlluWriter::new(&mut *output).write(sentence);
                    written.map_err(|error| output.error(error))?;
                }
                Ok(())
            }
            (Err(ReadError::Syntax(error)), BadItems::Skip) => {
                report.skipped.push(error);
                Ok(())
            }
            (Err(error), _) => Err(error.into()),
        }
    })?;
    Ok(report)
}
