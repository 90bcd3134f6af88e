//! The report as plots.

use plots::{Bar, BarChart, Level, LineChart, Scale, Series, learner_colours};

use super::contestant::Contestant;
use super::report::{Report, Run};
use super::run::called;
use super::tags::TagSource;
use crate::document::Plot;

/// The learners of the plot over numbers of states, which would be crowded with all variants.
const SHOWN: [Contestant; 7] = [
    Contestant::Em,
    Contestant::Spectral,
    Contestant::NoSmoothing,
    Contestant::NoScaling,
    Contestant::RuleFeatures,
    Contestant::Cluster,
    Contestant::ClusterEm,
];

impl Report {
    /// The plots for which there is something to show: F1 over the number of states and EM over its iterations for each use of
    /// tags, and the times of training.
    pub(super) fn charts(&self) -> Vec<Plot> {
        let mut plots = Vec::new();
        for &tags in &self.tags {
            let name = |stem: &str| match self.tags.len() {
                1 => format!("{stem}.svg"),
                _ => format!("{stem}-{}.svg", tags.name()),
            };
            plots.extend(self.accuracy(tags).map(|svg| Plot { file: name("accuracy"), svg }));
            plots.extend(self.em_steps(tags).map(|svg| Plot { file: name("em-steps"), svg }));
        }
        plots.push(Plot { file: "training-time.svg".to_owned(), svg: self.training_time() });
        plots
    }

    /// F1 over the number of states; grammars without states are levels.
    fn accuracy(&self, tags: TagSource) -> Option<String> {
        let states = self.states();
        let f1 = |run: &Run| run.best(tags).map(|(_, score)| score.brackets.f1);
        let colours = learner_colours(SHOWN.map(Contestant::title));
        let line = |(colour, &learner): (&usize, &Contestant)| {
            let of_learner = self.runs.iter().filter(|run| run.learner == learner);
            let points: Vec<(f64, f64)> =
                of_learner.filter_map(|run| Some((run.states? as f64, f1(run)?))).collect();
            (!points.is_empty()).then(|| Series { name: learner.title().to_owned(), points, colour: *colour })
        };
        let series: Vec<Series> = colours.iter().zip(&SHOWN).filter_map(line).collect();
        if series.is_empty() {
            return None;
        }
        let plain = self.runs.iter().filter(|run| run.states.is_none());
        let levels = plain.enumerate().filter_map(|(at, run)| {
            let name = run.learner.title().to_owned();
            Some(Level { name, value: f1(run)?, colour: SHOWN.len() + at })
        });
        let levels = levels.collect();
        let chart = LineChart {
            title: format!("F1 on the development set, {}", tags.seen()),
            x_label: "latent states m".to_owned(),
            y_label: "F1".to_owned(),
            x_scale: Scale::Logarithmic,
            x_ticks: Some(states.into_iter().map(|states| states as f64).collect()),
            series,
            levels,
            ..LineChart::default()
        };
        Some(chart.to_svg())
    }

    /// EM over its iterations, with the spectral learner as levels in the same colours.
    fn em_steps(&self, tags: TagSource) -> Option<String> {
        let states = self.states();
        let colour = |m: Option<usize>| states.iter().position(|&other| Some(other) == m).unwrap_or(0);
        let series: Vec<Series> = self
            .runs
            .iter()
            .filter(|run| run.learner == Contestant::Em)
            .map(|run| {
                let point = |checkpoint: &super::report::Checkpoint| {
                    Some((checkpoint.steps? as f64, checkpoint.score(tags)?.brackets.f1))
                };
                Series {
                    name: called(run.learner, run.states, None),
                    points: run.checkpoints.iter().filter_map(point).collect(),
                    colour: colour(run.states),
                }
            })
            .filter(|series| !series.points.is_empty())
            .collect();
        if series.is_empty() {
            return None;
        }
        let spectral = self.runs.iter().filter(|run| run.learner == Contestant::Spectral);
        let levels = spectral.filter_map(|run| {
            Some(Level {
                name: called(run.learner, run.states, None),
                value: run.best(tags)?.1.brackets.f1,
                colour: colour(run.states),
            })
        });
        let levels = levels.collect();
        let chart = LineChart {
            title: format!("EM over its iterations, {}", tags.seen()),
            x_label: "steps of EM".to_owned(),
            y_label: "F1 on the development set".to_owned(),
            x_scale: Scale::Linear,
            x_ticks: None,
            series,
            levels,
            ..LineChart::default()
        };
        Some(chart.to_svg())
    }

    /// The times of training, EM's to its best checkpoint under the first use of tags.
    fn training_time(&self) -> String {
        let colour = |learner: Contestant| learner_colours([learner.title()])[0];
        let main = self.runs.iter().filter(|run| run.learner.variant_of().is_none());
        let bar = |run: &Run| {
            let (checkpoint, _) = run.best(*self.tags.first()?)?;
            let value = checkpoint.cost.time();
            let name = called(run.learner, run.states, checkpoint.steps);
            // The groundwork has no time of its own here.
            (value > 0.0).then(|| Bar { name, value, colour: colour(run.learner) })
        };
        let chart = BarChart {
            title: "Time of training, without the shared groundwork".to_owned(),
            label: "processor seconds, on a logarithmic scale".to_owned(),
            unit: " s".to_owned(),
            scale: Scale::Logarithmic,
            bars: main.filter_map(bar).collect(),
        };
        chart.to_svg()
    }
}
