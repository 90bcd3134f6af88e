//! The findings as text and JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;
use serde_json::{Value, json};

use super::finding::{Finding, Severity};

/// A file that was checked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CheckedFile {
    /// Its name.
    pub name: String,
    /// Its format.
    pub format: String,
    /// Sentences that could be read.
    pub sentences: usize,
    /// Words in them.
    pub words: usize,
}

/// All findings, the most serious first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CheckReport {
    /// The files.
    pub files: Vec<CheckedFile>,
    /// By severity, then kind, then file and line. Variation is in the order of suspicion.
    pub findings: Vec<Finding>,
}

impl CheckReport {
    /// Number of findings of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }

    /// The findings grouped by kind, at most `most` of each kind, and a summary.
    pub fn to_text(&self, most: usize) -> String {
        let mut text = String::new();
        for file in &self.files {
            let _ = writeln!(
                text,
                "{}: {}, {} sentences, {} words",
                file.name, file.format, file.sentences, file.words
            );
        }
        let mut groups: BTreeMap<(Severity, &str), Vec<&Finding>> = BTreeMap::new();
        for finding in &self.findings {
            groups.entry((finding.severity, finding.kind)).or_default().push(finding);
        }
        for ((severity, kind), findings) in groups {
            let _ = writeln!(text, "\n{} {kind} ({})", severity.name(), findings.len());
            for finding in findings.iter().take(most) {
                let place = match (finding.line, finding.sentence.as_str()) {
                    (0, "") => finding.file.clone(),
                    (0, sentence) => format!("{}: sentence {sentence}", finding.file),
                    (line, sentence) => format!("{}:{line} ({sentence})", finding.file),
                };
                let _ = writeln!(text, "  {place}: {}", finding.message);
            }
            if findings.len() > most {
                let _ = writeln!(text, "  and {} more", findings.len() - most);
            }
        }
        let count = |severity| self.count(severity);
        let _ = writeln!(
            text,
            "\n{} errors, {} warnings, {} notes",
            count(Severity::Error),
            count(Severity::Warning),
            count(Severity::Note)
        );
        text
    }

    /// All of it as JSON.
    pub fn to_json(&self) -> Value {
        json!({
            "files": self.files,
            "errors": self.count(Severity::Error),
            "warnings": self.count(Severity::Warning),
            "notes": self.count(Severity::Note),
            "findings": self.findings,
        })
    }
}
