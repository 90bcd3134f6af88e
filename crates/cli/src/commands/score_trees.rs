//! `score` of dependency trees.

use std::io::Write;

use eigentree::Error;
use eigentree::corpus::format::conllu::ConlluReader;
use eigentree::files::Output;
use eigentree::learn::Observer;
use eigentree::models::deptree::Deptree;
use eigentree::reading::{Format, Source};
use eigentree::reranking::score_trees;

use crate::args::ScoreArgs;
use crate::session::Session;

/// Scores the words of dependency trees.
pub(super) fn run(model: &Deptree, args: &ScoreArgs, session: &mut Session) -> anyhow::Result<()> {
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
    let per_word = scores.per_word();
    if args.totals {
        writeln!(output, "trees\t{}\nwords\t{}\nlog-probability\t{:.4}\na word\t{per_word:.4}\nnegative\t{}\nimpossible\t{}",
            scores.trees, scores.words, scores.log_probability, scores.negative, scores.impossible)
            .map_err(|error| output.error(error))?;
    }
    output.finish()?;
    session.tell(format_args!(
        "{} trees, {} words, log-probability {:.2}, {per_word:.4} per word; {} negative, {} impossible, {} sentences without a tree",
        scores.trees, scores.words, scores.log_probability, scores.negative, scores.impossible, scores.without_tree
    ));
    session.fields(scores.to_json());
    Ok(())
}
