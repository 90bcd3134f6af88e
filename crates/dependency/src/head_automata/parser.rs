//! From a sentence to marginals of arcs, and from these to a tree.
//!
//! ```text
//! ŷ = argmax_y Σ_{(h,m) ∈ y} log µ(h,m)        (Luque et al. 2012, equation 14)
//! ```
//!
//! or the same with µ itself, whose maximum has the largest expected number of correct heads (Goodman 1996). Hidden
//! states learnt by the spectral method can give a sum over trees that is not positive: then the deterministic part of
//! the model gets more weight, and finally decides alone. They can also give single marginals that are not positive or
//! exceed one: these are clamped and counted.

use corpus::dependency::{DependencyTree, Head, RootRule};
use corpus::ids::Id;

use super::factors::{FactorTable, Unit};
use super::inside_outside::{Input, Outcome, Tables, run};
use super::lexical::Lexeme;
use super::model::HeadAutomata;
use super::operators::Operators;
use super::real::Real;
use super::symbols::SymbolId;
use super::viterbi::{self, Chart};
use crate::arcs::{ArcScores, DependencyParse, Eisner, Forest, ProjectiveForest, Word};

/// The objective that the tree maximises.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Objective {
    /// The sum of the logarithms of its arcs' marginals.
    #[default]
    LogMarginals,
    /// The sum of its arcs' marginals: the expected number of correct heads.
    Marginals,
    /// Its probability (Viterbi), for automata without hidden states ([`HeadAutomata::is_deterministic`]). With hidden states
    /// this maximum is intractable, and the tree is that of [`LogMarginals`](Self::LogMarginals).
    Probability,
}

/// Precision of the charts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Precision {
    /// Single precision; double where values leave its range or the marginals of a word do not sum to one.
    #[default]
    Single,
    /// Double precision.
    Double,
}

/// Configuration of a parser.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ParserConfig {
    /// The objective that the tree maximises.
    pub objective: Objective,
    /// Smaller marginals are raised to this.
    pub floor: f64,
    /// The precision of the charts.
    pub precision: Precision,
}

impl Default for ParserConfig {
    fn default() -> Self {
        Self { objective: Objective::default(), floor: 1e-6, precision: Precision::default() }
    }
}

/// The part of the model that decided.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Decider {
    /// All of it.
    Whole,
    /// All of it with DET+F ten times as heavy, as the sum over trees was not positive.
    Reinforced,
    /// The deterministic part, as even that did not make the sum positive.
    Deterministic,
    /// None, as no tree has positive probability: each word depends on the previous one.
    Chain,
    /// All of it, on pieces of a sentence of more than [`MAX_WORDS`] words; the roots of later pieces depend on that of
    /// the first.
    Pieces,
}

/// The marginals of a sentence.
#[derive(Clone, PartialEq, Debug)]
pub struct ArcMarginals {
    words: usize,
    /// `[head number · words + modifier]`, not clamped.
    pub(super) values: Vec<f64>,
    /// The part of the model that gave them.
    pub decider: Decider,
    /// The logarithm of the sum over all trees.
    pub log_partition: f64,
}

impl ArcMarginals {
    /// The number of words.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The marginal of the arc from a head number (0 is the root) to a word index, not clamped: it may be below 0 or
    /// above 1.
    pub fn get(&self, head: usize, modifier: usize) -> f64 {
        self.values[head * self.words + modifier]
    }
}

/// The tree of a sentence.
#[derive(Clone, PartialEq, Debug)]
pub struct Parse {
    /// The head of every word.
    pub heads: Vec<Head>,
    /// The marginal of every word's arc, between 0 and 1.
    pub confidences: Vec<f32>,
    /// The part of the model that decided.
    pub decider: Decider,
    /// Number of marginals that were not positive.
    pub floored: usize,
    /// The logarithm of the sum over all trees.
    pub log_partition: f64,
}

/// Scratch memory, reused between sentences.
#[derive(Clone, Default, Debug)]
pub struct Scratch {
    single: Tables<f32>,
    double: Tables<f64>,
    factors: FactorTable,
    symbols: Vec<SymbolId>,
    numbers: Vec<u32>,
    scales: Vec<f64>,
    lexemes: Vec<Lexeme>,
    marginals: Vec<f64>,
    scores: ArcScores,
    eisner: Eisner,
    forest: Forest,
    projective: ProjectiveForest,
    chart: Chart,
}

/// Parses with a model.
#[derive(Clone, Copy, Debug)]
pub struct Parser<'m> {
    model: &'m HeadAutomata,
    config: ParserConfig,
}

/// Longer sentences are parsed in pieces, as the memory of the chart grows with the square of the length.
pub const MAX_WORDS: usize = 400;

/// Maximum number of attempts to rescale values into range.
const RESCALINGS: usize = 20;

/// The same before single precision is abandoned.
const SINGLE_RESCALINGS: usize = 2;

/// Maximum deviation from one of the sum of a word's marginals in single precision.
const TOLERANCE: f64 = 1e-4;

impl<'m> Parser<'m> {
    /// Creates a parser with this configuration.
    pub fn new(model: &'m HeadAutomata, config: ParserConfig) -> Self {
        Self { model, config }
    }

    /// The marginals of all arcs. Memory grows with the square of the number of words; beyond [`MAX_WORDS`] use
    /// [`Parser::parse`].
    pub fn marginals(&self, words: &[Word<'_>], scratch: &mut Scratch) -> ArcMarginals {
        let (decider, log_partition) = self.infer(words, scratch);
        ArcMarginals {
            words: scratch.symbols.len(),
            values: scratch.marginals.clone(),
            decider,
            log_partition,
        }
    }

    /// The best tree.
    pub fn parse(&self, words: &[Word<'_>], scratch: &mut Scratch) -> Parse {
        if words.len() > MAX_WORDS {
            return self.parse_pieces(words, scratch);
        }
        let (decider, log_partition) = self.infer(words, scratch);
        let words = words.len();
        let floored = self.score(scratch);
        let mut heads = Vec::new();
        let found = match self.maximises_probability() {
            true => self.most_probable(scratch, &mut heads).is_some(),
            false => scratch.eisner.decode(&scratch.scores, RootRule::Single, &mut heads).is_some(),
        };
        let decider = if found { decider } else { Decider::Chain };
        if !found {
            heads = (0..words).map(|word| Head::from_number(word).unwrap_or(Head::ROOT)).collect();
        }
        let confidence = |(word, head): (usize, &Head)| {
            scratch.marginals.get(head.number() * words + word).map_or(0.0, |p| p.clamp(0.0, 1.0) as f32)
        };
        let confidences = heads.iter().enumerate().map(confidence).collect();
        Parse { heads, confidences, decider, floored, log_partition }
    }

    /// Parses a long sentence in pieces, attached to the root of the first piece.
    fn parse_pieces(&self, words: &[Word<'_>], scratch: &mut Scratch) -> Parse {
        let mut whole = Parse {
            heads: Vec::with_capacity(words.len()),
            confidences: Vec::with_capacity(words.len()),
            decider: Decider::Pieces,
            floored: 0,
            log_partition: 0.0,
        };
        let mut top = Head::ROOT;
        for piece in words.chunks(MAX_WORDS) {
            let (start, parse) = (whole.heads.len(), self.parse(piece, scratch));
            let root =
                parse.heads.iter().position(|head| head.is_root()).and_then(|at| Head::word(start + at));
            whole.heads.extend(parse.heads.iter().map(|head| match head.index() {
                None => top,
                Some(head) => Head::word(start + head).unwrap_or(top),
            }));
            if start == 0 {
                top = root.unwrap_or(Head::ROOT);
            }
            whole.confidences.extend(parse.confidences);
            whole.floored += parse.floored;
            whole.log_partition += parse.log_partition;
        }
        self.model.symbols.encode(words, &mut scratch.symbols);
        whole
    }

    /// The `k` best different trees by the same objective, best first; none for an empty sentence, and one for
    /// [`Objective::Probability`]. Confidences are marginals of arcs.
    pub fn parse_best(&self, words: &[Word<'_>], k: usize, scratch: &mut Scratch) -> Vec<DependencyParse> {
        if words.is_empty() {
            return Vec::new();
        }
        if words.len() > MAX_WORDS {
            let Parse { heads, confidences, .. } = self.parse_pieces(words, scratch);
            let score = confidences.iter().map(|p| f64::from(*p).max(self.config.floor).ln()).sum();
            let label =
                |(word, head): (usize, &Head)| self.model.labels.of_arc(&scratch.symbols, *head, word);
            let labels = heads.iter().enumerate().map(label).collect();
            return vec![DependencyParse { heads, labels, score, confidences }];
        }
        let mut trees = Vec::new();
        if k > 1 && !self.maximises_probability() {
            self.infer(words, scratch);
            self.score(scratch);
            if let Some(goal) = scratch.projective.build(&scratch.scores, &mut scratch.forest) {
                trees = scratch.forest.k_best(goal, words.len(), k);
            }
        }
        if trees.is_empty() {
            let heads = self.parse(words, scratch).heads;
            let score = match self.maximises_probability() {
                true => DependencyTree::new(heads.clone(), RootRule::Single)
                    .ok()
                    .and_then(|tree| self.model.tree_score(words, &tree))
                    .map_or(f64::NEG_INFINITY, |score| score.log),
                false => scratch.scores.of_tree(&heads),
            };
            trees.push((heads, score));
        }
        let labelled = trees.into_iter().map(|(heads, score)| {
            let arcs = || heads.iter().enumerate();
            let label =
                |(word, head): (usize, &Head)| self.model.labels.of_arc(&scratch.symbols, *head, word);
            let labels = arcs().map(label).collect();
            let marginal = |(word, head): (usize, &Head)| {
                scratch.marginals[head.number() * words.len() + word].clamp(0.0, 1.0) as f32
            };
            let confidences = arcs().map(marginal).collect();
            DependencyParse { heads, labels, score, confidences }
        });
        labelled.collect()
    }

    /// The model.
    pub fn model(&self) -> &'m HeadAutomata {
        self.model
    }

    /// The arc scores that the tree maximises, for other searches.
    pub fn arc_scores<'s>(&self, words: &[Word<'_>], scratch: &'s mut Scratch) -> &'s ArcScores {
        self.infer(words, scratch);
        self.score(scratch);
        &scratch.scores
    }

    fn maximises_probability(&self) -> bool {
        self.config.objective == Objective::Probability && self.model.is_deterministic()
    }

    /// Writes the heads of the most probable tree of the sentence that `infer` has seen, and returns its score.
    fn most_probable(&self, scratch: &mut Scratch, heads: &mut Vec<Head>) -> Option<f64> {
        if self.model.lexical.is_none() {
            scratch.factors.reset(scratch.symbols.len());
        }
        let Scratch { chart, factors, numbers: symbols, .. } = scratch;
        chart.decode(viterbi::Sentence { operators: &self.model.operators, symbols, factors }, heads)
    }

    /// Scores from marginals; returns how many were not positive.
    fn score(&self, scratch: &mut Scratch) -> usize {
        let words = scratch.symbols.len();
        scratch.scores.reset(words);
        let mut floored = 0;
        let of = |p: f64| match self.config.objective {
            Objective::LogMarginals | Objective::Probability => p.ln() as f32,
            Objective::Marginals => p as f32,
        };
        let floor = of(self.config.floor);
        for head in 0..=words {
            let row = scratch.scores.of_head_mut(head);
            for (modifier, (score, &p)) in
                row.iter_mut().zip(&scratch.marginals[head * words..][..words]).enumerate()
            {
                if modifier + 1 == head {
                    continue;
                }
                floored += usize::from(p <= 0.0);
                *score = if p > self.config.floor { of(p.min(1.0)) } else { floor };
            }
        }
        floored
    }

    /// Writes marginals to `scratch.marginals`.
    fn infer(&self, words: &[Word<'_>], scratch: &mut Scratch) -> (Decider, f64) {
        let model = self.model;
        model.symbols.encode(words, &mut scratch.symbols);
        scratch.marginals.clear();
        scratch.marginals.resize((words.len() + 1) * words.len(), 0.0);
        if words.is_empty() {
            return (Decider::Chain, 0.0);
        }
        scratch.numbers.clear();
        scratch.numbers.extend(scratch.symbols.iter().map(|symbol| symbol.index() as u32));
        let mut left_out = 0.0;
        if let Some((lexical, weights)) = &model.lexical {
            lexical.encode(words, &mut scratch.lexemes);
            left_out = lexical.fill(&scratch.lexemes, *weights, &mut scratch.factors);
        }
        if self.config.precision == Precision::Single {
            let mut tables = std::mem::take(&mut scratch.single);
            let found = self.decide(&model.single, Precision::Single, &mut tables, scratch);
            scratch.single = tables;
            if let Some((decider, log_partition)) = found
                && adds_up(&scratch.marginals, words.len())
            {
                return (decider, log_partition + left_out);
            }
        }
        let mut tables = std::mem::take(&mut scratch.double);
        let found = self.decide(&model.operators, Precision::Double, &mut tables, scratch);
        scratch.double = tables;
        match found {
            Some((decider, log_partition)) => (decider, log_partition + left_out),
            None => {
                scratch.marginals.fill(0.0);
                (Decider::Chain, f64::NEG_INFINITY)
            }
        }
    }

    /// Marginals under the whole model, or the part of it that gives a positive sum over trees; `None` if there is none
    /// or single precision is not enough.
    fn decide<T: Real>(
        &self,
        operators: &Operators<T>,
        precision: Precision,
        tables: &mut Tables<T>,
        scratch: &mut Scratch,
    ) -> Option<(Decider, f64)> {
        for (initial, decider) in [
            (&operators.initial, Decider::Whole),
            (&operators.initial_reinforced, Decider::Reinforced),
            (&operators.initial_deterministic, Decider::Deterministic),
        ] {
            match (self.sum(operators, initial, precision, tables, scratch), precision) {
                (Sum::Positive(log), _) => return Some((decider, log)),
                (Sum::Unknown, Precision::Single) => return None,
                (Sum::Negative | Sum::Unknown, _) => {}
            }
        }
        None
    }

    /// Runs inside–outside, rescaling until values stay in range.
    fn sum<T: Real>(
        &self,
        operators: &Operators<T>,
        initial: &[T],
        precision: Precision,
        tables: &mut Tables<T>,
        scratch: &mut Scratch,
    ) -> Sum {
        let model = self.model;
        scratch.scales.clear();
        scratch.scales.extend(scratch.numbers.iter().map(|&symbol| model.scales[symbol as usize]));
        let mut common = 1.0_f64;
        let rescalings = match precision {
            Precision::Single => SINGLE_RESCALINGS,
            Precision::Double => RESCALINGS,
        };
        for _ in 0..rescalings {
            let input = Input { operators, initial, symbols: &scratch.numbers, scales: &scratch.scales };
            let marginals = &mut scratch.marginals;
            let outcome = match &model.lexical {
                None => run::<T, 1, Unit>(input, &Unit, tables, marginals),
                Some((lexical, _)) if lexical.classes() == 1 => {
                    run::<T, 1, FactorTable>(input, &scratch.factors, tables, marginals)
                }
                Some(_) => run::<T, 3, FactorTable>(input, &scratch.factors, tables, marginals),
            };
            match outcome {
                Outcome::Positive(z) => {
                    let scaled: f64 = scratch.scales.iter().map(|scale| scale.ln()).sum();
                    return Sum::Positive(z.ln() - scaled);
                }
                Outcome::Hopeless(z) if z < 0.0 => return Sum::Negative,
                Outcome::Hopeless(_) => return Sum::Unknown,
                Outcome::Rescale(factor) => {
                    let factor = factor.clamp(1e-60, 1e60);
                    common *= factor;
                    if !(common.is_finite() && common > 0.0) {
                        return Sum::Unknown;
                    }
                    scratch.scales.iter_mut().for_each(|scale| *scale *= factor);
                }
            }
        }
        Sum::Unknown
    }
}

/// The sum over all trees of a sentence.
enum Sum {
    /// Its logarithm.
    Positive(f64),
    Negative,
    /// It is zero, or values left their range.
    Unknown,
}

/// Whether the marginals of every word sum to one.
fn adds_up(marginals: &[f64], words: usize) -> bool {
    let mut sums = vec![0.0; words];
    for row in marginals.chunks_exact(words) {
        sums.iter_mut().zip(row).for_each(|(sum, marginal)| *sum += marginal);
    }
    sums.iter().all(|sum| (sum - 1.0).abs() <= TOLERANCE)
}
