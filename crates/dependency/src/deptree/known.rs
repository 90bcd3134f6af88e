//! A known model of words and trees, to draw from.

use corpus::dependency::{DependencyTree, Head, RootRule};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::model::{Operators, Product};
use super::sites::MOST_CHILDREN;
use super::valences::Valences;
use super::{Conditioning, Deptree, Observations, Observe, TreeWords};

/// Parameters by state; distributions are rows.
pub(crate) struct Known {
    root: Vec<f64>,
    /// By side and state of the head.
    steps: [Vec<Vec<f64>>; 2],
    shows: Vec<Vec<f64>>,
    /// By side and state.
    valences: [Vec<Vec<f64>>; 2],
}

/// A word that was drawn, with its children on both sides.
struct Drawn {
    symbol: usize,
    children: [Vec<Drawn>; 2],
}

impl Known {
    /// `k` states over `symbols` symbols. A state has three words in four of its own, and mostly one successor on each side, so
    /// that trees differ in probability.
    pub(crate) fn new(k: usize, symbols: usize, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut peaked = |n: usize, own: &dyn Fn(usize) -> bool| {
            let count = (0..n).filter(|&at| own(at)).count().max(1) as f64;
            let free: Vec<f64> = (0..n).map(|_| rng.random_range(0.1..1.0)).collect();
            let sum: f64 = free.iter().sum();
            let entry =
                |(at, free): (usize, f64)| 0.25 * free / sum + if own(at) { 0.75 / count } else { 0.0 };
            free.into_iter().enumerate().map(entry).collect::<Vec<f64>>()
        };
        Self {
            root: peaked(k, &|h| h == 0),
            steps: [1, 2].map(|shift| (0..k).map(|head| peaked(k, &|h| h == (head + shift) % k)).collect()),
            shows: (0..k).map(|h| peaked(symbols, &|x| x % k == h)).collect(),
            // On average less than one child, so that trees end.
            valences: [0, 1].map(|side| {
                let of = |h: usize| if h == side { vec![0.35, 0.6, 0.05] } else { vec![0.85, 0.1, 0.05] };
                (0..k).map(of).collect()
            }),
        }
    }

    /// The model with these parameters.
    pub(crate) fn model(&self) -> Deptree {
        let k = self.root.len();
        let symbols = self.shows[0].len();
        let mut names = corpus::vocab::VocabBuilder::<corpus::ids::WordId>::default();
        (0..symbols).for_each(|x| _ = names.intern(&tag(x)));
        names.intern("");
        let columns = |rows: &[Vec<f64>], n: usize| -> Vec<f64> {
            (0..n).flat_map(|at| rows.iter().map(move |row| row.get(at).copied().unwrap_or(0.0))).collect()
        };
        Deptree {
            observations: Observations::from_parts(Observe::Tags, names.freeze()).unwrap(),
            dimension: k,
            operators: Operators {
                start: self.root.clone(),
                end: vec![1.0; k],
                steps: vec![columns(&self.steps[0], k), columns(&self.steps[1], k)],
                product: Product::Diagonal,
            },
            duals: columns(&self.shows, symbols + 1),
            valences: Some(Valences::from_table(
                k,
                self.valences.iter().flat_map(|rows| columns(rows, usize::from(MOST_CHILDREN) + 1)).collect(),
            )),
            conditioning: Conditioning::default(),
        }
    }

    /// A tree with this many words at least and at most.
    pub(crate) fn draw(&self, words: std::ops::RangeInclusive<usize>, rng: &mut ChaCha8Rng) -> TreeWords {
        loop {
            let root = self.below(choose(&self.root, rng), rng);
            let (mut symbols, mut heads) = (Vec::new(), Vec::new());
            root.write(None, &mut symbols, &mut heads);
            if words.contains(&symbols.len()) {
                let heads =
                    heads.into_iter().map(|head| head.map_or(Head::ROOT, |at| Head::word(at).unwrap()));
                let tree = DependencyTree::new(heads.collect(), RootRule::Single).unwrap();
                let words = symbols.iter().map(|&x| (format!("w{x}"), tag(x))).collect();
                return TreeWords::new(words, tree).unwrap();
            }
        }
    }

    fn below(&self, state: usize, rng: &mut ChaCha8Rng) -> Drawn {
        let symbol = choose(&self.shows[state], rng);
        let children = [0, 1].map(|side| {
            let count = choose(&self.valences[side][state], rng);
            (0..count).map(|_| self.below(choose(&self.steps[side][state], rng), rng)).collect()
        });
        Drawn { symbol, children }
    }
}

impl Drawn {
    /// Writes the words in order, with the places of their heads; returns its own place.
    fn write(&self, head: Option<usize>, symbols: &mut Vec<usize>, heads: &mut Vec<Option<usize>>) -> usize {
        let left: Vec<usize> =
            self.children[0].iter().map(|child| child.write(None, symbols, heads)).collect();
        let own = symbols.len();
        symbols.push(self.symbol);
        heads.push(head);
        left.into_iter().for_each(|child| heads[child] = Some(own));
        for child in &self.children[1] {
            child.write(Some(own), symbols, heads);
        }
        own
    }
}

fn tag(symbol: usize) -> String {
    format!("t{symbol}")
}

fn choose(distribution: &[f64], rng: &mut ChaCha8Rng) -> usize {
    let mut left = rng.random::<f64>();
    let found = distribution.iter().position(|p| {
        left -= p;
        left < 0.0
    });
    found.unwrap_or(distribution.len() - 1)
}
