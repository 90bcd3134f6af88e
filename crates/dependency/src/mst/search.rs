//! The best tree of a sentence given a table of weights, shared by learning and parsing.

use corpus::dependency::{Head, RootRule};
use corpus::ids::LabelId;

use super::arc_features::{Templates, arc, one_per_line};
use super::config::{Order, Structure};
use super::neighbour_features::{around, neighbours};
use super::weights::{Bits, Table};
use super::words::Views;
use crate::arcs::{
    ArcScores, Around, Candidates, Change, Edmonds, Eisner, Forest, GrandSiblings, Keep, Need,
    NeighbourScores, NodeId, Part, ProjectiveForest, Reattachment, Side, k_best_trees, tree_marginals,
};

/// The scoring of a sentence.
#[derive(Debug)]
pub(super) struct Scoring<'a, T: ?Sized> {
    pub(super) values: &'a T,
    pub(super) bits: Bits,
    pub(super) templates: Templates,
    pub(super) order: Order,
    pub(super) structure: Structure,
}

/// A sentence and its candidate arcs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question<'a> {
    pub(super) views: &'a Views,
    pub(super) candidates: &'a Candidates,
    /// The gold heads, if every other head should score one more (cost-augmented decoding).
    pub(super) gold: Option<&'a [u32]>,
    /// Scores of candidate arcs to be added to those of their features.
    pub(super) more: Option<&'a ArcScores>,
}

impl Question<'_> {
    /// What is added to the score of an arc by its features.
    fn extra(&self, head: usize, modifier: usize) -> f32 {
        let wrong = self.gold.is_some_and(|gold| gold[modifier - 1] as usize != head);
        let more = self.more.map_or(0.0, |more| more.get(head, modifier - 1));
        f32::from(u8::from(wrong)) + more
    }
}

/// Scratch memory of the search.
#[derive(Clone, Default, Debug)]
pub(super) struct Search {
    arcs: ArcScores,
    eisner: Eisner,
    edmonds: Edmonds,
    forest: Forest,
    projective: ProjectiveForest,
    grand_siblings: GrandSiblings,
    reattachment: Reattachment,
    numbers: Vec<u32>,
    places: Vec<u32>,
    ends: Vec<u32>,
}

/// A tree that was found.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Found {
    pub(super) heads: Vec<Head>,
    pub(super) score: f64,
    /// The changes that led to it from a projective tree.
    pub(super) changes: Vec<Change>,
    /// Its labels; empty as long as nobody needed them.
    pub(super) labels: Vec<LabelId>,
}

impl Found {
    fn unchanged((heads, score): (Vec<Head>, f64)) -> Self {
        Self { heads, score, changes: Vec::new(), labels: Vec::new() }
    }

    /// The posterior of the head of a word, given those over the trees of the forest. For an arc by which the tree departs
    /// from projective trees, it is the posterior relative to the arc that it replaced.
    pub(super) fn posterior(&self, word: usize, posteriors: &ArcScores, temperature: f32) -> f32 {
        match self.changes.iter().rfind(|change| change.modifier as usize == word + 1) {
            Some(change) => 1.0 / (1.0 + (-change.gain / temperature).exp()),
            None => posteriors.get(self.heads[word].number(), word),
        }
    }
}

/// The trees of a sentence, scored and ready to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) enum Trees {
    /// Projective trees by scores of arcs.
    Projective,
    /// All trees by scores of arcs.
    Any,
    /// The trees of a forest.
    Packed(NodeId),
    /// The trees of a forest, and those reachable from them by changing heads.
    Beyond(NodeId),
}

impl Search {
    /// Scores a sentence; `None` if there are no words. `keep` must suit the later queries.
    pub(super) fn score<T: Table + ?Sized>(
        &mut self,
        scoring: &Scoring<'_, T>,
        question: &Question<'_>,
        keep: Keep,
    ) -> Option<Trees> {
        match (scoring.order, scoring.structure) {
            (Order::Siblings | Order::Second, _) => {
                self.forest.restart(keep);
                self.reattachment.restart();
                let Self { places, ends, .. } = self;
                let mut parts = Parts { scoring, question, places, ends };
                let goal = self.grand_siblings.build(question.candidates, &mut parts, &mut self.forest)?;
                // The number of words is read off the arc scores.
                self.arcs.reset(question.candidates.words());
                Some(match scoring.structure {
                    Structure::NonProjective => Trees::Beyond(goal),
                    Structure::Projective | Structure::PseudoProjective => Trees::Packed(goal),
                })
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

    fn score_arcs<T: Table + ?Sized>(&mut self, scoring: &Scoring<'_, T>, question: &Question<'_>) {
        let words = question.candidates.words();
        self.arcs.reset(words);
        let Self { arcs, places, ends, .. } = self;
        let mut parts = Parts { scoring, question, places, ends };
        for modifier in 1..=words {
            let heads = question.candidates.of(modifier);
            parts.ask(heads.iter().map(|&head| Part::Arc { head, modifier: modifier as u32 }));
            for (&head, score) in heads.iter().zip(parts.sums()) {
                let extra = question.extra(head as usize, modifier);
                arcs.set(head as usize, modifier - 1, score + extra);
            }
        }
    }

    /// The arc scores, if trees are scored by arcs alone.
    pub(super) fn arcs(&self, trees: Trees) -> Option<&ArcScores> {
        match trees {
            Trees::Projective | Trees::Any => Some(&self.arcs),
            Trees::Packed(_) | Trees::Beyond(_) => None,
        }
    }

    /// The heads of the best tree, and its score.
    pub(super) fn best<T: Table + ?Sized>(
        &mut self,
        trees: Trees,
        scoring: &Scoring<'_, T>,
        question: &Question<'_>,
        heads: &mut Vec<Head>,
    ) -> Option<f64> {
        match trees {
            Trees::Any => self.edmonds.decode(&self.arcs, heads),
            Trees::Projective => self.eisner.decode(&self.arcs, RootRule::Single, heads),
            Trees::Packed(goal) | Trees::Beyond(goal) => {
                heads.clear();
                heads.resize(self.arcs.words(), Head::ROOT);
                let mut score = f64::from(self.forest.best(goal, heads));
                if let Trees::Beyond(_) = trees {
                    score += self.climb(scoring, question, heads);
                }
                Some(score)
            }
        }
    }

    /// Changes heads as long as the score grows; returns the gain.
    fn climb<T: Table + ?Sized>(
        &mut self,
        scoring: &Scoring<'_, T>,
        question: &Question<'_>,
        heads: &mut [Head],
    ) -> f64 {
        let Self { reattachment, numbers, places, ends, .. } = self;
        numbers.clear();
        numbers.extend(heads.iter().map(|head| head.number() as u32));
        let mut parts = Parts { scoring, question, places, ends };
        let score = |part| match part {
            Part::Arc { head, modifier } => parts.arc(head as usize, modifier as usize),
            part if !scoring.order.scores(&part) => 0.0,
            part => parts.one(part),
        };
        let gain = reattachment.climb(question.candidates, score, numbers);
        for (head, &number) in heads.iter_mut().zip(numbers.iter()) {
            *head = Head::from_number(number as usize).unwrap_or(*head);
        }
        f64::from(gain)
    }

    /// The `k` best trees, best first. Beyond a forest, these are the best of its own `k` best and of the trees that
    /// changing heads makes of them.
    pub(super) fn k_best<T: Table + ?Sized>(
        &mut self,
        trees: Trees,
        scoring: &Scoring<'_, T>,
        question: &Question<'_>,
        k: usize,
    ) -> Vec<Found> {
        let words = self.arcs.words();
        let list = match trees {
            Trees::Any => k_best_trees(&self.arcs, k),
            Trees::Projective => match self.projective.build(&self.arcs, &mut self.forest) {
                Some(goal) => self.forest.k_best(goal, words, k),
                None => Vec::new(),
            },
            Trees::Packed(goal) | Trees::Beyond(goal) => self.forest.k_best(goal, words, k),
        };
        let mut found: Vec<Found> = list.into_iter().map(Found::unchanged).collect();
        if let Trees::Beyond(_) = trees {
            for at in 0..found.len() {
                let Found { mut heads, score, .. } = found[at].clone();
                let gain = self.climb(scoring, question, &mut heads);
                if found.iter().all(|other| other.heads != heads) {
                    let changes = self.reattachment.changes().to_vec();
                    found.push(Found { changes, ..Found::unchanged((heads, score + gain)) });
                }
            }
            found.sort_by(|one, other| other.score.total_cmp(&one.score));
            found.truncate(k);
        }
        found
    }

    /// The best tree.
    pub(super) fn best_found<T: Table + ?Sized>(
        &mut self,
        trees: Trees,
        scoring: &Scoring<'_, T>,
        question: &Question<'_>,
    ) -> Option<Found> {
        let mut heads = Vec::new();
        let score = self.best(trees, scoring, question, &mut heads)?;
        let changes = match trees {
            Trees::Beyond(_) => self.reattachment.changes().to_vec(),
            Trees::Any | Trees::Projective | Trees::Packed(_) => Vec::new(),
        };
        Some(Found { heads, score, changes, labels: Vec::new() })
    }

    /// The posterior of every arc over the trees of the forest, where scores divided by `temperature` are logarithms.
    pub(super) fn marginals(&mut self, trees: Trees, temperature: f32) -> Option<ArcScores> {
        let words = self.arcs.words();
        let (posteriors, _) = match trees {
            Trees::Any => tree_marginals(&self.arcs, temperature)?,
            Trees::Projective => {
                let goal = self.projective.build(&self.arcs, &mut self.forest)?;
                self.forest.marginals(goal, words, temperature)
            }
            Trees::Packed(goal) | Trees::Beyond(goal) => self.forest.marginals(goal, words, temperature),
        };
        Some(posteriors)
    }
}

/// The table positions of all features of a part.
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
struct Parts<'a, T: ?Sized> {
    scoring: &'a Scoring<'a, T>,
    question: &'a Question<'a>,
    places: &'a mut Vec<u32>,
    /// The end of each part's table positions.
    ends: &'a mut Vec<u32>,
}

impl<T: Table + ?Sized> Parts<'_, T> {
    /// Finds the table positions of all features of all parts, and prefetches their weights.
    #[inline]
    fn ask(&mut self, parts: impl Iterator<Item = Part>) {
        let Scoring { values, bits, templates, .. } = *self.scoring;
        self.places.clear();
        self.ends.clear();
        for part in parts {
            let start = self.places.len();
            part_places(self.question.views, part, templates, bits, self.places);
            let places = &self.places[start..];
            match part {
                Part::Arc { .. } => values.ask(one_per_line(places)),
                _ => values.ask(places.iter().copied()),
            }
            self.ends.push(self.places.len() as u32);
        }
    }

    /// The same for an arc and all its neighbours, in the order of [`Around::parts`].
    #[inline]
    fn ask_around(&mut self, head: u32, modifier: u32, neighbourhood: &Around) {
        let arc = match neighbourhood.needs.arc {
            Need::Score => Some(Part::Arc { head, modifier }),
            Need::Nothing => None,
        };
        self.ask(arc.into_iter());
        let Scoring { values, bits, .. } = *self.scoring;
        let Self { places, ends, .. } = self;
        let mut start = places.len();
        around(self.question.views, head, modifier, neighbourhood, bits, places, |places| {
            values.ask(places[start..].iter().copied());
            start = places.len();
            ends.push(start as u32);
        });
    }

    /// The scores of the requested parts.
    #[inline]
    fn sums(&self) -> impl Iterator<Item = f32> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let places = &self.places[start..end as usize];
            start = end as usize;
            self.scoring.values.sum(places)
        })
    }

    fn one(&mut self, part: Part) -> f32 {
        self.ask([part].into_iter());
        self.scoring.values.sum(self.places)
    }
}

impl<T: Table + ?Sized> NeighbourScores for Parts<'_, T> {
    fn arc(&mut self, head: usize, modifier: usize) -> f32 {
        let score = self.one(Part::Arc { head: head as u32, modifier: modifier as u32 });
        score + self.question.extra(head, modifier)
    }

    fn end(&mut self, head: usize, last: Option<usize>, side: Side) -> f32 {
        self.one(Part::End { head: head as u32, last: last.unwrap_or(0) as u32, side })
    }

    fn around(&mut self, head: u32, modifier: u32, around: &mut Around) {
        // Without scores of grandparents they are not asked for.
        let above = match self.scoring.order {
            Order::Siblings => std::mem::take(&mut around.grandparents),
            Order::First | Order::Second => Vec::new(),
        };
        self.ask_around(head, modifier, around);
        around.take(self.sums());
        if self.scoring.order == Order::Siblings {
            around.of_grandparents.resize(above.len(), 0.0);
            around.of_both.resize(above.len() * around.siblings.len(), 0.0);
            around.grandparents = above;
        }
        if around.needs.arc == Need::Score {
            around.of_arc += self.question.extra(head as usize, modifier as usize);
        }
    }

    /// Trees are compared with each other alone where networks leave few candidates.
    fn common(&self) -> Need {
        if self.question.more.is_some() { Need::Nothing } else { Need::Score }
    }
}
