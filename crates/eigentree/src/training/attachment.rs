//! Scoring shared by the jobs of dependency parsers.

use corpus::format::conllu::Sentence;
use eval::report::AttachmentReport;
use models::learn::Observer;

use super::Measure;
use crate::Error;
use crate::dependency_parsing::{DependencyParser, parse_sentences, score_sentences};
use crate::parsing::Confidences;

/// Parses the words and tags of `given`, and scores the trees, the tags and the lemmas against `dev`.
pub(super) fn score_attachment<P: DependencyParser>(
    parser: &P,
    dev: &[Sentence],
    given: &[Sentence],
    observer: &mut dyn Observer,
) -> Result<Measure, Error> {
    observer.stage("parse dev", Some(dev.len() as u64));
    let parses = parse_sentences(parser, given, Confidences::Skip, observer)?;
    let scores = score_sentences(parser, dev, given, &parses)?;
    Ok(Measure::Attachment(Box::new(AttachmentReport::from(&scores))))
}
