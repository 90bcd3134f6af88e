//! Tables with titles and remarks, and plots with names.

use eval::report::Table;

/// A table and what is to be said about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Section {
    /// What it shows.
    pub title: String,
    /// The figures.
    pub table: Table,
    /// Whole sentences below it.
    pub remarks: Vec<String>,
}

/// A report for readers.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Document {
    /// Sentences at the top.
    pub introduction: Vec<String>,
    /// One after the other.
    pub sections: Vec<Section>,
}

/// A drawing with the name of its file.
#[derive(Clone, PartialEq, Debug)]
pub struct Plot {
    /// Such as `accuracy.svg`.
    pub file: String,
    /// The document.
    pub svg: String,
}

impl Document {
    /// As plain text.
    pub fn to_text(&self) -> String {
        let mut text = self.introduction.iter().map(|line| format!("{line}\n")).collect::<String>();
        for section in &self.sections {
            text.push_str(&format!("\n{}\n\n{}", section.title, section.table.to_text()));
            for (number, remark) in section.remarks.iter().enumerate() {
                text.push_str(&format!("{}{remark}\n", if number == 0 { "\n" } else { "" }));
            }
        }
        text
    }

    /// As Markdown, with headings of the second level.
    pub fn to_markdown(&self) -> String {
        let mut text = self.introduction.join("\n\n");
        if !text.is_empty() {
            text.push('\n');
        }
        for section in &self.sections {
            text.push_str(&format!("\n## {}\n\n{}", section.title, section.table.to_markdown()));
            for (number, remark) in section.remarks.iter().enumerate() {
                text.push_str(&format!("{}- {remark}\n", if number == 0 { "\n" } else { "" }));
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_renderings_have_everything() {
        let table = Table {
            header: vec!["learner".to_owned(), "F1".to_owned()],
            rows: vec![vec!["spectral".to_owned(), "84.00".to_owned()]],
        };
        let remarks = vec!["One.".to_owned(), "Two.".to_owned()];
        let document = Document {
            introduction: vec!["Trees.".to_owned()],
            sections: vec![Section { title: "Accuracy".to_owned(), table, remarks }],
        };
        assert_eq!(
            document.to_text(),
            "Trees.\n\nAccuracy\n\nlearner      F1\nspectral  84.00\n\nOne.\nTwo.\n"
        );
        let markdown = document.to_markdown();
        assert!(markdown.starts_with("Trees.\n\n## Accuracy\n\n| learner "), "{markdown}");
        assert!(markdown.ends_with("|\n\n- One.\n- Two.\n"), "{markdown}");
    }
}
