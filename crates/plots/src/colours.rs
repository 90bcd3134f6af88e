//! Colours by name, so that a learner looks the same in all plots.

use super::canvas::COLOUR_COUNT;

/// Parts of names with the numbers of their colours. The first that occurs decides, so longer parts come first.
const KNOWN: [(&str, usize); 20] = [
    ("clusters, then em", 6),
    ("cluster", 5),
    ("reduced", 4),
    ("spectral", 1),
    ("select", 1),
    ("em,", 0),
    ("brown", 0),
    ("random", 7),
    ("n-gram", 7),
    ("ngram", 7),
    ("exchange", 2),
    ("ward", 5),
    ("deterministic", 2),
    ("hmm", 4),
    ("lexical", 3),
    ("mst", 2),
    ("uncertain", 3),
    ("pcfg", 7),
    ("oracle", 9),
    ("las", 1),
];

/// The numbers of the colours of some learners. A learner has the same one in every plot; only where a plot has two
/// learners of one colour does the later one get a colour that is free.
///
/// ```
/// use eigentree_plots::learner_colours;
/// let colours = learner_colours(["EM", "spectral", "spectral, no smoothing"]);
/// assert_eq!(colours[..2], learner_colours(["EM", "spectral"]));
/// assert_ne!(colours[1], colours[2]);
/// ```
pub fn learner_colours<'n>(names: impl IntoIterator<Item = &'n str>) -> Vec<usize> {
    let names: Vec<String> = names.into_iter().map(str::to_lowercase).collect();
    let mut colours: Vec<usize> = Vec::with_capacity(names.len());
    for name in &names {
        let known = KNOWN.iter().find(|(part, _)| name.contains(part));
        let wanted = match known {
            Some(&(_, colour)) => colour,
            None if name == "em" => 0,
            None => hash(name) % COLOUR_COUNT,
        };
        let free = (0..COLOUR_COUNT).map(|step| (wanted + step) % COLOUR_COUNT);
        colours.push(free.clone().find(|colour| !colours.contains(colour)).unwrap_or(wanted));
    }
    colours
}

/// The same on every machine.
fn hash(name: &str) -> usize {
    name.bytes().fold(7, |hash: usize, byte| (hash * 31 + usize::from(byte)) % 1_000_003)
}
