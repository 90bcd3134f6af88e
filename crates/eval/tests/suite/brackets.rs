//! The cases of `cases/brackets.txt`, and errors.

use eigentree_eval::brackets::{
    BracketConfig, FunctionTags, Labelling, Mismatch, MissingTree, WordCheck, score_readers,
};
use eigentree_eval::report::Report;

struct Case {
    name: String,
    config: BracketConfig,
    cut: bool,
    gold: String,
    predicted: String,
    expect: String,
}

fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in
        include_str!("cases/brackets.txt").lines().filter(|line| !line.starts_with('#') && !line.is_empty())
    {
        let (key, value) = line.split_once(' ').expect("a keyword and a value");
        let value = value.trim();
        if key == "case" {
            cases.push(Case {
                name: value.to_owned(),
                config: BracketConfig::collins(),
                cut: false,
                gold: String::new(),
                predicted: String::new(),
                expect: String::new(),
            });
            continue;
        }
        let case = cases.last_mut().expect("a case comes first");
        match (key, value) {
            ("gold", tree) => case.gold += &format!("{tree}\n"),
            ("predicted", tree) => case.predicted += &format!("{tree}\n"),
            ("expect", counts) => case.expect = counts.to_owned(),
            ("config", "function tags kept") => case.config.function_tags = FunctionTags::Keep,
            ("config", "unlabelled") => case.config.labelling = Labelling::Unlabelled,
            ("config", "skip missing trees") => case.config.missing_tree = MissingTree::Skip,
            ("config", "count mismatches") => case.config.mismatch = Mismatch::CountAsFailure,
            ("config", "length only") => case.config.words = WordCheck::LengthOnly,
            ("config", "no deletion") => case.config = BracketConfig::without_deletion(),
            ("config", "cutoff 3") => {
                case.config.cutoff = Some(3);
                case.cut = true;
            }
            _ => panic!("unknown line: {line}"),
        }
    }
    cases
}

#[test]
fn hand_made_cases() {
    let cases = cases();
    assert!(cases.len() > 20);
    for case in cases {
        let gold = (case.gold.as_bytes(), "gold");
        let scores = score_readers(gold, (case.predicted.as_bytes(), "predicted"), &case.config).unwrap();
        let limit = if case.cut { case.config.cutoff.unwrap() } else { usize::MAX };
        let summary = scores.summary_up_to(limit);
        let sentences: Vec<_> = scores.sentences.iter().filter(|sentence| sentence.length <= limit).collect();
        let mut found = format!(
            "matched {}, gold {}, predicted {}, exact {}, crossing {}, tags {}/{}, failures {}",
            summary.brackets.matched,
            summary.brackets.gold,
            summary.brackets.predicted,
            sentences.iter().filter(|sentence| sentence.is_exact()).count(),
            sentences.iter().map(|sentence| sentence.crossing).sum::<u32>(),
            sentences.iter().map(|sentence| sentence.tags).sum::<usize>(),
            summary.words,
            summary.failures,
        );
        if summary.skipped > 0 {
            found += &format!(", skipped {}", summary.skipped);
        }
        assert_eq!(found, case.expect, "{}", case.name);
    }
}

fn error(gold: &str, predicted: &str) -> String {
    score_readers((gold.as_bytes(), "g"), (predicted.as_bytes(), "p"), &BracketConfig::collins())
        .expect_err("the two do not fit")
        .to_string()
}

#[test]
fn errors_name_the_sentence() {
    let one = "(ROOT (S (NN a) (. .)))";
    let message = error(&format!("{one}{one}"), &format!("{one}(ROOT (S (NN a)))"));
    assert!(
        message.starts_with("cannot compare sentence 2: 2 words in the gold annotation but 1"),
        "{message}"
    );
    let message = error(one, "(ROOT (S (NN b) (. .)))");
    assert!(
        message.contains("sentence 1: word 1 is `a` in the gold annotation (2 words) but `b`"),
        "{message}"
    );
    let message = error(&one.repeat(3), &one.repeat(5));
    assert!(message.contains("3 gold sentences but 5 predicted"), "{message}");
    let message = error(&one.repeat(2), one);
    assert!(message.contains("2 gold sentences but 1 predicted"), "{message}");
    let message = error("(())", one);
    assert!(message.contains("sentence 1: the gold annotation has an empty bracket"), "{message}");
    let message = error(one, "(ROOT (S (NN a)");
    assert!(message.starts_with("p:1:1: expected a closing bracket"), "{message}");
}

#[test]
fn figures_are_micro_averages() {
    let gold = "(ROOT (S (NP (NN a)) (VP (VB b))))(ROOT (X (UH c)))";
    let predicted = "(ROOT (S (NP (NN a)) (NP (VB b))))(())";
    let config = BracketConfig::collins();
    let scores = score_readers((gold.as_bytes(), "g"), (predicted.as_bytes(), "p"), &config).unwrap();
    let summary = scores.summary();
    assert_eq!(summary.brackets.precision(), 2.0 / 3.0);
    assert_eq!(summary.brackets.recall(), 2.0 / 4.0);
    assert_eq!(summary.brackets.f1(), 4.0 / 7.0);
    assert_eq!((summary.exact, summary.tags), (0.0, 2.0 / 3.0));
    // Over trees, of which there is one.
    assert_eq!((summary.crossing, summary.no_crossing), (0.0, 1.0));
    assert_eq!(scores.by_label["NP"].precision(), 0.5);
}

#[test]
fn a_deep_chain_is_scored_without_recursion() {
    let deep = "(X ".repeat(300_000) + "(N a)" + &")".repeat(300_000);
    let config = BracketConfig::collins();
    let scores = score_readers((deep.as_bytes(), "g"), (deep.as_bytes(), "p"), &config).unwrap();
    assert_eq!(scores.summary().brackets.matched, 300_000);
}

/// The figures that `scripts/check_evalb.py score` gives for two files, made by hand and by its `perturb`. EVALB itself
/// agrees with that script on every sentence.
#[test]
fn golden_figures() {
    let gold = include_bytes!("cases/golden_gold.ptb").as_slice();
    let predicted = include_bytes!("cases/golden_predicted.ptb").as_slice();
    let config = BracketConfig { cutoff: Some(10), ..BracketConfig::collins() };
    let scores = score_readers((gold, "gold"), (predicted, "predicted"), &config).unwrap();
    let report = Report { brackets: Some((&scores).into()), ..Report::default() }.to_json_value();
    let all = [
        ("precision", 91.54929577464789),
        ("recall", 79.26829268292683),
        ("f1", 84.9673202614379),
        ("exact", 45.45454545454545),
        ("tags", 82.66666666666667),
        ("crossing", 0.1),
        ("no_crossing", 90.0),
        ("failures", 3.0),
        ("sentences", 12.0),
        ("skipped", 1.0),
        ("matched", 65.0),
        ("gold", 82.0),
        ("predicted", 71.0),
        ("words", 75.0),
    ];
    let short = [
        ("length", 10.0),
        ("precision", 92.85714285714286),
        ("recall", 90.69767441860465),
        ("f1", 91.76470588235294),
        ("exact", 57.142857142857146),
        ("tags", 94.44444444444444),
        ("failures", 2.0),
        ("sentences", 8.0),
        ("words", 36.0),
    ];
    for (object, expected) in [(&report["brackets"], &all[..]), (&report["brackets"]["up_to"], &short[..])] {
        for &(name, value) in expected {
            let found = object[name].as_f64().unwrap_or(f64::NAN);
            assert!((found - value).abs() < 1e-9, "{name}: {found}, not {value}");
        }
    }
}
