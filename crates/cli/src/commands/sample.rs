//! `sample`.

use std::io::Write;

use eigentree::files::Output;
use eigentree::sampling::{grammar_source, sample, with_grammar};

use crate::args::{SampleArgs, SampleWhat};
use crate::session::Session;

pub(super) fn run(args: SampleArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build(session.seed)?;
    if job.what == SampleWhat::Grammar {
        let text = grammar_source(&job.grammar)?;
        let mut output = Output::create(&job.output)?;
        output.write_all(text.as_bytes()).map_err(|error| output.error(error))?;
        return Ok(output.finish()?);
    }
    let words = with_grammar(&job.grammar, |grammar| {
        let output = Output::create(&job.output)?;
        sample(grammar, &job.config, job.target, output, &mut session.progress)
    })?;
    session.progress.end_stage();
    session.field("sentences", job.config.trees);
    session.field("words", words);
    Ok(())
}
