//! Interpolated n-grams (Witten and Bell 1991).
//!
//! ```text
//! p(b | h) = (c(h b) + t(h) p(b | h′)) / (c(h) + t(h))
//! ```
//!
//! with t(h) the number of different symbols seen after the history h, h′ the history without its oldest symbol, and a
//! uniform distribution below the empty one. STOP is predicted like a symbol; the beginning of a sequence is part of
//! histories.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::automaton::{SequenceCounts, Tally};

/// A smoothed n-gram model.
#[derive(Clone, PartialEq, Debug)]
pub struct NgramModel {
    pub(super) symbols: usize,
    /// The length of the longest history plus one.
    pub(super) order: usize,
    /// For every history except the empty one, which is number 0: the history without its oldest symbol, and that
    /// symbol. START has the number after the last symbol.
    pub(super) histories: Vec<[u32; 2]>,
    /// The symbols that followed history i are `seen[offsets[i]..offsets[i + 1]]`, ascending; STOP has the number after
    /// the last symbol.
    pub(super) offsets: Vec<u64>,
    pub(super) seen: Vec<u32>,
    pub(super) counts: Vec<f64>,
    /// Histories by the shorter history and the symbol before it.
    longer: HashMap<(u32, u32), u32, FixedState>,
    totals: Vec<f64>,
}

impl NgramModel {
    /// Counts n-grams of up to `order` symbols, at least one.
    pub fn new(sequences: &SequenceCounts, order: usize) -> Self {
        let (symbols, order) = (sequences.alphabet(), order.max(1));
        let mut longer: HashMap<(u32, u32), u32, FixedState> = HashMap::default();
        let mut histories = Vec::new();
        let mut events = Tally::default();
        for (sequence, weight) in sequences.iter() {
            for place in 0..=sequence.len() {
                let next = sequence.get(place).copied().unwrap_or(symbols as u32);
                let mut node = 0;
                events.add((0, next), weight);
                for distance in 1..order.min(place + 2) {
                    let symbol = place.checked_sub(distance).map_or(symbols as u32, |at| sequence[at]);
                    node = *longer.entry((node, symbol)).or_insert_with(|| {
                        histories.push([node, symbol]);
                        histories.len() as u32
                    });
                    events.add((node, next), weight);
                }
            }
        }
        let events = events.sorted();
        let mut offsets = vec![0; histories.len() + 2];
        for ((history, _), _) in &events {
            offsets[*history as usize + 1] += 1;
        }
        for index in 1..offsets.len() {
            offsets[index] += offsets[index - 1];
        }
        let seen = events.iter().map(|event| event.0.1).collect();
        let counts = events.iter().map(|event| event.1).collect();
        Self::assemble(symbols, order, histories, offsets, seen, counts, longer)
    }

    fn assemble(
        symbols: usize,
        order: usize,
        histories: Vec<[u32; 2]>,
        offsets: Vec<u64>,
        seen: Vec<u32>,
        counts: Vec<f64>,
        longer: HashMap<(u32, u32), u32, FixedState>,
    ) -> Self {
        let range = |pair: &[u64]| counts[pair[0] as usize..pair[1] as usize].iter().sum();
        let totals = offsets.windows(2).map(range).collect();
        Self { symbols, order, histories, offsets, seen, counts, longer, totals }
    }

    /// Assembles a model from its parts; `None` if they do not match.
    pub(super) fn from_parts(
        symbols: usize,
        order: usize,
        histories: Vec<[u32; 2]>,
        offsets: Vec<u64>,
        seen: Vec<u32>,
        counts: Vec<f64>,
    ) -> Option<Self> {
        let rising = offsets.windows(2).all(|pair| pair[0] <= pair[1]);
        let whole = offsets.len() == histories.len() + 2
            && offsets.first() == Some(&0)
            && offsets.last() == Some(&(seen.len() as u64))
            && rising
            && seen.len() == counts.len()
            && seen.iter().all(|&symbol| symbol as usize <= symbols)
            && counts.iter().all(|count| count.is_finite() && *count > 0.0);
        if !whole || order == 0 {
            return None;
        }
        let mut longer = HashMap::default();
        for (index, &[shorter, symbol]) in histories.iter().enumerate() {
            // A history is numbered after its shorter history.
            let known = shorter as usize <= index && symbol as usize <= symbols;
            if !known || longer.insert((shorter, symbol), index as u32 + 1).is_some() {
                return None;
            }
        }
        Some(Self::assemble(symbols, order, histories, offsets, seen, counts, longer))
    }

    /// The number of symbols, without STOP.
    pub fn symbols(&self) -> usize {
        self.symbols
    }

    /// The order n.
    pub fn order(&self) -> usize {
        self.order
    }

    /// The probabilities of all symbols and, last, of STOP, after the symbols of `history`.
    pub fn distribution(&self, history: &[u32], out: &mut Vec<f64>) {
        out.clear();
        out.resize(self.symbols + 1, 1.0 / (self.symbols + 1) as f64);
        let mut node = 0_u32;
        self.interpolate(node, out);
        for distance in 1..self.order.min(history.len() + 2) {
            let symbol = history.len().checked_sub(distance).map_or(self.symbols as u32, |at| history[at]);
            match self.longer.get(&(node, symbol)) {
                Some(&next) => node = next,
                None => break,
            }
            self.interpolate(node, out);
        }
    }

    /// The probability of one event (a symbol, or STOP as the number after the last symbol) after a history, by the
    /// models of order 1, 2, … up to this one's: `each(order, probability)`.
    pub(super) fn by_order(&self, history: &[u32], event: u32, mut each: impl FnMut(usize, f64)) {
        let mut probability = 1.0 / (self.symbols + 1) as f64;
        let mut node = Some(0_u32);
        for order in 1..=self.order {
            if order > 1 {
                // The oldest symbol of the longer history; there is nothing before START.
                let symbol = match history.len().checked_sub(order - 1) {
                    Some(at) => Some(history[at]),
                    None => (history.len() + 2 == order).then_some(self.symbols as u32),
                };
                node = node.zip(symbol).and_then(|(node, symbol)| self.longer.get(&(node, symbol)).copied());
            }
            if let Some(node) = node {
                probability = self.interpolated(node, event, probability);
            }
            each(order, probability);
        }
    }

    /// Interpolates the counts after a history with the probability of one event given the shorter history.
    fn interpolated(&self, node: u32, event: u32, shorter: f64) -> f64 {
        let range = self.offsets[node as usize] as usize..self.offsets[node as usize + 1] as usize;
        let kinds = range.len() as f64;
        let sum = self.totals[node as usize] + kinds;
        if sum == 0.0 {
            return shorter;
        }
        let count = match self.seen[range.clone()].binary_search(&event) {
            Ok(at) => self.counts[range.start + at],
            Err(_) => 0.0,
        };
        (count + kinds * shorter) / sum
    }

    /// Interpolates the counts after a history with the distribution given the shorter history.
    fn interpolate(&self, node: u32, out: &mut [f64]) {
        let range = self.offsets[node as usize] as usize..self.offsets[node as usize + 1] as usize;
        let kinds = range.len() as f64;
        let sum = self.totals[node as usize] + kinds;
        if sum == 0.0 {
            return;
        }
        out.iter_mut().for_each(|probability| *probability *= kinds / sum);
        for (&symbol, count) in self.seen[range.clone()].iter().zip(&self.counts[range]) {
            out[symbol as usize] += count / sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bigrams_by_hand() {
        let counts = SequenceCounts::of(2, [vec![0, 1], vec![0]]).unwrap();
        let model = NgramModel::new(&counts, 2);
        let mut found = Vec::new();
        model.distribution(&[], &mut found);
        // Five events of three kinds; START is followed by two 0, one kind.
        let one = |count: f64| (count + 3.0 / 3.0) / 8.0;
        let first = [(2.0 + one(2.0)) / 3.0, one(1.0) / 3.0, one(2.0) / 3.0];
        found.iter().zip(first).for_each(|(a, b)| assert!((a - b).abs() < 1e-12, "{found:?}"));
        model.distribution(&[0], &mut found);
        let after = [2.0 * one(2.0) / 4.0, (1.0 + 2.0 * one(1.0)) / 4.0, (1.0 + 2.0 * one(2.0)) / 4.0];
        found.iter().zip(after).for_each(|(a, b)| assert!((a - b).abs() < 1e-12, "{found:?}"));
    }

    #[test]
    fn one_model_has_those_of_lower_order_in_it() {
        let counts = SequenceCounts::of(3, [vec![0, 1, 1, 2], vec![0], vec![], vec![2, 0, 1]]).unwrap();
        let most = NgramModel::new(&counts, 5);
        for history in [&[][..], &[0], &[2, 2], &[0, 1], &[0, 1, 1], &[0, 1, 1, 2, 0]] {
            for event in 0..=3 {
                most.by_order(history, event, |order, probability| {
                    let mut expected = Vec::new();
                    NgramModel::new(&counts, order).distribution(history, &mut expected);
                    let expected = expected[event as usize];
                    assert!((probability - expected).abs() < 1e-12, "{history:?} {event} {order}");
                });
            }
        }
    }

    #[test]
    fn distributions_sum_to_one_after_anything() {
        let counts = SequenceCounts::of(3, [vec![0, 1, 1], vec![0], vec![]]).unwrap();
        for order in 1..5 {
            let model = NgramModel::new(&counts, order);
            for history in [&[][..], &[0], &[2, 2], &[0, 1], &[0, 1, 1, 1]] {
                let mut found = Vec::new();
                model.distribution(history, &mut found);
                assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                assert!(found.iter().all(|&probability| probability > 0.0));
            }
        }
    }
}
