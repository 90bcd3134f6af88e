//! An HTML page of errors: self-contained, without scripts, to be opened from a disk or sent by mail.

use std::fmt::Write;

use corpus::drawing::push_escaped;

use super::diagnosis::{breakdown_table, percent};
use super::table::Table;
use crate::diagnosis::{ConfusionMatrix, Diagnosis};

/// Number of classes in a confusion matrix.
const CLASSES: usize = 16;

const STYLE: &str = "body{font:15px/1.45 'Helvetica Neue',Arial,'Noto Sans',sans-serif;color:#1b2733;margin:2em auto;\
max-width:1200px;padding:0 1em}h1{font-size:1.5em}h2{font-size:1.2em;margin-top:2em;border-bottom:1px solid #d5dde3}\
h3{font-size:1em;margin:1.6em 0 .3em}table{border-collapse:collapse;margin:.6em 0}td,th{padding:2px 9px;\
text-align:right;font-variant-numeric:tabular-nums}td:first-child,th:first-child{text-align:left}\
th{border-bottom:1px solid #8a97a3;font-weight:600}.tables{display:flex;flex-wrap:wrap;gap:1.5em 2.5em;align-items:flex-start}\
.bar{background:linear-gradient(to right,#bcd9ee var(--w),transparent var(--w))}\
.matrix td{border:1px solid #e3e8ec;min-width:2.2em}.matrix th{border:0;font-weight:500}\
.matrix th.turned{writing-mode:vertical-rl;transform:rotate(180deg);text-align:left;padding:6px 2px}\
.pair{display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start}.side{overflow-x:auto;border:1px solid #e3e8ec;\
max-width:100%}.side h4{margin:.3em .8em;font-size:.85em;color:#4a5763;font-weight:600}\
.side p{margin:.4em .8em .8em}mark{background:#cfe3f2;border-radius:3px;padding:0 3px}mark.wrong{background:#f6d2bd;\
outline:1px solid #c43b00}mark small{color:#33414e}.note{color:#4a5763;font-size:.9em}\
nav a{margin-right:1.2em}a{color:#0b5c96}@media print{.side{break-inside:avoid}}";

/// A sentence shown with both analyses, as SVG or HTML.
#[derive(Clone, Debug, Default)]
pub struct ShownSentence {
    /// Index in the diagnosis.
    pub sentence: usize,
    /// The gold analysis: an SVG document or inline HTML, already escaped.
    pub gold: String,
    /// The predicted analysis.
    pub predicted: String,
}

/// A page of errors.
#[derive(Clone, Debug)]
pub struct ErrorPage<'d> {
    /// The title.
    pub title: String,
    /// Sentences below the title, such as the names of the files.
    pub introduction: Vec<String>,
    /// The main figures.
    pub tables: Vec<Table>,
    /// The analysis.
    pub diagnosis: &'d Diagnosis,
    /// The worst sentences, drawn.
    pub worst: Vec<ShownSentence>,
}

impl ErrorPage<'_> {
    /// The page as a document.
    pub fn to_html(&self) -> String {
        let mut page =
            String::from("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>");
        push_escaped(&mut page, &self.title);
        let _ = write!(page, "</title>\n<style>{STYLE}</style></head>\n<body>\n<h1>");
        push_escaped(&mut page, &self.title);
        page.push_str("</h1>\n");
        for line in &self.introduction {
            page.push_str("<p class=\"note\">");
            push_escaped(&mut page, line);
            page.push_str("</p>\n");
        }
        page.push_str(
            "<nav><a href=\"#scores\">Scores</a><a href=\"#classes\">By class</a>\
             <a href=\"#confusions\">Confusions</a><a href=\"#worst\">Worst sentences</a></nav>\n\
             <h2 id=\"scores\">Scores</h2>\n<div class=\"tables\">\n",
        );
        self.tables.iter().for_each(|table| push_table(&mut page, table, Bars::None));
        page.push_str("</div>\n<h2 id=\"classes\">By class</h2>\n<div class=\"tables\">\n");
        for breakdown in &self.diagnosis.breakdowns {
            push_table(&mut page, &breakdown_table(breakdown), Bars::AfterSecond);
        }
        page.push_str("</div>\n<h2 id=\"confusions\">Confusions</h2>\n<div class=\"tables\">\n");
        self.diagnosis.confusions.iter().for_each(|matrix| push_matrix(&mut page, matrix));
        page.push_str("</div>\n<h2 id=\"worst\">Worst sentences</h2>\n");
        page.push_str(
            "<p class=\"note\">Sentences with many errors for their length. In orange: what the other side does not \
             have. In blue: the same head with another relation.</p>\n",
        );
        self.worst.iter().for_each(|shown| self.push_sentence(&mut page, shown));
        page.push_str("</body></html>\n");
        page
    }

    fn push_sentence(&self, page: &mut String, shown: &ShownSentence) {
        let Some(sentence) = self.diagnosis.sentences.get(shown.sentence) else { return };
        let figures = self.diagnosis.figures.iter().zip(&sentence.counts);
        let figures: Vec<String> =
            figures.map(|(name, &counts)| format!("{name} {}", percent(counts))).collect();
        let _ = write!(page, "<section><h3>Sentence {}", sentence.number);
        if !sentence.id.is_empty() {
            page.push_str(" (");
            push_escaped(page, &sentence.id);
            page.push(')');
        }
        let _ = write!(
            page,
            ": {} errors in {} words; {}</h3>",
            sentence.errors,
            sentence.words,
            figures.join(", ")
        );
        page.push_str("\n<div class=\"pair\"><div class=\"side\"><h4>gold</h4>");
        page.push_str(&shown.gold);
        page.push_str("</div><div class=\"side\"><h4>predicted</h4>");
        page.push_str(&shown.predicted);
        page.push_str("</div></div></section>\n");
    }
}

/// Whether figures have bars behind them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bars {
    None,
    /// Behind percentages, which follow a name and a number.
    AfterSecond,
}

fn push_table(page: &mut String, table: &Table, bars: Bars) {
    page.push_str("<table><tr>");
    for cell in &table.header {
        page.push_str("<th>");
        push_escaped(page, cell);
        page.push_str("</th>");
    }
    page.push_str("</tr>\n");
    for row in &table.rows {
        page.push_str("<tr>");
        for (at, cell) in row.iter().enumerate() {
            match cell.parse::<f64>() {
                Ok(value) if bars == Bars::AfterSecond && at >= 2 => {
                    let _ = write!(page, "<td class=\"bar\" style=\"--w:{:.0}%\">", value.clamp(0.0, 100.0));
                }
                _ => page.push_str("<td>"),
            }
            push_escaped(page, cell);
            page.push_str("</td>");
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table>\n");
}

/// Gold classes down, predicted classes across. The darker a cell, the larger its share of the gold class.
fn push_matrix(page: &mut String, matrix: &ConfusionMatrix) {
    let classes = matrix.classes(CLASSES);
    if classes.is_empty() {
        return;
    }
    let _ = write!(page, "<table class=\"matrix\"><tr><th>gold {} ↓ predicted →</th>", matrix.of);
    for class in &classes {
        page.push_str("<th class=\"turned\">");
        push_escaped(page, class);
        page.push_str("</th>");
    }
    page.push_str("</tr>\n");
    for gold in &classes {
        let total: u64 = classes.iter().map(|predicted| matrix.count(gold, predicted)).sum();
        page.push_str("<tr><th>");
        push_escaped(page, gold);
        page.push_str("</th>");
        for predicted in &classes {
            let count = matrix.count(gold, predicted);
            let share = count as f64 / total.max(1) as f64;
            // Right ones in grey, wrong ones in orange; the number stays readable on both.
            let colour = if gold == predicted { "90,105,120" } else { "213,94,0" };
            let shade = if gold == predicted { 0.25 * share } else { (2.5 * share).min(0.75) };
            let shown = if count == 0 { String::new() } else { count.to_string() };
            let _ = write!(page, "<td style=\"background:rgba({colour},{shade:.2})\">{shown}</td>");
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table>\n");
}
