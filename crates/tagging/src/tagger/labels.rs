//! The labels of all columns, numbered consecutively.

use corpus::ids::{Id, TagId};
use corpus::vocab::{Vocab, VocabBuilder};
use serde::{Deserialize, Serialize};

use super::data::TaggedSentence;
use super::layout::NewBundles;
use super::transitions::{FORBIDDEN, Transitions};
use models::learn::LearnError;

/// The kind of labels in a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColumnKind {
    /// Labels of single words; any label may follow any other.
    Plain,
    /// Lemmas: no labels, but strings that a [`Lemmatizer`](crate::lemmatizer::Lemmatizer) makes of the forms and the
    /// labels of the other columns.
    Lemmas,
    /// Parts of spans in the BIOES scheme: `I` and `E` only follow `B` or `I` of their class, and nothing else follows
    /// these.
    Spans,
}

/// One column of labels.
#[derive(Clone, Debug)]
pub struct LabelColumn {
    pub(super) name: String,
    pub(super) kind: ColumnKind,
    pub(super) labels: Vocab<TagId>,
    /// The number of its first label over all columns.
    pub(super) first: u16,
}

impl LabelColumn {
    /// Its name, such as `upos`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The kind of its labels.
    pub fn kind(&self) -> ColumnKind {
        self.kind
    }

    /// The number of labels.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are no labels.
    pub fn is_empty(&self) -> bool {
        self.labels.len() == 0
    }

    /// The label with a number below [`len`](Self::len).
    pub fn label(&self, number: u16) -> &str {
        TagId::new(usize::from(number)).map_or("_", |id| self.labels.text(id))
    }

    pub(super) fn number(&self, label: &str) -> Option<u16> {
        self.labels.get(label).map(|id| id.index() as u16)
    }

    /// The range of its labels over all columns.
    pub(super) fn range(&self) -> std::ops::Range<usize> {
        usize::from(self.first)..usize::from(self.first) + self.len()
    }

    /// Transitions with weight 0 where they are allowed.
    pub(super) fn transitions(&self) -> Transitions {
        let mut transitions = Transitions::new(self.len());
        if self.kind == ColumnKind::Spans {
            let text = |number: usize| (number < self.len()).then(|| self.label(number as u16));
            transitions.change(|from, to, weight| {
                if !follows(text(from), text(to)) {
                    *weight = FORBIDDEN;
                }
            });
        }
        transitions
    }
}

/// Whether a BIOES label may follow another; `None` is the end of the sentence.
fn follows(from: Option<&str>, to: Option<&str>) -> bool {
    let open = from.and_then(|label| label.strip_prefix("B-").or_else(|| label.strip_prefix("I-")));
    let goes_on = to.and_then(|label| label.strip_prefix("I-").or_else(|| label.strip_prefix("E-")));
    open == goes_on
}

/// The columns of `names`, with the labels of the sentences in order of first occurrence, then those of `new` combinations.
pub(super) fn collect(
    names: &[(String, ColumnKind)],
    sentences: &[TaggedSentence],
    new: &NewBundles,
) -> Result<Vec<LabelColumn>, LearnError> {
    let mut columns = Vec::new();
    let mut first = 0usize;
    for (column, (name, kind)) in names.iter().enumerate() {
        let mut labels: VocabBuilder<TagId> = VocabBuilder::new();
        for sentence in sentences {
            for label in &sentence.labels[column] {
                labels.intern(label);
            }
        }
        if let Some(place) = new.columns.iter().position(|&own| own == column) {
            for bundle in &new.bundles {
                labels.intern(&bundle[place]);
            }
        }
        let labels = labels.freeze();
        let too_many = || {
            LearnError::bad_data(format!(
                "the columns up to {name} have more than {MOST_LABELS} different labels; leave it out"
            ))
        };
        let number = u16::try_from(first).map_err(|_| too_many())?;
        first += labels.len();
        if first > MOST_LABELS {
            return Err(too_many());
        }
        columns.push(LabelColumn { name: name.clone(), kind: *kind, labels, first: number });
    }
    Ok(columns)
}

/// Maximum number of labels in all columns: the square of a column's labels must fit into memory.
const MOST_LABELS: usize = 8000;
