//! Figures by class.

use std::collections::HashMap;

use crate::counts::Counts;

/// The figures of one class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BreakdownRow {
    /// The class.
    pub class: String,
    /// The counts behind each figure.
    pub counts: Vec<Counts>,
}

/// Figures by class, such as by relation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breakdown {
    /// What the classes are, such as `relation`.
    pub by: &'static str,
    /// Names of the figures.
    pub figures: Vec<&'static str>,
    /// The classes in their natural order, or the most frequent first.
    pub rows: Vec<BreakdownRow>,
}

/// The order of the rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    /// As they were first given.
    Given,
    /// The most frequent first, by the number of gold items of the first figure.
    Frequency,
}

/// A breakdown under construction.
#[derive(Debug)]
pub(super) struct Builder {
    by: &'static str,
    figures: Vec<&'static str>,
    rows: Vec<BreakdownRow>,
    index: HashMap<String, usize>,
    order: Order,
}

impl Builder {
    pub(super) fn new(by: &'static str, figures: &[&'static str], order: Order) -> Self {
        Self { by, figures: figures.to_vec(), rows: Vec::new(), index: HashMap::new(), order }
    }

    /// Creates rows in their natural order, so that they exist without items as well.
    pub(super) fn with_classes<'c>(mut self, classes: impl IntoIterator<Item = &'c str>) -> Self {
        for class in classes {
            self.row(class);
        }
        self
    }

    fn row(&mut self, class: &str) -> &mut BreakdownRow {
        let at = match self.index.get(class) {
            Some(&at) => at,
            None => {
                self.index.insert(class.to_owned(), self.rows.len());
                let counts = vec![Counts::default(); self.figures.len()];
                self.rows.push(BreakdownRow { class: class.to_owned(), counts });
                self.rows.len() - 1
            }
        };
        &mut self.rows[at]
    }

    /// Adds to the figure with this number of a class.
    pub(super) fn add(&mut self, class: &str, figure: usize, counts: Counts) {
        self.row(class).counts[figure] += counts;
    }

    /// Adds to all figures of a class, in order.
    pub(super) fn add_all(&mut self, class: &str, counts: &[Counts]) {
        let row = self.row(class);
        row.counts.iter_mut().zip(counts).for_each(|(sum, &counts)| *sum += counts);
    }

    /// An item of a class on each side: matched if `right`, which implies the same class.
    pub(super) fn add_pair(&mut self, gold: &str, predicted: &str, figure: usize, right: bool) {
        self.add(gold, figure, Counts { matched: u64::from(right), gold: 1, predicted: 0 });
        self.add(predicted, figure, Counts { matched: 0, gold: 0, predicted: 1 });
    }

    pub(super) fn finish(mut self) -> Breakdown {
        let items = |row: &BreakdownRow| row.counts.first().map_or(0, |counts| counts.gold);
        self.rows.retain(|row| row.counts.iter().any(|counts| counts.gold + counts.predicted > 0));
        if self.order == Order::Frequency {
            self.rows.sort_by(|one, other| items(other).cmp(&items(one)).then(one.class.cmp(&other.class)));
        }
        Breakdown { by: self.by, figures: self.figures, rows: self.rows }
    }
}
