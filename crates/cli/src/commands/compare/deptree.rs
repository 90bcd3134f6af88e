//! `compare deptree`.

use std::path::PathBuf;

use eigentree::comparison::deptree::{compare_reranking, reranking_document, reranking_json};
use eigentree::reading::{BadItems, read_sentences};

use super::dependency::part;
use super::report::ReportFiles;
use crate::args::CompareDeptreeArgs;
use crate::session::Session;

pub(super) fn run(args: CompareDeptreeArgs, session: &mut Session) -> anyhow::Result<()> {
    let plan = args.plan(session.seed);
    // What cannot be read fails before the long work.
    let parts: Vec<(PathBuf, PathBuf)> = args
        .folders
        .iter()
        .map(|folder| Ok((part(folder, "train")?, part(folder, args.on.name())?)))
        .collect::<anyhow::Result<_>>()?;
    let files = ReportFiles::open(&args.report)?;
    let meter = session.meter();
    let mut blocks = Vec::new();
    for (folder, (train, test)) in args.folders.iter().zip(&parts) {
        let [train, test] =
            [train, test].map(|path| read_sentences(&[path], BadItems::Skip, &mut session.progress));
        let (train, test) = (train?, test?);
        session.skipped(&train.skipped);
        session.skipped(&test.skipped);
        let name = folder
            .file_name()
            .map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned());
        blocks.extend(compare_reranking(
            &name,
            &train.sentences,
            &test.sentences,
            &plan,
            &mut session.progress,
            &meter,
        )?);
    }
    session.progress.end_stage();
    files.write(&reranking_document(&plan, &blocks), reranking_json(&blocks), &[], session)
}
