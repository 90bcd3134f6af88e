//! The report as tables and plots.

use eigentree::clustering::method_name;
use eigentree::training::Preset;
use eval::report::Table;
use plots::{Level, LineChart, Scale, series_by_name};
use serde_json::Value;
use words::clusters::Method;

use super::report::{Report, Run, Setting};
use crate::charts::lines_or_bars;
use crate::comparison::Comparison;
use crate::document::{Document, Plot, Section};
use crate::published::json_with;

/// What a table shows where there is nothing.
pub(super) const NOTHING: &str = "–";
/// The stages of all methods, as the learners call them.
const STAGES: [&str; 4] = ["decompose", "ward", "exchange", "merge"];

impl Comparison for Report {
    fn document(&self) -> Document {
        let mut sections = if self.preset == Preset::Paper { self.published() } else { Vec::new() };
        sections.extend([self.quality(), self.times()]);
        sections.extend(self.sweep());
        Document { introduction: self.introduction(), sections }
    }

    fn to_json(&self) -> Value {
        json_with(self, &self.figures())
    }

    // Mutual information and time over the number of clusters, for each vocabulary.
    fn plots(&self) -> Vec<Plot> {
        let mut plots = Vec::new();
        for vocabulary in &self.vocabularies {
            let vocab = vocabulary.vocab;
            plots.extend(self.plot(vocab, "mi", "mutual information, nats", |run| run.mi));
            plots.extend(self.plot(vocab, "perplexity", "held-out perplexity", |run| run.perplexity));
            plots.extend(self.plot(vocab, "time", "seconds", Run::seconds));
            plots.extend(self.figure_6(vocab));
        }
        plots
    }
}

impl Report {
    fn introduction(&self) -> Vec<String> {
        let setting = match self.swept() {
            true => String::new(),
            false => format!(" Contexts {}, κ = {}.", self.context, self.kappa),
        };
        let mut lines = vec![format!(
            "Learnt from {} tokens, scored on {} held-out tokens.{setting}",
            self.tokens, self.held_out_tokens
        )];
        let threads =
            if self.threads == 1 { "One thread".to_owned() } else { format!("{} threads", self.threads) };
        lines.push(format!(
            "{threads}. Times are processor seconds of all threads where these are known, without reading and writing."
        ));
        lines.extend(self.vocabularies.iter().map(|run| {
            let seconds = run.counting.time();
            format!(
                "Vocabulary of {}: {} types, {} pairs, counted in {seconds:.2} s.",
                run.vocab, run.types, run.pairs
            )
        }));
        lines
    }

    /// Whether the method `spectral` ran with several settings for one vocabulary and number of clusters.
    fn swept(&self) -> bool {
        self.settings().any(|(run, setting)| {
            self.settings().any(|(other, own)| {
                (other.vocab, other.clusters) == (run.vocab, run.clusters) && own != setting
            })
        })
    }

    /// The method, with its setting if there are several.
    fn name(&self, run: &Run) -> String {
        match &run.setting {
            Some(Setting { context, kappa, rank }) if self.swept() => {
                format!("{} {context} κ {kappa} rank {rank}", run.method)
            }
            _ => run.method.to_owned(),
        }
    }

    /// The line of a chart over numbers of clusters to which a run belongs.
    fn line(&self, run: &Run) -> String {
        match &run.setting {
            Some(Setting { context, kappa, rank }) if self.swept() => {
                // As many singular vectors as clusters are one line, not one per number.
                let rank = if *rank == run.clusters { String::new() } else { format!(" rank {rank}") };
                format!("{} {context} κ {kappa}{rank}", run.method)
            }
            _ => run.method.to_owned(),
        }
    }

    pub(super) fn brown(&self, run: &Run) -> Option<&Run> {
        let brown = method_name(Method::Brown);
        self.runs
            .iter()
            .find(|other| other.method == brown && other.vocab == run.vocab && other.clusters == run.clusters)
    }

    /// Table 2, with perplexity.
    fn quality(&self) -> Section {
        let header = ["method", "vocabulary", "m", "MI, nats", "% of brown", "perplexity"];
        let row = |run: &Run| {
            let share = self.brown(run).map(|brown| 100.0 * run.mi / brown.mi);
            vec![
                self.name(run),
                run.vocab.to_string(),
                run.clusters.to_string(),
                format!("{:.4}", run.mi),
                share.map_or(NOTHING.to_owned(), |share| format!("{share:.1}")),
                format!("{:.2}", run.perplexity),
            ]
        };
        Section {
            title: "Quality".to_owned(),
            table: table(&header, self.runs.iter().map(row).collect()),
            remarks: vec![
                "MI is the mutual information of neighbouring clusters on the text learnt from; perplexity is that of the \
                 class-based bigram model on the held-out text."
                    .to_owned(),
            ],
        }
    }

    /// Table 3, without what needs a tagger.
    fn times(&self) -> Section {
        let header = [
            "method",
            "vocabulary",
            "m",
            "γ",
            "decompose",
            "ward",
            "exchange",
            "merge",
            "total",
            "× brown",
            "MB",
        ];
        let seconds = |time: Option<f64>| time.map_or(NOTHING.to_owned(), |time| format!("{time:.2}"));
        let row = |run: &Run| {
            let speed = self.brown(run).map(|brown| brown.seconds() / run.seconds());
            let mut cells =
                vec![self.name(run), run.vocab.to_string(), run.clusters.to_string(), seconds(run.gamma)];
            cells.extend(STAGES.map(|stage| seconds(run.stage(stage))));
            cells.push(seconds(Some(run.seconds())));
            cells.push(
                speed
                    .filter(|speed| speed.is_finite())
                    .map_or(NOTHING.to_owned(), |speed| format!("{speed:.1}")),
            );
            cells.push(run.peak_mb.map_or(NOTHING.to_owned(), |peak| format!("{peak:.0}")));
            cells
        };
        Section {
            title: "Time by stage, seconds".to_owned(),
            table: table(&header, self.runs.iter().map(row).collect()),
            remarks: vec![
                "γ is the number of searches for a nearest cluster at each merge of Ward's clustering; × brown is how many times \
                 faster a method is than brown."
                    .to_owned(),
            ],
        }
    }

    /// Runs of `spectral` with their settings.
    pub(super) fn settings(&self) -> impl Iterator<Item = (&Run, &Setting)> {
        let spectral = method_name(Method::Spectral);
        self.runs
            .iter()
            .filter(move |run| run.method == spectral)
            .filter_map(|run| Some((run, run.setting.as_ref()?)))
    }

    /// Figure 6 (a) as a table: mutual information by κ, context and number of singular vectors.
    fn sweep(&self) -> Option<Section> {
        let mut kappas: Vec<f64> = self.settings().map(|(_, setting)| setting.kappa).collect();
        kappas.sort_by(f64::total_cmp);
        kappas.dedup();
        let key = |(run, setting): (&Run, &Setting)| {
            (run.vocab, run.clusters, setting.context.clone(), setting.rank)
        };
        let mut keys: Vec<(usize, usize, String, usize)> = self.settings().map(key).collect();
        keys.sort();
        keys.dedup();
        if !self.swept() {
            return None;
        }
        let mut header = ["vocabulary", "m", "context", "rank"].map(str::to_owned).to_vec();
        header.extend(kappas.iter().map(|kappa| format!("κ = {kappa}")));
        header.push("brown".to_owned());
        let row = |wanted: &(usize, usize, String, usize)| {
            let (vocab, clusters, context, rank) = wanted;
            let mut row = vec![vocab.to_string(), clusters.to_string(), context.clone(), rank.to_string()];
            row.extend(kappas.iter().map(|&kappa| {
                let mut settings = self.settings();
                let found = settings.find(|found| found.1.kappa == kappa && key(*found) == *wanted);
                found.map_or_else(|| NOTHING.to_owned(), |(run, _)| format!("{:.4}", run.mi))
            }));
            let brown = self.runs.iter().find(|run| {
                run.method == method_name(Method::Brown) && run.vocab == *vocab && run.clusters == *clusters
            });
            row.push(brown.map_or_else(|| NOTHING.to_owned(), |run| format!("{:.4}", run.mi)));
            row
        };
        Some(Section {
            title: "Figure 6 (a): mutual information of `spectral` by κ and context".to_owned(),
            table: Table { header, rows: keys.iter().map(row).collect() },
            remarks: vec![
                "The paper, 1,000 clusters of 50,000 words on RCV1: 1.48 at best (LR2, κ = 5000), Brown 1.52. LR1 and LR2 are much \
                 better than R1 there and close to each other, and mutual information asks for a larger κ than entities do."
                    .to_owned(),
            ],
        })
    }

    /// Figure 6 (a): one line per context and rank, a level for Brown.
    fn figure_6(&self, vocab: usize) -> Option<Plot> {
        let most = self.settings().map(|(run, _)| run.clusters).max()?;
        let name = |setting: &Setting| match setting.rank == most {
            true => setting.context.clone(),
            false => format!("{}, rank {}", setting.context, setting.rank),
        };
        let shown: Vec<(String, f64, f64)> = self
            .settings()
            .filter(|(run, setting)| run.vocab == vocab && run.clusters == most && setting.kappa > 0.0)
            .map(|(run, setting)| (name(setting), setting.kappa, run.mi))
            .collect();
        if shown.len() < 3 {
            return None;
        }
        let (series, ticks) = series_by_name(shown.iter().map(|(name, kappa, mi)| (&name[..], *kappa, *mi)));
        let brown = self.runs.iter().find(|run| {
            run.method == method_name(Method::Brown) && run.vocab == vocab && run.clusters == most
        });
        let level = brown.map(|run| Level { name: "brown".to_owned(), value: run.mi, colour: series.len() });
        let chart = LineChart {
            title: format!("Mutual information by κ, {most} clusters, vocabulary of {vocab}"),
            x_label: "κ".to_owned(),
            y_label: "mutual information, nats".to_owned(),
            x_scale: Scale::Logarithmic,
            x_ticks: Some(ticks),
            levels: level.into_iter().collect(),
            series,
            ..LineChart::default()
        };
        lines_or_bars(format!("kappa-{vocab}.svg"), &chart)
    }

    fn plot(&self, vocab: usize, stem: &str, label: &str, value: impl Fn(&Run) -> f64) -> Option<Plot> {
        let runs = self.runs.iter().filter(|run| run.vocab == vocab);
        let points: Vec<(String, f64, f64)> =
            runs.map(|run| (self.line(run), run.clusters as f64, value(run))).collect();
        let (series, ticks) = series_by_name(points.iter().map(|(name, m, value)| (&name[..], *m, *value)));
        let chart = LineChart {
            title: format!("{label}, vocabulary of {vocab}"),
            x_label: "clusters m".to_owned(),
            y_label: label.to_owned(),
            x_scale: Scale::Logarithmic,
            x_ticks: Some(ticks),
            series,
            ..LineChart::default()
        };
        lines_or_bars(format!("{stem}-{vocab}.svg"), &chart)
    }
}

fn table(header: &[&str], rows: Vec<Vec<String>>) -> Table {
    Table { header: header.iter().map(|&name| name.to_owned()).collect(), rows }
}
