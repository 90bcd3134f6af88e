//! Sentences that are too long to be parsed at once.
//!
//! The time of a search grows with the cube of the length, and its memory with the square. Treebanks have hardly any
//! sentence of more than 200 words, but running text without sentence ends, such as a list or a table, may be a single
//! sentence of ten thousand. Anything longer than [`MAX_WORDS`] is parsed in parts; the root of each later part then
//! depends on that of the first.

use corpus::dependency::Head;
use corpus::ids::LabelId;

use super::parser::{Parser, Scratch};
use crate::arcs::{DependencyParse, Word};
use models::confidence::Confidences;

/// Maximum number of words parsed at once.
pub const MAX_WORDS: usize = 512;

/// The relations between parts; the first one that the treebank has is used.
const JOINTS: [&str; 2] = ["dep", "parataxis"];

impl Parser<'_> {
    /// Joins the trees of the parts of a sentence into one; its score is the sum of theirs. If the treebank has none of
    /// the relations, the root of a part keeps its label.
    pub(super) fn parse_parts(
        &self,
        words: &[Word<'_>],
        confidences: Confidences,
        scratch: &mut Scratch,
    ) -> DependencyParse {
        let joint = JOINTS.iter().find_map(|label| self.model().labels().get(label));
        let mut whole = DependencyParse {
            heads: Vec::with_capacity(words.len()),
            labels: Vec::<LabelId>::with_capacity(words.len()),
            score: 0.0,
            confidences: Vec::new(),
        };
        let mut first_root = None;
        for part in words.chunks(MAX_WORDS) {
            let before = whole.heads.len();
            let Some(parse) = self.parse_best(part, 1, confidences, scratch).into_iter().next() else {
                continue;
            };
            for (index, (&head, &label)) in parse.heads.iter().zip(&parse.labels).enumerate() {
                let (number, label) = match (head.number(), first_root) {
                    (0, None) => {
                        first_root = Some(before + index + 1);
                        (0, label)
                    }
                    (0, Some(root)) => (root, joint.unwrap_or(label)),
                    (number, _) => (before + number, label),
                };
                whole.heads.push(Head::from_number(number).unwrap_or(Head::ROOT));
                whole.labels.push(label);
            }
            whole.score += parse.score;
            whole.confidences.extend(parse.confidences);
        }
        whole
    }
}
