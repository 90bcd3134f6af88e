//! What counts as a bracket and when two are the same.

/// What to do with the ends of labels, `NP-SBJ=1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionTags {
    /// Compare what stands before the first `-` or `=`.
    Cut,
    /// Compare whole labels, for treebanks in which `-` is part of the category (`IP-MAT`).
    Keep,
}

/// Whether labels are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Labelling {
    /// Span and label must agree.
    Labelled,
    /// The span alone.
    Unlabelled,
}

/// Whether the words of both trees must be the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WordCheck {
    /// They must be, dropped punctuation excepted.
    Same,
    /// Only their number counts: for parsers that write words differently.
    LengthOnly,
}

/// What to do with a sentence whose trees have different words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mismatch {
    /// Stop with an error that names it.
    Refuse,
    /// Count it as a sentence without a predicted tree.
    CountAsFailure,
}

/// What a sentence without a predicted tree adds to the figures. It is a failure either way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MissingTree {
    /// Its gold brackets, and no predicted ones.
    NoBrackets,
    /// Nothing, as in EVALB.
    Skip,
}

/// The conventions of a comparison. [`BracketConfig::collins`] is the default.
///
/// ```
/// use eigentree_eval::brackets::BracketConfig;
/// // Punctuation tags of the German TIGER treebank.
/// let german = BracketConfig::collins().with_punctuation(["$,", "$.", "$("]);
/// assert!(german.delete_labels.iter().any(|label| label == "$("));
/// assert!(!german.delete_labels.iter().any(|label| label == "``"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BracketConfig {
    /// Brackets with these labels are dropped, and so are words whose gold tag is one of them.
    pub delete_labels: Vec<String>,
    /// Words with these tags are no words: each tree loses its own, before lengths are compared.
    pub delete_labels_for_length: Vec<String>,
    /// Pairs of labels that count as the same, for phrases and for tags.
    pub equal_labels: Vec<(String, String)>,
    /// Pairs of words that count as the same.
    pub equal_words: Vec<(String, String)>,
    /// The ends of labels.
    pub function_tags: FunctionTags,
    /// Whether labels are compared.
    pub labelling: Labelling,
    /// Whether words are compared.
    pub words: WordCheck,
    /// What to do when they differ.
    pub mismatch: Mismatch,
    /// What a failed sentence adds.
    pub missing_tree: MissingTree,
    /// Longest sentence of the second report, in words with punctuation; `None` for one report only.
    pub cutoff: Option<usize>,
}

/// Labels of the node above the sentence.
const TOP: [&str; 5] = ["TOP", "ROOT", "S1", "VROOT", ""];

/// Punctuation tags of the Penn Treebank that `COLLINS.prm` drops. Brackets, `$` and `#` are not among them.
const PENN_PUNCTUATION: [&str; 5] = [",", ":", "``", "''", "."];

impl BracketConfig {
    /// `COLLINS.prm`, with the usual names of the top node added.
    pub fn collins() -> Self {
        Self::without_deletion().with_punctuation(PENN_PUNCTUATION)
    }

    /// The same for treebanks without punctuation tags to drop: all words count. Top nodes and empty elements still
    /// go.
    pub fn without_deletion() -> Self {
        Self {
            delete_labels: TOP.iter().chain(&["-NONE-"]).map(|&label| label.to_owned()).collect(),
            delete_labels_for_length: vec!["-NONE-".to_owned()],
            equal_labels: vec![("ADVP".to_owned(), "PRT".to_owned())],
            equal_words: Vec::new(),
            function_tags: FunctionTags::Cut,
            labelling: Labelling::Labelled,
            words: WordCheck::Same,
            mismatch: Mismatch::Refuse,
            missing_tree: MissingTree::NoBrackets,
            cutoff: Some(40),
        }
    }

    /// These punctuation tags instead of those of the Penn Treebank.
    pub fn with_punctuation<L: Into<String>>(mut self, tags: impl IntoIterator<Item = L>) -> Self {
        self.delete_labels.retain(|label| !PENN_PUNCTUATION.contains(&label.as_str()));
        self.delete_labels.extend(tags.into_iter().map(Into::into));
        self
    }
}

impl Default for BracketConfig {
    fn default() -> Self {
        Self::collins()
    }
}
