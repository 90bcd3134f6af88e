//! A grammar compiled for chart parsing.

use corpus::ids::Id;

use crate::grammar::{RuleTable, Weights};

/// One rule seen from one of its symbols.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Entry {
    /// The other child (when grouped by a child) or the left child (when grouped by the parent).
    pub(super) first: u32,
    /// The parent (when grouped by a child) or the right child (when grouped by the parent).
    pub(super) second: u32,
    pub(super) weight: f32,
    /// The rule's id.
    pub(super) rule: u32,
}

/// Rules grouped by one symbol.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Groups {
    starts: Vec<u32>,
    entries: Vec<Entry>,
}

impl Groups {
    fn new(groups: usize, mut keyed: Vec<(u32, Entry)>) -> Self {
        keyed.sort_by_key(|(group, entry)| (*group, entry.first, entry.second));
        Self::sorted(groups, keyed)
    }

    /// Groups with the heaviest rules first.
    fn by_weight(groups: usize, mut keyed: Vec<(u32, Entry)>) -> Self {
        keyed
            .sort_by(|(g, a), (h, b)| g.cmp(h).then(b.weight.total_cmp(&a.weight)).then(a.rule.cmp(&b.rule)));
        Self::sorted(groups, keyed)
    }

    fn sorted(groups: usize, keyed: Vec<(u32, Entry)>) -> Self {
        let mut starts = vec![0; groups + 1];
        for (group, _) in &keyed {
            starts[*group as usize + 1] += 1;
        }
        for group in 0..groups {
            starts[group + 1] += starts[group];
        }
        Self { starts, entries: keyed.into_iter().map(|(_, entry)| entry).collect() }
    }

    #[inline]
    pub(super) fn of(&self, group: usize) -> &[Entry] {
        &self.entries[self.starts[group] as usize..self.starts[group + 1] as usize]
    }

    /// The entries of a group whose first symbol is `first`.
    #[inline]
    pub(super) fn with_first(&self, group: usize, first: usize) -> &[Entry] {
        let entries = self.of(group);
        let from = entries.partition_point(|entry| (entry.first as usize) < first);
        let count = entries[from..].iter().take_while(|entry| entry.first as usize == first).count();
        &entries[from..from + count]
    }
}

/// Rules with their weights, sorted by which of their children are preterminals. Each kind occurs in different cells,
/// so a chart can skip the rest. Preterminals are numbered from 0 here.
#[derive(Clone, PartialEq, Debug)]
pub struct ChartGrammar {
    pub(super) phrases: usize,
    pub(super) tags: usize,
    /// Phrases that occur as the right child next to a phrase have ids below this, rounded up for vectorisation.
    /// Phrases introduced by binarisation come last in a symbol table, so for left-branching grammars this halves the
    /// width.
    pub(super) right_width: usize,
    /// The phrases that occur as the left child next to a phrase, as bits.
    pub(super) left_children: Vec<u64>,
    /// Rules with two phrases, by parent.
    pub(super) phrase_phrase: Groups,
    /// The same, with the heaviest rules of each parent first.
    pub(super) heaviest: Groups,
    /// Rules with a phrase and a preterminal, by the preterminal on the right.
    pub(super) phrase_tag: Groups,
    /// Rules with a preterminal and a phrase, by the preterminal on the left.
    pub(super) tag_phrase: Groups,
    /// Rules with two preterminals, by the left one.
    pub(super) tag_tag: Groups,
    /// All rules by parent. Children are numbered as symbols here, preterminals after phrases.
    pub(super) by_parent: Groups,
    /// Root probabilities of phrases, then of preterminals.
    pub(super) roots: Vec<f32>,
}

impl ChartGrammar {
    /// Compiles a grammar whose first `phrases` symbols are phrases.
    pub fn new(table: &RuleTable, weights: &Weights, phrases: usize) -> Self {
        let tags = weights.roots.len() - phrases;
        let mut right_width = 0;
        let mut left_children = vec![0_u64; phrases.next_multiple_of(8).max(8).div_ceil(64)];
        let (mut pp, mut pt, mut tp, mut tt, mut parents) = (vec![], vec![], vec![], vec![], vec![]);
        for (id, (rule, &weight)) in table.rules().iter().zip(&weights.rules).enumerate() {
            if weight <= 0.0 {
                continue;
            }
            let (parent, left, right) = (rule.parent.index(), rule.left.index(), rule.right.index());
            let entry = |first: usize, second: usize| Entry {
                first: first as u32,
                second: second as u32,
                weight,
                rule: id as u32,
            };
            parents.push((parent as u32, entry(left, right)));
            match (left.checked_sub(phrases), right.checked_sub(phrases)) {
                (None, None) => {
                    right_width = right_width.max(right + 1);
                    left_children[left / 64] |= 1 << (left % 64);
                    pp.push((parent as u32, entry(left, right)));
                }
                (None, Some(tag)) => pt.push((tag as u32, entry(left, parent))),
                (Some(tag), None) => tp.push((tag as u32, entry(right, parent))),
                (Some(first), Some(second)) => tt.push((first as u32, entry(second, parent))),
            }
        }
        Self {
            phrases,
            tags,
            right_width: right_width.next_multiple_of(8),
            left_children,
            heaviest: Groups::by_weight(phrases, pp.clone()),
            phrase_phrase: Groups::new(phrases, pp),
            phrase_tag: Groups::new(tags, pt),
            tag_phrase: Groups::new(tags, tp),
            tag_tag: Groups::new(tags, tt),
            by_parent: Groups::new(phrases, parents),
            roots: weights.roots.clone(),
        }
    }

    /// The number of phrases.
    pub fn phrases(&self) -> usize {
        self.phrases
    }

    /// The number of symbols.
    pub fn symbols(&self) -> usize {
        self.roots.len()
    }

    /// The root probability of a symbol (preterminals after phrases).
    pub fn root(&self, symbol: u32) -> f32 {
        self.roots[symbol as usize]
    }

    /// The number of preterminals.
    pub fn tags(&self) -> usize {
        self.tags
    }
}
