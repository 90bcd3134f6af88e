//! Extracts words and brackets from a tree.

use corpus::tree::strip::category;
use corpus::tree::{FALLBACK_LABEL, Tree};

use super::config::{BracketConfig, FunctionTags, Labelling};

/// A terminal that is a word, not an empty element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Terminal<'t> {
    /// Position among all terminals of the tree.
    pub(super) index: usize,
    pub(super) word: &'t str,
    pub(super) tag: &'t str,
}

/// A phrase over the remaining words `start..end`, with `start < end`. The derived order is the one used for merging.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Bracket<'t> {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) label: &'t str,
}

/// The words of a tree with their tags, and its brackets over those that `kept` holds for; by default those whose tags
/// are not deleted.
pub(crate) fn words_and_brackets<'t>(
    tree: &'t Tree,
    kept: Option<&[bool]>,
    config: &'t BracketConfig,
) -> (Vec<(&'t str, &'t str)>, Vec<bool>, Vec<Bracket<'t>>) {
    let (mut words, mut found) = (Vec::new(), Vec::new());
    terminals(tree, config, &mut words);
    let is_kept = |word: &Terminal<'_>| !config.delete_labels.iter().any(|label| label == word.tag);
    let kept = kept.map_or_else(|| words.iter().map(is_kept).collect(), <[bool]>::to_vec);
    brackets(tree, &words, &kept, config, &mut found);
    (words.iter().map(|word| (word.word, word.tag)).collect(), kept, found)
}

/// The words of the sentence: all terminals except those whose tag is dropped for the length.
pub(super) fn terminals<'t>(tree: &'t Tree, config: &BracketConfig, into: &mut Vec<Terminal<'t>>) {
    into.clear();
    let mut tag = "";
    let mut index = 0;
    for node in tree.nodes() {
        if node.is_word() {
            if !config.delete_labels_for_length.iter().any(|label| label == tag) {
                into.push(Terminal { index, word: node.text(), tag });
            }
            index += 1;
            tag = "";
        } else {
            tag = if node.is_preterminal() { node.text() } else { "" };
        }
    }
}

/// The brackets of the tree in pre-order (by start, larger ones first), over the terminals for which `kept` holds.
pub(super) fn brackets<'t>(
    tree: &'t Tree,
    terminals: &[Terminal<'_>],
    kept: &[bool],
    config: &'t BracketConfig,
    into: &mut Vec<Bracket<'t>>,
) {
    into.clear();
    // `before[i]` is the number of kept words before terminal `i`.
    let mut before = vec![0u32; tree.word_count() + 1];
    for (terminal, _) in terminals.iter().zip(kept).filter(|&(_, &kept)| kept) {
        before[terminal.index + 1] = 1;
    }
    for index in 1..before.len() {
        before[index] += before[index - 1];
    }
    for node in tree.nodes() {
        if node.is_word() || node.is_preterminal() {
            continue;
        }
        let span = node.span();
        let (start, end) = (before[span.start], before[span.end]);
        let label = phrase_label(node.text(), config);
        if start == end
            || label == FALLBACK_LABEL
            || config.delete_labels.iter().any(|deleted| deleted == label)
        {
            continue;
        }
        let label = match config.labelling {
            Labelling::Labelled => representative(label, config),
            Labelling::Unlabelled => "",
        };
        into.push(Bracket { start, end, label });
    }
}

fn phrase_label<'t>(label: &'t str, config: &BracketConfig) -> &'t str {
    match config.function_tags {
        FunctionTags::Cut => category(label),
        FunctionTags::Keep => label,
    }
}

/// The representative of all labels that count as equal: the first of the pair.
pub(super) fn representative<'t>(label: &'t str, config: &'t BracketConfig) -> &'t str {
    config.equal_labels.iter().find(|(_, other)| other == label).map_or(label, |(one, _)| one)
}

/// Number of predicted brackets that cross a gold one. Both lists are in pre-order; `words` is the number of remaining
/// words.
///
/// The gold brackets that contain both sides of the boundary `b` (before word `b`) are nested. So a predicted bracket
/// that ends or starts there crosses one of them exactly if it crosses the smallest.
pub(super) fn crossing(gold: &[Bracket<'_>], predicted: &[Bracket<'_>], words: usize) -> u32 {
    let mut smallest: Vec<Option<(u32, u32)>> = vec![None; words + 1];
    let mut open: Vec<(u32, u32)> = Vec::new();
    let mut next = gold.iter().peekable();
    for (boundary, slot) in smallest.iter_mut().enumerate() {
        while open.last().is_some_and(|&(_, end)| end as usize <= boundary) {
            open.pop();
        }
        *slot = open.last().copied();
        while let Some(bracket) = next.next_if(|bracket| bracket.start as usize == boundary) {
            open.push((bracket.start, bracket.end));
        }
    }
    let crosses = |bracket: &&Bracket<'_>| {
        let at = |boundary: u32| smallest.get(boundary as usize).copied().flatten();
        at(bracket.start).is_some_and(|(_, end)| end < bracket.end)
            || at(bracket.end).is_some_and(|(start, _)| start > bracket.start)
    };
    predicted.iter().filter(crosses).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};

    fn crosses(one: &Bracket<'_>, other: &Bracket<'_>) -> bool {
        (one.start < other.start && one.end > other.start && one.end < other.end)
            || (one.start > other.start && one.start < other.end && one.end > other.end)
    }

    /// Brackets of a random tree over `start..end`, in pre-order.
    fn random_brackets(rng: &mut impl Rng, words: u32) -> Vec<Bracket<'static>> {
        let mut brackets = Vec::new();
        let mut pending = vec![(0, words)];
        while let Some((start, end)) = pending.pop() {
            if rng.random_bool(0.7) {
                brackets.push(Bracket { start, end, label: "X" });
            }
            if end - start > 1 {
                let middle = rng.random_range(start + 1..end);
                pending.extend([(middle, end), (start, middle)]);
            }
        }
        brackets
    }

    #[test]
    fn prop_crossing_equals_the_definition() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let mut total = 0;
        for _ in 0..2_000 {
            let words = rng.random_range(1..14);
            let gold = random_brackets(&mut rng, words);
            let predicted = random_brackets(&mut rng, words);
            let expected = predicted.iter().filter(|p| gold.iter().any(|g| crosses(g, p))).count() as u32;
            assert_eq!(crossing(&gold, &predicted, words as usize), expected);
            total += expected;
        }
        assert!(total > 1_000);
    }
}
