//! `score`.

use std::io::Write;

use eigentree::clustering::score_text;
use eigentree::corpus::format::conllu::ConlluReader;
use eigentree::eval::report::Report;
use eigentree::files::{Input, Output};
use eigentree::learn::Observer;
use eigentree::models::deptree::Deptree;
use eigentree::reading::{Format, Source};
use eigentree::reranking::score_trees;
use eigentree::{Error, Model};
use serde_json::json;

use crate::args::ScoreArgs;
use crate::session::Session;

pub(super) fn run(args: ScoreArgs, session: &mut Session) -> anyhow::Result<()> {
    args.check()?;
    session.progress.stage("load", None);
    let model = match Model::open(&args.model)? {
        Model::Clusters(model) => model,
        Model::Deptree(model) => return trees(&model, &args, session),
        _ => anyhow::bail!(
            "{} scores nothing; `cluster --model` makes models that score text, `train deptree` such that score trees",
            args.model.display()
        ),
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

/// The probability of the words of dependency trees.
fn trees(model: &Deptree, args: &ScoreArgs, session: &mut Session) -> anyhow::Result<()> {
    let source = Source::open(&args.text, Some(Format::Conllu))?;
    let name = source.name().to_owned();
    let mut output = Output::create(&args.output)?;
    session.progress.stage("score", None);
    let sentences = ConlluReader::new(source, name);
    let scores = score_trees(model, sentences, &mut session.progress, |score| {
        if args.totals {
            return Ok(());
        }
        let line = match score {
            None => writeln!(output, "_\t0"),
            Some(score) => {
                let sign = if score.probability.sign < 0 { "\tnegative" } else { "" };
                writeln!(output, "{:.6}\t{}{sign}", score.probability.log, score.words)
            }
        };
        line.map_err(|error| Error::from(output.error(error)))
    })?;
    session.progress.end_stage();
    let per_word = scores.log_probability / scores.words.max(1) as f64;
    if args.totals {
        writeln!(output, "trees\t{}\nwords\t{}\nlog-probability\t{:.4}\na word\t{per_word:.4}\nnegative\t{}\nimpossible\t{}",
            scores.trees, scores.words, scores.log_probability, scores.negative, scores.impossible)
            .map_err(|error| output.error(error))?;
    }
    output.finish()?;
    session.tell(format_args!(
        "{} trees, {} words, log-probability {:.2}, {per_word:.4} a word; {} negative, {} impossible, {} sentences without a tree",
        scores.trees, scores.words, scores.log_probability, scores.negative, scores.impossible, scores.without_tree
    ));
    session.fields(json!({
        "log_probability": scores.log_probability,
        "tokens": scores.words,
        "trees": scores.trees,
        "negative": scores.negative,
        "impossible": scores.impossible,
    }));
    Ok(())
}
