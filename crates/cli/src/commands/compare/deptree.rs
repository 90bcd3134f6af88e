//! `compare deptree`.

use eigentree::comparison::deptree::{compare_reranking, reranking_document, reranking_json};

use super::folders::Folder;
use super::report::ReportFiles;
use crate::args::CompareDeptreeArgs;
use crate::session::Session;

pub(super) fn run(args: CompareDeptreeArgs, session: &mut Session) -> anyhow::Result<()> {
    let plan = args.plan(session.seed);
    let folders = Folder::find(&args.folders)?;
    let files = ReportFiles::open(&args.report)?;
    let meter = session.meter();
    let mut blocks = Vec::new();
    for folder in &folders {
        let treebank = folder.read(session)?;
        blocks.extend(compare_reranking(&treebank, &plan, &mut session.progress, &meter)?);
    }
    session.progress.end_stage();
    files.write(&reranking_document(&plan, &blocks), reranking_json(&blocks), &[], session)
}
