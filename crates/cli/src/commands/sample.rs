//! `sample`.

use eigentree::files::Output;
use eigentree::sampling::{sample, with_grammar};

use crate::args::SampleArgs;
use crate::session::Session;

pub(super) fn run(args: SampleArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build(session.seed);
    let words = with_grammar(&job.grammar, |grammar| {
        let output = Output::create(&job.output)?;
        sample(grammar, &job.config, job.target, output, &mut session.progress)
    })?;
    session.progress.end_stage();
    session.field("sentences", job.config.trees);
    session.field("words", words);
    Ok(())
}
