//! Reports on clusters and on likelihood.

use serde::Serialize;

use super::figures::percent;
use super::table::Table;
use crate::clustering::Contingency;
use crate::likelihood::LikelihoodScores;

/// All clustering figures; shares in percent, information in bits.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ClusterReport {
    /// V-measure.
    pub v_measure: f64,
    /// Homogeneity.
    pub homogeneity: f64,
    /// Completeness.
    pub completeness: f64,
    /// Accuracy if each cluster stands for its most frequent class.
    pub many_to_one: f64,
    /// Mutual information of class and cluster, in bits.
    pub mutual_information: f64,
    /// Variation of information, in bits.
    pub variation_of_information: f64,
    /// Number of clusters with items.
    pub clusters: usize,
    /// Number of classes with items.
    pub classes: usize,
    /// Number of items.
    pub items: u64,
}

impl From<&Contingency> for ClusterReport {
    fn from(table: &Contingency) -> Self {
        Self {
            v_measure: percent(table.v_measure()),
            homogeneity: percent(table.homogeneity()),
            completeness: percent(table.completeness()),
            many_to_one: percent(table.many_to_one()),
            mutual_information: table.mutual_information(),
            variation_of_information: table.variation_of_information(),
            clusters: table.clusters(),
            classes: table.classes(),
            items: table.total(),
        }
    }
}

impl ClusterReport {
    pub(super) fn tables(&self) -> Vec<Table> {
        let rows = [
            ("V-measure", self.v_measure),
            ("homogeneity", self.homogeneity),
            ("completeness", self.completeness),
            ("many-to-one", self.many_to_one),
            ("mutual information, bits", self.mutual_information),
            ("variation of information, bits", self.variation_of_information),
        ];
        let counts =
            [("clusters", self.clusters as u64), ("classes", self.classes as u64), ("items", self.items)];
        vec![Table::of_figures("clusters", &rows, &counts)]
    }
}

/// All likelihood figures.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LikelihoodReport {
    /// Perplexity over the sentences with positive probability; `null` in the JSON if it overflows.
    pub perplexity: f64,
    /// Bits per symbol over the same sentences.
    pub bits_per_symbol: f64,
    /// Number of symbols in these sentences.
    pub symbols: u64,
    /// Number of sentences.
    pub sentences: usize,
    /// Number of sentences without a positive probability.
    pub impossible: usize,
}

impl From<&LikelihoodScores> for LikelihoodReport {
    fn from(scores: &LikelihoodScores) -> Self {
        Self {
            perplexity: scores.perplexity(),
            bits_per_symbol: scores.bits_per_symbol(),
            symbols: scores.symbols(),
            sentences: scores.sentences.len(),
            impossible: scores.impossible(),
        }
    }
}

impl LikelihoodReport {
    pub(super) fn tables(&self) -> Vec<Table> {
        let rows = [("perplexity", self.perplexity), ("bits per symbol", self.bits_per_symbol)];
        let counts = [
            ("symbols", self.symbols),
            ("sentences", self.sentences as u64),
            ("impossible", self.impossible as u64),
        ];
        vec![Table::of_figures("likelihood", &rows, &counts)]
    }
}
