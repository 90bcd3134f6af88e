//! Tables 1 and 3 and Figure 6 (b) of Stratos et al. (2014), with the paper's own numbers beside ours.
//!
//! The paper scores a greedy perceptron on CoNLL 2003, which may not be redistributed; ours learns from the corpora that were
//! given. The gain over no clusters can be compared, the scores cannot.

use eigentree::clustering::method_name;
use eigentree::training::Preset;
use eval::report::Table;
use words::clusters::Method;

use super::report::{Report, Run};
use super::tables::NOTHING;
use crate::document::Section;
use crate::published::Published;
use crate::published::stratos_2014::{BASELINE, CLUSTERS, ENTITIES, TIMES};

impl Report {
    /// The tables in the layout of the paper.
    pub(super) fn published(&self) -> Vec<Section> {
        let mut sections = vec![self.table_1(), self.table_3()];
        sections.extend(self.figure_6());
        sections
    }

    /// Table 1: F1 on the development and on the test set.
    fn table_1(&self) -> Section {
        let header = ["", "clusters", "vocabulary", "m", "context", "scored", "test"];
        let word = |value: Option<&str>| value.unwrap_or(NOTHING).to_owned();
        let number =
            |value: Option<usize>| value.map_or_else(|| NOTHING.to_owned(), |value| value.to_string());
        let percent =
            |value: Option<f64>| value.map_or_else(|| NOTHING.to_owned(), |value| format!("{value:.2}"));
        let mut rows: Vec<Vec<String>> = ENTITIES
            .iter()
            .map(|row| {
                vec![
                    "paper, CoNLL 2003".to_owned(),
                    row.method.to_owned(),
                    number(row.vocab),
                    number(row.vocab.map(|_| CLUSTERS)),
                    word(row.context),
                    percent(Some(row.dev)),
                    percent(Some(row.test)),
                ]
            })
            .collect();
        for (column, task) in self.tasks.iter().enumerate() {
            let chosen = self.runs.iter().filter(|run| {
                let best = self.best(run.method, (run.clusters, run.vocab), column);
                best.is_some_and(|best| std::ptr::eq(best, *run))
            });
            rows.extend(chosen.map(|run| {
                vec![
                    task.clone(),
                    run.method.to_owned(),
                    number(run.vocab),
                    number(run.clusters),
                    word(run.context.as_deref()),
                    percent(Some(run.score(column))),
                    percent(run.test(column)),
                ]
            }));
        }
        Section {
            title: "Table 1: with clusters and without".to_owned(),
            table: Table { header: header.map(str::to_owned).to_vec(), rows },
            remarks: vec!["Context and κ are those that are best on the part that is scored; the test set decides nothing.".to_owned()],
        }
    }

    /// The figures of the paper, each beside ours.
    pub(super) fn figures(&self) -> Vec<Published> {
        let mut figures = Vec::new();
        if self.preset == Preset::Own {
            return figures;
        }
        for (column, task) in self.tasks.iter().enumerate() {
            for row in &ENTITIES {
                let clusters = row.vocab.map(|_| CLUSTERS);
                let own = self.best(row.method, (clusters, row.vocab), column);
                let figure = |measure, paper, ours| {
                    Published::new("table 1", measure, row.method, paper, ours)
                        .at_some("vocab", row.vocab)
                        .at_some("clusters", clusters)
                        .at_some("context", row.context)
                        .at("our_task", task.as_str())
                };
                figures.push(figure("dev_f1", row.dev, own.map(|run| run.score(column))));
                figures.push(figure("test_f1", row.test, own.and_then(|run| run.test(column))));
            }
            for row in &TIMES {
                let methods = [Method::Spectral, Method::Brown].map(method_name);
                figures.extend(methods.into_iter().zip(row.f1).map(|(method, paper)| {
                    let own = self.best(method, (Some(row.clusters), Some(row.vocab)), column);
                    Published::new("table 3", "dev_f1", method, paper, own.map(|run| run.score(column)))
                        .at("vocab", row.vocab)
                        .at("clusters", row.clusters)
                        .at("our_task", task.as_str())
                }));
            }
        }
        figures
    }

    /// Table 3, with the gains over no clusters.
    fn table_3(&self) -> Section {
        let header = [
            "",
            "m",
            "vocabulary",
            "γ",
            "SVD s",
            "cluster s",
            "total s",
            "Brown s",
            "ratio %",
            "none",
            "spectral",
            "gain",
            "Brown",
            "gain",
        ];
        let maybe = |value: Option<f64>| match value {
            None => NOTHING.to_owned(),
            Some(value) if value < 100.0 => format!("{value:.2}"),
            Some(value) => format!("{value:.0}"),
        };
        let line = |start: [String; 3], times: [Option<f64>; 4], none: f64, found: [Option<f64>; 2]| {
            let [gamma, svd, ward, brown] = times;
            let total = svd.zip(ward).map(|(svd, ward)| svd + ward);
            let brown = brown.filter(|brown| *brown > 0.0);
            let ratio = total.zip(brown).map(|(total, brown)| 100.0 * total / brown);
            let mut row: Vec<String> = start.into_iter().collect();
            row.extend([gamma, svd, ward, total, brown, ratio].map(maybe));
            row.push(format!("{none:.2}"));
            for score in found {
                row.push(score.map_or_else(|| NOTHING.to_owned(), |score| format!("{score:.2}")));
                row.push(score.map_or_else(|| NOTHING.to_owned(), |score| format!("{:+.2}", score - none)));
            }
            row
        };
        let mut rows: Vec<Vec<String>> = TIMES
            .iter()
            .map(|row| {
                let start = ["paper, CoNLL 2003".to_owned(), row.clusters.to_string(), row.vocab.to_string()];
                let [svd, ward, brown] = row.seconds.map(Some);
                line(start, [Some(row.gamma), svd, ward, brown], BASELINE, row.f1.map(Some))
            })
            .collect();
        let mut keys: Vec<(Option<usize>, Option<usize>)> = Vec::new();
        for run in self.runs.iter().filter(|run| run.vocab.is_some()) {
            if !keys.contains(&(run.clusters, run.vocab)) {
                keys.push((run.clusters, run.vocab));
            }
        }
        let number =
            |value: Option<usize>| value.map_or_else(|| NOTHING.to_owned(), |value| value.to_string());
        for (column, task) in self.tasks.iter().enumerate() {
            let Some(none) = self.runs.iter().find(|run| run.vocab.is_none()) else { continue };
            for &key in &keys {
                let [spectral, brown] = [Method::Spectral, Method::Brown]
                    .map(|method| self.best(method_name(method), key, column));
                let of = |value: fn(&Run) -> Option<f64>| spectral.and_then(value);
                let seconds = brown.and_then(|run| run.clustering).map(|cost| cost.time());
                let times = [of(|run| run.gamma), of(|run| run.svd), of(|run| run.ward), seconds];
                let found = [spectral, brown].map(|run| run.map(|run| run.score(column)));
                rows.push(line(
                    [task.clone(), number(key.0), number(key.1)],
                    times,
                    none.score(column),
                    found,
                ));
            }
        }
        Section {
            title: "Table 3: speed, and gains from clusters".to_owned(),
            table: Table { header: header.map(str::to_owned).to_vec(), rows },
            remarks: vec![format!(
                "Spectral clusters with the best of the contexts and κ tried, as in the paper; times without reading and counting. The \
                 paper's Brown is the program of Liang (2005), its tagger a greedy perceptron; ours are {}.",
                self.taggers()
            )],
        }
    }

    /// Figure 6 (b) as a table: scores by κ and context.
    fn figure_6(&self) -> Option<Section> {
        let mut kappas: Vec<f64> = self.spectral().filter_map(|run| run.kappa).collect();
        kappas.sort_by(f64::total_cmp);
        kappas.dedup();
        if kappas.len() < 2 {
            return None;
        }
        let mut keys: Vec<(Option<usize>, Option<usize>, Option<&String>)> = Vec::new();
        for run in self.spectral() {
            let key = (run.vocab, run.clusters, run.context.as_ref());
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        let mut header = ["task", "vocabulary", "m", "context"].map(str::to_owned).to_vec();
        header.extend(kappas.iter().map(|kappa| format!("κ = {kappa}")));
        header.extend(["Brown", "none"].map(str::to_owned));
        let number =
            |value: Option<usize>| value.map_or_else(|| NOTHING.to_owned(), |value| value.to_string());
        let none = self.runs.iter().find(|run| run.vocab.is_none());
        let mut rows = Vec::new();
        for (column, task) in self.tasks.iter().enumerate() {
            let score = |run: Option<&Run>| {
                run.map_or_else(|| NOTHING.to_owned(), |run| format!("{:.2}", run.score(column)))
            };
            for &(vocab, clusters, context) in &keys {
                let context_text = context.map_or_else(|| NOTHING.to_owned(), Clone::clone);
                let mut row = vec![task.clone(), number(vocab), number(clusters), context_text];
                row.extend(kappas.iter().map(|&kappa| {
                    score(self.spectral().find(|run| {
                        (run.vocab, run.clusters, run.context.as_ref(), run.kappa)
                            == (vocab, clusters, context, Some(kappa))
                    }))
                }));
                row.push(score(self.best(method_name(Method::Brown), (clusters, vocab), column)));
                row.push(score(none));
                rows.push(row);
            }
        }
        Some(Section {
            title: "Figure 6 (b): scores of spectral clusters by κ and context".to_owned(),
            table: Table { header, rows },
            remarks: vec!["In the paper a κ of 100 to 200 is good for entities.".to_owned()],
        })
    }

    fn spectral(&self) -> impl Iterator<Item = &Run> {
        self.runs.iter().filter(|run| run.method == method_name(Method::Spectral))
    }
}
