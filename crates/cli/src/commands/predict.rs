//! `predict`.

use std::io::Write;

use eigentree::Model;
use eigentree::files::Output;
use eigentree::learn::Observer;
use eigentree::sequences::{PredictionScore, Targets, predict, read_sequences};
use serde_json::json;

use crate::args::PredictArgs;
use crate::session::Session;

pub(super) fn run(args: &PredictArgs, session: &mut Session) -> anyhow::Result<()> {
    args.check()?;
    session.progress.stage("load", None);
    let Model::Sequence(model) = Model::open(&args.model)? else {
        anyhow::bail!(
            "{} is not a sequence model; train one with `train automaton` or `train hmm`",
            args.model.display()
        );
    };
    let targets = args.targets.as_ref().map(Targets::open).transpose()?;
    let prefixes = read_sequences(&args.prefixes, args.input)?
        .numbers(model.alphabet(), &args.prefixes.display().to_string())?;
    // The score is over five symbols, however many are listed.
    let most = if targets.is_some() { args.k.max(5) } else { args.k };
    let rankings = predict(&model, &prefixes, most, &mut session.progress)?;
    session.progress.end_stage();
    session.data_to(&args.output);
    let mut output = Output::create(&args.output)?;
    for ranking in &rankings {
        let shown: Vec<String> = ranking
            .iter()
            .take(args.k)
            .map(|(symbol, probability)| {
                let name = symbol.map_or_else(|| "-1".to_owned(), |symbol| model.alphabet().text(symbol));
                format!("{name} {probability:.6}")
            })
            .collect();
        writeln!(output, "{}", shown.join(" ")).map_err(|error| output.error(error))?;
    }
    output.finish()?;
    session.field("prefixes", prefixes.len());
    if let Some(targets) = targets {
        let score = PredictionScore::new(&targets, &rankings)?;
        session.tell(format_args!("{} prefixes, NDCG@5 {:.4}", score.prefixes, score.ndcg));
        session.field("prediction", json!({ "ndcg_at_5": score.ndcg }));
    }
    Ok(())
}
