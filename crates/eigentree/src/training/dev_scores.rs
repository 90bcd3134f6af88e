//! Scores on development data.

use eval::report::{AttachmentReport, BracketReport, EntityReport, Report};
use serde_json::{Map, Value, json};

use crate::parsing::TagUse;
use crate::reranking::TreeScores;
use crate::tagging::TaggerScores;

/// Everything that was measured on development data.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct DevScores {
    /// The measurements in order.
    pub scores: Vec<DevScore>,
}

/// One measurement.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DevScore {
    /// Its name in summaries, such as `dev`.
    pub name: &'static str,
    /// The result.
    pub measure: Measure,
}

/// The result of a measurement.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Measure {
    /// Brackets of constituency trees, parsed with tags of this origin.
    Brackets(TagUse, Box<BracketReport>),
    /// Heads and labels of dependency trees.
    Attachment(Box<AttachmentReport>),
    /// Labels of words.
    Labels(Box<TaggerScores>),
    /// The probability of trees.
    LatentTrees(TreeScores),
}

impl DevScores {
    pub(super) fn one(name: &'static str, measure: Measure) -> Self {
        Self { scores: vec![DevScore { name, measure }] }
    }

    pub(super) fn push(&mut self, name: &'static str, measure: Measure) {
        self.scores.push(DevScore { name, measure });
    }

    /// Scores of brackets with tags of this origin.
    pub fn brackets(&self, tags: TagUse) -> Option<&BracketReport> {
        self.scores.iter().find_map(|score| match &score.measure {
            Measure::Brackets(used, report) if *used == tags => Some(&**report),
            _ => None,
        })
    }

    /// Scores of heads and labels.
    pub fn attachment(&self) -> Option<&AttachmentReport> {
        self.scores.iter().find_map(|score| match &score.measure {
            Measure::Attachment(report) => Some(&**report),
            _ => None,
        })
    }

    /// Scores of labels of words.
    pub fn labels(&self) -> Option<&TaggerScores> {
        self.scores.iter().find_map(|score| match &score.measure {
            Measure::Labels(scores) => Some(&**scores),
            _ => None,
        })
    }

    /// F1 of brackets in percent, from words alone, or with the given tags if that is all there is.
    pub fn f1(&self) -> Option<f64> {
        let report = self.brackets(TagUse::Predicted).or_else(|| self.brackets(TagUse::Given))?;
        Some(report.all.f1)
    }

    /// The measurements as fields of a JSON object, whose names are stable.
    pub fn to_json(&self) -> impl Iterator<Item = (String, Value)> {
        self.scores.iter().map(|score| (score.name.to_owned(), score.measure.to_json()))
    }

    /// The most important figures as text, one line per measurement or per part of it.
    pub fn lines(&self) -> Vec<String> {
        self.scores.iter().flat_map(|score| score.measure.lines()).collect()
    }
}

impl Measure {
    fn to_json(&self) -> Value {
        match self {
            Measure::Brackets(_, brackets) => {
                let brackets = Some(BracketReport::clone(brackets));
                Report { brackets, ..Report::default() }.to_json_value()
            }
            Measure::Attachment(attachment) => {
                let attachment = Some(AttachmentReport::clone(attachment));
                Report { attachment, ..Report::default() }.to_json_value()
            }
            Measure::Labels(scores) => labels_to_json(scores),
            Measure::LatentTrees(scores) => json!({
                "log_probability_per_word": per_word(scores),
                "trees": scores.trees,
                "negative": scores.negative,
                "impossible": scores.impossible,
            }),
        }
    }

    fn lines(&self) -> Vec<String> {
        match self {
            Measure::Brackets(tags, report) => {
                let figures = &report.all;
                let brackets = format!(
                    "F1 {:.2} (precision {:.2}, recall {:.2})",
                    figures.f1, figures.precision, figures.recall
                );
                vec![format!(
                    "dev {}: {brackets}, exact {:.2}, tags {:.2}, {} of {} sentences not derived",
                    describe(*tags),
                    figures.exact,
                    figures.tags,
                    figures.failures,
                    figures.sentences,
                )]
            }
            Measure::Attachment(report) if report.segmentation.is_some() => text_lines(report),
            Measure::Attachment(report) => {
                vec![format!("dev: UAS {:.2}, LAS {:.2}, CLAS {:.2}", report.uas, report.las, report.clas)]
            }
            Measure::Labels(scores) => label_lines(scores),
            Measure::LatentTrees(scores) => vec![format!(
                "dev: log-probability {:.4} per word, {} of {} trees negative, {} impossible",
                per_word(scores),
                scores.negative,
                scores.trees,
                scores.impossible
            )],
        }
    }
}

/// All figures of the shared task from raw text.
fn text_lines(report: &AttachmentReport) -> Vec<String> {
    let segmentation = report.segmentation.iter().map(|found| {
        let [tokens, sentences, words] =
            [&found.tokens, &found.sentences, &found.words].map(|class| class.f1);
        format!("dev from raw text: tokens {tokens:.2}, sentences {sentences:.2}, words {words:.2}")
    });
    let tags = format!(
        "dev from raw text: UPOS {:.2}, XPOS {:.2}, UFeats {:.2}, AllTags {:.2}, lemmas {:.2}",
        report.upos, report.xpos, report.ufeats, report.all_tags, report.lemmas
    );
    let trees = format!(
        "dev from raw text: UAS {:.2}, LAS {:.2}, CLAS {:.2}, MLAS {:.2}, BLEX {:.2}",
        report.uas, report.las, report.clas, report.mlas, report.blex
    );
    segmentation.chain([tags, trees]).collect()
}

fn labels_to_json(scores: &TaggerScores) -> Value {
    let accuracy = |(name, tags): &(String, eval::tagging::TagScores)| {
        (name.clone(), json!(100.0 * tags.total().all().accuracy()))
    };
    let mut fields: Map<String, Value> = scores.columns.iter().map(accuracy).collect();
    if let Some(entities) = &scores.entities {
        let report = Report { entities: Some(EntityReport::from(entities)), ..Report::default() };
        if let Value::Object(report) = report.to_json_value() {
            fields.extend(report);
        }
    }
    Value::Object(fields)
}

fn label_lines(scores: &TaggerScores) -> Vec<String> {
    let column = |(name, tags): &(String, eval::tagging::TagScores)| {
        let total = tags.total();
        format!(
            "dev {name}: {:.2} (known words {:.2}, unknown {:.2})",
            100.0 * total.all().accuracy(),
            100.0 * total.known.accuracy(),
            100.0 * total.unknown.accuracy(),
        )
    };
    let entities = scores.entities.iter().map(|entities| {
        let total = entities.total();
        let (f1, precision, recall) = (total.f1(), total.precision(), total.recall());
        format!(
            "dev entities: F1 {:.2} (precision {:.2}, recall {:.2})",
            100.0 * f1,
            100.0 * precision,
            100.0 * recall
        )
    });
    scores.columns.iter().map(column).chain(entities).collect()
}

fn per_word(scores: &TreeScores) -> f64 {
    scores.log_probability / scores.words.max(1) as f64
}

/// Where tags come from, in words.
pub(super) fn describe(tags: TagUse) -> &'static str {
    match tags {
        TagUse::Given => "with its tags",
        TagUse::Predicted => "from words",
    }
}
