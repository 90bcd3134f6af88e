//! The report on errors: tables and JSON.

use serde_json::{Value, json};

use super::table::{Table, figure};
use crate::counts::Counts;
use crate::diagnosis::{Breakdown, ConfusionMatrix, Diagnosis, SentenceScore};

/// Number of confusions in a table.
const CONFUSIONS: usize = 15;

/// Texts of the worst sentences are cut after this many characters.
const TEXT: usize = 60;

/// Renders a diagnosis. `worst` is the number of sentences that it names.
#[derive(Clone, Copy, Debug)]
pub struct DiagnosisReport<'d> {
    /// The analysis.
    pub diagnosis: &'d Diagnosis,
    /// Number of sentences to name.
    pub worst: usize,
}

impl DiagnosisReport<'_> {
    /// One table per breakdown and confusion matrix, and one of the worst sentences.
    pub fn tables(&self) -> Vec<Table> {
        let breakdowns = self.diagnosis.breakdowns.iter().map(breakdown_table);
        let confusions = self.diagnosis.confusions.iter().filter_map(confusion_table);
        breakdowns.chain(confusions).chain(self.worst_table()).collect()
    }

    fn worst_sentences(&self) -> impl Iterator<Item = &SentenceScore> {
        self.diagnosis.worst(self.worst).into_iter().map(|at| &self.diagnosis.sentences[at])
    }

    fn worst_table(&self) -> Option<Table> {
        let figures = self.diagnosis.figures.iter().map(|&name| name.to_owned());
        let header = ["worst sentence", "words", "errors"].map(str::to_owned).into_iter().chain(figures);
        let row = |sentence: &SentenceScore| {
            let name = match &*sentence.id {
                "" => sentence.number.to_string(),
                id => format!("{} {id}", sentence.number),
            };
            let mut row = vec![name, sentence.words.to_string(), sentence.errors.to_string()];
            row.extend(sentence.counts.iter().map(|counts| percent(*counts)));
            row.push(format!("  {}", shortened(&sentence.text)));
            row
        };
        let rows: Vec<Vec<String>> = self.worst_sentences().map(row).collect();
        (!rows.is_empty()).then(|| Table { header: header.chain([String::new()]).collect(), rows })
    }

    /// The same as JSON.
    pub fn to_json_value(&self) -> Value {
        let breakdowns = self.diagnosis.breakdowns.iter().map(|breakdown| {
            let rows = breakdown.rows.iter().map(|row| {
                let mut object = json!({ "class": row.class });
                for (name, counts) in breakdown.figures.iter().zip(&row.counts) {
                    object[*name] = counts_json(*counts);
                }
                object
            });
            json!({ "by": breakdown.by, "classes": rows.collect::<Vec<_>>() })
        });
        let confusions = self.diagnosis.confusions.iter().map(|matrix| {
            let pairs = matrix.confusions(usize::MAX).into_iter().map(|confusion| {
                json!({ "gold": confusion.gold, "predicted": confusion.predicted, "count": confusion.count })
            });
            json!({ "of": matrix.of, "confusions": pairs.collect::<Vec<_>>() })
        });
        let worst = self.worst_sentences().map(|sentence| {
            json!({ "sentence": sentence.number, "id": sentence.id, "words": sentence.words,
                "errors": sentence.errors, "text": sentence.text })
        });
        json!({
            "breakdowns": breakdowns.collect::<Vec<_>>(),
            "confusions": confusions.collect::<Vec<_>>(),
            "worst": worst.collect::<Vec<_>>(),
        })
    }
}

fn counts_json(counts: Counts) -> Value {
    json!({ "f1": 100.0 * counts.f1(), "precision": 100.0 * counts.precision(), "recall": 100.0 * counts.recall(),
        "gold": counts.gold, "predicted": counts.predicted })
}

/// A figure in percent; nothing if there is nothing to count.
pub(super) fn percent(counts: Counts) -> String {
    if counts.gold + counts.predicted == 0 { "-".to_owned() } else { figure(100.0 * counts.f1()) }
}

/// The number of gold items, and F1 of each figure; precision and recall as well if there is one figure only.
pub(super) fn breakdown_table(breakdown: &Breakdown) -> Table {
    let single = breakdown.figures.len() == 1;
    let mut header = vec![format!("by {}", breakdown.by), "gold".to_owned()];
    header.extend(breakdown.figures.iter().map(|&name| name.to_owned()));
    if single {
        header.extend(["precision", "recall"].map(str::to_owned));
    }
    let rows = breakdown.rows.iter().map(|row| {
        let first = row.counts.first().copied().unwrap_or_default();
        let mut cells = vec![row.class.clone(), first.gold.to_string()];
        cells.extend(row.counts.iter().map(|&counts| percent(counts)));
        if single {
            cells.extend([figure(100.0 * first.precision()), figure(100.0 * first.recall())]);
        }
        cells
    });
    Table { header, rows: rows.collect() }
}

fn confusion_table(matrix: &ConfusionMatrix) -> Option<Table> {
    let rows: Vec<Vec<String>> = matrix
        .confusions(CONFUSIONS)
        .into_iter()
        .map(|confusion| vec![confusion.gold, confusion.predicted, confusion.count.to_string()])
        .collect();
    let header = vec![format!("gold {}", matrix.of), "predicted".to_owned(), "times".to_owned()];
    (!rows.is_empty()).then_some(Table { header, rows })
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(TEXT) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
