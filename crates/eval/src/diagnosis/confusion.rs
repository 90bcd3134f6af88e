//! What was taken for what.

use std::collections::{BTreeMap, HashMap};

use crate::tagging::Confusion;

/// Numbers of items by gold and predicted class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfusionMatrix {
    /// What is classified, such as `relation`.
    pub of: &'static str,
    /// Gold class, predicted class, number; including those that agree.
    counts: BTreeMap<(String, String), u64>,
}

impl ConfusionMatrix {
    /// The class of items that one side does not have.
    pub const NONE: &'static str = "(none)";

    pub(super) fn new(of: &'static str) -> Self {
        Self { of, counts: BTreeMap::new() }
    }

    pub(super) fn add(&mut self, gold: &str, predicted: &str) {
        *self.counts.entry((gold.to_owned(), predicted.to_owned())).or_default() += 1;
    }

    /// Number of items with this gold and this predicted class.
    pub fn count(&self, gold: &str, predicted: &str) -> u64 {
        self.counts.get(&(gold.to_owned(), predicted.to_owned())).copied().unwrap_or(0)
    }

    /// The most frequent confusions of different classes; ties are in the order of the classes.
    pub fn confusions(&self, most: usize) -> Vec<Confusion> {
        let wrong = self.counts.iter().filter(|((gold, predicted), _)| gold != predicted);
        let mut confusions: Vec<Confusion> = wrong
            .map(|((gold, predicted), &count)| Confusion {
                gold: gold.clone(),
                predicted: predicted.clone(),
                count,
            })
            .collect();
        confusions.sort_by_key(|confusion| std::cmp::Reverse(confusion.count));
        confusions.truncate(most);
        confusions
    }

    /// The classes with the most errors on either side, at most `most`, the most frequent gold class first.
    pub fn classes(&self, most: usize) -> Vec<&str> {
        let (mut errors, mut items): (HashMap<&str, u64>, HashMap<&str, u64>) = Default::default();
        for ((gold, predicted), &count) in &self.counts {
            *items.entry(gold).or_default() += count;
            items.entry(predicted).or_default();
            if gold != predicted {
                *errors.entry(gold).or_default() += count;
                *errors.entry(predicted).or_default() += count;
            }
        }
        let mut classes: Vec<(&str, u64)> = errors.into_iter().collect();
        classes.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(other.0)));
        classes.truncate(most);
        let mut classes: Vec<&str> = classes.into_iter().map(|(class, _)| class).collect();
        classes.sort_by(|one, other| items[other].cmp(&items[one]).then(one.cmp(other)));
        classes
    }
}
