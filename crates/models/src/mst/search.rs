//! The best tree of a sentence by a table of weights: what learning and parsing have in common.

use corpus::dependency::{Head, RootRule};

use super::arc_features::{Templates, arc};
use super::config::{Order, Structure};
use super::neighbour_features::neighbours;
use super::weights::{Bits, sum};
use super::words::Views;
use crate::dependency::{
    ArcScores, Candidates, Edmonds, Eisner, Forest, GrandSiblings, NeighbourScores, NodeId, Part,
    ProjectiveForest, Side, k_best_trees, tree_marginals,
};

/// How a sentence is scored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scoring<'a> {
    pub(super) values: &'a [f32],
    pub(super) bits: Bits,
    pub(super) templates: Templates,
    pub(super) order: Order,
    pub(super) structure: Structure,
}

/// A sentence, and the arcs that are considered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question<'a> {
    pub(super) views: &'a Views,
    pub(super) candidates: &'a Candidates,
    /// The right heads, when every other head is to score one more.
    pub(super) gold: Option<&'a [u32]>,
}

/// Memory of the search.
#[derive(Clone, Default, Debug)]
pub(super) struct Search {
    arcs: ArcScores,
    eisner: Eisner,
    edmonds: Edmonds,
    forest: Forest,
    projective: ProjectiveForest,
    grand_siblings: GrandSiblings,
    places: Vec<u32>,
}

/// The trees of a sentence, scored and ready to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) enum Trees {
    /// Projective ones by scores of arcs.
    Projective,
    /// All by scores of arcs.
    Any,
    /// Those of a forest.
    Packed(NodeId),
}

impl Search {
    /// Scores a sentence; `None` if there are no words.
    pub(super) fn score(&mut self, scoring: &Scoring<'_>, question: &Question<'_>) -> Option<Trees> {
        match (scoring.order, scoring.structure) {
            (Order::Second, _) => {
                let mut parts = Parts { scoring, question, places: &mut self.places };
                let goal = self.grand_siblings.build(question.candidates, &mut parts, &mut self.forest)?;
                // The number of words is read off the scores of arcs.
                self.arcs.reset(question.candidates.words());
                Some(Trees::Packed(goal))
            }
            (Order::First, structure) => {
                self.score_arcs(scoring, question);
                Some(match structure {
                    Structure::NonProjective => Trees::Any,
                    Structure::Projective | Structure::PseudoProjective => Trees::Projective,
                })
            }
        }
    }

    fn score_arcs(&mut self, scoring: &Scoring<'_>, question: &Question<'_>) {
        let words = question.candidates.words();
        self.arcs.reset(words);
        for modifier in 1..=words {
            for &head in question.candidates.of(modifier) {
                let score = score_arc(scoring, question, head as usize, modifier, &mut self.places);
                self.arcs.set(head as usize, modifier - 1, score);
            }
        }
    }

    /// The heads of the best tree, and its score.
    pub(super) fn best(&mut self, trees: Trees, heads: &mut Vec<Head>) -> Option<f64> {
        match trees {
            Trees::Any => self.edmonds.decode(&self.arcs, heads),
            Trees::Projective => self.eisner.decode(&self.arcs, RootRule::Single, heads),
            Trees::Packed(goal) => {
                heads.clear();
                heads.resize(self.arcs.words(), Head::ROOT);
                Some(f64::from(self.forest.best(goal, heads)))
            }
        }
    }

    /// The `k` best trees with their scores, best first.
    pub(super) fn k_best(&mut self, trees: Trees, k: usize) -> Vec<(Vec<Head>, f64)> {
        let words = self.arcs.words();
        match trees {
            Trees::Any => k_best_trees(&self.arcs, k),
            Trees::Projective => match self.projective.build(&self.arcs, &mut self.forest) {
                Some(goal) => self.forest.k_best(goal, words, k),
                None => Vec::new(),
            },
            Trees::Packed(goal) => self.forest.k_best(goal, words, k),
        }
    }

    /// The posterior of every arc, when scores divided by `temperature` are logarithms.
    pub(super) fn marginals(&mut self, trees: Trees, temperature: f32) -> Option<ArcScores> {
        let words = self.arcs.words();
        let (posteriors, _) = match trees {
            Trees::Any => tree_marginals(&self.arcs, temperature)?,
            Trees::Projective => {
                let goal = self.projective.build(&self.arcs, &mut self.forest)?;
                self.forest.marginals(goal, words, temperature)
            }
            Trees::Packed(goal) => self.forest.marginals(goal, words, temperature),
        };
        Some(posteriors)
    }
}

fn score_arc(
    scoring: &Scoring<'_>,
    question: &Question<'_>,
    head: usize,
    modifier: usize,
    places: &mut Vec<u32>,
) -> f32 {
    places.clear();
    arc(question.views, head, modifier, scoring.templates, scoring.bits, places);
    let wrong = question.gold.is_some_and(|gold| gold[modifier - 1] as usize != head);
    sum(scoring.values, places) + f32::from(u8::from(wrong))
}

/// The places of all features of a part.
pub(super) fn part_places(
    views: &Views,
    part: Part,
    templates: Templates,
    bits: Bits,
    places: &mut Vec<u32>,
) {
    match part {
        Part::Arc { head, modifier } => {
            arc(views, head as usize, modifier as usize, templates, bits, places);
        }
        part => neighbours(views, part, bits, places),
    }
}

/// Scores of parts by their features.
struct Parts<'a> {
    scoring: &'a Scoring<'a>,
    question: &'a Question<'a>,
    places: &'a mut Vec<u32>,
}

impl Parts<'_> {
    #[inline]
    fn score(&mut self, part: Part) -> f32 {
        self.places.clear();
        neighbours(self.question.views, part, self.scoring.bits, self.places);
        sum(self.scoring.values, self.places)
    }
}

fn number(place: Option<usize>) -> u32 {
    place.unwrap_or(0) as u32
}

impl NeighbourScores for Parts<'_> {
    fn arc(&mut self, head: usize, modifier: usize) -> f32 {
        score_arc(self.scoring, self.question, head, modifier, self.places)
    }

    fn sibling(&mut self, head: usize, sibling: Option<usize>, modifier: usize) -> f32 {
        self.score(Part::Sibling { head: head as u32, sibling: number(sibling), modifier: modifier as u32 })
    }

    fn end(&mut self, head: usize, last: Option<usize>, side: Side) -> f32 {
        self.score(Part::End { head: head as u32, last: number(last), side })
    }

    fn grandparent(&mut self, grandparent: usize, head: usize, modifier: usize) -> f32 {
        self.score(Part::Grandparent {
            grandparent: grandparent as u32,
            head: head as u32,
            modifier: modifier as u32,
        })
    }

    fn grand_sibling(
        &mut self,
        grandparent: usize,
        head: usize,
        sibling: Option<usize>,
        modifier: usize,
    ) -> f32 {
        self.score(Part::GrandSibling {
            grandparent: grandparent as u32,
            head: head as u32,
            sibling: number(sibling),
            modifier: modifier as u32,
        })
    }
}
