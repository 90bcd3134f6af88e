//! Steps shared by training on dependency treebanks: open, read, score.

use eigentree::corpus::format::conllu::Sentence;
use eigentree::dependency_parsing::{DependencyParser, parse_sentences, score_sentences};
use eigentree::eval::report::{AttachmentReport, Report};
use eigentree::files::Output;
use eigentree::learn::Observer;
use eigentree::parsing::Confidences;
use eigentree::reading::read_sentences;

use crate::args::TreebankData;
use crate::session::Session;

/// Files opened before the work, so that a bad path fails at once.
pub(super) struct Treebanks {
    pub(super) output: Output,
    pub(super) train: Vec<Sentence>,
    pub(super) dev: Option<Vec<Sentence>>,
}

impl Treebanks {
    pub(super) fn open(data: &TreebankData, session: &mut Session) -> anyhow::Result<Self> {
        let output = Output::create(&data.output)?;
        let train = read_sentences(&data.treebanks, data.bad_items, &mut session.progress)?;
        session.skipped(&train.skipped);
        let dev = match &data.dev {
            None => None,
            Some(path) => {
                let dev = read_sentences(&[path], data.bad_items, &mut session.progress)?;
                session.skipped(&dev.skipped);
                Some(dev.sentences)
            }
        };
        Ok(Self { output, train: train.sentences, dev })
    }
}

/// Parses development sentences and adds the scores to the summary.
pub(super) fn score_dependencies<P: DependencyParser>(
    parser: &P,
    dev: &[Sentence],
    field: &str,
    session: &mut Session,
) -> anyhow::Result<()> {
    session.progress.stage("parse dev", Some(dev.len() as u64));
    let parses = parse_sentences(parser, dev, Confidences::Skip, &mut session.progress)?;
    session.progress.end_stage();
    let report = AttachmentReport::from(&score_sentences(parser, dev, &parses)?);
    session.tell(format_args!("dev: UAS {:.2}, LAS {:.2}, CLAS {:.2}", report.uas, report.las, report.clas));
    session.field(field, Report { attachment: Some(report), ..Report::default() }.to_json_value());
    Ok(())
}
