//! A sentence as the checks of all formats see it.

use super::finding::{Finding, Severity};

/// Words with layers of labels.
#[derive(Clone, Debug, Default)]
pub(super) struct CheckedItem {
    /// Index of the file.
    pub(super) file: usize,
    pub(super) line: u64,
    /// Id or number.
    pub(super) name: String,
    pub(super) words: Vec<String>,
    /// For each layer, one label per word.
    pub(super) layers: Vec<Vec<String>>,
    /// Labels that do not belong to single words, such as those of phrases.
    pub(super) phrases: Vec<String>,
    /// The whole annotation as text: equal exactly for equal annotation.
    pub(super) annotation: String,
}

/// All sentences, and the findings so far.
#[derive(Debug, Default)]
pub(super) struct Checked {
    /// Names of the files.
    pub(super) files: Vec<String>,
    /// Names of the layers; the last one is that of phrases, if there are phrases.
    pub(super) layers: Vec<&'static str>,
    pub(super) items: Vec<CheckedItem>,
    pub(super) findings: Vec<Finding>,
}

impl Checked {
    /// Adds a finding about an item.
    pub(super) fn report(
        &mut self,
        severity: Severity,
        kind: &'static str,
        item: &CheckedItem,
        message: String,
    ) {
        let file = self.files.get(item.file).cloned().unwrap_or_default();
        self.findings.push(Finding {
            severity,
            kind,
            file,
            line: item.line,
            sentence: item.name.clone(),
            message,
        });
    }

    /// Adds a finding about a whole file.
    pub(super) fn report_file(
        &mut self,
        severity: Severity,
        kind: &'static str,
        file: usize,
        message: String,
    ) {
        let file = self.files.get(file).cloned().unwrap_or_default();
        self.findings.push(Finding { severity, kind, file, line: 0, sentence: String::new(), message });
    }
}
