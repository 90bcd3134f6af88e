//! Samples text from the model.

use corpus::cooccurrence::Boundaries;
use corpus::ids::{Id, WordId};
use rand::Rng;

use super::{BrownModel, State};
use crate::clusters::ClusterId;

/// Samples words from a model. Unseen words have no name and are never drawn.
#[derive(Clone, Debug)]
pub struct Sampler<'m> {
    model: &'m BrownModel,
    /// The words of each cluster with cumulative counts.
    members: Vec<Vec<(u64, u32)>>,
    /// Cumulative weights of clusters and border.
    weights: Vec<u64>,
}

impl<'m> Sampler<'m> {
    /// Prepares the sampler.
    pub fn new(model: &'m BrownModel) -> Self {
        let mut members = vec![Vec::new(); model.hierarchy().clusters()];
        for (word, cluster) in model.hierarchy().assignment().iter().enumerate() {
            let list: &mut Vec<(u64, u32)> = &mut members[cluster.index()];
            let before = list.last().map_or(0, |&(sum, _)| sum);
            list.push((before + model.words[word], word as u32));
        }
        let sums = model.weights.iter().scan(0, |sum, weight| {
            *sum += weight;
            Some(*sum)
        });
        Self { model, members, weights: sums.collect() }
    }

    /// A sequence of words: up to its end if the model knows where lines end, at most `longest` words.
    ///
    /// ```
    /// # use corpus::cooccurrence::{CountConfig, TextCounter};
    /// # use eigentree_words::clusters::{BrownModel, ClusterConfig, Method, Sampler, learn};
    /// # use models::learn::Silent;
    /// # use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
    /// # let mut counter = TextCounter::new(CountConfig::default())?;
    /// # counter.read("the dog barks\na dog sleeps\nthe cat sleeps\n".as_bytes(), "-")?;
    /// # let counted = counter.finish()?;
    /// # let config = ClusterConfig { method: Method::Brown, clusters: 3, ..ClusterConfig::default() };
    /// # let hierarchy = learn(&counted.counts.pairs, None, &config, &mut Silent)?.model;
    /// # let model = BrownModel::new(counted, hierarchy).unwrap();
    /// let words = Sampler::new(&model).sequence(10, &mut ChaCha8Rng::seed_from_u64(1));
    /// assert!((1..=10).contains(&words.len()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sequence(&self, longest: usize, rng: &mut impl Rng) -> Vec<&'m str> {
        let mut words = Vec::new();
        let mut before = State::Border;
        while words.len() < longest {
            let next = self.next(before, rng);
            let State::Cluster(cluster) = next else {
                // A line has at least one word.
                if words.is_empty() {
                    continue;
                }
                break;
            };
            words.push(self.model.vocab.text(self.word(cluster, rng)));
            before = next;
        }
        words
    }

    fn next(&self, before: State, rng: &mut impl Rng) -> State {
        let clusters = self.members.len();
        let aside = self.model.set_aside(before);
        let place = if rng.random::<f64>() < aside {
            draw(&self.weights, |&sum| sum, rng)
        } else {
            let row = match before {
                State::Cluster(cluster) => cluster.index(),
                _ => clusters,
            };
            let total = self.model.transitions.row(row).map(|(_, count)| count).sum::<u64>();
            let mut left = rng.random_range(0..total.max(1));
            let found = self.model.transitions.row(row).find(|&(_, count)| {
                let here = left < count;
                left = left.saturating_sub(count);
                here
            });
            found.map_or(clusters, |(place, _)| place as usize)
        };
        let border = place == clusters && self.model.boundaries() == Boundaries::Lines;
        match ClusterId::new(place) {
            Some(cluster) if place < clusters && !border => State::Cluster(cluster),
            _ => State::Border,
        }
    }

    fn word(&self, cluster: ClusterId, rng: &mut impl Rng) -> WordId {
        let members = &self.members[cluster.index()];
        let word = members[draw(members, |&(sum, _)| sum, rng)].1;
        WordId::new(word as usize).expect("the vocabulary numbered it")
    }
}

/// The index that a random number below the last cumulative sum falls into.
fn draw<T>(sums: &[T], sum: impl Fn(&T) -> u64, rng: &mut impl Rng) -> usize {
    let total = sums.last().map_or(0, &sum);
    let drawn = rng.random_range(0..total.max(1));
    sums.partition_point(|item| sum(item) <= drawn).min(sums.len().saturating_sub(1))
}
