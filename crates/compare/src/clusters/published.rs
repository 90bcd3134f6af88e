//! Tables 2 and 3 of Stratos et al. (2014) in their layout, with the paper's own numbers beside ours.
//!
//! The paper clusters the 205 million tokens of RCV1. Other texts give other numbers; the shape of each table can be
//! compared. F1 of entities is in the tables of `compare tagging`.

use eval::report::Table;

use super::report::{Report, Run};
use super::tables::NOTHING;
use crate::document::Section;

/// One row of Table 3.
struct Row {
    clusters: usize,
    vocab: usize,
    gamma: f64,
    /// Seconds of the SVD, of clustering, and of Brown's algorithm.
    seconds: [f64; 3],
}

/// Table 3.
const TIMES: [Row; 6] = [
    Row { clusters: 200, vocab: 50_000, gamma: 3.35, seconds: [264.0, 13.0, 637.0] },
    Row { clusters: 400, vocab: 50_000, gamma: 5.17, seconds: [399.0, 68.0, 2236.0] },
    Row { clusters: 600, vocab: 50_000, gamma: 9.80, seconds: [329.0, 181.0, 5635.0] },
    Row { clusters: 800, vocab: 50_000, gamma: 12.64, seconds: [566.0, 419.0, 8440.0] },
    Row { clusters: 1000, vocab: 50_000, gamma: 12.68, seconds: [670.0, 625.0, 13_020.0] },
    Row { clusters: 1000, vocab: 300_000, gamma: 13.77, seconds: [3578.0, 3877.0, 80_377.0] },
];

/// Table 2: vocabulary, mutual information of the spectral clusters (LR2, κ = 5000) and of Brown's.
const INFORMATION: [(usize, f64, f64); 2] = [(50_000, 1.48, 1.52), (300_000, 1.54, 1.60)];

impl Report {
    /// The tables in the layout of the paper.
    pub(super) fn published(&self) -> Vec<Section> {
        vec![self.table_2(), self.table_3()]
    }

    /// For every vocabulary and number of clusters the setting with the most mutual information.
    fn best(&self) -> Vec<&Run> {
        let mut best: Vec<&Run> = Vec::new();
        for (run, _) in self.settings() {
            match best.iter_mut().find(|other| (other.vocab, other.clusters) == (run.vocab, run.clusters)) {
                Some(other) if other.mi < run.mi => *other = run,
                Some(_) => {}
                None => best.push(run),
            }
        }
        best
    }

    fn table_2(&self) -> Section {
        let header = ["", "vocabulary", "m", "context", "κ", "spectral MI", "Brown MI", "% of Brown"];
        let line = |start: [String; 5], spectral: f64, brown: Option<f64>| {
            let share =
                brown.map_or_else(|| NOTHING.to_owned(), |brown| format!("{:.1}", 100.0 * spectral / brown));
            let brown = brown.map_or_else(|| NOTHING.to_owned(), |brown| format!("{brown:.2}"));
            start.into_iter().chain([format!("{spectral:.2}"), brown, share]).collect::<Vec<_>>()
        };
        let paper = INFORMATION.iter().map(|&(vocab, spectral, brown)| {
            let start = [
                "paper, RCV1".to_owned(),
                vocab.to_string(),
                "1000".to_owned(),
                "lr2".to_owned(),
                "5000".to_owned(),
            ];
            line(start, spectral, Some(brown))
        });
        let ours = self.best().into_iter().filter_map(|run| {
            let setting = run.setting.as_ref()?;
            let start = [
                "ours".to_owned(),
                run.vocab.to_string(),
                run.clusters.to_string(),
                setting.context.clone(),
                setting.kappa.to_string(),
            ];
            Some(line(start, run.mi, self.brown(run).map(|brown| brown.mi)))
        });
        Section {
            title: "Table 2: mutual information".to_owned(),
            table: Table { header: header.map(str::to_owned).to_vec(), rows: paper.chain(ours).collect() },
            remarks: vec![
                "Ours with the context and the κ of the most mutual information among those tried."
                    .to_owned(),
            ],
        }
    }

    fn table_3(&self) -> Section {
        let header = ["", "m", "vocabulary", "γ", "SVD s", "cluster s", "total s", "Brown s", "ratio %"];
        let line = |start: [String; 3], gamma: Option<f64>, svd: f64, cluster: f64, brown: Option<f64>| {
            let number =
                |value: f64| if value < 100.0 { format!("{value:.2}") } else { format!("{value:.0}") };
            let maybe = |value: Option<f64>| value.map_or_else(|| NOTHING.to_owned(), number);
            let total = svd + cluster;
            let ratio = brown.filter(|brown| *brown > 0.0).map(|brown| 100.0 * total / brown);
            let rest =
                [maybe(gamma), number(svd), number(cluster), number(total), maybe(brown), maybe(ratio)];
            start.into_iter().chain(rest).collect::<Vec<_>>()
        };
        let paper = TIMES.iter().map(|row| {
            let [svd, cluster, brown] = row.seconds;
            let start = ["paper, RCV1".to_owned(), row.clusters.to_string(), row.vocab.to_string()];
            line(start, Some(row.gamma), svd, cluster, Some(brown))
        });
        let ours = self.best().into_iter().map(|run| {
            let start = ["ours".to_owned(), run.clusters.to_string(), run.vocab.to_string()];
            let stage = |name: &str| run.stage(name).unwrap_or(0.0);
            line(start, run.gamma, stage("decompose"), stage("ward"), self.brown(run).map(Run::seconds))
        });
        Section {
            title: "Table 3: time".to_owned(),
            table: Table { header: header.map(str::to_owned).to_vec(), rows: paper.chain(ours).collect() },
            remarks: vec![
                "Without reading, writing and counting. The paper's Brown is the program of Liang (2005)."
                    .to_owned(),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_the_paper_agree_with_its_ratios() {
        let ratios = [43.48, 20.89, 9.05, 11.67, 9.95, 9.28];
        for (row, ratio) in TIMES.iter().zip(ratios) {
            let [svd, cluster, brown] = row.seconds;
            assert!((100.0 * (svd + cluster) / brown - ratio).abs() < 0.02, "{} {}", row.clusters, row.vocab);
        }
    }
}
