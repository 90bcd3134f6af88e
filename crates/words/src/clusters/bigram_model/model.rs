//! Parameters and probabilities.

use corpus::cooccurrence::{Boundaries, CountedText, PairCounts};
use corpus::ids::{Id, WordId};
use corpus::vocab::Vocab;

use crate::clusters::{ClusterId, Hierarchy};

/// The state at a position of a text, on which the next word depends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum State {
    /// The beginning or the end of a sequence.
    Border,
    /// A word of a cluster.
    Cluster(ClusterId),
    /// A word that was not counted, if there is no class of other words.
    Unseen,
}

/// A hierarchy of clusters of words, with the counts that make it a language model.
///
/// ```
/// use corpus::cooccurrence::{CountConfig, TextCounter};
/// use eigentree_words::clusters::{BrownModel, ClusterConfig, Method, State, learn};
/// use models::learn::Silent;
/// let mut counter = TextCounter::new(CountConfig::default())?;
/// counter.read("the dog barks\na dog sleeps\nthe cat sleeps\n".as_bytes(), "-")?;
/// let counted = counter.finish()?;
/// let config = ClusterConfig { method: Method::Brown, clusters: 3, ..ClusterConfig::default() };
/// let hierarchy = learn(&counted.counts.pairs, None, &config, &mut Silent)?.model;
/// let model = BrownModel::new(counted, hierarchy).unwrap();
/// let (seen, new) = (model.score(["the", "dog", "sleeps"]), model.score(["dog", "zebra", "the"]));
/// assert!(seen > new && new.is_finite());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrownModel {
    pub(super) vocab: Vocab<WordId>,
    /// The count of each word; positive.
    pub(super) words: Vec<u64>,
    pub(super) unknown: Option<WordId>,
    pub(super) boundaries: Boundaries,
    pub(super) hierarchy: Hierarchy,
    /// The counts of pairs of adjacent clusters. The last row and column are the border.
    pub(super) transitions: PairCounts,
    /// Sums over the rows of `transitions`.
    rows: Vec<u64>,
    /// The weights of `p`: clusters, then the border.
    pub(super) weights: Vec<u64>,
    /// The weight of words that were not counted; 0 if there is a class of other words.
    pub(super) unseen: u64,
    /// The sum of all weights.
    total: u64,
}

impl BrownModel {
    /// Builds the model of a text with clusters of its words. `None` if the hierarchy is not over these words.
    pub fn new(counted: CountedText, hierarchy: Hierarchy) -> Option<Self> {
        let CountedText { counts, boundaries, unknown } = counted;
        let pairs = counts.pairs.first()?;
        if hierarchy.words() != counts.words.len() || pairs.words() != counts.words.len() {
            return None;
        }
        let clusters = hierarchy.clusters();
        let border = u32::try_from(clusters).ok()?;
        let names: Vec<u32> = hierarchy.assignment().iter().map(|cluster| cluster.index() as u32).collect();
        let mut entries: Vec<(u32, u32, u64)> = pairs.renamed(&names, clusters).iter().collect();
        let (followed, following) = (pairs.left_sums(), pairs.right_sums());
        for (word, &cluster) in names.iter().enumerate() {
            // An occurrence without a neighbour is at the border.
            entries.push((border, cluster, counts.words[word].saturating_sub(following[word])));
            if boundaries == Boundaries::Lines {
                entries.push((cluster, border, counts.words[word].saturating_sub(followed[word])));
            }
        }
        entries.retain(|&(_, _, count)| count > 0);
        let transitions = PairCounts::from_counts(clusters + 1, entries);
        Self::from_parts(counts.vocab, counts.words, unknown, boundaries, hierarchy, transitions)
    }

    /// Computes the derived fields; `None` if the parts do not match.
    pub(super) fn from_parts(
        vocab: Vocab<WordId>,
        words: Vec<u64>,
        unknown: Option<WordId>,
        boundaries: Boundaries,
        hierarchy: Hierarchy,
        transitions: PairCounts,
    ) -> Option<Self> {
        let clusters = hierarchy.clusters();
        let whole = vocab.len() == words.len()
            && hierarchy.words() == words.len()
            && transitions.words() == clusters + 1
            && clusters > 0
            && words.iter().all(|&count| count > 0);
        if !whole {
            return None;
        }
        let mut weights = vec![0u64; clusters + 1];
        for (cluster, &count) in hierarchy.assignment().iter().zip(&words) {
            weights[cluster.index()] = weights[cluster.index()].checked_add(count)?;
        }
        weights[clusters] = match boundaries {
            Boundaries::Lines => transitions.row(clusters).map(|(_, count)| count).sum(),
            Boundaries::None => 0,
        };
        let unseen = match unknown {
            Some(_) => 0,
            None => (words.iter().filter(|&&count| count == 1).count() as u64).max(1),
        };
        let rows = transitions.left_sums();
        let total = weights.iter().try_fold(unseen, |sum, &weight| sum.checked_add(weight))?;
        Some(Self { vocab, words, unknown, boundaries, hierarchy, transitions, rows, weights, unseen, total })
    }

    /// The words by decreasing frequency.
    pub fn vocab(&self) -> &Vocab<WordId> {
        &self.vocab
    }

    /// The count of each word.
    pub fn word_counts(&self) -> &[u64] {
        &self.words
    }

    /// The word that stands for all words that were not kept, if any.
    pub fn unknown(&self) -> Option<WordId> {
        self.unknown
    }

    /// Where sequences of words end.
    pub fn boundaries(&self) -> Boundaries {
        self.boundaries
    }

    /// The clusters.
    pub fn hierarchy(&self) -> &Hierarchy {
        &self.hierarchy
    }

    /// The counts of pairs of adjacent clusters; the last row and column are the border of sequences.
    pub fn transitions(&self) -> &PairCounts {
        &self.transitions
    }

    /// The total count of the words in each cluster.
    pub fn cluster_counts(&self) -> &[u64] {
        &self.weights[..self.hierarchy.clusters()]
    }

    /// The id of a word, or that of the class of other words for words that were not counted. `None` if there is no
    /// such class.
    pub fn word(&self, text: &str) -> Option<WordId> {
        self.vocab.get(text).or(self.unknown)
    }

    /// The state after a word.
    pub fn state_of(&self, word: Option<WordId>) -> State {
        word.map_or(State::Unseen, |word| State::Cluster(self.hierarchy.assignment()[word.index()]))
    }

    fn place(&self, state: State) -> Option<usize> {
        match state {
            State::Border => Some(self.hierarchy.clusters()),
            State::Cluster(cluster) => Some(cluster.index()),
            State::Unseen => None,
        }
    }

    /// The probability `p` of a state regardless of context. That of the border is 0 if there is only one sequence.
    pub fn share(&self, state: State) -> f64 {
        let weight = self.place(state).map_or(self.unseen, |place| self.weights[place]);
        weight as f64 / self.total as f64
    }

    /// The share of the events after `before` that Witten and Bell's method reserves for `p`: the number of different
    /// events seen after it, relative to all events and different events.
    pub(super) fn set_aside(&self, before: State) -> f64 {
        let Some(place) = self.place(before) else { return 1.0 };
        let (seen, kinds) = (self.rows[place] as f64, self.transitions.row(place).len() as f64);
        if seen > 0.0 { kinds / (seen + kinds) } else { 1.0 }
    }

    /// The probability `t` that `next` follows `before`.
    pub fn transition(&self, before: State, next: State) -> f64 {
        let aside = self.set_aside(before);
        let smooth = aside * self.share(next);
        match (self.place(before), self.place(next)) {
            (Some(left), Some(right)) if self.rows[left] > 0 => {
                smooth + (1.0 - aside) * self.transitions.get(left, right) as f64 / self.rows[left] as f64
            }
            _ => smooth,
        }
    }

    /// The probability `o` of a word in its cluster.
    pub fn emission(&self, word: WordId) -> f64 {
        let cluster = self.hierarchy.assignment()[word.index()];
        self.words[word.index()] as f64 / self.weights[cluster.index()] as f64
    }

    /// The natural logarithm of the probability of a word after `before`; always finite.
    pub fn log_probability(&self, before: State, word: Option<WordId>) -> f64 {
        let transition = self.transition(before, self.state_of(word)).ln();
        transition + word.map_or(0.0, |word| self.emission(word).ln())
    }

    /// The natural logarithm of the probability of a sequence of words, including its end if sequences end with lines.
    pub fn score<'w>(&self, words: impl IntoIterator<Item = &'w str>) -> f64 {
        let mut before = State::Border;
        let mut sum = 0.0;
        for text in words {
            let word = self.word(text);
            sum += self.log_probability(before, word);
            before = self.state_of(word);
        }
        match self.boundaries {
            Boundaries::Lines => sum + self.transition(before, State::Border).ln(),
            Boundaries::None => sum,
        }
    }
}
