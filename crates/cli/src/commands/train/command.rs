//! What training has in common whatever the family: run the job, save, score, tell.

use std::path::Path;

use eigentree::files::Output;
use eigentree::learn::Observer;
use eigentree::training::Job;
use serde_json::Value;

use super::{deptree, head_automata, lpcfg, mst, ner, pcfg, pipeline, reranker, sequence, tagger};
use crate::args::{SequenceKind, TrainArgs, TrainFamily};
use crate::session::Session;

pub(in crate::commands) fn run(args: TrainArgs, session: &mut Session) -> anyhow::Result<()> {
    match args.family {
        TrainFamily::Lpcfg(args) => lpcfg::run(*args, session),
        TrainFamily::Mst(args) => mst::run(*args, session),
        TrainFamily::Deptree(args) => deptree::run(*args, session),
        TrainFamily::Reranker(args) => reranker::run(*args, session),
        TrainFamily::Pcfg(args) => pcfg::run(*args, session),
        TrainFamily::Tagger(args) => tagger::run(*args, session),
        TrainFamily::Ner(args) => ner::run(*args, session),
        TrainFamily::Pipeline(args) => pipeline::run(*args, session),
        TrainFamily::HeadAutomata(args) => head_automata::run(*args, session),
        TrainFamily::Automaton(args) => sequence::run(*args, SequenceKind::Automaton, session),
        TrainFamily::Hmm(args) => sequence::run(*args, SequenceKind::Hmm, session),
    }
}

/// Runs a job, saves the model as soon as it is there, scores it, and tells what came out.
pub(super) fn train<J: Job>(
    job: &J,
    data: &J::Data,
    dev: Option<&J::Dev>,
    output: Output,
    name: &Path,
    session: &mut Session,
) -> anyhow::Result<()> {
    let mut trained = job.learn(data, dev, &mut session.progress)?;
    session.progress.stage("save", None);
    let bytes = trained.save(output)?;
    session.progress.end_stage();
    let figures = trained.figures().into_iter();
    let figures: Vec<String> = figures.map(|(name, value)| format!("{} {name}", short(value))).collect();
    session.tell(format_args!("{}: {}, {bytes} bytes", name.display(), figures.join(", ")));
    if let Some(dev) = dev {
        let scores = job.score(&trained.model, dev, &mut session.progress)?;
        session.progress.end_stage();
        scores.lines().iter().for_each(|line| session.tell(format_args!("{line}")));
        trained.dev = Some(scores);
    }
    session.fields(Value::Object(trained.summary()));
    session.field("model_bytes", bytes);
    Ok(())
}

/// A figure for people: whole numbers as they are, others with six significant digits.
fn short(value: f64) -> f64 {
    let digits = 10_f64.powi(5 - value.abs().max(1e-9).log10().floor() as i32);
    if value.fract() == 0.0 || !value.is_finite() { value } else { (value * digits).round() / digits }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn figures_have_few_digits() {
        for (value, told) in [
            (96.56150550174337, "96.5615"),
            (0.13117520001108174, "0.131175"),
            (34986712.0, "34986712"),
            (-1234567.25, "-1234570"),
            (0.0, "0"),
            (5.86, "5.86"),
        ] {
            assert_eq!(short(value).to_string(), told);
        }
        assert!(short(f64::NAN).is_nan());
    }
}
