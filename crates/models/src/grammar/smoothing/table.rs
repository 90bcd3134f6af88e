//! The larger table.

use corpus::ids::Id;

use super::config::{Discount, SiblingSmoothing};
use super::labels::{Labels, Side, Steps};
use super::steps::StepModel;
use crate::grammar::{BinaryRule, RuleTable, SymbolId, SymbolTable};

/// The rules of a treebank and those made of them.
#[derive(Clone, PartialEq, Debug)]
pub struct SmoothedRules {
    /// All rules.
    pub table: RuleTable,
    /// How often the treebank has each: zero for a rule that was made.
    pub counts: Vec<f64>,
    /// How often each is expected: for each parent these have the same sum as the counts, and relative frequencies of
    /// them are the smoothed probabilities.
    pub expected: Vec<f64>,
}

impl SmoothedRules {
    /// The rules as they were counted.
    pub fn unsmoothed(table: RuleTable, counts: Vec<f64>) -> Self {
        Self { table, expected: counts.clone(), counts }
    }
}

/// What the rules of one parent add up to.
#[derive(Clone, Copy, Default)]
struct Parent {
    total: f64,
    types: f64,
}

/// A smoothed estimate of `p(rule | parent)`, for any rule whose symbols there are.
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

    /// The rules of a parent that are expected at least so often, with how often, whether they were seen or not.
    fn expected(&self, parent: SymbolId, least: f64, sink: &mut Vec<(BinaryRule, f64)>) {
        let Parent { total, types } = self.parents[parent.index()];
        // What a rule that was not seen gets: this much times its probability in steps.
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
            for &sister in self.model.children(parent) {
                let mass = unseen * self.model.sister(parent, side, sister);
                if mass < least {
                    continue;
                }
                let end = self.model.end(parent, side, sister);
                add(Steps { side, sister, last: None }, mass * (1.0 - end));
                if mass * end < least || side != self.side {
                    continue;
                }
                for &last in self.model.children(parent) {
                    let share = self.model.last(parent, side, sister, last);
                    add(Steps { side, sister, last: Some(last) }, mass * end * share);
                }
            }
        }
    }
}

impl SiblingSmoothing {
    /// The rules with their smoothed expectations, and new ones.
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
        // Rules that were left out leave a gap, which all others of their parent fill.
        for (expected, rule) in smoothed.expected.iter_mut().zip(smoothed.table.rules()) {
            let (sum, total) = (sums[rule.parent.index()], estimates.parents[rule.parent.index()].total);
            *expected = if sum > 0.0 { *expected / sum * total } else { 0.0 };
        }
        smoothed
    }
}
