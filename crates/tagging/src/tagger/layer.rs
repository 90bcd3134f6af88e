//! Layers: columns that are decided together.
//!
//! The labels of a word in the columns of a layer, such as UPOS, XPOS and FEATS, are a *bundle*. A tag set with
//! morphology has hundreds to thousands of them, too many to learn each on its own. So the score of a bundle is the sum
//! of the scores of its parts, as in the sub-tags of Müller, Schmid and Schütze (2013): the labels of its columns and,
//! where a label is a list (`Case=Nom|Number=Sing`, `NNG+JKS`), each of its items. The transitions are factored too,
//!
//! ```text
//! s_i(b) = Σ_{u ∈ parts(b)} Σ_f∈F(x,i) θ(f, u)          τ(b', b) = Σ_k τ_k(b'_k, b_k)
//! ```
//!
//! over the factors k: the labels of columns with few labels, the values of the most frequent attributes, and the pairs
//! of these values with the labels of the first column. A bundle is decided as a whole, so the columns always agree with
//! each other. A layer with a single column of labels without structure is an ordinary linear chain.

use corpus::ids::{Id, WordId};
use corpus::vocab::VocabBuilder;
use hashbrown::HashMap;

use super::labels::LabelColumn;
use super::prefixes::{BundleScores, Prefixes};
use super::transitions::{Steps, Transitions};

/// Characters that separate the items of a label.
const SEPARATORS: [char; 2] = ['|', '+'];

/// Columns with more labels than this have no transitions of whole labels.
const MOST_FACTOR_LABELS: usize = 128;
/// Maximum number of attributes with transitions of their own.
const MOST_ATTRIBUTES: usize = 6;
/// Separates the names of two factors in that of their pairs.
const PAIR: char = '*';
/// Attributes of a smaller share of the words have no transitions.
const LEAST_ATTRIBUTE_SHARE: f64 = 0.02;

/// The bundles of some columns.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    /// The columns that it decides.
    pub(super) columns: Vec<usize>,
    pub(super) kind: LayerKind,
    /// For each bundle, its labels in the columns.
    labels: Vec<u16>,
    /// `starts[b]..starts[b + 1]` are the parts of bundle `b`, numbered over all layers.
    starts: Vec<u32>,
    parts: Vec<u16>,
    /// The same as a tree, if the layer is joint and the tree is not too large.
    prefixes: Option<Prefixes>,
    /// The first part of the layer, and the number of its parts.
    first: usize,
    part_count: usize,
    factors: Vec<Factor>,
}

/// The kind of a layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LayerKind {
    /// One column; each of its labels is a bundle with a single part.
    Single,
    /// Several columns, or one whose labels have parts.
    Joint,
}

/// A property of bundles that has transitions.
#[derive(Clone, Debug)]
pub(super) struct Factor {
    /// `0`, `1`, … for the labels of a column of the layer, or the name of an attribute.
    pub(super) name: String,
    /// Its value for each bundle.
    values: Vec<u16>,
    /// The number of values.
    pub(super) len: usize,
}

/// A word with all its labels does not fit into a layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooMany;

impl Layer {
    /// The layer of a single column, whose parts are numbered from `first` on.
    pub(super) fn single(number: usize, column: &LabelColumn, first: usize) -> Self {
        let count = column.len();
        let numbers = || (0..count).map(|label| label as u16);
        Self {
            columns: vec![number],
            kind: LayerKind::Single,
            labels: numbers().collect(),
            starts: (0..=count as u32).collect(),
            parts: numbers().map(|label| first as u16 + label).collect(),
            prefixes: None,
            first,
            part_count: count,
            factors: vec![Factor { name: "0".to_owned(), values: numbers().collect(), len: count }],
        }
    }

    /// The layer of several columns with these bundles and factors. `labels` has the labels of each bundle in turn.
    pub(super) fn joint(
        numbers: Vec<usize>,
        all_columns: &[LabelColumn],
        labels: Vec<u16>,
        factors: &[String],
        first: usize,
    ) -> Result<Self, TooMany> {
        let columns: Vec<&LabelColumn> = numbers.iter().map(|&number| &all_columns[number]).collect();
        let mut names: VocabBuilder<WordId> = VocabBuilder::new();
        let (mut starts, mut parts) = (vec![0], Vec::new());
        for bundle in labels.chunks_exact(columns.len()) {
            for (place, (column, &label)) in columns.iter().zip(bundle).enumerate() {
                for part in parts_of(column.label(label)) {
                    let number = first + names.intern(&format!("{place} {part}")).index();
                    parts.push(u16::try_from(number).map_err(|_| TooMany)?);
                }
            }
            starts.push(parts.len() as u32);
        }
        let factors = factors.iter().map(|name| Factor::of(name, &columns, &labels)).collect();
        Ok(Self {
            columns: numbers,
            kind: LayerKind::Joint,
            labels,
            prefixes: Prefixes::new(
                starts.windows(2).map(|range| &parts[range[0] as usize..range[1] as usize]),
            ),
            starts,
            parts,
            first,
            part_count: names.len(),
            factors,
        })
    }

    /// The number of bundles.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number after its last part.
    pub(super) fn end(&self) -> usize {
        self.first + self.part_count
    }

    pub(super) fn factors(&self) -> &[Factor] {
        &self.factors
    }

    /// The labels of all bundles.
    pub(super) fn labels(&self) -> &[u16] {
        &self.labels
    }

    /// The labels of a bundle in the columns of the layer.
    #[inline]
    pub(super) fn labels_of(&self, bundle: u16) -> &[u16] {
        &self.labels[usize::from(bundle) * self.columns.len()..][..self.columns.len()]
    }

    /// The parts of a bundle.
    #[inline]
    pub(super) fn parts_of(&self, bundle: u16) -> &[u16] {
        let at = usize::from(bundle);
        &self.parts[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// The score of a bundle, given those of all parts.
    #[inline]
    pub(super) fn score(&self, bundle: u16, scores: &[f32]) -> f32 {
        self.parts_of(bundle).iter().map(|&part| scores[usize::from(part)]).sum()
    }

    /// The scores of all bundles.
    pub(super) fn scores(&self, scores: &[f32], of_bundles: &mut BundleScores) {
        match (self.kind, &self.prefixes) {
            (LayerKind::Single, _) => scores[self.first..self.end()].clone_into(&mut of_bundles.all),
            (LayerKind::Joint, Some(prefixes)) => prefixes.scores(scores, of_bundles),
            (LayerKind::Joint, None) => {
                of_bundles.all.clear();
                of_bundles.all.extend((0..self.len()).map(|bundle| self.score(bundle as u16, scores)));
            }
        }
    }

    /// Numbers of bundles by their labels.
    pub(super) fn numbers(&self) -> HashMap<&[u16], u16, foldhash::fast::FixedState> {
        (0..self.len() as u16).map(|bundle| (self.labels_of(bundle), bundle)).collect()
    }

    /// The step between bundles with these transitions, one for each factor.
    pub(super) fn steps<'t>(&'t self, transitions: &'t [Transitions]) -> LayerSteps<'t> {
        LayerSteps { layer: self, transitions }
    }
}

impl Factor {
    fn of(name: &str, columns: &[&LabelColumn], labels: &[u16]) -> Self {
        if let Some((one, other)) = name.split_once(PAIR) {
            return Self::pair(name, &Self::of(one, columns, labels), &Self::of(other, columns, labels));
        }
        let bundles = labels.chunks_exact(columns.len());
        if let Some(column) = name.parse::<usize>().ok().filter(|&column| column < columns.len()) {
            let values = bundles.map(|bundle| bundle[column]).collect();
            return Self { name: name.to_owned(), values, len: columns[column].len() };
        }
        let mut known: VocabBuilder<WordId> = VocabBuilder::new();
        known.intern("");
        let mut values = Vec::new();
        for bundle in bundles {
            let items =
                columns.iter().zip(bundle).flat_map(|(column, &label)| column.label(label).split('|'));
            let mut of_name = items.filter_map(|item| item.split_once('=')).filter(|(own, _)| *own == name);
            let value = of_name.next().map_or("", |(_, value)| value);
            values.push(known.intern(value).index() as u16);
        }
        Self { name: name.to_owned(), values, len: known.len() }
    }

    /// The factor whose values are the pairs of the values of two others that some bundle has.
    fn pair(name: &str, one: &Self, other: &Self) -> Self {
        let mut known: HashMap<(u16, u16), u16, foldhash::fast::FixedState> = HashMap::default();
        let mut values = Vec::with_capacity(one.values.len());
        for pair in one.values.iter().copied().zip(other.values.iter().copied()) {
            let next = known.len() as u16;
            values.push(*known.entry(pair).or_insert(next));
        }
        Self { name: name.to_owned(), values, len: known.len() }
    }

    /// The value of a bundle.
    #[inline]
    pub(super) fn value(&self, bundle: u16) -> u16 {
        self.values[usize::from(bundle)]
    }
}

/// The parts of a label: its items and, if there are several, the whole.
fn parts_of(label: &str) -> impl Iterator<Item = &str> {
    let items = label.split(SEPARATORS).filter(|item| !item.is_empty());
    let several = label.contains(SEPARATORS) || label.is_empty();
    several.then_some(label).into_iter().chain(items)
}

/// The factors of a layer: columns with few labels, and the attributes that most words have. `seen` has the numbers of
/// labels with their counts.
pub(super) fn choose_factors(columns: &[&LabelColumn], counts: &[Vec<u64>]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut attributes: Vec<(u64, String)> = Vec::new();
    let mut words = 0;
    for (place, (column, counts)) in columns.iter().zip(counts).enumerate() {
        if column.len() <= MOST_FACTOR_LABELS {
            names.push(place.to_string());
        }
        words = words.max(counts.iter().sum::<u64>());
        for (label, &count) in counts.iter().enumerate() {
            for item in column.label(label as u16).split('|') {
                let Some((name, _)) = item.split_once('=') else { continue };
                match attributes.iter_mut().find(|(_, own)| own == name) {
                    Some((total, _)) => *total += count,
                    None => attributes.push((count, name.to_owned())),
                }
            }
        }
    }
    attributes.retain(|(count, _)| *count as f64 >= LEAST_ATTRIBUTE_SHARE * words as f64);
    attributes.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
    attributes.truncate(MOST_ATTRIBUTES);
    // What an attribute says of the next word depends on the part of speech: a preposition governs the case of a noun, an
    // adjective agrees with it, another noun does neither.
    let first = names.first().filter(|_| columns.len() > 1).cloned();
    let pair = |(_, name): &(u64, String)| first.as_ref().map(|first| format!("{first}{PAIR}{name}"));
    let pairs: Vec<String> = attributes.iter().filter_map(pair).collect();
    names.extend(attributes.into_iter().map(|(_, name)| name));
    names.extend(pairs);
    if names.is_empty() {
        names.push("0".to_owned());
    }
    names
}

/// See [`Layer::steps`].
#[derive(Clone, Copy, Debug)]
pub(super) struct LayerSteps<'t> {
    layer: &'t Layer,
    transitions: &'t [Transitions],
}

impl Steps for LayerSteps<'_> {
    fn factors(&self) -> usize {
        self.transitions.len()
    }

    #[inline]
    fn value(&self, factor: usize, label: Option<u16>) -> u16 {
        label.map_or(self.transitions[factor].end() as u16, |bundle| self.layer.factors[factor].value(bundle))
    }

    #[inline]
    fn row(&self, factor: usize, value: u16) -> &[f32] {
        self.transitions[factor].row_of(value)
    }
}
