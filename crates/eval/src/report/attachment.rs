//! The report on dependencies.

use serde::Serialize;

use super::figures::{ClassFigures, class_table, percent};
use super::table::Table;
use crate::alignment::AlignedScores;
use crate::attachment::AttachmentScores;
use crate::counts::Counts;

/// Scores of tokens, sentences and words.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SegmentationReport {
    /// Surface tokens.
    pub tokens: ClassFigures,
    /// Sentences.
    pub sentences: ClassFigures,
    /// Syntactic words.
    pub words: ClassFigures,
}

/// All figures on dependencies, in percent; see [`attachment`](crate::attachment).
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "each field is the figure of that name")]
pub struct AttachmentReport {
    pub uas: f64,
    pub las: f64,
    pub clas: f64,
    pub mlas: f64,
    pub blex: f64,
    pub uas_no_punct: f64,
    pub las_no_punct: f64,
    pub upos: f64,
    pub xpos: f64,
    pub ufeats: f64,
    pub all_tags: f64,
    pub lemmas: f64,
    /// Number of gold words.
    pub words: u64,
    /// Number of gold sentences.
    pub sentences: usize,
    /// Present only if words were aligned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segmentation: Option<SegmentationReport>,
}

impl From<&AttachmentScores> for AttachmentReport {
    fn from(scores: &AttachmentScores) -> Self {
        let total = scores.total();
        let f1 = |counts: Counts| percent(counts.f1());
        Self {
            uas: f1(total.uas),
            las: f1(total.las),
            clas: f1(total.clas),
            mlas: f1(total.mlas),
            blex: f1(total.blex),
            uas_no_punct: f1(total.uas_no_punct),
            las_no_punct: f1(total.las_no_punct),
            upos: f1(total.upos),
            xpos: f1(total.xpos),
            ufeats: f1(total.ufeats),
            all_tags: f1(total.all_tags),
            lemmas: f1(total.lemmas),
            words: total.words.gold,
            sentences: scores.sentences.len(),
            segmentation: None,
        }
    }
}

impl From<&AlignedScores> for AttachmentReport {
    fn from(scores: &AlignedScores) -> Self {
        let segmentation = SegmentationReport {
            tokens: scores.tokens.into(),
            sentences: scores.sentences.into(),
            words: scores.attachment.total().words.into(),
        };
        Self { segmentation: Some(segmentation), ..(&scores.attachment).into() }
    }
}

impl AttachmentReport {
    pub(super) fn tables(&self) -> Vec<Table> {
        let rows = [
            ("LAS", self.las),
            ("UAS", self.uas),
            ("CLAS", self.clas),
            ("MLAS", self.mlas),
            ("BLEX", self.blex),
            ("LAS without punctuation", self.las_no_punct),
            ("UAS without punctuation", self.uas_no_punct),
            ("UPOS", self.upos),
            ("XPOS", self.xpos),
            ("UFeats", self.ufeats),
            ("AllTags", self.all_tags),
            ("lemmas", self.lemmas),
        ];
        let counts = [("sentences", self.sentences as u64), ("words", self.words)];
        let figures = Table::of_figures("attachment", &rows, &counts);
        let segmentation = self.segmentation.as_ref().map(|segmentation| {
            let SegmentationReport { tokens, sentences, words } = segmentation;
            class_table("segmentation", [("tokens", tokens), ("sentences", sentences), ("words", words)])
        });
        std::iter::once(figures).chain(segmentation).collect()
    }
}
