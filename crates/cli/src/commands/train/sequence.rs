//! `train automaton`, `train hmm`.

use eigentree::files::Output;
use eigentree::learn::Observer;
use eigentree::sequences::read_sequences;

use super::command::train;
use crate::args::{SequenceKind, TrainSequenceArgs};
use crate::session::Session;

pub(super) fn run(args: TrainSequenceArgs, kind: SequenceKind, session: &mut Session) -> anyhow::Result<()> {
    let (files, job) = args.build(kind, session.seed)?;
    let output = Output::create(&files.output)?;
    session.progress.stage("read", None);
    let sequences = read_sequences(&files.data, files.input)?;
    let dev = files.dev.as_ref().map(|path| read_sequences(path, files.input)).transpose()?;
    train(&job, &sequences, dev.as_ref(), output, &files.output, session)
}
