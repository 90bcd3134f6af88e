//! The result of a job.

use std::path::Path;

use models::learn::LearnReport;
use models::persist::{ContainerWriter, Metadata, ModelFile};
use serde_json::{Map, Value, json};

use super::{DevScores, Finding};
use crate::files::{FileError, Output, SealedOutput};
use crate::{Error, Model};

/// A trained model with its metadata, figures and scores.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Trained<M> {
    /// The model.
    pub model: M,
    /// The metadata of its file, with notes on the training.
    pub metadata: Metadata,
    /// The stages of learning and their figures.
    pub report: LearnReport,
    /// Results besides the model, such as tuned constants.
    pub findings: Vec<Finding>,
    /// The scores on development data, if there was any.
    pub dev: Option<DevScores>,
}

impl<M: ModelFile + Into<Model>> Trained<M> {
    pub(super) fn new(model: M, metadata: Metadata, report: LearnReport) -> Self {
        Self { model, metadata, report, findings: Vec::new(), dev: None }
    }

    pub(super) fn with_finding(mut self, finding: Option<Finding>) -> Self {
        self.findings.extend(finding);
        self
    }

    /// Saves the model and finishes the output; returns the size in bytes.
    pub fn save(&self, output: Output) -> Result<u64, FileError> {
        let mut writer = ContainerWriter::new(&self.metadata);
        self.model.save(&mut writer);
        output.write_model(writer)
    }

    /// Saves the model in an output that waits for others before it appears.
    pub fn seal(&self, output: Output) -> Result<SealedOutput, FileError> {
        let mut writer = ContainerWriter::new(&self.metadata);
        self.model.save(&mut writer);
        Ok(output.seal_model(writer)?.1)
    }

    /// Saves the model in the file at `path`; returns the size in bytes. [`Output::create`] before the work and
    /// [`save`](Self::save) after it show at once that a file cannot be written.
    pub fn save_to(&self, path: impl AsRef<Path>) -> Result<u64, Error> {
        Ok(self.save(Output::create(path)?)?)
    }

    /// The model as one of any family.
    pub fn into_model(self) -> Model {
        self.model.into()
    }

    /// The figures of learning by name, in the order they came up. Where a stage ran several times, as for several members, its
    /// last figures stand for all.
    pub fn figures(&self) -> Vec<(&str, f64)> {
        let mut figures: Vec<(&str, f64)> = Vec::new();
        for figure in self.report.stages.iter().flat_map(|stage| &stage.figures) {
            match figures.iter_mut().find(|(name, _)| *name == figure.name) {
                Some((_, value)) => *value = figure.value,
                None => figures.push((&figure.name, figure.value)),
            }
        }
        figures
    }

    /// Figures, findings and scores as a JSON object, whose names are stable.
    pub fn summary(&self) -> Map<String, Value> {
        let figures = self.figures().into_iter();
        let figures: Map<String, Value> =
            figures.map(|(name, value)| (name.replace([' ', '-'], "_"), number(value))).collect();
        let mut summary = Map::from_iter([("figures".to_owned(), Value::Object(figures))]);
        summary.extend(self.findings.iter().filter_map(Finding::to_json));
        summary.extend(self.dev.iter().flat_map(DevScores::to_json));
        summary
    }
}

/// A count is a whole number.
fn number(value: f64) -> Value {
    // Above this, not all whole numbers can be told apart.
    const EXACT: f64 = 9e15;
    if value.fract() == 0.0 && value.abs() < EXACT { json!(value as i64) } else { json!(value) }
}
