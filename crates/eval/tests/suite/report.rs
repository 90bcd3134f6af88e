//! The report: stable JSON fields, and the same figures in text and Markdown.

use eigentree_eval::brackets::{self, BracketMetric};
use eigentree_eval::clustering::Contingency;
use eigentree_eval::entities::EntityScores;
use eigentree_eval::likelihood::{LikelihoodScores, LogBase};
use eigentree_eval::report::{ComparisonReport, Report, TagReport};
use eigentree_eval::significance::{BootstrapConfig, paired_bootstrap};
use eigentree_eval::tagging::{Familiarity, TagScores};
use eigentree_eval::{alignment, attachment};

const GOLD: &str = "(ROOT (S (NP (NN a)) (VP (VB b) (NP (NN c)))))";
const PREDICTED: &str = "(ROOT (S (NP (NN a)) (VP (VB b) (PP (NN c)))))";
const CONLLU: &str =
    "1\tIt\tit\tPRON\tPRP\t_\t2\texpl\t_\t_\n2\trains\train\tVERB\tVBZ\t_\t0\troot\t_\t_\n\n";

fn full_report() -> Report {
    let score = |gold: &str, predicted: &str| {
        brackets::score_readers((gold.as_bytes(), "g"), (predicted.as_bytes(), "p"), &Default::default())
            .expect("fits")
    };
    let (first, second) = (score(GOLD, PREDICTED), score(GOLD, GOLD));
    let dependencies =
        attachment::score_readers((CONLLU.as_bytes(), "g"), (CONLLU.as_bytes(), "p"), &Default::default());
    let mut tags = TagScores::default();
    tags.score(&["A", "B"], &["A", "A"], |_| Familiarity::Known).expect("fits");
    let mut entities = EntityScores::default();
    entities.score(&["B-PER", "O"], &["B-PER", "B-LOC"]).expect("fits");
    let mut likelihood = LikelihoodScores::default();
    likelihood.add(-6.0, 2, LogBase::Two);
    let ratios = (first.ratios(BracketMetric::F1), second.ratios(BracketMetric::F1));
    let comparison =
        paired_bootstrap(&ratios.0, &ratios.1, &BootstrapConfig { resamples: 99, ..Default::default() })
            .expect("fits");
    Report {
        brackets: Some((&first).into()),
        attachment: Some((&dependencies.expect("fits")).into()),
        tags: Some(TagReport::new(Some(&tags), None)),
        entities: Some((&entities).into()),
        clusters: Some((&[("A", "0"), ("B", "1")].into_iter().collect::<Contingency>()).into()),
        likelihood: Some((&likelihood).into()),
        comparisons: vec![ComparisonReport::new("f1", &comparison)],
    }
}

#[test]
fn json_fields_are_stable_and_in_percent() {
    let json = full_report().to_json_value();
    for (pointer, expected) in [
        ("/brackets/precision", 75.0),
        ("/brackets/recall", 75.0),
        ("/brackets/f1", 75.0),
        ("/brackets/exact", 0.0),
        ("/brackets/failures", 0.0),
        ("/brackets/tags", 100.0),
        ("/brackets/up_to/length", 40.0),
        ("/brackets/up_to/f1", 75.0),
        ("/brackets/by_label/VP/f1", 100.0),
        ("/attachment/uas", 100.0),
        ("/attachment/las", 100.0),
        ("/attachment/clas", 100.0),
        ("/attachment/upos", 100.0),
        ("/attachment/xpos", 100.0),
        ("/attachment/las_no_punct", 100.0),
        ("/tags/upos", 50.0),
        ("/tags/columns/upos/confusions/0/count", 1.0),
        ("/entities/precision", 50.0),
        ("/entities/recall", 100.0),
        ("/entities/by_type/PER/f1", 100.0),
        ("/clusters/v_measure", 100.0),
        ("/likelihood/perplexity", 8.0),
        ("/comparisons/0/difference", 25.0),
        ("/comparisons/0/interval/1", 25.0),
    ] {
        let found = json.pointer(pointer).and_then(serde_json::Value::as_f64);
        assert!(found.is_some_and(|found| (found - expected).abs() < 1e-9), "{pointer}: {found:?}");
    }
    // A column that was not scored is there, and null.
    assert_eq!(json.pointer("/tags/xpos"), Some(&serde_json::Value::Null));
    assert_eq!(json.pointer("/attachment/segmentation"), None);
    let empty = Report::default().to_json_value();
    assert_eq!(empty, serde_json::json!({}));
}

#[test]
fn text_and_markdown_show_the_same_tables() {
    let report = full_report();
    let text = report.to_text();
    assert!(text.starts_with("brackets                       all  up to 40 words\nF1                           75.00           75.00\n"), "{text}");
    assert!(text.contains("\nLAS                      100.00\n"), "{text}");
    assert!(text.contains("\nf1          75.00  100.00      +25.00  [+25.00, +25.00]  0.0100\n"), "{text}");
    let markdown = report.to_markdown();
    assert!(markdown.contains("| F1                         |  75.00 |          75.00 |\n"), "{markdown}");
    assert_eq!(markdown.matches("\n\n").count() + 1, report.tables().len());
}

#[test]
fn aligned_scores_report_the_segmentation() {
    let sentences: Vec<_> =
        corpus::format::conllu::ConlluReader::new(CONLLU.as_bytes(), "g").collect::<Result<_, _>>().unwrap();
    let scores = alignment::score_aligned(&sentences, &sentences, &Default::default()).unwrap();
    let report = Report { attachment: Some((&scores).into()), ..Report::default() };
    let json = report.to_json_value();
    for part in ["tokens", "sentences", "words"] {
        assert_eq!(json["attachment"]["segmentation"][part]["f1"], 100.0);
    }
    assert!(report.to_text().contains("segmentation"));
}
