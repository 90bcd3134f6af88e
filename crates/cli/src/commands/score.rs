//! `score`.

use std::io::Write;

use eigentree::clustering::score_text;
use eigentree::eval::report::Report;
use eigentree::files::{Input, Output};
use eigentree::inspection::FileDescription;
use eigentree::learn::Observer;
use eigentree::models::sequence::SequenceModel;
use eigentree::sequences::{Solution, read_sequences, score_sequences};
use eigentree::{Error, Loaded, Model};

use super::{score_grammar, score_trees};
use crate::args::ScoreArgs;
use crate::failure::UsageError;
use crate::session::Session;

pub(super) fn run(args: ScoreArgs, session: &mut Session) -> anyhow::Result<()> {
    args.check()?;
    if !args.totals {
        session.data_to(&args.output);
    }
    session.progress.stage("load", None);
    // Once: from a pipe it cannot be read again.
    let loaded = Loaded::open(&args.model)?;
    let model = match loaded.model() {
        Model::Sequence(model) => return sequences(&args, model, session),
        Model::Clusters(model) => model,
        Model::Deptree(model) => return score_trees::run(model, &args, session),
        Model::Lpcfg(model) => {
            let metadata = FileDescription::of(loaded.container()).metadata;
            return score_grammar::run(model, &metadata, &args, session);
        }
        model => anyhow::bail!(
            "{} contains {}, which cannot score; `score` needs word clusters (`cluster --model`), a sequence model (`train automaton`), latent trees (`train deptree`) or a grammar with latent states (`train lpcfg`)",
            args.model.display(),
            model.description()
        ),
    };
    if args.solution.is_some() {
        let told =
            format!("--solution applies only to sequence models, but {} is not one", args.model.display());
        return Err(UsageError(told).into());
    }
    let input = Input::open(&args.text)?;
    let name = input.name().to_owned();
    let mut output = Output::create(&args.output)?;
    let score = score_text(model, input, &name, &mut session.progress, |log_probability, words| {
        if args.totals {
            return Ok(());
        }
        writeln!(output, "{log_probability:.6}\t{words}").map_err(|error| Error::from(output.error(error)))
    })?;
    session.progress.end_stage();
    let report = Report { likelihood: Some(score.report()), ..Report::default() };
    if args.totals {
        output.write_all(report.to_text().as_bytes()).map_err(|error| output.error(error))?;
    }
    output.finish()?;
    session.tell(format_args!(
        "{} lines, {} words ({} unknown), log-probability {:.2}, perplexity {:.2}",
        score.lines,
        score.tokens,
        score.unknown,
        score.log_probability,
        score.perplexity()
    ));
    session.fields(score.to_json());
    Ok(())
}

/// Scores sequences with a sequence model.
fn sequences(args: &ScoreArgs, model: &SequenceModel, session: &mut Session) -> anyhow::Result<()> {
    session.progress.stage("read", None);
    let solution = args.solution.as_ref().map(Solution::open).transpose()?;
    let sequences = read_sequences(&args.text, args.input)?
        .numbers(model.alphabet(), &args.text.display().to_string())?;
    let score = score_sequences(model, &sequences, &mut session.progress)?;
    session.progress.end_stage();
    let report = Report { likelihood: Some(score.report()), ..Report::default() };
    let mut output = Output::create(&args.output)?;
    if args.totals {
        output.write_all(report.to_text().as_bytes()).map_err(|error| output.error(error))?;
    } else {
        for (log_probability, sequence) in score.log_probabilities.iter().zip(&sequences) {
            writeln!(output, "{log_probability:.6}\t{}", sequence.len())
                .map_err(|error| output.error(error))?;
        }
    }
    output.finish()?;
    session.tell(format_args!(
        "{} sequences, {} symbols ({} unknown), log-probability {:.2}, perplexity {:.4}; of {} predictions of the automata, {} had \
         negative values, and {} no positive one",
        sequences.len(),
        score.symbols,
        score.unknown,
        score.log_probability(),
        score.perplexity(),
        score.clipping.predictions,
        score.clipping.clipped,
        score.clipping.replaced,
    ));
    if let Some(solution) = solution {
        let score = solution.score(&score.log_probabilities)?;
        let (found, optimum, above) = (score.perplexity, score.optimum, score.percent_above());
        session
            .tell(format_args!("PAutomaC perplexity {found:.4}, optimum {optimum:.4}, {above:.2} % above"));
        session.field("pautomac", score.to_json());
    }
    session.fields(score.to_json());
    Ok(())
}
