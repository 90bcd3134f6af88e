//! `select`: load, annotate, choose, write.

use std::io::Write;

use eigentree::Model;
use eigentree::conversion::items;
use eigentree::corpus::format::plain_text::BlankLines;
use eigentree::files::{Input, Output};
use eigentree::learn::Observer;
use eigentree::reading::{Forgiving, Format, Source};
use eigentree::selection::{Preannotator, choose, pool_of, write_selected};
use eigentree::tagging::tokenized_items;
use serde_json::json;

use crate::args::{SelectArgs, SelectJob};
use crate::session::{Session, count};

pub(super) fn run(args: SelectArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build(session.seed)?;
    let mut output = Output::create(&job.output)?;
    session.progress.stage("load", None);
    let model = Model::open(&job.model)?;
    let preannotator = Preannotator::of(&model)?;
    session.progress.stage("read", None);
    let pool = read(&model, &job, session)?;
    session.progress.stage("annotate", Some(pool.len() as u64));
    let annotated = preannotator.annotate_all(&pool, &mut session.progress)?;
    let (candidates, annotated): (Vec<_>, Vec<_>) = annotated.into_iter().unzip();
    session.progress.stage("choose", None);
    let picked = choose(&candidates, &job.config);
    let text = write_selected(&picked, &candidates, &annotated)?;
    output.write_all(&text).map_err(|error| output.error(error))?;
    output.finish()?;
    session.progress.end_stage();
    let words: usize = picked.iter().map(|&index| candidates[index].words.len()).sum();
    let errors: f64 = picked.iter().map(|&index| candidates[index].doubts.iter().sum::<f64>()).sum();
    let all: f64 = candidates.iter().map(|candidate| candidate.doubts.iter().sum::<f64>()).sum();
    let all_words: usize = candidates.iter().map(|candidate| candidate.words.len()).sum();
    session.tell(format_args!(
        "{} of {} chosen: {}, expected errors {:.1} % of words (all sentences: {:.1} %)",
        count(picked.len(), "sentence"),
        candidates.len(),
        count(words, "word"),
        100.0 * errors / words.max(1) as f64,
        100.0 * all / all_words.max(1) as f64,
    ));
    session.fields(json!({
        "sentences": picked.len(),
        "words": words,
        "pool_sentences": candidates.len(),
        "pool_words": all_words,
        "expected_errors": errors,
        "pool_expected_errors": all,
    }));
    Ok(())
}

/// The sentences to choose from. A pipeline divides raw text itself.
fn read(
    model: &Model,
    job: &SelectJob,
    session: &mut Session,
) -> anyhow::Result<Vec<eigentree::corpus::format::conllu::Sentence>> {
    let raw = match job.input {
        Some(format) => format == Format::Text,
        None => matches!(model, Model::Pipeline(_)) && Format::of_path(&job.file).is_none(),
    };
    if let (true, Model::Pipeline(pipeline)) = (raw, model) {
        let input = Input::open(&job.file)?;
        let name = input.name().to_owned();
        return Ok(pool_of(tokenized_items(pipeline, input, name))?);
    }
    let source = Source::open(&job.file, job.input)?;
    let mut items = Forgiving::new(items(source, BlankLines::Skip), job.bad_items);
    let pool = pool_of(items.by_ref())?;
    session.skipped(&items.into_skipped());
    Ok(pool)
}
