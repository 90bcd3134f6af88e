//! The enlarged rule table.

use corpus::ids::Id;
use hashbrown::HashMap;

use super::config::{Discount, SiblingSmoothing};
use super::labels::{Labels, Plain, Side, Steps, Top};
use super::steps::StepModel;
use crate::grammar::{BinaryRule, RuleTable, SymbolId, SymbolTable};

/// The rules of a treebank and the new ones derived from them.
#[derive(Clone, PartialEq, Debug)]
pub struct SmoothedRules {
    /// All rules.
    pub table: RuleTable,
    /// The treebank count of each rule: zero for a new rule.
    pub counts: Vec<f64>,
    /// The expected count of each rule. For each parent they have the same sum as the counts, and their relative
    /// frequencies are the smoothed probabilities.
    pub expected: Vec<f64>,
}

impl SmoothedRules {
    /// The rules as they were counted.
    pub fn unsmoothed(table: RuleTable, counts: Vec<f64>) -> Self {
        Self { table, expected: counts.clone(), counts }
    }
}

/// Totals over the rules of one parent.
#[derive(Clone, Copy, Default)]
struct Parent {
    total: f64,
    types: f64,
}

/// A smoothed estimate of `p(rule | parent)` for any rule over known symbols.
pub(super) struct RuleEstimates<'l> {
    labels: &'l Labels<'l>,
    model: StepModel<'l>,
    discount: Discount,
    parents: Vec<Parent>,
    side: Side,
}

impl<'l> RuleEstimates<'l> {
    pub(super) fn new(
        labels: &'l Labels<'l>,
        config: &SiblingSmoothing,
        symbols: usize,
        table: &RuleTable,
        counts: &[f64],
    ) -> Self {
        let mut parents = vec![Parent::default(); symbols];
        let side = labels.usual_side(table.rules());
        let mut model = StepModel::new(labels, config);
        for (&rule, &count) in table.rules().iter().zip(counts).filter(|&(_, &count)| count > 0.0) {
            let parent = &mut parents[rule.parent.index()];
            parent.total += count;
            parent.types += 1.0;
            if let Some(steps) = labels.steps(rule, side) {
                model.observe(rule.parent, steps, count);
            }
        }
        Self { labels, model, discount: config.rules, parents, side }
    }

    /// The probability of a rule that was seen `count` times.
    fn probability(&self, rule: BinaryRule, count: f64) -> f64 {
        let steps = self.labels.steps(rule, self.side);
        let lower = steps.map_or(0.0, |steps| self.model.probability(rule.parent, steps));
        let Parent { total, types } = self.parents[rule.parent.index()];
        self.discount.interpolate(count, total, types, lower)
    }

    /// The rules of a parent with at least this expected count, seen or not, with their expected counts.
    fn expected(&self, parent: SymbolId, least: f64, sink: &mut Vec<(BinaryRule, f64)>) {
        let Parent { total, types } = self.parents[parent.index()];
        // An unseen rule gets this much times the probability of its steps.
        let unseen = total * self.discount.interpolate(0.0, total, types, 1.0);
        if unseen < least || unseen <= 0.0 {
            return;
        }
        let mut add = |steps: Steps, expected: f64| {
            if expected >= least && expected > 0.0 {
                sink.extend(self.labels.rule(parent, steps).map(|rule| (rule, expected)));
            }
        };
        for side in [Side::Left, Side::Right] {
            let unseen = unseen * self.model.side(parent, side);
            if unseen < least || unseen <= 0.0 {
                continue;
            }
            // Last children depend only on the top label of the sister; the most probable come first.
            let mut lasts = HashMap::with_hasher(foldhash::fast::FixedState::with_seed(1));
            for &sister in self.model.children(parent) {
                let mass = unseen * self.model.sister(parent, side, sister);
                if mass < least {
                    continue;
                }
                let top = self.labels.top(sister);
                let end = self.model.end(parent, side, top);
                add(Steps { side, sister, last: None }, mass * (1.0 - end));
                if mass * end < least || side != self.side {
                    continue;
                }
                let lasts = lasts.entry(top).or_insert_with(|| self.lasts(parent, side, top));
                for &(last, share) in lasts.iter().take_while(|(_, share)| mass * end * share >= least) {
                    add(Steps { side, sister, last: Some(last) }, mass * end * share);
                }
            }
        }
    }

    /// The last children next to a sister, the most probable first.
    fn lasts(&self, parent: SymbolId, side: Side, sister: Top) -> Vec<(Plain, f64)> {
        let children = self.model.children(parent).iter();
        let mut lasts: Vec<(Plain, f64)> =
            children.map(|&last| (last, self.model.last(parent, side, sister, last))).collect();
        lasts.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        lasts
    }
}

impl SiblingSmoothing {
    /// The rules with their smoothed expected counts, and new ones.
    pub fn smooth(&self, symbols: &SymbolTable, table: &RuleTable, counts: &[f64]) -> SmoothedRules {
        let labels = Labels::new(symbols);
        let estimates = RuleEstimates::new(&labels, self, symbols.len(), table, counts);
        let mut made = Vec::new();
        for parent in symbols.iter().take(symbols.phrases()) {
            estimates.expected(parent, self.least_expected, &mut made);
        }
        made.retain(|&(rule, _)| table.find(rule).is_none());
        made.sort_by(|one, other| other.1.total_cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        made.truncate((self.growth * table.len() as f64) as usize);

        let all = table.rules().iter().copied().chain(made.iter().map(|&(rule, _)| rule)).collect();
        let all = RuleTable::new(all, symbols.len());
        let mut smoothed =
            SmoothedRules { counts: vec![0.0; all.len()], expected: vec![0.0; all.len()], table: all };
        for (&rule, &count) in table.rules().iter().zip(counts) {
            if let Some(id) = smoothed.table.find(rule) {
                smoothed.counts[id.index()] = count;
            }
        }
        let mut sums = vec![0.0; symbols.len()];
        for (id, &rule) in smoothed.table.rules().iter().enumerate() {
            let probability = estimates.probability(rule, smoothed.counts[id]);
            smoothed.expected[id] = probability;
            sums[rule.parent.index()] += probability;
        }
        // The mass of rules that were left out goes to the other rules of the same parent.
        for (expected, rule) in smoothed.expected.iter_mut().zip(smoothed.table.rules()) {
            let (sum, total) = (sums[rule.parent.index()], estimates.parents[rule.parent.index()].total);
            *expected = if sum > 0.0 { *expected / sum * total } else { 0.0 };
        }
        smoothed
    }
}

#[cfg(test)]
mod tests {
    use corpus::tree::binarize::{Direction, Horizontal};
    use corpus::tree::heads::HeadRules;
    use corpus::tree::markov::Annotated;
    use corpus::tree::normal_form::NormalForm;

    use super::*;
    use crate::grammar::{LowerOrder, SymbolKind, TreebankCounts};

    const TREEBANK: [&str; 7] = [
        "(ROOT (S (NP (DT the) (NN dog)) (VP (VB saw) (NP (PRP him)) (ADVP (RB again))) (. .)))",
        "(ROOT (S (NP (PRP she)) (VP (VB gave) (NP (NN tea)) (PP (IN to) (NP (DT the) (JJ old) (NN cat)))) (. .)))",
        "(ROOT (S (ADVP (RB now)) (NP (NN tea)) (VP (VB saw) (S (VP (TO to) (VB go) (PP (IN by) (NP (NN train))))))))",
        "(ROOT (NP (DT the) (JJ old) (JJ old) (NN dog) (PP (IN by) (NP (NP (DT the) (NN sea)) (. .)))))",
        "(ROOT (S (S (NP (PRP she)) (VP (VB ran))) (. .) (S (VP (VB saw) (NP (NN tea)) (NP (NN sea)) (ADVP (RB now)))) (. .)))",
        "(ROOT (UH oh))",
        "(ROOT (S|X (A^B a) (@C b) (D~E c) (S (NP (NN tea)) (VP (VB ran)))))",
    ];

    fn forms() -> Vec<NormalForm> {
        let form = NormalForm::default;
        let head = || Direction::HeadOutward(HeadRules::english());
        let mut forms = Vec::new();
        for vertical in [1, 2, 3] {
            for horizontal in [0, 1, 2].map(Horizontal::Order).into_iter().chain([Horizontal::Unlimited]) {
                forms.push(NormalForm { horizontal, vertical, ..form() });
                forms.push(NormalForm { horizontal, vertical, direction: Direction::Right, ..form() });
                let annotated = Annotated::PhrasesAndTags;
                forms.push(NormalForm { horizontal, vertical, direction: head(), annotated });
            }
        }
        forms
    }

    fn counted(form: &NormalForm) -> (SymbolTable, RuleTable, Vec<f64>) {
        let mut counts = TreebankCounts::default();
        for text in TREEBANK {
            counts.add(&form.apply(text.parse().unwrap())).unwrap();
        }
        let (table, rule_counts, _) = counts.rule_counts();
        (counts.symbol_table(), table, rule_counts)
    }

    /// The sums of values over the rules of each parent.
    fn sums(rules: &[BinaryRule], numbers: &[f64], symbols: &SymbolTable) -> Vec<f64> {
        let mut sums = vec![0.0; symbols.len()];
        rules.iter().zip(numbers).for_each(|(rule, number)| sums[rule.parent.index()] += number);
        sums
    }

    #[test]
    fn rules_of_every_normal_form_have_steps() {
        for form in forms() {
            let (symbols, table, _) = counted(&form);
            let labels = Labels::new(&symbols);
            let side = labels.usual_side(table.rules());
            for &rule in table.rules() {
                let steps = labels.steps(rule, side);
                let shown = [rule.parent, rule.left, rule.right].map(|symbol| symbols.label(symbol));
                assert!(steps.is_some(), "{shown:?} in {form:?}");
            }
        }
    }

    /// With every possible rule in the table no mass is left to share out: the probabilities of the steps sum to one by
    /// themselves, as far as symbols exist for them.
    #[test]
    fn probabilities_add_up() {
        for (form, lower) in forms()
            .into_iter()
            .flat_map(|form| [LowerOrder::Counts, LowerOrder::Types].map(|lower| (form.clone(), lower)))
        {
            let (symbols, table, counts) = counted(&form);
            let config = SiblingSmoothing { lower, ..SiblingSmoothing::default() };
            let labels = Labels::new(&symbols);
            let estimates = RuleEstimates::new(&labels, &config, symbols.len(), &table, &counts);
            let everything = SiblingSmoothing { least_expected: 0.0, growth: f64::INFINITY, ..config };
            for config in [config, everything] {
                let smoothed = config.smooth(&symbols, &table, &counts);
                let of_counts = sums(table.rules(), &counts, &symbols);
                let of_expected = sums(smoothed.table.rules(), &smoothed.expected, &symbols);
                for (count, expected) in of_counts.iter().zip(&of_expected) {
                    assert!((count - expected).abs() < 1e-9 * count.max(1.0), "{count} {expected}");
                }
                let rules = smoothed.table.rules().iter().zip(&smoothed.counts);
                let before: Vec<f64> =
                    rules.map(|(&rule, &count)| estimates.probability(rule, count)).collect();
                for sum in sums(smoothed.table.rules(), &before, &symbols) {
                    assert!(sum <= 1.0 + 1e-9, "{sum} in {form:?}");
                }
            }
        }
    }

    #[test]
    fn without_discount_nothing_changes() {
        let none = Discount { amount: 0.0, strength: 0.0 };
        let config = SiblingSmoothing {
            rules: none,
            least_expected: 0.0,
            growth: f64::INFINITY,
            ..SiblingSmoothing::default()
        };
        for form in forms() {
            let (symbols, table, counts) = counted(&form);
            let smoothed = config.smooth(&symbols, &table, &counts);
            assert_eq!(smoothed.table, table);
            assert_eq!(smoothed.counts, counts);
            for (expected, count) in smoothed.expected.iter().zip(&counts) {
                assert!((expected - count).abs() < 1e-9);
            }
        }
    }

    /// An adverb was never seen between two noun phrases, but next to either. A noun phrase of one noun was never last
    /// before an adverb, but one of a pronoun was.
    #[test]
    fn new_rules_are_made_of_seen_neighbours() {
        let (symbols, table, counts) = counted(&NormalForm::default());
        let config = SiblingSmoothing { growth: 100.0, ..SiblingSmoothing::default() };
        let smoothed = config.smooth(&symbols, &table, &counts);
        let phrase = |label| symbols.get(SymbolKind::Phrase, label).unwrap();
        let tag = |label| symbols.get(SymbolKind::Preterminal, label).unwrap();
        let seen = BinaryRule { parent: phrase("@VP~ADVP"), left: tag("VB"), right: tag("NP|PRP") };
        let new = BinaryRule { right: tag("NP|NN"), ..seen };
        let more = BinaryRule { parent: phrase("@VP~PP"), left: phrase("@VP~NP"), right: tag("NP|NN") };
        let seen = smoothed.table.find(seen).unwrap().index();
        assert!(smoothed.counts[seen] == 1.0 && smoothed.expected[seen] < 1.0);
        for rule in [new, more] {
            assert!(table.find(rule).is_none());
            let id = smoothed.table.find(rule).unwrap().index();
            assert!(smoothed.counts[id] == 0.0 && smoothed.expected[id] > 0.0);
        }
        // No phrase has a determiner and a verb.
        let absurd = BinaryRule { parent: phrase("VP"), left: tag("DT"), right: tag("VB") };
        assert!(smoothed.table.find(absurd).is_none());
        let few = SiblingSmoothing { growth: 0.5, ..config }.smooth(&symbols, &table, &counts);
        assert_eq!(few.table.len(), table.len() + table.len() / 2);
    }
}
