//! Dhillon et al. (2012): re-ranking of dependency trees on section 23 of the Penn Treebank.

/// One way of choosing a tree in Table 1.
pub(crate) struct Row {
    /// In words.
    pub(crate) method: &'static str,
    /// The place of this way among ours: the parser, tags, `log p̂` alone, both.
    pub(crate) choice: usize,
    /// Words with the right head, in per cent.
    pub(crate) uas: f64,
    /// Sentences in which all heads are right, in per cent.
    pub(crate) complete: f64,
}

const fn row(method: &'static str, choice: usize, uas: f64, complete: f64) -> Row {
    Row { method, choice, uas, complete }
}

const PARSER: &str = "MST parser";
const TAGS: &str = "re-ranked by tags";
const BOTH: &str = "re-ranked by tags and log p̂";

/// Table 1, by the order of the parser.
pub(crate) const RERANKING: [(&str, [Row; 3]); 2] = [
    ("1st order", [row(PARSER, 0, 90.8, 37.2), row(TAGS, 1, 91.3, 37.5), row(BOTH, 3, 91.7, 37.8)]),
    ("2nd order", [row(PARSER, 0, 91.8, 40.6), row(TAGS, 1, 92.4, 41.0), row(BOTH, 3, 92.7, 41.3)]),
];
