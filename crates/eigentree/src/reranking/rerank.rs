//! Writes the best tree of every list.

use corpus::format::conllu::ConlluWriter;
use dependency::reranker::{Reranker, Scratch};
use models::learn::Observer;
use rayon::prelude::*;

use super::SentenceList;
use crate::Error;
use crate::files::Output;
use crate::rounds::ScratchPool;

/// Number of lists in memory at once.
const ROUND: usize = 256;

/// Statistics of re-ranking.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RerankReport {
    /// Number of lists, which are sentences of the output.
    pub sentences: u64,
    /// Number of trees in all lists.
    pub trees: u64,
    /// Number of lists for which the parser's own first choice was not chosen.
    pub changed: u64,
}

/// Writes the chosen tree of every list, in order. The caller must have started a stage; the output is not finished.
pub fn rerank(
    model: &Reranker,
    lists: impl Iterator<Item = Result<SentenceList, Error>>,
    observer: &mut dyn Observer,
    output: &mut Output,
) -> Result<RerankReport, Error> {
    let pool = ScratchPool::<Scratch>::new();
    let mut report = RerankReport::default();
    let mut lists = lists.peekable();
    while lists.peek().is_some() {
        let round: Vec<SentenceList> = lists.by_ref().take(ROUND).collect::<Result<_, Error>>()?;
        let choices: Vec<usize> =
            round.par_iter().map(|list| pool.lend(|scratch| model.choose(&list.list, scratch))).collect();
        let mut writer = ConlluWriter::new(Vec::new());
        for (list, &choice) in round.iter().zip(&choices) {
            let candidates = list.list.candidates();
            let first = (1..candidates.len()).fold(0, |best, next| {
                if candidates[next].score > candidates[best].score { next } else { best }
            });
            report.sentences += 1;
            report.trees += candidates.len() as u64;
            report.changed += u64::from(choice != first);
            let unwritable =
                |error: &dyn std::fmt::Display| Error::Data(format!("cannot write a sentence: {error}"));
            writer.write(&list.sentences[choice]).map_err(|error| unwritable(&error))?;
        }
        let bytes = writer.into_inner().map_err(|error| Error::Data(error.to_string()))?;
        std::io::Write::write_all(output, &bytes).map_err(|error| output.error(error))?;
        observer.advance(round.len() as u64);
        if observer.cancelled() {
            return Err(Error::Cancelled);
        }
    }
    Ok(report)
}
