//! `count` and `merge`: open, count or merge, save.

use eigentree::corpus::cooccurrence::CountedText;
use eigentree::counting::{count_texts, merge_counts, save_counts};
use eigentree::files::Output;
use eigentree::learn::Observer;
use serde_json::json;

use crate::args::{CountArgs, MergeArgs};
use crate::session::Session;

pub(super) fn count(args: CountArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build()?;
    let output = Output::create(&job.output)?;
    let counting = count_texts(&job.texts, &job.config, &mut session.progress)?;
    session.field("bytes", counting.bytes);
    if let Some(memory) = counting.memory {
        session.field("memory_estimate_mb", memory.bytes as f64 / 1e6);
    }
    save(&counting.counted, output, session)
}

pub(super) fn merge(args: MergeArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build()?;
    let output = Output::create(&job.output)?;
    let mut sum = merge_counts(&job.counts, &mut session.progress)?;
    if let Some(limit) = &job.vocab {
        session.progress.stage("limit", None);
        sum = sum.restricted(limit).map_err(eigentree::Error::from)?;
    }
    save(&sum, output, session)
}

fn save(counted: &CountedText, output: Output, session: &mut Session) -> anyhow::Result<()> {
    session.progress.stage("save", None);
    let size = save_counts(counted, output)?;
    session.progress.end_stage();
    let counts = &counted.counts;
    let (tokens, types, pairs) = (counts.tokens(), counts.words.len(), counts.distinct_pairs());
    session.tell(format_args!("{tokens} tokens, {types} types, {pairs} pairs"));
    if tokens == 0 {
        session.tell(format_args!("the input has no words"));
    }
    session.fields(json!({
        "tokens": tokens,
        "types": types,
        "pairs": pairs,
        "distance": counts.pairs.len(),
        "unknown": counted.unknown_name(),
        "output_bytes": size,
    }));
    Ok(())
}
