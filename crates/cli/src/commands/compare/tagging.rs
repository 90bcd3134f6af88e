//! `compare tagging`.

use std::path::PathBuf;

use eigentree::Error;
use eigentree::comparison::tagging::{Task, compare};
use eigentree::learn::Observer;
use eigentree::models::tagger::{ColumnKind, TaggedSentence, TaggerConfig};
use eigentree::reading::{BadItems, Format};
use eigentree::tagging::{ReadSentences, entity_columns, label_columns, read_columns, read_entities};

use super::clusters::read_text;
use super::folders::{name_of, part};
use super::report::ReportFiles;
use crate::args::{CompareTaggingArgs, CompareTaggingJob};
use crate::session::Session;

/// Possible extensions of the parts of a corpus.
const ENDINGS: [&str; 6] = ["conllu", "conllu.gz", "conllu.zst", "bio", "bio.gz", "bio.zst"];

pub(super) fn run(args: CompareTaggingArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build(session.seed)?;
    let corpora: Vec<[PathBuf; 2]> = job
        .corpora
        .iter()
        .map(|folder| Ok([part(folder, "train", &ENDINGS)?, part(folder, job.on.name(), &ENDINGS)?]))
        .collect::<anyhow::Result<_>>()?;
    let files = ReportFiles::open(&job.report)?;
    let mut tasks = Vec::new();
    for (folder, parts) in job.corpora.iter().zip(&corpora) {
        tasks.push(task(name_of(folder), parts, &job, session)?);
    }
    session.progress.stage("read", None);
    let text = read_text(&job.texts)?;
    let meter = session.meter();
    let report = compare(&job.config, &text, &tasks, &mut session.progress, &meter)?;
    session.progress.end_stage();
    files.write(&report.document(), report.to_json_value(), &report.plots(), session)
}

/// Reads a corpus; sentences that cannot be read are skipped and reported.
fn task(
    name: String,
    [train, test]: &[PathBuf; 2],
    job: &CompareTaggingJob,
    session: &mut Session,
) -> anyhow::Result<Task> {
    let entities = Format::of_path(train) == Some(Format::Bio);
    let mut read = |path: &PathBuf| -> anyhow::Result<Vec<TaggedSentence>> {
        let progress = &mut session.progress;
        let read: Result<ReadSentences, Error> = match entities {
            true => read_entities(&[path], BadItems::Skip, progress),
            false => read_columns(&[path], &job.columns, BadItems::Skip, progress),
        };
        let read = read?;
        session.skipped(&read.skipped);
        Ok(read.sentences)
    };
    let (train, test) = (read(train)?, read(test)?);
    let (columns, config): (Vec<(String, ColumnKind)>, TaggerConfig) = match entities {
        true => (entity_columns(), TaggerConfig::entities()),
        false => (label_columns(&job.columns), TaggerConfig::default()),
    };
    Ok(Task { name, columns, config: TaggerConfig { seed: session.seed, ..config }, train, test })
}
