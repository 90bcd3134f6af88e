//! `rerank`.

use eigentree::Model;
use eigentree::corpus::format::conllu::ConlluReader;
use eigentree::files::Output;
use eigentree::learn::Observer;
use eigentree::reading::{Format, Source};
use eigentree::reranking::{read_lists, rerank};
use serde_json::json;

use crate::args::RerankArgs;
use crate::session::Session;

pub(super) fn run(args: &RerankArgs, session: &mut Session) -> anyhow::Result<()> {
    args.check()?;
    session.progress.stage("load", None);
    let Model::Reranker(model) = Model::open(&args.model)? else {
        anyhow::bail!("{} is not a reranker; train one with `train reranker`", args.model.display());
    };
    let source = Source::open(&args.lists, Some(Format::Conllu))?;
    let name = source.name().to_owned();
    session.data_to(&args.output);
    let mut output = Output::create(&args.output)?;
    session.progress.stage("rerank", None);
    let report =
        rerank(&model, read_lists(ConlluReader::new(source, name)), &mut session.progress, &mut output)?;
    output.finish()?;
    session.progress.end_stage();
    let counts = &report.counts;
    session.tell(format_args!(
        "{} sentences with {} trees; chose a tree other than the parser's best for {}",
        counts.sentences, counts.candidates, counts.changed
    ));
    session.fields(json!({
        "sentences": counts.sentences,
        "trees": counts.candidates,
        "changed": counts.changed,
    }));
    Ok(())
}
