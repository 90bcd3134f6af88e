//! The report as tables.

use eigentree::training::Preset;
use eval::report::Table;
use serde_json::Value;

use super::contestant::Contestant;
use super::report::{Ablation, BestAt, Report, Run, Score, Speed, TestScore};
use super::run::{STEPS, called};
use super::tags::TagSource;
use crate::comparison::Comparison;
use crate::document::{Document, Plot, Section};
use crate::published::json_with;

/// What a table shows where there is nothing.
const NOTHING: &str = "–";

impl Comparison for Report {
    fn document(&self) -> Document {
        let mut sections = Vec::new();
        for &tags in &self.tags {
            sections.push(self.results(tags));
            sections.extend(self.over_steps(tags));
            sections.extend(self.by_states(tags));
            sections.extend(self.variants(tags));
            sections.extend(self.tests(tags));
        }
        sections.push(self.times());
        if self.preset == Preset::Paper {
            sections.splice(0..0, self.published());
        }
        Document { introduction: self.introduction(), sections }
    }

    fn to_json(&self) -> Value {
        json_with(self, &self.figures())
    }

    fn plots(&self) -> Vec<Plot> {
        self.charts()
    }
}

impl Report {
    fn introduction(&self) -> Vec<String> {
        let size = |name: &str, size: &super::report::Size| {
            format!("{name}: {} trees, {} words.", size.trees, size.words)
        };
        let mut lines = vec![size("Training set", &self.train), size("Development set", &self.dev)];
        lines.extend(self.test.as_ref().map(|test| size("Test set", test)));
        lines.push(format!(
            "{}, seed {}. Times of training are processor seconds of all threads, without reading.",
            if self.threads == 1 { "One thread".to_owned() } else { format!("{} threads", self.threads) },
            self.seed,
        ));
        if self.preset == Preset::Paper {
            lines.push(format!("Exactly the method of Cohen et al. (2013): {}.", self.constants));
        }
        if !self.tuned.is_empty() {
            let each = self
                .tuned
                .iter()
                .map(|one| format!("m = {}: {} (F1 {:.2})", one.states, one.constants, one.f1));
            lines.push(format!(
                "Smoothing constants chosen on a tenth of the training trees, from words alone: {}.",
                each.collect::<Vec<_>>().join("; ")
            ));
        }
        if let Some(tagger) = &self.tagger {
            let test =
                tagger.test.map_or_else(String::new, |test| format!(" and {test:.2} % of the test set"));
            lines.push(format!(
                "The tagger has the right tag for {:.2} % of the words of the development set{test}; learning it took {}.",
                tagger.dev,
                seconds(tagger.training.time()),
            ));
        }
        if !self.shared.is_empty() {
            let stages: Vec<String> = self
                .shared
                .iter()
                .map(|stage| format!("{} {}", stage.name, seconds(stage.cost.time())))
                .collect();
            lines.push(format!(
                "Learners with latent states share {} of groundwork ({}), which is in none of their times.",
                seconds(self.shared_cost().time()),
                stages.join(", ")
            ));
        }
        lines
    }

    /// One row a run, EM at its best.
    fn results(&self, tags: TagSource) -> Section {
        let header = [
            "learner",
            "m",
            "steps",
            "F1",
            "precision",
            "recall",
            "exact",
            "not derived",
            "Z < 0",
            "test F1",
            "training",
            "sentences/s",
            "numbers",
            "peak MB",
        ];
        let row = |run: &Run| {
            let (checkpoint, score) = run.best(tags)?;
            let mut row = vec![run.learner.title().to_owned(), or_nothing(run.states)];
            row.push(or_nothing(checkpoint.steps));
            row.extend(figures(score));
            row.push(percent(run.test(tags).map(|test| test.score.brackets.f1)));
            row.extend([
                seconds(checkpoint.cost.time()),
                format!("{:.0}", score.sentences_per_second),
                run.numbers.to_string(),
                run.peak_mb.map_or_else(|| NOTHING.to_owned(), |peak| format!("{peak:.0}")),
            ]);
            Some(row)
        };
        Section {
            title: format!("Results on the development set, {}", tags.seen()),
            table: table(&header, self.runs.iter().filter_map(row).collect()),
            remarks: vec![
                "EM stands at its best number of steps on the development set. “Not derived” counts sentences that got a fallback; “Z < 0” \
                 those with a negative partition function; sentences/s are for one processor."
                    .to_owned(),
            ],
        }
    }

    /// Table 1 of the paper.
    fn over_steps(&self, tags: TagSource) -> Option<Section> {
        let runs: Vec<&Run> = self.runs.iter().filter(|run| run.checkpoints.len() > 1).collect();
        let mut steps: Vec<usize> =
            runs.iter().flat_map(|run| &run.checkpoints).filter_map(|checkpoint| checkpoint.steps).collect();
        steps.sort_unstable();
        steps.dedup();
        if runs.is_empty() {
            return None;
        }
        let row = |run: &Run| {
            let mut row = vec![called(run.learner, run.states, None)];
            for &steps in &steps {
                let at = run.checkpoints.iter().find(|checkpoint| checkpoint.steps == Some(steps));
                let f1 = at.and_then(|checkpoint| checkpoint.score(tags)).map(|score| score.brackets.f1);
                row.push(percent(f1));
            }
            row
        };
        let mut header = vec!["F1 after so many steps".to_owned()];
        header.extend(steps.iter().map(ToString::to_string));
        Some(Section {
            title: format!("EM over its iterations, {}", tags.seen()),
            table: Table { header, rows: runs.into_iter().map(row).collect() },
            remarks: Vec::new(),
        })
    }

    /// Table 2 of the paper.
    fn by_states(&self, tags: TagSource) -> Option<Section> {
        let states = self.states();
        let main = |contestant: &Contestant| {
            contestant.is_latent()
                && contestant.variant_of().is_none()
                && self.runs.iter().any(|run| run.learner == *contestant)
        };
        let learners: Vec<Contestant> = Contestant::ALL.into_iter().filter(main).collect();
        if learners.is_empty() {
            return None;
        }
        let mut header = vec!["F1".to_owned()];
        header.extend(states.iter().map(|states| format!("m={states}")));
        let row = |learner: Contestant| {
            let mut row = vec![learner.title().to_owned()];
            row.extend(states.iter().map(|&states| percent(self.f1(learner, states, tags))));
            row
        };
        Some(Section {
            title: format!("Learners by the number of states, {}", tags.seen()),
            table: Table { header, rows: learners.into_iter().map(row).collect() },
            remarks: Vec::new(),
        })
    }

    fn f1(&self, learner: Contestant, states: usize, tags: TagSource) -> Option<f64> {
        Some(self.run(learner, Some(states))?.best(tags)?.1.brackets.f1)
    }

    /// Section 4.3 of the paper.
    fn variants(&self, tags: TagSource) -> Option<Section> {
        let of_tags = |ablation: &&Ablation| ablation.tags == tags;
        let all: Vec<&Ablation> = self.ablations.iter().filter(of_tags).collect();
        let mut learners: Vec<Contestant> = all.iter().map(|ablation| ablation.learner).collect();
        learners.dedup();
        if learners.is_empty() {
            return None;
        }
        let states = self.states();
        let mut header =
            vec!["F1 (against the full learner, other trees)".to_owned(), "variant of".to_owned()];
        header.extend(states.iter().map(|states| format!("m={states}")));
        let row = |&learner: &Contestant| {
            let mut row = vec![learner.title().to_owned()];
            row.push(learner.variant_of().map_or(NOTHING, Contestant::title).to_owned());
            for &states in &states {
                let found = all.iter().find(|one| one.learner == learner && one.states == states);
                row.push(found.map_or_else(
                    || NOTHING.to_owned(),
                    |one| {
                        let changed = one.changed.map_or_else(String::new, |share| format!(", {share:.0} %"));
                        format!("{:.2} ({:+.2}{changed})", one.f1, one.difference)
                    },
                ));
            }
            row
        };
        let rows = learners.iter().map(row).collect();
        let mut remarks = Vec::new();
        let better: Vec<String> = all
            .iter()
            .filter(|ablation| ablation.difference >= 0.0)
            .map(|ablation| {
                format!(
                    "{} ({:+.2})",
                    called(ablation.learner, Some(ablation.states), None),
                    ablation.difference
                )
            })
            .collect();
        remarks.push(match better.as_slice() {
            [] => "Every variant is below the full learner at every number of states.".to_owned(),
            _ => format!("Not below the full learner: {}.", better.join("; ")),
        });
        Some(Section {
            title: format!("What each part is worth, {}", tags.seen()),
            table: Table { header, rows },
            remarks,
        })
    }

    fn tests(&self, tags: TagSource) -> Option<Section> {
        let tests: Vec<&TestScore> = self.tests.iter().filter(|test| test.score.tags == tags).collect();
        if tests.is_empty() {
            return None;
        }
        let header = [
            "learner",
            "m",
            "steps",
            "dev F1",
            "test F1",
            "precision",
            "recall",
            "exact",
            "not derived",
            "Z < 0",
        ];
        let row = |test: &&TestScore| {
            let mut row = vec![test.learner.title().to_owned(), or_nothing(test.states)];
            row.extend([or_nothing(test.steps), percent(Some(test.dev_f1))]);
            row.extend(figures(&test.score));
            row
        };
        Some(Section {
            title: format!("The test set, {}", tags.seen()),
            table: table(&header, tests.iter().map(row).collect()),
            remarks: vec![
                "States and steps are those that were best on the development set; nothing was chosen by the test set.".to_owned(),
            ],
        })
    }

    /// Table 3 of the paper.
    fn times(&self) -> Section {
        let mut names: Vec<&str> = Vec::new();
        for stage in self.runs.iter().flat_map(|run| &run.stages) {
            if !names.contains(&stage.name.as_str()) {
                names.push(&stage.name);
            }
        }
        let mut header: Vec<String> = ["training", "one step", "total"].map(str::to_owned).to_vec();
        header.extend(names.iter().map(|&name| name.to_owned()));
        // Ways of parsing have no training of their own.
        let shares = |run: &&Run| {
            !matches!(run.learner, Contestant::SignsKept | Contestant::Sum | Contestant::SumSignsKept)
        };
        let row = |run: &Run| {
            let last = run.checkpoints.last();
            let steps = last.and_then(|checkpoint| checkpoint.steps);
            let mut row = vec![called(run.learner, run.states, steps)];
            let step = steps.filter(|&steps| steps > 0).zip(run.stage(STEPS));
            row.push(step.map_or_else(|| NOTHING.to_owned(), |(steps, time)| seconds(time / steps as f64)));
            row.push(last.map_or_else(|| NOTHING.to_owned(), |checkpoint| seconds(checkpoint.cost.time())));
            row.extend(names.iter().map(|&name| run.stage(name).map_or_else(|| NOTHING.to_owned(), seconds)));
            row
        };
        let rows = self.runs.iter().filter(shares).map(row).collect();
        Section {
            title: "Time of training by stage".to_owned(),
            table: Table { header, rows },
            remarks: self.speed.iter().map(|speed| self.sentence(speed)).collect(),
        }
    }

    /// The factor between EM and the spectral learner, in words.
    fn sentence(&self, speed: &Speed) -> String {
        let best = match speed.em_best {
            BestAt::Within => "",
            BestAt::Last => " That is its last checkpoint: EM may not have reached its best.",
        };
        let level = match &speed.em_level {
            None => " EM is at no checkpoint as accurate as the spectral learner.".to_owned(),
            Some(level) => format!(
                " EM is as accurate as the spectral learner from {} steps on: {}, factor {:.1}.",
                level.steps,
                seconds(level.seconds),
                level.factor
            ),
        };
        format!(
            "Spectral m={}: {} (F1 {:.2}); EM to its best iteration ({}), {}: {} (F1 {:.2}); factor {:.1}.{best}{level} \
             One step of EM: {}.",
            speed.states,
            seconds(speed.spectral_seconds),
            speed.spectral_f1,
            speed.em_steps,
            speed.tags.seen(),
            seconds(speed.em_seconds),
            speed.em_f1,
            speed.factor,
            seconds(speed.em_step_seconds),
        )
    }
}

/// F1, precision, recall, exact, fallbacks, negative.
fn figures(score: &Score) -> [String; 6] {
    let brackets = &score.brackets;
    [
        percent(Some(brackets.f1)),
        percent(Some(brackets.precision)),
        percent(Some(brackets.recall)),
        percent(Some(brackets.exact)),
        brackets.failures.to_string(),
        score.negative.to_string(),
    ]
}

fn table(header: &[&str], rows: Vec<Vec<String>>) -> Table {
    Table { header: header.iter().map(|&name| name.to_owned()).collect(), rows }
}

fn or_nothing(number: Option<usize>) -> String {
    number.map_or_else(|| NOTHING.to_owned(), |number| number.to_string())
}

fn percent(value: Option<f64>) -> String {
    value.map_or_else(|| NOTHING.to_owned(), |value| format!("{value:.2}"))
}

/// A time, with the precision that it deserves.
fn seconds(time: f64) -> String {
    match time {
        time if time >= 100.0 => format!("{time:.0} s"),
        time if time >= 1.0 => format!("{time:.1} s"),
        time => format!("{time:.2} s"),
    }
}
