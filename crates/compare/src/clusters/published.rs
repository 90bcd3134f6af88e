//! Tables 2 and 3 of Stratos et al. (2014) in their layout, with the paper's own numbers beside ours.
//!
//! The paper clusters the 205 million tokens of RCV1. Other texts give other numbers; the shape of each table can be
//! compared. F1 of entities is in the tables of `compare tagging`.

use eigentree::clustering::method_name;
use eigentree::training::Preset;
use eval::report::Table;
use words::clusters::Method;

use super::report::{Report, Run};
use super::tables::NOTHING;
use crate::document::Section;
use crate::published::Published;
use crate::published::stratos_2014::{CLUSTERS, INFORMATION, TIMES};

impl Report {
    /// The tables in the layout of the paper.
    pub(super) fn published(&self) -> Vec<Section> {
        vec![self.table_2(), self.table_3()]
    }

    /// The figures of the paper, each beside ours.
    pub(super) fn figures(&self) -> Vec<Published> {
        if self.preset == Preset::Own {
            return Vec::new();
        }
        let [spectral, brown] = [Method::Spectral, Method::Brown].map(method_name);
        let best = self.best();
        let ours =
            |vocab, clusters| best.iter().find(|run| (run.vocab, run.clusters) == (vocab, clusters)).copied();
        let mut figures = Vec::new();
        for (vocab, information, of_brown) in INFORMATION {
            let own = ours(vocab, CLUSTERS);
            let figure = |learner, paper, ours| {
                Published::new("table 2", "mi", learner, paper, ours)
                    .at("vocab", vocab)
                    .at("clusters", CLUSTERS)
            };
            figures.push(figure(spectral, information, own.map(|run| run.mi)));
            let ours = own.and_then(|run| self.brown(run)).map(|run| run.mi);
            figures.push(figure(brown, of_brown, ours));
        }
        for row in &TIMES {
            let own = ours(row.vocab, row.clusters);
            let figure = |measure, learner, paper, ours| {
                Published::new("table 3", measure, learner, paper, ours)
                    .at("vocab", row.vocab)
                    .at("clusters", row.clusters)
            };
            let stage = |name| own.and_then(|run| run.stage(name));
            let [svd, ward, time] = row.seconds;
            figures.push(figure("gamma", spectral, row.gamma, own.and_then(|run| run.gamma)));
            figures.push(figure("svd_seconds", spectral, svd, stage("decompose")));
            figures.push(figure("cluster_seconds", spectral, ward, stage("ward")));
            let ours = own.and_then(|run| self.brown(run)).map(Run::seconds);
            figures.push(figure("seconds", brown, time, ours));
        }
        figures
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
                CLUSTERS.to_string(),
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
