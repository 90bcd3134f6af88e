//! Places of words and arcs when all words stand in one row.
//!
//! An arc leaves its head on the side of the modifier and reaches the modifier in its middle. So arcs of a word with its
//! modifiers and that with its head never share a line, and nested arcs do not cross. Each arc lies one level above all
//! arcs whose range meets its own and that are shorter.

use super::sentence::ArcSentence;

/// Lengths in a unit of the caller's choice, such as terminal columns or tenths of a pixel.
pub(super) struct Metrics<'m> {
    /// Length of a word or tag.
    pub(super) text: &'m dyn Fn(&str) -> usize,
    /// Length of the text on an arc, with a margin.
    pub(super) label: &'m dyn Fn(&str) -> usize,
    /// Distance between words.
    pub(super) gap: usize,
    /// Distance from the middle of a word to where arcs to its modifiers leave.
    pub(super) offset: usize,
}

/// An arc between two words, not from the root.
pub(super) struct PlacedArc {
    /// Index of the modifier.
    pub(super) modifier: usize,
    /// Left end.
    pub(super) from: usize,
    /// Right end.
    pub(super) to: usize,
    /// From 1.
    pub(super) level: usize,
    /// Whether the modifier is at the left end.
    pub(super) end: ArrowEnd,
}

/// The end of an arc that has the arrowhead.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ArrowEnd {
    Left,
    Right,
}

/// Places of all words and arcs.
pub(super) struct ArcLayout {
    /// Middle of each word.
    pub(super) center: Vec<usize>,
    /// Left edge of each word.
    pub(super) left: Vec<usize>,
    /// Width of each word.
    pub(super) width: Vec<usize>,
    pub(super) arcs: Vec<PlacedArc>,
    /// The highest level.
    pub(super) levels: usize,
    /// Total width.
    pub(super) total: usize,
}

impl ArcLayout {
    pub(super) fn new(sentence: &ArcSentence, metrics: &Metrics<'_>) -> Self {
        let words = sentence.words();
        let least = 2 * metrics.offset + 1;
        let width: Vec<usize> = words
            .iter()
            .map(|word| (metrics.text)(&word.form).max((metrics.text)(&word.tag)).max(least))
            .collect();
        // The arcs by the index of their right end.
        let mut ending: Vec<Vec<usize>> = vec![Vec::new(); words.len()];
        for (modifier, head) in
            words.iter().enumerate().filter_map(|(at, word)| Some((at, word.head_index()?)))
        {
            ending[modifier.max(head)].push(modifier);
        }
        let (mut left, mut center): (Vec<usize>, Vec<usize>) = Default::default();
        let mut next = 0;
        for (at, arcs) in ending.iter().enumerate() {
            let middle = (width[at] - 1) / 2;
            let mut start = next;
            for &modifier in arcs {
                // Start far enough to the right for the label.
                let label = (metrics.label)(&words[modifier].label());
                let needed = match words[modifier].head_index() {
                    Some(head) if head < at => center[head] + metrics.offset + label + 1,
                    _ => center[modifier] + label + 1 + metrics.offset,
                };
                start = start.max(needed.saturating_sub(middle));
            }
            left.push(start);
            center.push(start + middle);
            next = start + width[at] + metrics.gap;
        }
        let mut arcs: Vec<PlacedArc> = words
            .iter()
            .enumerate()
            .filter_map(|(modifier, word)| {
                let head = word.head_index()?;
                let (from, to, end) = if head > modifier {
                    (center[modifier], center[head] - metrics.offset, ArrowEnd::Left)
                } else {
                    (center[head] + metrics.offset, center[modifier], ArrowEnd::Right)
                };
                Some(PlacedArc { modifier, from, to, level: 0, end })
            })
            .collect();
        let spans: Vec<(usize, usize)> = arcs.iter().map(|arc| (arc.from, arc.to)).collect();
        let assigned = levels(&spans);
        arcs.iter_mut().zip(&assigned).for_each(|(arc, &level)| arc.level = level);
        let levels = assigned.into_iter().max().unwrap_or(0);
        Self { center, left, width, arcs, levels, total: next.saturating_sub(metrics.gap) }
    }

    /// Start of a text of this length in the middle of a word.
    pub(super) fn text_start(&self, word: usize, length: usize) -> usize {
        self.left[word] + (self.width[word].saturating_sub(length)) / 2
    }
}

/// A level for each span, from 1: the lowest above all shorter spans that share a place with it.
pub(super) fn levels(spans: &[(usize, usize)]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..spans.len()).collect();
    order.sort_by_key(|&at| (spans[at].1 - spans[at].0, spans[at].0));
    let mut places: Vec<usize> = spans.iter().flat_map(|&(from, to)| [from, to]).collect();
    places.sort_unstable();
    places.dedup();
    let place = |of: usize| places.partition_point(|&other| other < of);
    // A span that is not longer and shares a place has an end there, so it is enough to look at ends.
    let mut highest = Highest::new(places.len());
    let mut levels = vec![0; spans.len()];
    for at in order {
        let (from, to) = (place(spans[at].0), place(spans[at].1));
        levels[at] = highest.within(from, to) + 1;
        highest.raise(from, levels[at]);
        highest.raise(to, levels[at]);
    }
    levels
}

/// Numbers at places, and the highest in a range of places in logarithmic time: a tree of maxima as an array, its leaves last.
struct Highest {
    leaves: usize,
    numbers: Vec<usize>,
}

impl Highest {
    fn new(places: usize) -> Self {
        Self { leaves: places, numbers: vec![0; 2 * places] }
    }

    fn raise(&mut self, place: usize, number: usize) {
        let mut at = self.leaves + place;
        while at > 0 {
            self.numbers[at] = self.numbers[at].max(number);
            at /= 2;
        }
    }

    /// The highest number from one place to another, both included; 0 if there is none.
    fn within(&self, from: usize, to: usize) -> usize {
        let (mut from, mut end) = (self.leaves + from, self.leaves + to + 1);
        let mut highest = 0;
        while from < end {
            if from % 2 == 1 {
                highest = highest.max(self.numbers[from]);
                from += 1;
            }
            if end % 2 == 1 {
                end -= 1;
                highest = highest.max(self.numbers[end]);
            }
            from /= 2;
            end /= 2;
        }
        highest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_spans_lie_above_those_they_meet() {
        assert_eq!(levels(&[(0, 9), (1, 2), (4, 8), (5, 6), (10, 11)]), [3, 1, 2, 1, 1]);
        // Spans that cross, and spans that share an end.
        assert_eq!(levels(&[(0, 4), (2, 7)]), [1, 2]);
        assert_eq!(levels(&[(0, 4), (4, 7)]), [2, 1]);
        assert!(levels(&[]).is_empty());
    }

    /// By comparing all pairs.
    fn slowly(spans: &[(usize, usize)]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..spans.len()).collect();
        order.sort_by_key(|&at| (spans[at].1 - spans[at].0, spans[at].0));
        let mut levels = vec![0; spans.len()];
        for (done, &at) in order.iter().enumerate() {
            let (from, to) = spans[at];
            let meets = |&&other: &&usize| spans[other].0 <= to && from <= spans[other].1;
            let highest = order[..done].iter().filter(meets).map(|&other| levels[other]).max();
            levels[at] = highest.unwrap_or(0) + 1;
        }
        levels
    }

    proptest::proptest! {
        #[test]
        fn levels_are_those_of_all_pairs(ends in proptest::collection::vec((0usize..40, 0usize..40), 0..40)) {
            let spans: Vec<(usize, usize)> = ends.into_iter().map(|(a, b)| (a.min(b), a.max(b))).collect();
            proptest::prop_assert_eq!(levels(&spans), slowly(&spans));
        }
    }

    #[test]
    fn a_long_chain_takes_no_time() {
        // By comparing all pairs this takes minutes.
        let spans: Vec<(usize, usize)> = (0..300_000).map(|at| (10 * at, 10 * at + 10)).collect();
        assert_eq!(levels(&spans).len(), spans.len());
    }
}
