//! Marginals of a PCFG: its confidence `µ(a,i,j) = α(a,i,j) β(a,i,j) / Z` in each label over each span.

use super::parser::{Outcome, Parse, Parser, Scope, Scratch};
use crate::chart::Semiring;
use crate::lexicon::Observation;
use crate::marginals::{MarginalSums, Marginals};
use models::signed_log::SignedLog;

/// Everything below phrases with a smaller posterior is ignored.
const NEGLIGIBLE: f32 = 1e-6;

impl Parser<'_> {
    /// Like [`parse_best`](Self::parse_best), with the grammar's confidence in every label over every span; `None` if
    /// it does not derive the sentence. The confidences do not depend on the decoding objective.
    ///
    /// ```
    /// use corpus::synthetic::{english, sample_treebank};
    /// use models::learn::{Learner, Silent};
    /// use eigentree_grammars::lexicon::Observation;
    /// use eigentree_grammars::pcfg::{Parser, ParserConfig, PcfgLearner, Scratch};
    /// let trees = sample_treebank(english(), 300, 1).expect("the embedded grammar is sound");
    /// let model = PcfgLearner::default().learn(trees.as_slice(), &mut Silent)?.model;
    /// let parser = Parser::new(&model, ParserConfig::default());
    /// let sentence = ["the", "dog", "saw", "a", "cat", "."].map(Observation::Word);
    /// let (parses, marginals) = parser.parse_with_marginals(&sentence, 1, &mut Scratch::default());
    /// let marginals = marginals.expect("the grammar derives it");
    /// assert!(marginals.get("NP", 0, 2) > 0.9);
    /// assert!(marginals.of_tree(&parses[0].tree).len() > 12);
    /// # Ok::<(), models::learn::LearnError>(())
    /// ```
    pub fn parse_with_marginals(
        &self,
        sentence: &[Observation<'_>],
        k: usize,
        scratch: &mut Scratch,
    ) -> (Vec<Parse>, Option<Marginals>) {
        let parses = self.parse_best(sentence, k, scratch);
        let parsed = parses.first().is_some_and(|parse| parse.outcome == Outcome::Parsed);
        let marginals = if parsed { self.marginals(sentence, scratch) } else { None };
        (parses, marginals)
    }

    /// The marginals of the first pruning attempt that has a tree. Emissions must be present.
    fn marginals(&self, sentence: &[Observation<'_>], scratch: &mut Scratch) -> Option<Marginals> {
        let model = self.model;
        for &pruning in self.attempts(sentence.len()) {
            let scope = self.prune(pruning, scratch);
            if scope == Scope::Nothing {
                return None;
            }
            let Scratch { fine: chart, words, mask, .. } = scratch;
            let inside = chart.inside(&model.fine, words, scope.allowed(mask, model), Semiring::Sum);
            let Some(log) = inside else { continue };
            chart.outside(&model.fine, words, NEGLIGIBLE);
            let phrases = model.symbols.phrases();
            let n = sentence.len();
            let mut items: Vec<((u32, u32, u32), f32)> = Vec::new();
            let mut put = |symbol: usize, start: usize, end: usize, posterior: f32| {
                if posterior > 0.0 {
                    items.push(((symbol as u32, start as u32, end as u32), posterior));
                }
            };
            for start in 0..n {
                for (tag, posterior) in chart.tag_posteriors(words, start) {
                    put(phrases + tag, start, start + 1, posterior);
                }
                for end in start + 2..=n {
                    (0..phrases)
                        .for_each(|phrase| put(phrase, start, end, chart.posterior(phrase, start, end)));
                }
            }
            let mut sums = MarginalSums::default();
            sums.add(&model.symbols, sentence, items.into_iter(), SignedLog { sign: 1, log });
            return sums.finish();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use corpus::synthetic::{english, sample_treebank};

    use super::super::{ParserConfig, PcfgLearner, Pruning};
    use super::*;
    use models::learn::{Learner, Silent};

    /// The marginals must equal those computed from the list of all trees with their probabilities.
    #[test]
    fn marginals_are_shares_of_all_trees() {
        const ALL: usize = 4000;
        let trees = sample_treebank(english(), 1300, 3).unwrap();
        let model = PcfgLearner::default().learn(&trees[..300], &mut Silent).unwrap().model;
        let config = ParserConfig { pruning: Pruning::None, ..ParserConfig::default() };
        let parser = Parser::new(&model, config);
        let mut scratch = Scratch::default();
        let (mut sentences, mut uncertain) = (0, 0);
        for gold in trees[300..].iter().filter(|tree| tree.word_count() <= 8) {
            let sentence: Vec<Observation<'_>> = gold
                .preterminals()
                .zip(gold.words())
                .map(|(tag, word)| Observation::Tagged(word, tag.label()))
                .collect();
            let (parses, marginals) = parser.parse_with_marginals(&sentence, ALL, &mut scratch);
            let Some(marginals) = marginals else { continue };
            if parses.len() == ALL {
                continue;
            }
            let total: f64 = parses.iter().map(|parse| parse.log_probability.exp()).sum();
            let mut expected: BTreeMap<(usize, usize, String), f64> = BTreeMap::new();
            for parse in &parses {
                let nodes = parse.tree.nodes().skip(1).filter(|node| !node.is_word());
                let labels: BTreeSet<(usize, usize, String)> =
                    nodes.map(|node| (node.span().start, node.span().end, node.label().to_owned())).collect();
                for key in labels {
                    *expected.entry(key).or_default() += parse.log_probability.exp() / total;
                }
            }
            for ((start, end, label), share) in &expected {
                let found = f64::from(marginals.get(label, *start, *end));
                assert!((found - share).abs() < 1e-3, "{label} {start}..{end}: {found} for {share}, {gold}");
                uncertain += usize::from((0.01..0.99).contains(share));
            }
            let told = marginals.above(1e-2).count();
            assert!(told <= expected.len(), "{told} of {}: {gold}", expected.len());
            let log = marginals.partitions()[0].log;
            assert!((log - total.ln()).abs() < 1e-2, "{log} for {}", total.ln());
            sentences += 1;
        }
        assert!(sentences > 20 && uncertain > 20, "{sentences} sentences, {uncertain} uncertain labels");
    }

    #[test]
    fn what_is_not_derived_has_no_marginals() {
        let trees = sample_treebank(english(), 50, 3).unwrap();
        let model = PcfgLearner::default().learn(trees.as_slice(), &mut Silent).unwrap().model;
        let parser = Parser::new(&model, ParserConfig::default());
        let mut scratch = Scratch::default();
        let commas = [Observation::Tagged(",", ","); 3];
        let (parses, marginals) = parser.parse_with_marginals(&commas, 1, &mut scratch);
        assert!(parses[0].outcome == Outcome::Fallback && marginals.is_none());
        assert_eq!(parser.parse_with_marginals(&[], 1, &mut scratch), (Vec::new(), None));
    }
}
