//! What a check found.

use serde::Serialize;

/// How serious a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Training refuses or skips the sentence.
    Error,
    /// Probably a mistake in the data.
    Warning,
    /// Worth knowing.
    Note,
}

impl Severity {
    /// `error`, `warning` or `note`.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// One finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// How serious it is.
    pub severity: Severity,
    /// A stable name, such as `cycle`.
    pub kind: &'static str,
    /// The file.
    pub file: String,
    /// The line where the sentence begins; 0 if the finding is about the file.
    pub line: u64,
    /// The id or number of the sentence; empty if the finding is about the file.
    pub sentence: String,
    /// What was found.
    pub message: String,
}
