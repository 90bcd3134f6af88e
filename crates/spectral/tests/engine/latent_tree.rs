//! A latent-variable tree model small enough to enumerate.
//!
//! ```text
//!     S → A A        A → B C | D        B, C, D → a word
//! ```
//!
//! with hidden states at every node. It has rules of arity 2 (twice), 1 and 0, and a symbol that occurs in two places
//! with different contexts. Words belong to a single preterminal.

use rand_chacha::ChaCha8Rng;
use spectral::view::{ViewPair, ViewPairBuilder};

use crate::random::{dim, distribution, distributions, id};

pub(crate) const WORDS: usize = 4;
/// Trees below A: B C with their words, or D with its word.
pub(crate) const SUBTREES: usize = WORDS * WORDS + WORDS;

/// The subtree below an A.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Subtree {
    Binary { b: usize, c: usize },
    Unary { d: usize },
}

impl Subtree {
    pub(crate) fn all() -> impl Iterator<Item = Subtree> {
        (0..SUBTREES).map(Subtree::from_index)
    }

    fn from_index(index: usize) -> Self {
        if index < WORDS * WORDS {
            Subtree::Binary { b: index / WORDS, c: index % WORDS }
        } else {
            Subtree::Unary { d: index - WORDS * WORDS }
        }
    }

    fn index(self) -> usize {
        match self {
            Subtree::Binary { b, c } => b * WORDS + c,
            Subtree::Unary { d } => WORDS * WORDS + d,
        }
    }
}

/// The hidden states of each symbol.
#[derive(Clone, Copy, Debug)]
pub(crate) struct States {
    pub(crate) s: usize,
    pub(crate) a: usize,
    pub(crate) b: usize,
    pub(crate) c: usize,
    pub(crate) d: usize,
}

pub(crate) struct LatentTree {
    states: States,
    root: Vec<f64>,
    /// `P(h_left, h_right | h_S)`, the pair as `h_left · a + h_right`.
    s_rule: Vec<Vec<f64>>,
    /// The probability of `A → B C` in each state.
    a_binary: Vec<f64>,
    /// `P(h_B, h_C | h_A)`, the pair as `h_B · c + h_C`.
    a_rule: Vec<Vec<f64>>,
    /// `P(h_D | h_A)`.
    a_unary: Vec<Vec<f64>>,
    b_word: Vec<Vec<f64>>,
    c_word: Vec<Vec<f64>>,
    d_word: Vec<Vec<f64>>,
}

impl LatentTree {
    pub(crate) fn random(rng: &mut ChaCha8Rng, states: States) -> Self {
        let States { s, a, b, c, d } = states;
        LatentTree {
            states,
            root: distribution(rng, s),
            s_rule: distributions(rng, s, a * a),
            a_binary: distributions(rng, a, 2).into_iter().map(|pair| pair[0]).collect(),
            a_rule: distributions(rng, a, b * c),
            a_unary: distributions(rng, a, d),
            b_word: distributions(rng, b, WORDS),
            c_word: distributions(rng, c, WORDS),
            d_word: distributions(rng, d, WORDS),
        }
    }

    /// `P(subtree | h_A)` for every state.
    fn inside(&self, subtree: Subtree) -> Vec<f64> {
        let States { a, b: states_b, c: states_c, d: states_d, .. } = self.states;
        (0..a)
            .map(|h| match subtree {
                Subtree::Binary { b, c } => {
                    let pairs = (0..states_b).flat_map(|hb| (0..states_c).map(move |hc| (hb, hc)));
                    let below = pairs.map(|(hb, hc)| {
                        self.a_rule[h][hb * states_c + hc] * self.b_word[hb][b] * self.c_word[hc][c]
                    });
                    self.a_binary[h] * below.sum::<f64>()
                }
                Subtree::Unary { d } => {
                    let below = (0..states_d).map(|hd| self.a_unary[h][hd] * self.d_word[hd][d]);
                    (1.0 - self.a_binary[h]) * below.sum::<f64>()
                }
            })
            .collect()
    }

    /// The probability of a whole tree.
    pub(crate) fn probability(&self, left: Subtree, right: Subtree) -> f64 {
        let (left, right) = (self.inside(left), self.inside(right));
        let mut sum = 0.0;
        for (h, root) in self.root.iter().enumerate() {
            for (hl, l) in left.iter().enumerate() {
                for (hr, r) in right.iter().enumerate() {
                    sum += root * self.s_rule[h][hl * self.states.a + hr] * l * r;
                }
            }
        }
        sum
    }
}

/// One tree with its weight and the sites of its nodes, by symbol.
pub(crate) struct Example {
    pub(crate) weight: f64,
    pub(crate) left: Subtree,
    pub(crate) right: Subtree,
    pub(crate) s: usize,
    /// The sites of the left and the right A, each with those of its children.
    pub(crate) a: [(usize, Children); 2],
}

#[derive(Clone, Copy)]
pub(crate) enum Children {
    Binary { b: usize, c: usize },
    Unary { d: usize },
}

/// The views of all nodes of all trees, with the trees weighted by their probability.
pub(crate) struct Population {
    pub(crate) s: ViewPair<f64>,
    pub(crate) a: ViewPair<f64>,
    pub(crate) b: ViewPair<f64>,
    pub(crate) c: ViewPair<f64>,
    pub(crate) d: ViewPair<f64>,
    pub(crate) examples: Vec<Example>,
}

impl Population {
    pub(crate) fn new(model: &LatentTree) -> Self {
        let mut sites: [ViewPairBuilder<f64>; 5] = Default::default();
        let [s, a, b, c, d] = &mut sites;
        let mut examples = Vec::new();
        for (left, right) in Subtree::all().flat_map(|left| Subtree::all().map(move |right| (left, right))) {
            let weight = model.probability(left, right);
            let site_of_s = s.sites();
            // Which rules the children have; the outside of a root says nothing.
            let kind = |subtree| usize::from(matches!(subtree, Subtree::Unary { .. }));
            s.push([(id(kind(left)), 1.0), (id(2 + kind(right)), 1.0)], [(id(0), 1.0)], weight);
            let site_of_a = [(0, left, right), (1, right, left)].map(|(side, below, sibling)| {
                let site = a.sites();
                // The subtree and, redundantly, its rule; the sibling with the side and the side alone.
                let outside = side * SUBTREES + sibling.index();
                a.push(
                    [(id(below.index()), 1.0), (id(SUBTREES + kind(below)), 1.0)],
                    [(id(outside), 1.0), (id(2 * SUBTREES + side), 1.0)],
                    weight,
                );
                let children = match below {
                    Subtree::Binary { b: word_b, c: word_c } => {
                        let children = Children::Binary { b: b.sites(), c: c.sites() };
                        b.push([(id(word_b), 1.0)], [(id(outside * WORDS + word_c), 1.0)], weight);
                        c.push([(id(word_c), 1.0)], [(id(outside * WORDS + word_b), 1.0)], weight);
                        children
                    }
                    Subtree::Unary { d: word } => {
                        let children = Children::Unary { d: d.sites() };
                        d.push([(id(word), 1.0)], [(id(outside), 1.0)], weight);
                        children
                    }
                };
                (site, children)
            });
            examples.push(Example { weight, left, right, s: site_of_s, a: site_of_a });
        }
        let [s, a, b, c, d] = sites;
        let outsides = 2 * SUBTREES;
        Population {
            s: s.finish(dim(4), dim(1)).unwrap(),
            a: a.finish(dim(SUBTREES + 2), dim(outsides + 2)).unwrap(),
            b: b.finish(dim(WORDS), dim(outsides * WORDS)).unwrap(),
            c: c.finish(dim(WORDS), dim(outsides * WORDS)).unwrap(),
            d: d.finish(dim(WORDS), dim(outsides)).unwrap(),
            examples,
        }
    }
}
