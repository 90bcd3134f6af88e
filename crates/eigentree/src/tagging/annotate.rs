//! Raw text through a pipeline.

use std::io::{Read, Write};

use corpus::error::{ReadError, SyntaxError};
use corpus::format::conllu::ConlluWriter;
use corpus::format::raw_text::{Piece, RawTextReader};
use models::learn::Observer;
use models::pipeline::{Pipeline, PipelineScratch};

use crate::Error;
use crate::files::Output;
use crate::reading::BadItems;
use crate::rounds::{ScratchPool, in_rounds};

/// Pieces of text a thread and round: paragraphs, at most 64 kB each.
const ROUND: usize = 32;

/// What was annotated.
#[derive(Clone, Debug, Default)]
pub struct AnnotationReport {
    /// Paragraphs, or parts of long ones.
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
    let pool = ScratchPool::<PipelineScratch>::new();
    let mut report = AnnotationReport::default();
    let work = |piece: Result<Piece, ReadError>| {
        piece.map(|piece| pool.lend(|scratch| pipeline.annotate(&piece, scratch)))
    };
    in_rounds(RawTextReader::new(source, name), ROUND, observer, work, |result| {
        let Some(result) = result else { return output.flush().map_err(|error| output.error(error).into()) };
        match (result, bad_items) {
            (Ok(sentences), _) => {
                let sentences = sentences.map_err(|error| {
                    Error::Data(format!("a sentence of {name} cannot be written: {error}"))
                })?;
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
