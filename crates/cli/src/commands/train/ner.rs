//! `train ner`.

use std::path::PathBuf;

use eigentree::tagging::{entity_columns, read_entities};

use super::tagger::train_labels;
use crate::args::TrainNerArgs;
use crate::session::Session;

pub(super) fn run(args: TrainNerArgs, session: &mut Session) -> anyhow::Result<()> {
    let (job, lists) = args.build(session.seed)?;
    let read =
        |paths: &[PathBuf], session: &mut Session| read_entities(paths, job.bad_items, &mut session.progress);
    train_labels(&job, entity_columns(), &lists, read, session)
}
