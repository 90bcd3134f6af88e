//! Comparisons that read their own files, and the program that runs them.

use std::io::Read;
use std::path::{Path, PathBuf};

use corpus::error::{ReadError, SyntaxError};
use corpus::format::conllu::Sentence;
use eigentree::Error;
use eigentree::files::Input;
use eigentree::reading::{BadItems, Format, read_sentences};
use models::learn::Observer;

use crate::comparison::Comparison;
use crate::meter::Meter;

/// A comparison whose data are files and whose configuration is complete.
pub trait Experiment {
    /// Reads the files, runs all learners and reports.
    fn run(&self, host: &mut dyn Host) -> Result<Box<dyn Comparison>, Error>;
}

/// The program that runs an experiment. It shows progress, owns the clock and learns which parts of the input were skipped.
pub trait Host {
    /// Receives progress, and measures costs.
    fn instruments(&mut self) -> (&mut dyn Observer, &dyn Meter);

    /// Receives the places of sentences that could not be read, file by file.
    fn skipped(&mut self, places: &[SyntaxError]);
}

impl dyn Host + '_ {
    pub(crate) fn observer(&mut self) -> &mut dyn Observer {
        self.instruments().0
    }

    /// Reads all sentences of some files in CoNLL-U.
    pub(crate) fn sentences(
        &mut self,
        paths: &[impl AsRef<Path>],
        bad_items: BadItems,
    ) -> Result<Vec<Sentence>, Error> {
        let read = read_sentences(paths, bad_items, self.observer())?;
        self.skipped(&read.skipped);
        Ok(read.sentences)
    }
}

/// Concatenates texts. A last line without an end gets one. The markup of a treebank would be learnt as words.
pub(crate) fn read_text(paths: &[PathBuf]) -> Result<Vec<u8>, Error> {
    let mut text = Vec::new();
    for path in paths {
        let mut input = Input::open(path)?;
        let begin = text.len();
        if let Err(error) = input.read_to_end(&mut text) {
            return Err(ReadError::Io { source_name: input.name().to_owned(), line: 0, error }.into());
        }
        if let Some(found) = Format::of_treebank(path, &text[begin..]) {
            return Err(Error::Treebank { name: input.name().to_owned(), found });
        }
        if text.last().is_some_and(|&byte| byte != b'\n') {
            text.push(b'\n');
        }
    }
    Ok(text)
}
