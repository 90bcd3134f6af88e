//! The choice among candidates.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap, HashSet};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use super::candidate::Candidate;
use super::config::{SelectConfig, Strategy};

/// The price of a sentence besides its words.
const OVERHEAD: f64 = 3.0;

/// A sentence with its worth when it was last computed.
struct Entry {
    worth: f64,
    index: usize,
    /// Number of sentences picked at that time.
    computed: usize,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    /// The higher worth first, then the earlier sentence.
    fn cmp(&self, other: &Self) -> Ordering {
        self.worth.total_cmp(&other.worth).then(other.index.cmp(&self.index))
    }
}

/// The indices of the sentences to annotate, the most useful first. Sentences with the same words are taken once.
///
/// ```
/// use eigentree::selection::{Candidate, SelectConfig, choose};
/// let sentence = |words: &[&str], doubt: f64| Candidate {
///     words: words.iter().map(|&word| word.to_owned()).collect(),
///     doubts: vec![doubt; words.len()],
/// };
/// let pool = [sentence(&["a", "b", "c"], 0.1), sentence(&["d", "e", "f"], 0.5), sentence(&["d", "e", "g"], 0.4),
///     sentence(&["h", "i", "j"], 0.3)];
/// let config = SelectConfig { count: 2, ..SelectConfig::default() };
/// // The third sentence is more uncertain than the fourth, but repeats words of the second.
/// assert_eq!(choose(&pool, &config), [1, 3]);
/// ```
pub fn choose(pool: &[Candidate], config: &SelectConfig) -> Vec<usize> {
    let mut seen: HashSet<&[String]> = HashSet::new();
    let admitted: Vec<usize> = (0..pool.len())
        .filter(|&index| (config.min_words..=config.max_words).contains(&pool[index].words.len()))
        .filter(|&index| seen.insert(&pool[index].words))
        .collect();
    match config.strategy {
        Strategy::Random => at_random(pool, admitted, config),
        Strategy::Uncertain | Strategy::Diverse => greedily(pool, &admitted, config),
    }
}

fn at_random(pool: &[Candidate], mut admitted: Vec<usize>, config: &SelectConfig) -> Vec<usize> {
    let mut rng = ChaCha8Rng::seed_from_u64(config.seed);
    for last in (1..admitted.len()).rev() {
        admitted.swap(last, (rng.next_u64() % (last as u64 + 1)) as usize);
    }
    let mut picked = Vec::new();
    let mut words = 0;
    for index in admitted {
        if picked.len() >= config.count || words >= config.words {
            break;
        }
        words += pool[index].words.len();
        picked.push(index);
    }
    picked
}

fn greedily(pool: &[Candidate], admitted: &[usize], config: &SelectConfig) -> Vec<usize> {
    let mut picked_words: HashMap<&str, usize> = HashMap::new();
    let worth = |index: usize, picked: &HashMap<&str, usize>| {
        let candidate = &pool[index];
        let doubt = |(word, doubt): (&String, &f64)| match config.strategy {
            Strategy::Diverse => doubt / (1 + picked.get(word.as_str()).copied().unwrap_or(0)) as f64,
            Strategy::Uncertain | Strategy::Random => *doubt,
        };
        let errors: f64 = candidate.words.iter().zip(&candidate.doubts).map(doubt).sum();
        errors / (candidate.words.len() as f64 + OVERHEAD)
    };
    let mut heap: BinaryHeap<Entry> = admitted
        .iter()
        .map(|&index| Entry { worth: worth(index, &picked_words), index, computed: 0 })
        .collect();
    let (mut picked, mut words) = (Vec::new(), 0);
    while picked.len() < config.count && words < config.words {
        let Some(top) = heap.pop() else { break };
        if top.computed < picked.len() {
            let worth = worth(top.index, &picked_words);
            heap.push(Entry { worth, index: top.index, computed: picked.len() });
            continue;
        }
        let candidate = &pool[top.index];
        for word in &candidate.words {
            *picked_words.entry(word).or_default() += 1;
        }
        words += candidate.words.len();
        picked.push(top.index);
    }
    picked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool() -> Vec<Candidate> {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut number = |most: u64| rng.next_u64() % most;
        (0..60)
            .map(|_| {
                let length = 3 + number(10) as usize;
                let words = (0..length).map(|_| format!("w{}", number(30))).collect();
                let doubts = (0..length).map(|_| number(1000) as f64 / 1000.0).collect();
                Candidate { words, doubts }
            })
            .collect()
    }

    /// The greedy choice by its definition, without laziness.
    fn plain(pool: &[Candidate], config: &SelectConfig) -> Vec<usize> {
        let mut picked: Vec<usize> = Vec::new();
        while picked.len() < config.count {
            let count = |word: &String| {
                picked.iter().flat_map(|&index| &pool[index].words).filter(|other| *other == word).count()
            };
            let worth = |index: usize| {
                let candidate = &pool[index];
                let sum: f64 = candidate
                    .words
                    .iter()
                    .zip(&candidate.doubts)
                    .map(|(word, doubt)| doubt / (1 + count(word)) as f64)
                    .sum();
                sum / (candidate.words.len() as f64 + OVERHEAD)
            };
            let rest: Vec<usize> = (0..pool.len()).filter(|index| !picked.contains(index)).collect();
            let best = rest.into_iter().max_by(|&a, &b| worth(a).total_cmp(&worth(b)).then(b.cmp(&a)));
            picked.push(best.unwrap());
        }
        picked
    }

    #[test]
    fn the_lazy_choice_is_the_greedy_one() {
        let pool = pool();
        let config = SelectConfig { count: 20, ..SelectConfig::default() };
        assert_eq!(choose(&pool, &config), plain(&pool, &config));
    }

    #[test]
    fn limits_hold_and_duplicates_are_taken_once() {
        let mut pool = pool();
        let twins = pool.clone();
        pool.extend(twins);
        for strategy in [Strategy::Diverse, Strategy::Uncertain, Strategy::Random] {
            let config =
                SelectConfig { count: 1000, strategy, min_words: 5, max_words: 9, ..SelectConfig::default() };
            let picked = choose(&pool, &config);
            assert!(picked.iter().all(|&index| (5..=9).contains(&pool[index].words.len())));
            let different: HashSet<&Vec<String>> = picked.iter().map(|&index| &pool[index].words).collect();
            assert_eq!(different.len(), picked.len());
            let some = choose(&pool, &SelectConfig { words: 40, ..config });
            let words: usize = some.iter().map(|&index| pool[index].words.len()).sum();
            assert!((40..=48).contains(&words), "{words}");
        }
    }
}
