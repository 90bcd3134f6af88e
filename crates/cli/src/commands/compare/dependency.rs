//! `compare dependency`.

use std::path::{Path, PathBuf};

use anyhow::Context;
use eigentree::comparison::dependency::{Report, Treebank, compare};
use eigentree::reading::{BadItems, read_sentences};

use super::report::ReportFiles;
use crate::args::CompareDependencyArgs;
use crate::session::Session;

/// How a part may be packed.
const ENDINGS: [&str; 3] = ["conllu", "conllu.gz", "conllu.zst"];

pub(super) fn run(args: CompareDependencyArgs, session: &mut Session) -> anyhow::Result<()> {
    let setups = args.setups(session.seed);
    // What cannot be read fails before the long work.
    let parts: Vec<(PathBuf, PathBuf)> = args
        .folders
        .iter()
        .map(|folder| Ok((part(folder, "train")?, part(folder, args.on.name())?)))
        .collect::<anyhow::Result<_>>()?;
    let files = ReportFiles::open(&args.report)?;
    let meter = session.meter();
    let mut rows = Vec::new();
    for (folder, (train, test)) in args.folders.iter().zip(&parts) {
        let train = read_sentences(&[train], BadItems::Skip, &mut session.progress)?;
        session.skipped(&train.skipped);
        let test = read_sentences(&[test], BadItems::Skip, &mut session.progress)?;
        session.skipped(&test.skipped);
        let name = folder
            .file_name()
            .map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned());
        let treebank = Treebank { name, train: train.sentences, test: test.sentences };
        rows.push(compare(&treebank, &setups, &mut session.progress, &meter)?);
    }
    session.progress.end_stage();
    let report = Report::new(&setups, rows);
    files.write(&report.document(), report.to_json_value(), &[], session)
}

/// The file of a part of a treebank.
fn part(folder: &Path, name: &str) -> anyhow::Result<PathBuf> {
    let mut files = ENDINGS.iter().map(|ending| folder.join(format!("{name}.{ending}")));
    files.find(|file| file.is_file()).with_context(|| {
        format!(
            "{} has no {name}.conllu, packed or not; give a folder with train, dev and test",
            folder.display()
        )
    })
}
