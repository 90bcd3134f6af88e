//! Labels that are rare, or missing in the training data.

use std::collections::BTreeMap;

use super::config::CheckConfig;
use super::finding::Severity;
use super::item::{Checked, CheckedItem};

/// Occurrences of a label: how many, the first one, and how many in the training data.
#[derive(Clone, Copy, Default)]
struct Occurrences {
    count: usize,
    first: usize,
    in_training: usize,
}

/// Reports labels below the threshold, and labels that only held-out files have.
pub(super) fn labels(checked: &mut Checked, config: &CheckConfig) {
    for layer in 0..checked.layers.len() {
        let mut found: BTreeMap<&str, Occurrences> = BTreeMap::new();
        for (index, item) in checked.items.iter().enumerate() {
            for label in of_layer(item, layer) {
                let entry =
                    found.entry(label).or_insert(Occurrences { first: index, ..Occurrences::default() });
                entry.count += 1;
                entry.in_training += usize::from(item.file == 0);
            }
        }
        let found: Vec<(String, Occurrences)> = found
            .into_iter()
            .filter(|(label, _)| *label != "_" && !label.is_empty())
            .map(|(label, occurrences)| (label.to_owned(), occurrences))
            .collect();
        let name = checked.layers[layer];
        // In a layer of mostly rare labels, such as features, rarity means nothing.
        let rare = |occurrences: &Occurrences| occurrences.count < config.rare;
        let mostly_rare = found.iter().filter(|(_, occurrences)| rare(occurrences)).count() * 2 > found.len();
        for (label, occurrences) in &found {
            let item = checked.items[occurrences.first].clone();
            if occurrences.in_training == 0 && checked.files.len() > 1 {
                let message = format!("{name} `{label}` does not occur in the training data");
                checked.report(Severity::Warning, "unseen-label", &item, message);
            } else if rare(occurrences) && !mostly_rare {
                let times = if occurrences.count == 1 { "once" } else { "twice" };
                let message = match occurrences.count {
                    1 | 2 => format!("{name} `{label}` occurs only {times}"),
                    count => format!("{name} `{label}` occurs only {count} times"),
                };
                checked.report(Severity::Note, "rare-label", &item, message);
            }
        }
    }
}

/// The labels of a layer of an item. The layer after those of words is that of phrases.
fn of_layer(item: &CheckedItem, layer: usize) -> impl Iterator<Item = &str> {
    item.layers.get(layer).unwrap_or(&item.phrases).iter().map(String::as_str)
}
