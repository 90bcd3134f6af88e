//! Probabilities with back-off.

use corpus::dependency::Direction;

use super::super::config::Geometry;
use super::super::geometry::{Landscape, OUTCOMES};
use super::Lexical;
use super::contexts::{CLUSTER_LEVELS, Level, NEIGHBOUR_LEVELS, NONE, PLACE_LEVELS, context};
use super::lexemes::Lexeme;

/// Probability of a cluster that was never seen with a tag.
const UNSEEN_CLUSTER: f64 = 1e-3;

impl Lexical {
    /// `(c(context, outcome) + κu · below) / (c(context) + κu)`.
    fn back_off(&self, context: Option<u32>, outcome: u32, below: f64) -> f64 {
        let Some(id) = context else { return below };
        let seen = self.seen[id as usize];
        let weight = self.diversity * f64::from(seen.different);
        let count = self.events.get(&(id, outcome)).map_or(0.0, |&count| f64::from(count));
        (count + weight * below) / (f64::from(seen.total) + weight)
    }

    fn find(
        &self,
        level: Level,
        direction: Direction,
        state: usize,
        head: Option<Lexeme>,
        tag: u32,
    ) -> Option<u32> {
        self.contexts.get(&context(level, direction, state, head, tag)).copied()
    }

    /// `P_A` of a tag or of STOP.
    pub(super) fn tag_probability(&self, contexts: [Option<u32>; 3], tag: u32) -> f64 {
        let uniform = 1.0 / (self.tags.len() + 2) as f64;
        contexts.iter().rev().fold(uniform, |below, &context| self.back_off(context, tag, below))
    }

    /// `P_C` of the cluster of a modifier, in units of its probability given only the tag; one without clusters.
    pub(super) fn cluster_ratio(&self, direction: Direction, head: Option<Lexeme>, modifier: Lexeme) -> f64 {
        if self.clusters.is_none() {
            return 1.0;
        }
        let find = |level: Level| self.find(level, direction, 0, head, modifier.tag);
        let alone = self.back_off(find(Level::ClusterAlone), modifier.cluster, UNSEEN_CLUSTER);
        let fold = |below: f64, level: Level| self.back_off(find(level), modifier.cluster, below);
        CLUSTER_LEVELS.into_iter().rev().fold(alone, fold) / alone
    }

    /// `P_B` of a word. `alone` is its probability given only its tag.
    pub(super) fn word_probability(
        &self,
        (direction, state): (Direction, usize),
        head: Option<Lexeme>,
        modifier: Lexeme,
        alone: f64,
    ) -> f64 {
        let fine = self.find(Level::WordFine, direction, state, head, modifier.tag);
        let coarse = self.find(Level::WordCoarse, direction, state, head, modifier.tag);
        self.back_off(fine, modifier.word, self.back_off(coarse, modifier.word, alone))
    }

    pub(super) fn tag_contexts(
        &self,
        direction: Direction,
        state: usize,
        head: Option<Lexeme>,
    ) -> [Option<u32>; 3] {
        [Level::TagFine, Level::TagCluster, Level::TagCoarse]
            .map(|level| self.find(level, direction, state, head, NONE))
    }

    /// `P_B` given only the tag.
    pub(super) fn alone(&self, lexeme: Lexeme) -> f64 {
        let uniform = 1.0 / (self.words.len() + 1) as f64;
        let context = self.find(Level::WordAlone, Direction::Left, 0, None, lexeme.tag);
        self.back_off(context, lexeme.word, uniform)
    }

    /// `P_A` and `P_B` of a modifier, or those of STOP.
    pub(super) fn probabilities(
        &self,
        direction: Direction,
        state: usize,
        head: Option<Lexeme>,
        modifier: Option<Lexeme>,
    ) -> [f64; 2] {
        let contexts = self.tag_contexts(direction, state, head);
        match modifier {
            None => [self.tag_probability(contexts, self.stop()), 1.0],
            Some(modifier) => {
                let alone = self.alone(modifier);
                let word = self.word_probability((direction, state), head, modifier, alone);
                [self.tag_probability(contexts, modifier.tag), word]
            }
        }
    }

    /// The probabilities of the place of an arc and of the words beside it; ones if positions do not count.
    pub(super) fn place_probabilities(
        &self,
        landscape: &Landscape,
        lexemes: &[Lexeme],
        head: usize,
        modifier: usize,
    ) -> [f64; 2] {
        if self.geometry == Geometry::Ignore {
            return [1.0; 2];
        }
        let direction = if modifier < head { Direction::Left } else { Direction::Right };
        let probability = |levels: [Level; 2], outcome: u32, outcomes: f64| {
            let find =
                |level: Level| self.find(level, direction, 0, Some(lexemes[head]), lexemes[modifier].tag);
            let fold = |below: f64, level: Level| self.back_off(find(level), outcome, below);
            levels.into_iter().rev().fold(1.0 / outcomes, fold)
        };
        let between = landscape.between(head, modifier);
        let beside = self.neighbours(lexemes, head, modifier);
        let pairs = ((self.tags.len() + 2) as f64).powi(2);
        [
            probability(PLACE_LEVELS, between, f64::from(OUTCOMES)),
            probability(NEIGHBOUR_LEVELS, beside, pairs),
        ]
    }

    /// The coarse tags of the words beyond the two ends of an arc, first that behind the head, as one number.
    pub(super) fn neighbours(&self, lexemes: &[Lexeme], head: usize, modifier: usize) -> u32 {
        // Files are not trusted to have few tags.
        let sides = (self.tags.len() as u32).wrapping_add(2);
        let coarse = |word: Option<usize>| {
            word.and_then(|word| lexemes.get(word)).map_or(sides.wrapping_sub(1), |lexeme| lexeme.coarse)
        };
        let (before, after) =
            (|word: usize| coarse(word.checked_sub(1)), |word: usize| coarse(Some(word + 1)));
        match modifier < head {
            true => after(head).wrapping_mul(sides).wrapping_add(before(modifier)),
            false => before(head).wrapping_mul(sides).wrapping_add(after(modifier)),
        }
    }
}
