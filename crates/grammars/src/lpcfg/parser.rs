//! Parses a sentence: pruning by the grammar, posteriors of all members, decoding.

use corpus::tree::Tree;

use hashbrown::HashMap;

use super::config::{Decoding, ParserConfig, Signs};
use super::inference::LatentChart;
use super::model::Lpcfg;
use super::parameters::Parameters;
use super::span_choice::SpanChoice;
use super::tree_score::geometric_mean;
use super::words::{Classes, WordVectors, find_known};
use super::{decode, kbest};
use crate::chart::Forest;
use crate::lexicon::Observation;
use crate::marginals::{MarginalSums, Marginals};
use crate::pcfg::{self, Outcome, Parse, Pruner};
use crate::spans::{self, Judgement, SymbolName};
use models::signed_log::SignedLog;

/// Scratch memory for parsing: one per thread, reused between sentences.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(super) pcfg: pcfg::Scratch,
    pub(super) forest: Forest,
    /// Memory for the forest that a sketch leaves.
    pruned: Forest,
    pub(super) chart: LatentChart,
    /// Sums over the members of posteriors or of their logarithms.
    pub(super) rules: Vec<f32>,
    pub(super) items: Vec<f32>,
    pub(super) best: Vec<f32>,
    /// Votes of companions on a symbol over a span, and so on each item; empty without companions.
    votes: HashMap<(u32, u32, u32), f32, foldhash::fast::FixedState>,
    pub(super) extra: Vec<f32>,
    pub(super) known: Vec<Option<usize>>,
    /// Marginals of spans summed over members, if requested.
    pub(super) marginals: Option<MarginalSums>,
    pub(super) spans: spans::Scratch,
    /// Z of the last sentence: the geometric mean over the members of the first grammar.
    pub(super) partition: SignedLog,
    /// Number of sentences whose Z was negative under some member.
    pub negative: u64,
}

/// A decoder for a model. It is cheap to create and can be shared by threads.
#[derive(Clone, Debug)]
pub struct Parser<'m> {
    pub(super) model: &'m Lpcfg,
    pub(super) config: ParserConfig,
    base: pcfg::Parser<'m>,
    /// One per grammar.
    pub(super) pruners: Vec<Pruner<'m>>,
    spans: Option<SpanChoice<'m>>,
}

impl<'m> Parser<'m> {
    /// Creates a parser for `model`.
    pub fn new(model: &'m Lpcfg, config: ParserConfig) -> Self {
        let config = if model.spans.is_some() { config.below_spans() } else { config };
        let base = pcfg::Parser::new(model.grammar(), config.base.clone());
        let pruner = config.pruner(model.members());
        let pruners = model.grammars.iter().map(|refined| Pruner::new(&refined.grammar, pruner)).collect();
        Self { model, config, base, pruners, spans: SpanChoice::new(model) }
    }

    /// The model.
    pub fn model(&self) -> &'m Lpcfg {
        self.model
    }

    /// The configuration.
    pub fn config(&self) -> &ParserConfig {
        &self.config
    }

    /// The best tree. Every sentence of at least one word gets a tree; `None` for an empty sentence.
    pub fn parse(&self, sentence: &[Observation<'_>], scratch: &mut Scratch) -> Option<Parse> {
        self.parse_best(sentence, 1, scratch).into_iter().next()
    }

    /// The `k` best different trees, best first; at least one for a sentence with words.
    ///
    /// Given tags that no tree of the grammar agrees with are kept in the trees but do not affect their choice.
    ///
    /// Their log-probability is that of the sentence; for an ensemble the mean over the members of the first grammar, which is
    /// the logarithm of a geometric mean.
    ///
    /// With `k` above 1 trees are ranked by the product of rule posteriors, whatever the objective. Their score is then
    /// its logarithm (the geometric mean over members) instead of the log-probability of the sentence.
    ///
    /// A span model chooses the tree with the most expected brackets, whatever the objective. With `k` above 1 it ranks
    /// trees by their probability given the sentence, which is then their score.
    pub fn parse_best(&self, sentence: &[Observation<'_>], k: usize, scratch: &mut Scratch) -> Vec<Parse> {
        let decoding =
            if k > 1 || self.spans.is_some() { Decoding::RuleProduct } else { self.config.decoding };
        let mut members = 0;
        if sentence.len() <= self.config.base.max_words {
            members = self.vote_all(sentence, decoding, scratch);
            if members == 0 && sentence.iter().any(|observed| matches!(observed, Observation::Tagged(..))) {
                // The grammar has no tree with these tags. They stay in the output, and the words decide.
                let words: Vec<Observation<'_>> = sentence.iter().map(without_tag).collect();
                members = self.vote_all(&words, decoding, scratch);
            }
        }
        let refined = &self.model.grammars[0];
        let parses = match (members, k, &self.spans) {
            (0, ..) | (_, 0, _) => Vec::new(),
            (_, _, Some(spans)) => spans.best_trees(self.model, sentence, k, members, scratch),
            (_, 1, None) => decode::best_tree(refined, sentence, decoding, scratch)
                .map(|tree| Parse {
                    tree: refined.grammar.restore(tree),
                    log_probability: scratch.partition.log,
                    sign: scratch.partition.sign,
                    outcome: Outcome::Parsed,
                })
                .into_iter()
                .collect(),
            _ => kbest::best_trees(refined, sentence, k, members, scratch),
        };
        if parses.is_empty() { self.base.parse_best(sentence, k, &mut scratch.pcfg) } else { parses }
    }

    /// The best tree in the normal form of the first grammar, for [`Lpcfg::node_states`]; `None` if the members derive none.
    pub fn parse_normal_form(&self, sentence: &[Observation<'_>], scratch: &mut Scratch) -> Option<Tree> {
        let fits = sentence.len() <= self.config.base.max_words;
        if !fits || self.vote_all(sentence, self.config.decoding, scratch) == 0 {
            return None;
        }
        decode::best_tree(&self.model.grammars[0], sentence, self.config.decoding, scratch)
    }

    /// Like [`parse_best`](Self::parse_best), with the members' confidence in every label over every span; `None` if
    /// the grammar without states had to parse alone.
    pub fn parse_with_marginals(
        &self,
        sentence: &[Observation<'_>],
        k: usize,
        scratch: &mut Scratch,
    ) -> (Vec<Parse>, Option<Marginals>) {
        scratch.marginals = Some(MarginalSums::default());
        let parses = self.parse_best(sentence, k, scratch);
        let marginals = scratch.marginals.take().and_then(MarginalSums::finish);
        (parses, marginals)
    }

    /// The members' confidence in every label over every span.
    pub fn marginals(&self, sentence: &[Observation<'_>], scratch: &mut Scratch) -> Option<Marginals> {
        self.parse_with_marginals(sentence, 1, scratch).1
    }

    /// Scores all rule applications; returns the number of members of the first grammar that had posteriors.
    fn vote_all(&self, sentence: &[Observation<'_>], decoding: Decoding, scratch: &mut Scratch) -> usize {
        scratch.votes.clear();
        scratch.extra.clear();
        let mut voters = 0;
        for at in 1..self.model.grammars.len() {
            voters += self.vote(at, sentence, decoding, scratch);
        }
        let members = self.posteriors(0, sentence, decoding, scratch);
        if members > 0 && voters > 0 {
            scratch.count_votes();
        }
        members
    }

    /// What the grammars say about the trees of a sentence; `None` if they have none.
    pub(super) fn judgement<'s>(
        &self,
        sentence: &[Observation<'_>],
        names: &'s [SymbolName],
        scratch: &'s mut Scratch,
    ) -> Option<Judgement<'s>> {
        if sentence.len() > self.config.base.max_words {
            return None;
        }
        let members = self.vote_all(sentence, Decoding::RuleProduct, scratch);
        (members > 0).then(|| scratch.judgement(members, names))
    }

    /// Lets the members of a companion grammar vote on constituents; returns how many did.
    fn vote(
        &self,
        at: usize,
        sentence: &[Observation<'_>],
        decoding: Decoding,
        scratch: &mut Scratch,
    ) -> usize {
        let voters = self.posteriors(at, sentence, decoding, scratch);
        if voters > 0 {
            let counterparts = &self.model.grammars[at].counterparts;
            // Constituents missing from this grammar get the smallest posterior that counts; votes are relative to it.
            let least = match decoding {
                Decoding::RuleSum | Decoding::ConstituentSum => 0.0,
                Decoding::RuleProduct => voters as f32 * self.config.least_vote.ln(),
            };
            for (item, &score) in scratch.forest.items().iter().zip(&scratch.items) {
                if let Some(symbol) = counterparts[item.symbol as usize] {
                    let more = (score - least).max(0.0);
                    *scratch.votes.entry((symbol, item.start, item.end)).or_insert(0.0) += more;
                }
            }
        }
        voters
    }

    /// Prunes with a grammar and adds up the posteriors of its members; returns how many members had any.
    pub(super) fn posteriors(
        &self,
        at: usize,
        sentence: &[Observation<'_>],
        decoding: Decoding,
        scratch: &mut Scratch,
    ) -> usize {
        let refined = &self.model.grammars[at];
        if self.pruners[at].prune(sentence, &mut scratch.pcfg, &mut scratch.forest).is_none() {
            return 0;
        }
        let Scratch { pcfg, forest, pruned, chart, rules, items, known, marginals, .. } = scratch;
        let lexicon = refined.grammar.lexicon();
        find_known(lexicon, sentence, known);
        let phrases = refined.grammar.symbols().phrases();
        let words = pcfg.words();
        let run = |chart: &mut LatentChart,
                   parameters: &Parameters<f32>,
                   member: &Parameters<f32>,
                   forest: &Forest| {
            let mut vectors =
                WordVectors { member, words, known, phrases, classes: Classes::new(member, sentence) };
            chart.run(parameters, forest, |at, vector| vectors.write(forest, at, vector))
        };
        if let Some(sketch) = &refined.sketch
            && run(chart, &sketch.parameters, &refined.members[0], forest)
        {
            // Negative values say as much as positive ones.
            chart.rules.iter_mut().for_each(|posterior| *posterior = posterior.abs());
            forest.prune(&chart.rules, self.config.sketch_threshold, pruned);
        }
        rules.clear();
        rules.resize(forest.all_splits().len(), 0.0);
        items.clear();
        items.resize(forest.items().len(), 0.0);
        let (mut count, mut partitions) = (0, Vec::with_capacity(refined.members.len()));
        for member in &refined.members {
            if !run(chart, member, member, forest) {
                continue;
            }
            count += 1;
            partitions.push(chart.signed_partition());
            if let Some(marginals) = marginals {
                let items = forest.items().iter().zip(&chart.items);
                let items = items.map(|(item, &posterior)| ((item.symbol, item.start, item.end), posterior));
                marginals.add(refined.grammar.symbols(), sentence, items, chart.signed_partition());
            }
            // Posteriors were divided by the signed Z: this removes its sign again.
            let sign = if chart.is_negative() { -1.0 } else { 1.0 };
            let signs = self.config.signs;
            let value = |posterior: f32| match signs {
                Signs::Mended => posterior.abs(),
                Signs::Kept => posterior * sign,
            };
            let add = |sum: &mut f32, posterior: f32| match decoding {
                Decoding::RuleSum | Decoding::ConstituentSum => *sum += value(posterior),
                Decoding::RuleProduct => *sum += value(posterior).max(FLOOR).ln(),
            };
            // What counts are rules and preterminals, or all constituents and no rules.
            if decoding != Decoding::ConstituentSum {
                rules.iter_mut().zip(&chart.rules).for_each(|(sum, &posterior)| add(sum, posterior));
            }
            items.iter_mut().zip(&chart.items).for_each(|(sum, &posterior)| add(sum, posterior));
        }
        scratch.partition = geometric_mean(&partitions);
        scratch.negative += u64::from(scratch.partition.sign < 0);
        count
    }
}

impl Scratch {
    /// Adds the companions' votes to the items of the first grammar's forest.
    fn count_votes(&mut self) {
        self.extra.clear();
        for item in self.forest.items() {
            let votes = self.votes.get(&(item.symbol, item.start, item.end)).copied().unwrap_or(0.0);
            self.extra.push(votes);
        }
    }
}

/// The observation without its tag.
fn without_tag<'s>(observed: &Observation<'s>) -> Observation<'s> {
    match *observed {
        Observation::Tagged(word, _) => Observation::Word(word),
        other => other,
    }
}

/// Lower bound of a posterior in a product: one member alone must not forbid a tree.
pub(super) const FLOOR: f32 = 1e-9;
