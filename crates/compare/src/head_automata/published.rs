//! Table 1 of Luque et al. (2012) in its layout, and all figures of the paper beside ours.

use eigentree::training::Preset;
use eval::report::Table;

use super::report::{Report, Run};
use super::tables::NOTHING;
use crate::document::Section;
use crate::published::Published;
use crate::published::luque_2012::{PEAKS, Peak, TIME_RATIO};

/// Whether a learner of ours is one of the paper, which does not name the steps of EM.
fn is(learner: &str, name: &str) -> bool {
    learner == name || (name == "em" && learner.starts_with("em ("))
}

/// What the paper has for a learner of ours.
pub(super) fn peak(learner: &str) -> Option<&'static Peak> {
    PEAKS.iter().find(|peak| is(learner, peak.learner))
}

impl Report {
    /// The best run of a learner of the paper on the development set.
    fn best_of(&self, name: &str) -> Option<&Run> {
        let learners = self.learners().into_iter().filter(|learner| is(learner, name));
        learners.filter_map(|learner| self.best(learner)).max_by(|a, b| a.dev.uas.total_cmp(&b.dev.uas))
    }

    /// Table 1 in its layout, with the numbers of the paper: its test set, and the peaks of figure 1.
    pub(super) fn table_1(&self) -> Section {
        let shown =
            |number: Option<f64>| number.map_or_else(|| NOTHING.to_owned(), |number| format!("{number:.2}"));
        let states = |states: Option<usize>| states.map_or_else(|| NOTHING.to_owned(), |n| n.to_string());
        let mut header = vec![String::new()];
        header.extend(PEAKS.iter().map(|peak| peak.learner.to_uppercase()));
        let row = |title: &str, cell: &dyn Fn(&Peak) -> String| {
            std::iter::once(title.to_owned()).chain(PEAKS.iter().map(cell)).collect::<Vec<_>>()
        };
        let ours = |peak: &Peak| self.best_of(peak.learner);
        let rows = vec![
            row("paper, WSJ test", &|peak| shown(Some(peak.test))),
            row("ours, test", &|peak| shown(ours(peak).and_then(|run| run.test).map(|test| test.uas))),
            row("paper, WSJ development", &|peak| shown(Some(peak.dev))),
            row("ours, development", &|peak| shown(ours(peak).map(|run| run.dev.uas))),
            row("states, paper", &|peak| states(peak.states)),
            row("states, ours", &|peak| states(ours(peak).and_then(|run| run.states))),
        ];
        Section {
            title: "Table 1: unlexicalised models".to_owned(),
            table: Table { header, rows },
            remarks: vec![
                "Exactly the published method: no mixture with DET+F, unsmoothed frequencies, words of weight 1. Where the sum \
                 over trees is not positive, DET+F decides alone."
                    .to_owned(),
            ],
        }
    }

    /// Equation 21 with weight 1, as in the paper, and with the best weight; and where the combination cannot decide.
    pub(super) fn equation_21(&self) -> Option<Section> {
        let header = [
            "learner",
            "n",
            "weight 1",
            "best weight",
            "UAS with it",
            "words alone",
            "Z > 0",
            "weight 1 there",
            "words alone there",
            "weight 1 elsewhere",
            "words alone elsewhere",
        ];
        let runs = self.learners().into_iter().filter_map(|learner| self.best(learner));
        let rows: Vec<Vec<String>> = runs
            .filter_map(|run| {
                let combined = run.combined?;
                let alone = run.learner.split(" + ").next().and_then(|alone| self.best(alone))?;
                let mut row = vec![
                    run.learner.clone(),
                    run.states.map_or_else(String::new, |states| states.to_string()),
                ];
                row.push(format!("{:.2}", run.dev.uas));
                row.extend(
                    [combined.weight, combined.weighted, alone.dev.uas].map(|number| format!("{number:.2}")),
                );
                row.push(format!("{} of {}", combined.positive, run.dev.sentences));
                let rest = [
                    combined.positive_uas,
                    combined.positive_words_alone,
                    combined.other_uas,
                    combined.other_words_alone,
                ];
                row.extend(rest.map(|number| format!("{number:.2}")));
                Some(row)
            })
            .collect();
        (!rows.is_empty()).then(|| Section {
            title: "Equation 21: words beside tags, development set".to_owned(),
            table: Table { header: header.map(str::to_owned).to_vec(), rows },
            remarks: vec![
                "The paper has weight 1. `Z > 0` counts sentences with a positive sum over trees; elsewhere DET+F decides.".to_owned(),
            ],
        })
    }

    /// The training time of EM over that of the spectral method where EM first is as accurate.
    fn time_ratio(&self) -> Option<f64> {
        let (spectral, em) = self.equally_accurate()?;
        Some(em?.training.time() / spectral.training.time()).filter(|ratio| ratio.is_finite())
    }

    /// The figures of the paper, each beside ours.
    pub(super) fn figures(&self) -> Vec<Published> {
        if self.preset == Preset::Own {
            return Vec::new();
        }
        let mut figures = Vec::new();
        for peak in &PEAKS {
            let best = self.best_of(peak.learner);
            let figure = |place, measure, paper, ours| {
                Published::new(place, measure, peak.learner, paper, ours)
                    .at_some("states", peak.states)
                    .at_some("our_states", best.and_then(|run| run.states))
                    .at_some("our_steps", best.and_then(|run| run.steps))
            };
            figures.push(figure("figure 1", "dev_uas", peak.dev, best.map(|run| run.dev.uas)));
            let test = best.and_then(|run| run.test).map(|test| test.uas);
            figures.push(figure("table 1", "test_uas", peak.test, test));
            let viterbi = best.and_then(|run| run.decoded).and_then(|decoded| decoded.viterbi);
            figures.extend(peak.viterbi.map(|paper| figure("footnote 7", "dev_uas_viterbi", paper, viterbi)));
        }
        figures.push(Published::new("section 5.1", "training_ratio", "em", TIME_RATIO, self.time_ratio()));
        figures
    }
}
