//! `train automaton`, `train hmm`.

use eigentree::files::Output;
use eigentree::learn::Observer;
use eigentree::models::sequence::SequenceLearner;
use eigentree::sequences::read_sequences;
use eigentree::{Error, Model};

use super::command::save;
use crate::args::{SequenceKind, TrainSequenceArgs};
use crate::session::Session;

pub(super) fn run(args: TrainSequenceArgs, kind: SequenceKind, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build(kind, session.seed)?;
    let output = Output::create(&job.output)?;
    session.progress.stage("read", None);
    let file = read_sequences(&job.data, job.input)?;
    let alphabet = file.alphabet(job.min_count);
    let counts = file.counts(&alphabet, &job.data.display().to_string())?;
    let dev = match &job.dev {
        None => None,
        Some(path) => Some(read_sequences(path, job.input)?.counts(&alphabet, &path.display().to_string())?),
    };
    let learner = SequenceLearner { config: job.config };
    let learned = learner.learn(&counts, dev.as_ref(), &mut session.progress).map_err(Error::from)?;
    let model = learned
        .model
        .with_alphabet(alphabet)
        .ok_or_else(|| Error::Data("the symbols of the model differ from those of the data".to_owned()))?;
    let model = Model::from(model);
    let metadata = model.metadata().with_note("sequences", file.len());
    save(&model, &metadata, output, &learned.report, &job.output, session)
}
