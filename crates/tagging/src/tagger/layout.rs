//! Which columns form a layer, and the bundles of their labels.

use hashbrown::HashSet;

use super::analogy::{self, Places};
use super::config::{Layout, TaggerConfig};
use super::data::TaggedSentence;
use super::labels::{ColumnKind, LabelColumn};
use super::layer::{Layer, choose_factors};
use super::transitions::Transitions;
use models::learn::LearnError;

/// The columns that are decided together.
const JOINT: [&str; 3] = ["upos", "xpos", "feats"];

/// Maximum number of combinations that are made by analogy: each is scored for each unknown word.
const MOST_NEW: usize = 1000;

/// Combinations of labels that no word of the data has.
#[derive(Clone, Debug, Default)]
pub(super) struct NewBundles {
    /// The columns that they are of.
    pub(super) columns: Vec<usize>,
    /// For each the labels in these columns.
    pub(super) bundles: Vec<Vec<String>>,
}

impl NewBundles {
    /// Those of a joint layer with UPOS and FEATS, by analogy.
    pub(super) fn of(
        names: &[(String, ColumnKind)],
        sentences: &[TaggedSentence],
        config: &TaggerConfig,
    ) -> Self {
        let joint = config.layout == Layout::Joint && config.new_combinations > 0.0;
        let Some(places) = joint.then(|| Places::of(names.iter().map(|(name, _)| name.as_str()))).flatten()
        else {
            return Self::default();
        };
        let columns: Vec<usize> =
            [Some(places.upos), places.xpos, Some(places.feats)].into_iter().flatten().collect();
        let mut seen: HashSet<Vec<&str>, foldhash::fast::FixedState> = HashSet::default();
        for sentence in sentences {
            for at in 0..sentence.words.len() {
                seen.insert(columns.iter().map(|&column| sentence.labels[column][at].as_str()).collect());
            }
        }
        let most = (config.new_combinations * seen.len() as f64) as usize;
        let most = most.min(MOST_NEW);
        Self { columns, bundles: analogy::combinations(sentences, places, most) }
    }
}

/// The layers of a tagger, in the order of their first columns.
pub(super) fn layers(
    columns: &[LabelColumn],
    sentences: &[TaggedSentence],
    new: &NewBundles,
    config: &TaggerConfig,
) -> Result<Vec<Layer>, LearnError> {
    let is_joint = |column: &LabelColumn| {
        config.layout == Layout::Joint
            && column.kind() == ColumnKind::Plain
            && JOINT.iter().any(|name| column.name().eq_ignore_ascii_case(name))
    };
    let joint: Vec<usize> = (0..columns.len()).filter(|&number| is_joint(&columns[number])).collect();
    let mut layers: Vec<Layer> = Vec::new();
    for (number, column) in columns.iter().enumerate() {
        let first = layers.last().map_or(0, Layer::end);
        if joint.first() == Some(&number) {
            layers.push(joint_layer(&joint, columns, sentences, new, first)?);
        } else if !joint.contains(&number) {
            layers.push(Layer::single(number, column, first));
        }
    }
    Ok(layers)
}

fn joint_layer(
    numbers: &[usize],
    columns: &[LabelColumn],
    sentences: &[TaggedSentence],
    new: &NewBundles,
    first: usize,
) -> Result<Layer, LearnError> {
    let mut seen: HashSet<Vec<u16>, foldhash::fast::FixedState> = HashSet::default();
    let mut labels: Vec<u16> = Vec::new();
    let mut counts: Vec<Vec<u64>> = numbers.iter().map(|&number| vec![0; columns[number].len()]).collect();
    let mut bundle = Vec::new();
    for sentence in sentences {
        for at in 0..sentence.words.len() {
            bundle.clear();
            let label = |&number: &usize| columns[number].number(&sentence.labels[number][at]).unwrap_or(0);
            bundle.extend(numbers.iter().map(label));
            bundle.iter().zip(&mut counts).for_each(|(&label, counts)| counts[usize::from(label)] += 1);
            if !seen.contains(&bundle) {
                seen.insert(bundle.clone());
                labels.extend_from_slice(&bundle);
            }
        }
    }
    for own in &new.bundles {
        bundle.clear();
        let label = |number: &usize| {
            let place = new.columns.iter().position(|column| column == number)?;
            columns[*number].number(&own[place])
        };
        bundle.extend(numbers.iter().filter_map(label));
        if bundle.len() == numbers.len() && seen.insert(bundle.clone()) {
            labels.extend_from_slice(&bundle);
        }
    }
    let too_many = || {
        LearnError::bad_data(
            "the tags have too many different combinations; leave out a column, such as feats",
        )
    };
    if labels.len() / numbers.len() > usize::from(u16::MAX) {
        return Err(too_many());
    }
    let own: Vec<&LabelColumn> = numbers.iter().map(|&number| &columns[number]).collect();
    let factors = choose_factors(&own, &counts);
    Layer::joint(numbers.to_vec(), columns, labels, &factors, first).map_err(|_| too_many())
}

/// Transitions with weight 0 where they are allowed, for each factor of each layer.
pub(super) fn transitions(columns: &[LabelColumn], layers: &[Layer]) -> Vec<Vec<Transitions>> {
    let of_layer = |layer: &Layer| match layer.columns[..] {
        [column] if layer.factors().len() == 1 && layer.factors()[0].len == columns[column].len() => {
            vec![columns[column].transitions()]
        }
        _ => layer.factors().iter().map(|factor| Transitions::new(factor.len)).collect(),
    };
    layers.iter().map(of_layer).collect()
}
