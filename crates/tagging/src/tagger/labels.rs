//! The labels of all columns, numbered in one row.

use corpus::ids::{Id, TagId};
use corpus::vocab::{Vocab, VocabBuilder};
use serde::{Deserialize, Serialize};

use super::data::TaggedSentence;
use super::transitions::{FORBIDDEN, Transitions};
use models::learn::LearnError;

/// What the labels of a column are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColumnKind {
    /// Labels of single words, any after any.
    Plain,
    /// Parts of spans in the scheme BIOES: `I` and `E` only after `B` or `I` of their class, and nothing else there.
    Spans,
}

/// One column of labels.
#[derive(Clone, Debug)]
pub struct LabelColumn {
    pub(super) name: String,
    pub(super) kind: ColumnKind,
    pub(super) labels: Vocab<TagId>,
    /// The number of its first label in the row of all.
    pub(super) first: u16,
}

impl LabelColumn {
    /// Its name, such as `upos`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What its labels are.
    pub fn kind(&self) -> ColumnKind {
        self.kind
    }

    /// How many labels it has.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.labels.len() == 0
    }

    /// The label of a number below [`len`](Self::len).
    pub fn label(&self, number: u16) -> &str {
        TagId::new(usize::from(number)).map_or("_", |id| self.labels.text(id))
    }

    pub(super) fn number(&self, label: &str) -> Option<u16> {
        self.labels.get(label).map(|id| id.index() as u16)
    }

    /// Where its labels stand in the row of all.
    pub(super) fn range(&self) -> std::ops::Range<usize> {
        usize::from(self.first)..usize::from(self.first) + self.len()
    }

    /// Transitions of weight 0 where they are possible.
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

/// Whether a label of BIOES may follow another; `None` is the end of the sentence.
fn follows(from: Option<&str>, to: Option<&str>) -> bool {
    let open = from.and_then(|label| label.strip_prefix("B-").or_else(|| label.strip_prefix("I-")));
    let goes_on = to.and_then(|label| label.strip_prefix("I-").or_else(|| label.strip_prefix("E-")));
    open == goes_on
}

/// The columns of `names`, with the labels of the sentences in the order of their first appearance.
pub(super) fn collect(
    names: &[(String, ColumnKind)],
    sentences: &[TaggedSentence],
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
        let labels = labels.freeze();
        let too_many = || {
            LearnError::bad_data(format!(
                "the column {name} and those before it have more than {MOST_LABELS} different labels; leave it out"
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

/// Of all columns: the square of a column's labels must fit into memory.
const MOST_LABELS: usize = 8000;
