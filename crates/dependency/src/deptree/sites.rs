//! Trees with numbered symbols.

use corpus::dependency::{DependencyTree, Direction};
use rayon::prelude::*;

use super::Observations;

/// A tree with the forms and tags of its words.
#[derive(Clone, Debug)]
pub struct TreeWords {
    words: Vec<(String, String)>,
    tree: DependencyTree,
}

impl TreeWords {
    /// `None` if the number of words differs from that of the tree.
    pub fn new(words: Vec<(String, String)>, tree: DependencyTree) -> Option<Self> {
        (words.len() == tree.len()).then_some(Self { words, tree })
    }

    /// Form and tag of each word.
    pub fn words(&self) -> impl Iterator<Item = (&str, &str)> {
        self.words.iter().map(|(form, tag)| (&form[..], &tag[..]))
    }

    /// The tree.
    pub fn tree(&self) -> &DependencyTree {
        &self.tree
    }
}

/// An observed tree: one symbol per word, and an order in which every word comes after all words below it.
#[derive(Clone, Debug, Default)]
pub struct TreeSites {
    pub(super) symbols: Vec<u32>,
    /// The index of each word's head; for the root, its own index.
    pub(super) heads: Vec<u32>,
    /// The words in an order in which each comes after those below it. The last is the root.
    pub(super) upwards: Vec<u32>,
    /// The numbers of children of each word on its left and on its right, counted up to [`MOST_CHILDREN`].
    pub(super) children: Vec<[u8; 2]>,
    /// Whether a word has a sibling between itself and its head.
    further: Vec<bool>,
}

/// Numbers of children on one side of a word are told apart up to this one, which stands for all larger ones.
pub(super) const MOST_CHILDREN: u8 = 3;

impl TreeSites {
    /// The sites of a tree with these `symbols`. If there are several roots, the first is kept and the others hang from
    /// it, since the model has one root.
    pub fn new(symbols: Vec<u32>, tree: &DependencyTree) -> Self {
        let root = tree.heads().iter().position(|head| head.is_root()).unwrap_or(0);
        let heads: Vec<u32> = tree.heads().iter().map(|head| head.index().unwrap_or(root) as u32).collect();
        let mut waiting = vec![0u32; heads.len()];
        let mut children = vec![[0; 2]; heads.len()];
        for (word, &head) in heads.iter().enumerate() {
            if word != root {
                waiting[head as usize] += 1;
                let count: &mut u8 = &mut children[head as usize][side(word, head as usize) as usize];
                *count = MOST_CHILDREN.min(*count + 1);
            }
        }
        let mut upwards: Vec<u32> =
            (0..heads.len() as u32).filter(|&word| waiting[word as usize] == 0).collect();
        let mut next = 0;
        while let Some(&word) = upwards.get(next) {
            next += 1;
            let head = heads[word as usize] as usize;
            if word as usize == root {
                continue;
            }
            waiting[head] -= 1;
            if waiting[head] == 0 {
                upwards.push(head as u32);
            }
        }
        let mut nearest: Vec<[Option<usize>; 2]> = vec![[None; 2]; heads.len()];
        for (word, &head) in heads.iter().enumerate().filter(|&(word, _)| word != root) {
            let nearest = &mut nearest[head as usize][side(word, head as usize) as usize];
            // Words come in order: the nearest on the left is the last, the nearest on the right the first.
            if word < head as usize || nearest.is_none() {
                *nearest = Some(word);
            }
        }
        let is_further = |(word, &head): (usize, &u32)| {
            word != root && nearest[head as usize][side(word, head as usize) as usize] != Some(word)
        };
        let further = heads.iter().enumerate().map(is_further).collect();
        Self { symbols, heads, upwards, children, further }
    }

    /// The sites of many trees.
    pub fn of_trees(trees: &[TreeWords], observations: &Observations) -> Vec<Self> {
        let one = |tree: &TreeWords| {
            let symbols = tree.words().map(|(form, tag)| observations.of_word(form, tag) as u32).collect();
            Self::new(symbols, tree.tree())
        };
        trees.par_iter().with_min_len(64).map(one).collect()
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.symbols.len()
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }

    /// The root.
    pub(super) fn root(&self) -> Option<usize> {
        self.upwards.last().map(|&word| word as usize)
    }

    /// The number of the step from a head to a word on this side, if there are two steps, by side, or four: those of nearest
    /// children on both sides, then those of further ones.
    pub(super) fn step(&self, word: usize, side: Direction, steps: usize) -> usize {
        side as usize + if steps > 2 && self.further[word] { 2 } else { 0 }
    }

    /// Every word except the root, with its head and its side of the head, bottom-up.
    pub(super) fn arcs(&self) -> impl Iterator<Item = (usize, usize, Direction)> + '_ {
        let below_root = &self.upwards[..self.upwards.len().saturating_sub(1)];
        below_root.iter().map(|&word| {
            let (word, head) = (word as usize, self.heads[word as usize] as usize);
            (word, head, side(word, head))
        })
    }
}

/// The side of a word at its head.
fn side(word: usize, head: usize) -> Direction {
    if word < head { Direction::Left } else { Direction::Right }
}
