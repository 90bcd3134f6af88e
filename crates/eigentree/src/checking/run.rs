//! Reads files and runs all checks.

use std::path::Path;

use corpus::error::{ReadError, SyntaxError};
use corpus::format::bio::BioReader;
use corpus::format::conllu::ConlluReader;
use corpus::format::conllx::ConllxReader;
use corpus::format::penn::PennReader;
use models::learn::Observer;

use super::config::CheckConfig;
use super::finding::{Finding, Severity};
use super::item::Checked;
use super::report::{CheckReport, CheckedFile};
use super::{dependencies, duplicates, entities, labels, trees, variation};
use crate::Error;
use crate::reading::{BadItems, Forgiving, Format, Source};

/// Checks files of one format. The first is the training data, the others are held out.
pub fn check(
    paths: &[impl AsRef<Path>],
    config: &CheckConfig,
    observer: &mut dyn Observer,
) -> Result<CheckReport, Error> {
    let mut checked = Checked::default();
    let mut files = Vec::new();
    let mut expected: Option<Format> = None;
    observer.stage("read", Some(paths.len() as u64));
    for path in paths {
        let source = Source::open(path, config.format)?;
        let (name, format) = (source.name().to_owned(), source.format());
        if let Some(first) = expected.filter(|&first| first != format) {
            return Err(Error::Data(format!(
                "{name} is {format}, but the files before it are {first}; check files of one format together"
            )));
        }
        expected = Some(format);
        let before = checked.items.len();
        checked.files.push(name.clone());
        read(&mut checked, source)?;
        let items = &checked.items[before..];
        let words = items.iter().map(|item| item.words.len()).sum();
        files.push(CheckedFile { name, format: format.to_string(), sentences: items.len(), words });
        observer.advance(1);
        if observer.cancelled() {
            return Err(Error::Cancelled);
        }
    }
    observer.stage("check", None);
    labels::labels(&mut checked, config);
    duplicates::duplicates(&mut checked, config);
    variation::variation(&mut checked, config);
    let mut findings = checked.findings;
    // Sorting is stable, so findings of a kind keep their order.
    findings.sort_by_key(|finding| (finding.severity, finding.kind));
    Ok(CheckReport { files, findings })
}

/// Reads one file and checks its sentences.
fn read(checked: &mut Checked, source: Source) -> Result<(), Error> {
    let (name, file) = (source.name().to_owned(), checked.files.len() - 1);
    let skipped = match source.format() {
        Format::Ptb => {
            let (read, skipped) = all(PennReader::new(source, name))?;
            checked.layers = trees::LAYERS.to_vec();
            trees::trees(checked, file, &read);
            skipped
        }
        Format::Conllu => {
            let (read, skipped) = all(ConlluReader::new(source, name))?;
            checked.layers = dependencies::LAYERS.to_vec();
            dependencies::sentences(checked, file, &read);
            skipped
        }
        Format::Conllx => {
            let (read, skipped) = all(ConllxReader::new(source, name))?;
            checked.layers = dependencies::LAYERS.to_vec();
            dependencies::sentences(checked, file, &read);
            skipped
        }
        Format::Bio => {
            let (read, skipped) = all(BioReader::new(source, name))?;
            checked.layers = entities::LAYERS.to_vec();
            entities::entities(checked, file, &read);
            skipped
        }
        format => {
            return Err(Error::Data(format!(
                "{name} is {format}, which has no annotation to check; give trees (ptb), dependencies (conllu) or \
                 entities (bio)"
            )));
        }
    };
    for error in skipped {
        checked.findings.push(Finding {
            severity: Severity::Error,
            kind: "unreadable",
            file: checked.files[file].clone(),
            line: error.position.line,
            sentence: String::new(),
            message: error.to_string(),
        });
    }
    Ok(())
}

/// All items that can be read, and the errors of the others.
fn all<T>(items: impl Iterator<Item = Result<T, ReadError>>) -> Result<(Vec<T>, Vec<SyntaxError>), Error> {
    let mut items = Forgiving::new(items, BadItems::Skip);
    let read = items.by_ref().collect::<Result<Vec<T>, ReadError>>()?;
    Ok((read, items.into_skipped()))
}
