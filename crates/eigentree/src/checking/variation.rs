//! Variation n-grams (Dickinson and Meurers 2003): the same word within the same words, labelled differently.

use std::collections::{BTreeMap, HashMap};

use super::config::CheckConfig;
use super::finding::Severity;
use super::item::Checked;

/// Stands beyond the ends of a sentence.
const EDGE: &str = "";

/// An occurrence of a word: the item and the position.
type Place = (usize, usize);

/// Reports words whose label varies in the same context, each with its longest such context.
pub(super) fn variation(checked: &mut Checked, config: &CheckConfig) {
    let context = config.context.max(1);
    let layers = checked.items.first().map_or(0, |item| item.layers.len());
    for layer in 0..layers {
        let mut groups: HashMap<Vec<&str>, Vec<Place>> = HashMap::new();
        for (index, item) in checked.items.iter().enumerate() {
            for position in 0..item.words.len() {
                groups.entry(window(&item.words, position, context)).or_default().push((index, position));
            }
        }
        let mut varying: Vec<Vec<Place>> =
            groups.into_values().filter(|places| varies(checked, layer, places)).collect();
        varying.sort_unstable();
        let mut found = Vec::new();
        for places in varying {
            let (places, reach) = longest(checked, layer, places, context, config.longest_context);
            found.push((reach, places));
        }
        // The longest contexts first: they are errors rather than ambiguities.
        found.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
        for (reach, places) in found {
            let message = described(checked, layer, &places, reach);
            // The rarest label is the first to be suspected.
            let suspect = suspect(checked, layer, &places);
            let item = checked.items[suspect.0].clone();
            checked.report(Severity::Warning, "variation", &item, message);
        }
    }
}

/// The words around a position, `reach` on each side.
fn window(words: &[String], position: usize, reach: usize) -> Vec<&str> {
    let at = |offset: usize| {
        let index = (position + offset).checked_sub(reach);
        index.and_then(|index| words.get(index)).map_or(EDGE, String::as_str)
    };
    (0..=2 * reach).map(at).collect()
}

fn label(checked: &Checked, layer: usize, (item, position): Place) -> &str {
    &checked.items[item].layers[layer][position]
}

fn varies(checked: &Checked, layer: usize, places: &[Place]) -> bool {
    let first = label(checked, layer, places[0]);
    places.iter().any(|&place| label(checked, layer, place) != first)
}

/// The occurrences with the longest common context in which the label still varies, and its length on each side.
fn longest(
    checked: &Checked,
    layer: usize,
    mut places: Vec<Place>,
    mut reach: usize,
    most: usize,
) -> (Vec<Place>, usize) {
    while reach < most {
        let mut groups: BTreeMap<Vec<&str>, Vec<Place>> = BTreeMap::new();
        for &(item, position) in &places {
            let key = window(&checked.items[item].words, position, reach + 1);
            groups.entry(key).or_default().push((item, position));
        }
        // Whole sentences that are equal are duplicates, which have a finding of their own.
        let beyond = |key: &[&str]| key.first() == Some(&EDGE) && key.last() == Some(&EDGE);
        let next = groups
            .into_iter()
            .filter(|(key, _)| !beyond(key))
            .map(|(_, places)| places)
            .find(|places| varies(checked, layer, places));
        match next {
            Some(longer) => (places, reach) = (longer, reach + 1),
            None => break,
        }
    }
    (places, reach)
}

fn counts<'c>(checked: &'c Checked, layer: usize, places: &[Place]) -> BTreeMap<&'c str, usize> {
    let mut counts = BTreeMap::new();
    for &place in places {
        *counts.entry(label(checked, layer, place)).or_default() += 1;
    }
    counts
}

/// The first occurrence of the rarest label.
fn suspect(checked: &Checked, layer: usize, places: &[Place]) -> Place {
    let counts = counts(checked, layer, places);
    let rarity = |&&place: &&Place| counts[label(checked, layer, place)];
    places.iter().min_by_key(rarity).copied().unwrap_or(places[0])
}

fn described(checked: &Checked, layer: usize, places: &[Place], reach: usize) -> String {
    let (item, position) = places[0];
    let words = &checked.items[item].words;
    let context = window(words, position, reach);
    let shown: Vec<String> = context
        .iter()
        .enumerate()
        .filter(|(_, word)| **word != EDGE)
        .map(|(at, word)| if at == reach { format!("[{word}]") } else { (*word).to_owned() })
        .collect();
    let counts = counts(checked, layer, places);
    let labels: Vec<String> = counts.iter().map(|(label, count)| format!("{label} {count}×")).collect();
    format!("{} varies in `{}`: {}", checked.layers[layer], shown.join(" "), labels.join(", "))
}
