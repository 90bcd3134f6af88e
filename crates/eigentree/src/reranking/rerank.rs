//! Writes the best tree of every list.

use corpus::format::conllu::ConlluWriter;
use dependency::reranker::Reranker;
use models::learn::Observer;

use super::SentenceList;
use crate::Error;
use crate::files::Output;
use crate::reading::BadItems;
use crate::streaming::{Counts, Done, Job, Report, drive};

/// Lists per thread and round.
const ROUND: usize = 64;

/// Writes the chosen tree of every list, in order. The caller must have started a stage, and finishes the output.
pub fn rerank(
    model: &Reranker,
    lists: impl Iterator<Item = Result<SentenceList, Error>> + Send + 'static,
    observer: &mut dyn Observer,
    output: &mut Output,
) -> Result<Report, Error> {
    let length = |list: &SentenceList| list.sentences.iter().map(|sentence| sentence.len()).sum();
    let job = Job { per_thread: ROUND, bad_items: BadItems::Refuse, length, foretell: None };
    drive(lists, &job, observer, output, |list, scratch| {
        let choice = model.choose(&list.list, scratch);
        let candidates = list.list.candidates();
        let first = (1..candidates.len())
            .fold(0, |best, next| if candidates[next].score > candidates[best].score { next } else { best });
        let counts = Counts {
            sentences: 1,
            words: list.sentences[choice].len() as u64,
            candidates: candidates.len() as u64,
            changed: u64::from(choice != first),
            ..Counts::default()
        };
        let mut text = Vec::new();
        ConlluWriter::new(&mut text)
            .write(&list.sentences[choice])
            .map_err(|error| Error::Data(format!("cannot write a sentence: {error}")))?;
        Ok(Done { counts, entry: text })
    })
}
