//! The prefixes and suffixes that describe a position of a sequence.
//!
//! A position lies between two symbols. Its prefix features are sequences that end there, its suffix features sequences
//! that begin there. A feature is *open* if anything may lie beyond it, and *anchored* if only the border of the
//! sequence does. The choice of open and anchored features gives the known Hankel matrices `H(u, v)` (Balle et al.
//! 2014):
//!
//! | [`Hankel`] | prefixes | suffixes | `H(u, v)` is the expected number of |
//! |---|---|---|---|
//! | `Strings` | anchored | anchored | sequences `uv` |
//! | `Prefixes` | anchored | open | sequences that begin with `uv` |
//! | `Suffixes` | open | anchored | sequences that end with `uv` |
//! | `Substrings` | open | open | occurrences of `uv` |
//! | `Marked` | both | both | occurrences of `uv`, where START and STOP count as symbols |
//!
//! `Marked` with length 1 is the bigram and trigram basis of Luque et al. (2012) with START and STOP.

use super::children::Children;
use super::counts::SequenceCounts;

/// The rows and columns of the Hankel matrix.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Hankel {
    /// Whole sequences.
    Strings,
    /// Prefixes of sequences.
    Prefixes,
    /// Suffixes of sequences.
    Suffixes,
    /// Substrings at any position.
    Substrings,
    /// Substrings at any position, with START and STOP as symbols.
    #[default]
    Marked,
}

/// Configuration of a basis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BasisConfig {
    /// The kind of features.
    pub hankel: Hankel,
    /// Maximum length of a prefix.
    pub prefix_length: usize,
    /// Maximum length of a suffix.
    pub suffix_length: usize,
    /// Maximum number of features on each side, the most frequent first; ties go to shorter ones.
    pub limit: Option<usize>,
}

impl BasisConfig {
    /// All single symbols, START and STOP (Luque et al. 2012).
    pub fn bigrams() -> Self {
        Self::length(Hankel::Marked, 1)
    }

    /// All features of up to this length.
    pub fn length(hankel: Hankel, length: usize) -> Self {
        Self { hankel, prefix_length: length, suffix_length: length, limit: None }
    }
}

/// What may lie beyond a feature.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// Anything or nothing.
    Open,
    /// Only the border of the sequence.
    Anchored,
}

/// A sequence of symbols on one side of a position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Feature {
    /// The symbols in the order of the sequence.
    pub symbols: Vec<u32>,
    /// What may lie beyond.
    pub bound: Bound,
}

/// The features on one side of positions.
#[derive(Clone, Debug)]
pub struct FeatureSet {
    side: Side,
    nodes: Vec<Node>,
    /// The child of a node by symbol, read away from the position.
    children: Children,
    features: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Prefix,
    Suffix,
}

#[derive(Clone, Debug)]
struct Node {
    parent: u32,
    symbol: u32,
    depth: u32,
    open: Option<u32>,
    anchored: Option<u32>,
    passed: f64,
    ended: f64,
}

impl Node {
    fn new(parent: u32, symbol: u32, depth: u32) -> Self {
        Self { parent, symbol, depth, open: None, anchored: None, passed: 0.0, ended: 0.0 }
    }
}

/// Determines the features of a position on one side: positions with the same signature have the same features.
pub(super) type Signature = u64;

/// The features on both sides.
#[derive(Clone, Debug)]
pub struct Basis {
    /// Features that may end at a position.
    pub prefixes: FeatureSet,
    /// Features that may begin at a position.
    pub suffixes: FeatureSet,
}

impl Basis {
    /// The features that occur in the sequences and that the configuration admits.
    pub fn new(counts: &SequenceCounts, config: &BasisConfig) -> Self {
        let limit = config.limit.unwrap_or(usize::MAX);
        let side = |side, length| FeatureSet::new(counts, side, config.hankel, length, limit);
        Basis {
            prefixes: side(Side::Prefix, config.prefix_length),
            suffixes: side(Side::Suffix, config.suffix_length),
        }
    }
}

impl FeatureSet {
    fn new(counts: &SequenceCounts, side: Side, hankel: Hankel, length: usize, limit: usize) -> Self {
        let children = Children::new(counts.alphabet());
        let mut set = FeatureSet { side, nodes: vec![Node::new(0, 0, 0)], children, features: 0 };
        for (sequence, weight) in counts.iter() {
            for place in 0..=sequence.len() {
                set.count(sequence, place, length, weight);
            }
        }
        set.choose(hankel, length, limit);
        set
    }

    /// The number of symbols on this side of a position.
    fn available(&self, sequence: &[u32], place: usize) -> usize {
        match self.side {
            Side::Prefix => place,
            Side::Suffix => sequence.len() - place,
        }
    }

    /// The symbol at `distance` from a position.
    fn symbol(&self, sequence: &[u32], place: usize, distance: usize) -> u32 {
        match self.side {
            Side::Prefix => sequence[place - 1 - distance],
            Side::Suffix => sequence[place + distance],
        }
    }

    /// Adds the nodes of a position.
    fn count(&mut self, sequence: &[u32], place: usize, length: usize, weight: f64) {
        let available = self.available(sequence, place);
        let mut node = 0_u32;
        self.nodes[0].passed += weight;
        for distance in 0..available.min(length) {
            let symbol = self.symbol(sequence, place, distance);
            node = self.children.get(node, symbol).unwrap_or_else(|| {
                let next = self.nodes.len() as u32;
                self.nodes.push(Node::new(node, symbol, distance as u32 + 1));
                self.children.insert(node, symbol, next);
                next
            });
            self.nodes[node as usize].passed += weight;
        }
        if available <= length {
            self.nodes[node as usize].ended += weight;
        }
    }

    /// Numbers the features that are kept and drops nodes that no feature needs.
    fn choose(&mut self, hankel: Hankel, length: usize, limit: usize) {
        let (open, anchored) = match (hankel, self.side) {
            (Hankel::Strings, _) | (Hankel::Prefixes, Side::Prefix) | (Hankel::Suffixes, Side::Suffix) => {
                (None, Some(0..=length))
            }
            (Hankel::Substrings, _) | (Hankel::Prefixes, _) | (Hankel::Suffixes, _) => {
                (Some(0..=length), None)
            }
            // A marker counts as a symbol.
            (Hankel::Marked, _) => (Some(1..=length), length.checked_sub(1).map(|longest| 0..=longest)),
        };
        let mut candidates: Vec<(f64, u32, u32, Bound)> = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            let depth = node.depth as usize;
            let admits = |range: &Option<std::ops::RangeInclusive<usize>>| {
                range.as_ref().is_some_and(|range| range.contains(&depth))
            };
            if admits(&open) && node.passed > 0.0 {
                candidates.push((node.passed, node.depth, index as u32, Bound::Open));
            }
            if admits(&anchored) && node.ended > 0.0 {
                candidates.push((node.ended, node.depth, index as u32, Bound::Anchored));
            }
        }
        // Nodes are numbered in the order of the sequences, so that ties are deterministic.
        candidates.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
        candidates.truncate(limit);
        self.features = candidates.len();
        for (feature, &(_, _, node, bound)) in candidates.iter().enumerate() {
            let slot = match bound {
                Bound::Open => &mut self.nodes[node as usize].open,
                Bound::Anchored => &mut self.nodes[node as usize].anchored,
            };
            *slot = Some(feature as u32);
        }
        let mut needed: Vec<bool> =
            self.nodes.iter().map(|node| node.open.is_some() || node.anchored.is_some()).collect();
        // A parent has a lower number than its children.
        for index in (1..self.nodes.len()).rev() {
            needed[self.nodes[index].parent as usize] |= needed[index];
        }
        self.children.retain(|child| needed[child as usize]);
    }

    /// The number of features.
    pub fn len(&self) -> usize {
        self.features
    }

    /// Whether there are no features.
    pub fn is_empty(&self) -> bool {
        self.features == 0
    }

    /// The features by number.
    pub fn features(&self) -> Vec<Feature> {
        let mut all = vec![Feature { symbols: Vec::new(), bound: Bound::Open }; self.features];
        for (index, node) in self.nodes.iter().enumerate() {
            for (number, bound) in [(node.open, Bound::Open), (node.anchored, Bound::Anchored)] {
                if let Some(number) = number {
                    all[number as usize] = Feature { symbols: self.symbols_of(index), bound };
                }
            }
        }
        all
    }

    fn symbols_of(&self, mut index: usize) -> Vec<u32> {
        let mut symbols = Vec::new();
        while index != 0 {
            symbols.push(self.nodes[index].symbol);
            index = self.nodes[index].parent as usize;
        }
        // Read from a deep node upwards, a prefix is already in order.
        if self.side == Side::Suffix {
            symbols.reverse();
        }
        symbols
    }

    /// The signature of a position.
    pub(super) fn signature(&self, sequence: &[u32], place: usize) -> Signature {
        let available = self.available(sequence, place);
        let (mut node, mut distance) = (0_u32, 0);
        while distance < available {
            match self.children.get(node, self.symbol(sequence, place, distance)) {
                Some(child) => node = child,
                None => return Signature::from(node) << 1,
            }
            distance += 1;
        }
        Signature::from(node) << 1 | 1
    }

    /// The features of all positions with a signature.
    pub(super) fn of_signature(&self, signature: Signature, features: &mut Vec<u32>) {
        features.clear();
        let mut index = (signature >> 1) as usize;
        if signature & 1 == 1 {
            features.extend(self.nodes[index].anchored);
        }
        loop {
            features.extend(self.nodes[index].open);
            if index == 0 {
                break;
            }
            index = self.nodes[index].parent as usize;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts() -> SequenceCounts {
        SequenceCounts::new(2, [(vec![0, 1], 3.0), (vec![0], 1.0), (vec![], 2.0)]).unwrap()
    }

    fn sorted(set: &FeatureSet) -> Vec<(Vec<u32>, Bound)> {
        let mut all: Vec<_> = set.features().into_iter().map(|f| (f.symbols, f.bound)).collect();
        all.sort_by_key(|(symbols, bound)| (*bound == Bound::Anchored, symbols.clone()));
        all
    }

    #[test]
    fn single_symbols_and_markers_are_the_bigram_basis() {
        let basis = Basis::new(&counts(), &BasisConfig::bigrams());
        let expected = [(vec![0], Bound::Open), (vec![1], Bound::Open), (vec![], Bound::Anchored)];
        assert_eq!(sorted(&basis.prefixes), expected);
        assert_eq!(sorted(&basis.suffixes), expected);
    }

    #[test]
    fn each_kind_has_its_features() {
        let of = |hankel| Basis::new(&counts(), &BasisConfig::length(hankel, 2));
        let strings = [vec![], vec![0], vec![0, 1]].map(|symbols| (symbols, Bound::Anchored));
        assert_eq!(sorted(&of(Hankel::Strings).prefixes), strings);
        assert_eq!(sorted(&of(Hankel::Prefixes).prefixes), strings);
        let ends = [vec![], vec![0], vec![0, 1], vec![1]].map(|symbols| (symbols, Bound::Anchored));
        assert_eq!(sorted(&of(Hankel::Suffixes).suffixes), ends);
        let open = [vec![], vec![0], vec![0, 1], vec![1]].map(|symbols| (symbols, Bound::Open));
        assert_eq!(sorted(&of(Hankel::Substrings).prefixes), open);
        assert_eq!(sorted(&of(Hankel::Prefixes).suffixes), open);
    }

    #[test]
    fn a_limit_keeps_the_most_frequent() {
        let config = BasisConfig { limit: Some(2), ..BasisConfig::length(Hankel::Substrings, 2) };
        let basis = Basis::new(&counts(), &config);
        // The empty feature occurs at all thirteen positions, 0 before or after four of them.
        assert_eq!(sorted(&basis.suffixes), [(vec![], Bound::Open), (vec![0], Bound::Open)]);
        let (mut features, place) = (Vec::new(), basis.prefixes.signature(&[0, 1], 2));
        basis.prefixes.of_signature(place, &mut features);
        assert_eq!(features, [0]);
    }

    #[test]
    fn a_place_has_all_features_that_fit() {
        let basis = Basis::new(&counts(), &BasisConfig::length(Hankel::Marked, 2));
        let (all, mut found) = (basis.prefixes.features(), Vec::new());
        basis.prefixes.of_signature(basis.prefixes.signature(&[0, 1], 1), &mut found);
        let mut found: Vec<&Feature> = found.iter().map(|&feature| &all[feature as usize]).collect();
        found.sort_by_key(|feature| feature.bound == Bound::Open);
        assert_eq!(found[0], &Feature { symbols: vec![0], bound: Bound::Anchored });
        assert_eq!(found[1], &Feature { symbols: vec![0], bound: Bound::Open });
        assert_eq!(found.len(), 2);
    }
}
