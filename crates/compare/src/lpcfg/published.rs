//! The tables of Cohen et al. (2013) in their layout, with the paper's own numbers beside ours.
//!
//! The paper trains on sections 2–21 of the Penn Treebank and scores section 22 with tags of a tagger; other data give
//! other numbers, but the shape of each table can be compared.

use eigentree::training::Preset;
use eval::report::Table;

use super::contestant::Contestant;
use super::report::{Ablation, Report};
use super::run::STEPS;
use super::tags::TagSource;
use crate::document::Section;
use crate::published::Published;
use crate::published::cohen_2013::{
    self, BY_STATES, EM_OVER_STEPS, MARKOV, MINUTES, NO_SCALING, NO_SMOOTHING, PCFG, RULE_FEATURES,
    SIGNS_CHANGE, SIGNS_KEPT, STATES, TEST,
};

const NOTHING: &str = "–";

/// The number of states that the paper scores on its test set.
const MOST_STATES: usize = STATES[STATES.len() - 1];

/// A figure that the paper has for 32 states only.
const fn at_32(value: f64) -> [Option<f64>; 4] {
    [None, None, None, Some(value)]
}

/// Figures for all numbers of states.
const fn at_all([a, b, c, d]: [f64; 4]) -> [Option<f64>; 4] {
    [Some(a), Some(b), Some(c), Some(d)]
}

/// Section 4.3: F1 by learner and number of states.
const ACCURACY: [(Contestant, [Option<f64>; 4]); 5] = [
    (Contestant::Spectral, at_all([BY_STATES[0].1, BY_STATES[1].1, BY_STATES[2].1, BY_STATES[3].1])),
    (Contestant::NoSmoothing, at_all(NO_SMOOTHING)),
    (Contestant::NoScaling, at_32(NO_SCALING)),
    (Contestant::SignsKept, at_32(SIGNS_KEPT)),
    (Contestant::RuleFeatures, at_all(RULE_FEATURES)),
];

/// Grammars without states.
const PLAIN: [(Contestant, f64); 2] = [(Contestant::Pcfg, PCFG), (Contestant::Markov, MARKOV)];

/// The columns of Table 3: learner and stage.
const STAGES: [(Contestant, &str); 7] = [
    (Contestant::Em, "one step"),
    (Contestant::Em, "best model"),
    (Contestant::Spectral, "total"),
    (Contestant::Spectral, "features"),
    (Contestant::Spectral, "scaling, SVD"),
    (Contestant::Spectral, "a→bc"),
    (Contestant::Spectral, "a→x"),
];

impl Report {
    /// All tables in the layout of the paper.
    pub(super) fn published(&self) -> Vec<Section> {
        let mut sections = Vec::new();
        for &tags in &self.tags {
            sections.push(self.table_1(tags));
            sections.push(self.table_2(tags));
        }
        sections.push(self.table_3());
        for &tags in &self.tags {
            sections.extend(self.section_4_3(tags));
        }
        sections
    }

    /// The figures of the paper, each beside ours.
    pub(super) fn figures(&self) -> Vec<Published> {
        if self.preset == Preset::Own {
            return Vec::new();
        }
        let mut figures = Vec::new();
        for &tags in &self.tags {
            let figure = |place, measure, learner: Contestant, states: Option<usize>, paper, ours| {
                Published::new(place, measure, learner.name(), paper, ours)
                    .at_some("states", states)
                    .at("our_tags", tags.name())
            };
            for (states, row) in STATES.into_iter().zip(EM_OVER_STEPS) {
                figures.extend((10..).step_by(10).zip(row).map(|(steps, paper)| {
                    let ours = self.em_after(states, steps, tags);
                    figure("table 1", "dev_f1", Contestant::Em, Some(states), paper, ours).at("steps", steps)
                }));
            }
            for (states, (em, spectral)) in STATES.into_iter().zip(BY_STATES) {
                for (learner, paper) in [(Contestant::Em, em), (Contestant::Spectral, spectral)] {
                    let ours = self.best(learner, Some(states), tags);
                    figures.push(figure("table 2", "dev_f1", learner, Some(states), paper, ours));
                }
            }
            let [em, spectral] = [(Contestant::Em, TEST.0), (Contestant::Spectral, TEST.1)];
            for (learner, paper) in [em, spectral] {
                let ours = self.test_f1(learner, Some(MOST_STATES), tags);
                figures.push(figure("table 2", "test_f1", learner, Some(MOST_STATES), paper, ours));
            }
            for (learner, paper) in PLAIN {
                let ours = self.best(learner, None, tags);
                figures.push(figure("section 4", "dev_f1", learner, None, paper, ours));
            }
            for (learner, row) in &ACCURACY[1..] {
                for (states, paper) in STATES.into_iter().zip(row) {
                    let ours = self.best(*learner, Some(states), tags);
                    figures.extend(
                        paper.map(|paper| {
                            figure("section 4.3", "dev_f1", *learner, Some(states), paper, ours)
                        }),
                    );
                }
            }
            let signs = Contestant::SignsKept;
            let ours = self.changed(signs, Some(32), tags);
            figures.push(figure("section 4.3", "changed_percent", signs, Some(32), SIGNS_CHANGE, ours));
        }
        for (states, minutes) in STATES.into_iter().zip(MINUTES) {
            let stages = STAGES.into_iter().zip(minutes).zip(self.seconds(states));
            figures.extend(stages.map(|(((learner, stage), minutes), ours)| {
                Published::new("table 3", "training_seconds", learner.name(), 60.0 * minutes, ours)
                    .at("states", states)
                    .at("stage", stage)
            }));
        }
        figures
    }

    fn best(&self, learner: Contestant, states: Option<usize>, tags: TagSource) -> Option<f64> {
        Some(self.run(learner, states)?.best(tags)?.1.brackets.f1)
    }

    /// F1 of EM after so many steps.
    fn em_after(&self, states: usize, steps: usize, tags: TagSource) -> Option<f64> {
        let run = self.run(Contestant::Em, Some(states))?;
        let checkpoint = run.checkpoints.iter().find(|one| one.steps == Some(steps))?;
        Some(checkpoint.score(tags)?.brackets.f1)
    }

    fn test_f1(&self, learner: Contestant, states: Option<usize>, tags: TagSource) -> Option<f64> {
        Some(self.run(learner, states)?.test(tags)?.score.brackets.f1)
    }

    fn table_1(&self, tags: TagSource) -> Section {
        let mut steps: Vec<usize> = Vec::new();
        for run in self.runs.iter().filter(|run| run.learner == Contestant::Em) {
            steps.extend(run.checkpoints.iter().filter_map(|checkpoint| checkpoint.steps));
        }
        steps.sort_unstable();
        steps.dedup();
        let mut header = vec!["EM, F1 after steps: ours (paper)".to_owned()];
        header.extend(steps.iter().map(ToString::to_string));
        let row = |states: usize| {
            let mut row = vec![format!("m = {states}")];
            row.extend(steps.iter().map(|&steps| {
                beside(self.em_after(states, steps, tags), cohen_2013::em_after(states, steps))
            }));
            row
        };
        Section {
            title: format!("Table 1: EM by the number of steps, {}", tags.seen()),
            table: Table { header, rows: self.states().into_iter().map(row).collect() },
            remarks: Vec::new(),
        }
    }

    fn table_2(&self, tags: TagSource) -> Section {
        let header = ["F1: ours (paper)", "EM", "spectral", "EM, test", "spectral, test"];
        let row = |states: usize| {
            let paper = cohen_2013::place(states).map(|at| BY_STATES[at]);
            let test = (states == MOST_STATES).then_some(TEST);
            let ours = |learner| self.best(learner, Some(states), tags);
            let ours_test = |learner| self.test_f1(learner, Some(states), tags);
            vec![
                format!("m = {states}"),
                beside(ours(Contestant::Em), paper.map(|(em, _)| em)),
                beside(ours(Contestant::Spectral), paper.map(|(_, spectral)| spectral)),
                beside(ours_test(Contestant::Em), test.map(|(em, _)| em)),
                beside(ours_test(Contestant::Spectral), test.map(|(_, spectral)| spectral)),
            ]
        };
        Section {
            title: format!("Table 2: EM and the spectral learner, {}", tags.seen()),
            table: Table {
                header: header.map(str::to_owned).to_vec(),
                rows: self.states().into_iter().map(row).collect(),
            },
            remarks: vec![
                "EM stands at the step that is best on the development set. The paper has test figures for the number of \
                 states that is best on its development set."
                    .to_owned(),
            ],
        }
    }

    /// The times of Table 3 in its order, in seconds.
    fn seconds(&self, states: usize) -> [Option<f64>; 7] {
        let tags = self.tags.first().copied().unwrap_or(TagSource::Predicted);
        let em = self.run(Contestant::Em, Some(states));
        let spectral = self.run(Contestant::Spectral, Some(states));
        let step = em.and_then(|run| {
            let steps = run.checkpoints.last()?.steps.filter(|&steps| steps > 0)?;
            Some(run.stage(STEPS)? / steps as f64)
        });
        let to_best = em.and_then(|run| run.best(tags)).map(|(checkpoint, _)| checkpoint.cost.time());
        let total = spectral.and_then(|run| run.checkpoints.last()).map(|last| last.cost.time());
        let stage = |name: &str| spectral.and_then(|run| run.stage(name));
        let [features, decompose, rules, words] =
            ["features", "decompose", "moments", "word moments"].map(stage);
        [step, to_best, total, features, decompose, rules, words]
    }

    fn table_3(&self) -> Section {
        let header = [
            "seconds (paper: minutes)",
            "one EM step",
            "EM, best model",
            "spectral, total",
            "features",
            "scaling, SVD",
            "a→bc",
            "a→x",
            "EM / spectral",
        ];
        let row = |states: usize| {
            let paper = cohen_2013::place(states).map(|at| MINUTES[at]);
            let times = self.seconds(states);
            let factor = times[1].zip(times[2]).map(|(em, spectral)| em / spectral);
            let mut row = vec![format!("m = {states}")];
            row.extend(times.iter().enumerate().map(|(at, &ours)| beside(ours, paper.map(|row| row[at]))));
            row.push(beside(factor, paper.map(|row| row[1] / row[2])));
            row
        };
        Section {
            title: "Table 3: time of training".to_owned(),
            table: Table {
                header: header.map(str::to_owned).to_vec(),
                rows: self.states().into_iter().map(row).collect(),
            },
            remarks: vec![
                "Ours in processor seconds; the paper's numbers, in minutes, in brackets.".to_owned(),
            ],
        }
    }

    /// Sentences with another tree than that of the full learner, in per cent.
    fn changed(&self, learner: Contestant, states: Option<usize>, tags: TagSource) -> Option<f64> {
        let is_asked =
            |one: &&Ablation| one.learner == learner && Some(one.states) == states && one.tags == tags;
        self.ablations.iter().find(is_asked)?.changed
    }

    fn section_4_3(&self, tags: TagSource) -> Vec<Section> {
        let f1 = |learner, states| self.best(learner, states, tags);
        let mut dev = self.by_learner("F1: ours (paper)", &ACCURACY, f1);
        for (at, (learner, paper)) in PLAIN.into_iter().enumerate() {
            dev.rows.insert(at, self.plain_row(learner, beside(f1(learner, None), Some(paper))));
        }
        let title =
            |set: &str| format!("Section 4.3: smoothing, features, negative values, {set}, {}", tags.seen());
        let mut sections = vec![Section { title: title("development set"), table: dev, remarks: Vec::new() }];
        let unknown = ACCURACY.map(|(learner, _)| (learner, [None; 4]));
        if self.test.is_some() {
            let f1 = |learner, states| self.test_f1(learner, states, tags);
            let mut test = self.by_learner("F1", &unknown, f1);
            for (at, (learner, _)) in PLAIN.into_iter().enumerate() {
                test.rows.insert(at, self.plain_row(learner, number(f1(learner, None))));
            }
            sections.push(Section { title: title("test set"), table: test, remarks: Vec::new() });
        }
        let paper = unknown[1..].iter().map(|&(learner, _)| match learner {
            Contestant::SignsKept => (learner, at_32(SIGNS_CHANGE)),
            _ => (learner, [None; 4]),
        });
        let changed = |learner, states| self.changed(learner, states, tags);
        sections.push(Section {
            title: format!(
                "Section 4.3: sentences of the development set with another tree, {}",
                tags.seen()
            ),
            table: self.by_learner("per cent: ours (paper)", &paper.collect::<Vec<_>>(), changed),
            remarks: vec!["Other than the tree of the full learner with as many states.".to_owned()],
        });
        sections
    }

    /// One row a learner with states, one column a number of states.
    fn by_learner(
        &self,
        corner: &str,
        learners: &[(Contestant, [Option<f64>; 4])],
        ours: impl Fn(Contestant, Option<usize>) -> Option<f64>,
    ) -> Table {
        let states = self.states();
        let mut header = vec![corner.to_owned(), "no states".to_owned()];
        header.extend(states.iter().map(|states| format!("m = {states}")));
        let row = |&(learner, paper): &(Contestant, [Option<f64>; 4])| {
            let mut row = vec![learner.title().to_owned(), NOTHING.to_owned()];
            row.extend(states.iter().map(|&states| {
                let paper = cohen_2013::place(states).and_then(|at| paper[at]);
                beside(ours(learner, Some(states)), paper)
            }));
            row
        };
        Table { header, rows: learners.iter().map(row).collect() }
    }

    /// The row of a grammar without states in such a table.
    fn plain_row(&self, learner: Contestant, cell: String) -> Vec<String> {
        let mut row = vec![learner.title().to_owned(), cell];
        row.extend(self.states().iter().map(|_| NOTHING.to_owned()));
        row
    }
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| NOTHING.to_owned(), |value| format!("{value:.2}"))
}

/// Our number with the paper's in brackets.
fn beside(ours: Option<f64>, paper: Option<f64>) -> String {
    match (ours, paper) {
        (None, None) => NOTHING.to_owned(),
        (ours, None) => number(ours),
        (ours, paper) => format!("{} ({})", number(ours), number(paper)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_the_paper_stands_in_brackets() {
        assert_eq!(beside(Some(1.0), Some(2.0)), "1.00 (2.00)");
        assert_eq!(beside(None, Some(2.0)), "– (2.00)");
    }
}
