//! `sample`.

use std::io::Write;
use std::path::Path;

use eigentree::Model;
use eigentree::clustering::sample_text;
use eigentree::corpus::cooccurrence::Boundaries;
use eigentree::files::{Output, is_model};
use eigentree::sampling::{ENGLISH, grammar_source, sample, with_grammar};
use eigentree::sequences::sample_sequences;

use crate::args::{MAX_WORDS, SampleArgs, SampleJob, SampleWhat};
use crate::failure::UsageError;
use crate::session::Session;

pub(super) fn run(args: SampleArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build(session.seed)?;
    session.data_to(&job.output);
    if job.grammar != Path::new(ENGLISH) && job.grammar.exists() && is_model(&job.grammar)? {
        return from_model(&job, session);
    }
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

/// Maximum length of a line; longer ones are cut.
const LONGEST_LINE: usize = 1000;

/// Samples text from a model of word clusters, or sequences from a sequence model.
fn from_model(job: &SampleJob, session: &mut Session) -> anyhow::Result<()> {
    let file = job.grammar.display();
    let model = Model::open(&job.grammar)?;
    if let Some(option) = job.for_grammars {
        return Err(UsageError(format!("{option} applies only to trees, but {file} has none")).into());
    }
    let (lines, seed) = (job.config.trees, session.seed);
    let model = match model {
        Model::Clusters(model) => model,
        Model::Sequence(model) => {
            let output = Output::create(&job.output)?;
            let longest = job.max_words.unwrap_or(LONGEST_LINE);
            let symbols = sample_sequences(&model, lines, longest, seed, output, &mut session.progress)?;
            session.progress.end_stage();
            session.field("sequences", lines);
            session.field("symbols", symbols);
            return Ok(());
        }
        model => anyhow::bail!(
            "{file} contains {}, which cannot be sampled; `sample` needs word clusters, a sequence model or a grammar file",
            model.description()
        ),
    };
    let longest = job.max_words.unwrap_or(match model.boundaries() {
        Boundaries::Lines => LONGEST_LINE,
        Boundaries::None => MAX_WORDS,
    });
    let output = Output::create(&job.output)?;
    let words = sample_text(&model, lines, longest.max(1), seed, output, &mut session.progress)?;
    session.progress.end_stage();
    session.field("sentences", lines);
    session.field("words", words);
    Ok(())
}
