//! `score`.

use std::io::Write;

use eigentree::clustering::score_text;
use eigentree::eval::report::Report;
use eigentree::files::{Input, Output};
use eigentree::learn::Observer;
use eigentree::{Error, Model};
use serde_json::json;

use crate::args::ScoreArgs;
use crate::session::Session;

pub(super) fn run(args: ScoreArgs, session: &mut Session) -> anyhow::Result<()> {
    args.check()?;
    session.progress.stage("load", None);
    let Model::Clusters(model) = Model::open(&args.model)? else {
        anyhow::bail!(
            "{} holds no clusters of words; `cluster --model` makes models that score text",
            args.model.display()
        );
    };
    let input = Input::open(&args.text)?;
    let name = input.name().to_owned();
    let mut output = Output::create(&args.output)?;
    let score = score_text(&model, input, &name, &mut session.progress, |log_probability, words| {
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
    session.fields(report.to_json_value());
    session.fields(json!({
        "log_probability": score.log_probability,
        "tokens": score.tokens,
        "unknown": score.unknown,
        "lines": score.lines,
    }));
    Ok(())
}
