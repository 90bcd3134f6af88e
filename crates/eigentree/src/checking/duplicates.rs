//! Sentences that occur twice: across files they make scores too good, with different annotation they confuse.

use std::collections::HashMap;

use super::config::CheckConfig;
use super::finding::Severity;
use super::item::Checked;

/// Reports sentences with the same words.
pub(super) fn duplicates(checked: &mut Checked, config: &CheckConfig) {
    let mut groups: HashMap<&[String], Vec<usize>> = HashMap::new();
    for (index, item) in checked.items.iter().enumerate() {
        if item.words.len() >= config.duplicate_words {
            groups.entry(&item.words).or_default().push(index);
        }
    }
    let mut groups: Vec<Vec<usize>> = groups.into_values().filter(|group| group.len() > 1).collect();
    groups.sort_unstable();
    let mut within = vec![0usize; checked.files.len()];
    for group in groups {
        let first = checked.items[group[0]].clone();
        let first_name = checked.files[first.file].clone();
        for &index in &group[1..] {
            let item = checked.items[index].clone();
            let place = format!("line {} of {first_name}", first.line);
            if item.annotation != first.annotation {
                let message = format!("the same words as at {place}, annotated differently");
                checked.report(Severity::Warning, "inconsistent-duplicate", &item, message);
            }
            if item.file != first.file {
                let message = format!("the same words as at {place}");
                checked.report(Severity::Warning, "duplicate-across-files", &item, message);
            } else {
                within[item.file] += 1;
            }
        }
    }
    for (file, &count) in within.iter().enumerate().filter(|(_, count)| **count > 0) {
        let message = format!("{count} sentences of at least {} words occur before", config.duplicate_words);
        checked.report_file(Severity::Note, "duplicate-within-file", file, message);
    }
}
