//! Which brackets are scored, and when two of them are equal.

/// Treatment of label suffixes such as those of `NP-SBJ=1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionTags {
    /// Compare labels up to the first `-` or `=`.
    Cut,
    /// Compare full labels, for treebanks in which `-` is part of the category (`IP-MAT`).
    Keep,
}

/// Whether labels are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Labelling {
    /// Span and label must agree.
    Labelled,
    /// Only the span must agree.
    Unlabelled,
}

/// Whether both trees must have the same words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WordCheck {
    /// The words must be equal, except for dropped punctuation.
    Same,
    /// Only their number must be equal, for parsers that change word forms.
    LengthOnly,
}

/// Treatment of a sentence whose trees have different words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mismatch {
    /// Stop with an error that names the sentence.
    Refuse,
    /// Count it as a sentence without a predicted tree.
    CountAsFailure,
}

/// Contribution of a sentence without a predicted tree. It counts as a failure either way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MissingTree {
    /// Its gold brackets, and no predicted ones.
    NoBrackets,
    /// Nothing, as in EVALB.
    Skip,
}

/// Conventions of a comparison. The default is [`BracketConfig::collins`].
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
    /// Words with these tags are not counted as words: each tree loses its own, before lengths are compared.
    pub delete_labels_for_length: Vec<String>,
    /// Pairs of labels that count as equal, for phrases and for tags.
    pub equal_labels: Vec<(String, String)>,
    /// Pairs of words that count as equal.
    pub equal_words: Vec<(String, String)>,
    /// Treatment of label suffixes.
    pub function_tags: FunctionTags,
    /// Whether labels are compared.
    pub labelling: Labelling,
    /// Whether words are compared.
    pub words: WordCheck,
    /// Treatment of sentences with different words.
    pub mismatch: Mismatch,
    /// Contribution of a sentence without a predicted tree.
    pub missing_tree: MissingTree,
    /// Longest sentence of the second report, in words including punctuation; `None` for a single report.
    pub cutoff: Option<usize>,
}

/// Labels of the root node above the sentence.
const TOP: [&str; 5] = ["TOP", "ROOT", "S1", "VROOT", ""];

/// Punctuation tags of the Penn Treebank that `COLLINS.prm` drops. Brackets, `$` and `#` are not among them.
const PENN_PUNCTUATION: [&str; 5] = [",", ":", "``", "''", "."];

impl BracketConfig {
    /// The conventions of `COLLINS.prm`, with further usual names of the root node.
    pub fn collins() -> Self {
        Self::without_deletion().with_punctuation(PENN_PUNCTUATION)
    }

    /// The same without dropping punctuation, for treebanks without punctuation tags: all words count. Root nodes and
    /// empty elements are still dropped.
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

    /// Replaces the punctuation tags of the Penn Treebank by `tags`.
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
