//! `score` of phrase-structure trees.

use std::io::Write;

use eigentree::files::Output;
use eigentree::learn::Observer;
use eigentree::models::lpcfg::Lpcfg;
use eigentree::models::persist::Metadata;
use eigentree::parsing::{GrammarScores, score_grammar_trees};
use eigentree::reading::{BadItems, read_trees};
use eigentree::training::Annotation;

use crate::args::ScoreArgs;
use crate::session::Session;

/// The sign of a probability.
fn sign(sign: i8) -> &'static str {
    match sign {
        0 => "0",
        1.. => "+",
        _ => "-",
    }
}

/// Scores trees, and their words.
pub(super) fn run(
    model: &Lpcfg,
    metadata: &Metadata,
    args: &ScoreArgs,
    session: &mut Session,
) -> anyhow::Result<()> {
    let trees = read_trees(&[&args.text], BadItems::Refuse, &mut session.progress)?.trees;
    session.progress.stage("score", Some(trees.len() as u64));
    let scores = score_grammar_trees(model, metadata, trees, Annotation::default(), &mut session.progress)?;
    session.progress.end_stage();
    let mut output = Output::create(&args.output)?;
    let mut text = String::new();
    if args.totals {
        use std::fmt::Write as _;
        let ((negative, negative_sentences), (impossible, underived)) =
            (scores.with_sign(-1), scores.with_sign(0));
        let _ = writeln!(
            text,
            "trees\t{}\nwords\t{}\nlog-probability\t{:.4}\nnegative\t{negative}\nimpossible\t{impossible}\n\
             log-probability of the words\t{:.4}\nnegative\t{negative_sentences}\nunderived\t{underived}",
            scores.trees.len(),
            scores.words(),
            scores.tree_log(),
            scores.sentence_log()
        );
    } else {
        for score in &scores.trees {
            text.push_str(&match score {
                None => "_\t0\t_\t0\t0\n".to_owned(),
                Some((score, words)) => format!(
                    "{:.6}\t{words}\t{:.6}\t{}\t{}\n",
                    score.tree.log,
                    score.sentence.log,
                    sign(score.tree.sign),
                    sign(score.sentence.sign)
                ),
            });
        }
    }
    output.write_all(text.as_bytes()).map_err(|error| output.error(error))?;
    output.finish()?;
    let ((negative, negative_sentences), (impossible, underived)) =
        (scores.with_sign(-1), scores.with_sign(0));
    session.tell(format_args!(
        "{} trees, {} words; log-probability of the trees {:.2} ({negative} negative, {impossible} impossible), of their words \
         {:.2} ({negative_sentences} negative, {underived} not derived)",
        scores.trees.len(),
        scores.words(),
        scores.tree_log(),
        scores.sentence_log()
    ));
    if scores.too_long() > 0 {
        session.tell(format_args!(
            "{} of {} sentences longer than {} words: the probability of their words is not computed",
            scores.too_long(),
            scores.trees.len(),
            GrammarScores::longest()
        ));
    }
    session.fields(scores.to_json());
    Ok(())
}
