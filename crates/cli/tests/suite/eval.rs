//! `eval` on pairs whose scores were worked out by hand.

use crate::place::Place;

const GOLD: &str = "(ROOT (S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (PRP him))) (. .)))\n\
                    (ROOT (NP (NN time)))\n";
// The first lacks VP and its NP is wrong in extent; the second is right.
const PREDICTED: &str = "(ROOT (S (NP (DT the) (NN dog) (VBZ sees)) (NP (PRP him)) (. .)))\n\
                         (ROOT (NP (NN time)))\n";

fn close(value: &serde_json::Value, expected: f64) {
    assert!(value.as_f64().is_some_and(|value| (value - expected).abs() < 0.005), "{value} {expected}");
}

#[test]
fn brackets_are_scored_with_stable_fields() {
    let place = Place::new();
    place.put("gold.ptb", GOLD).put("predicted.ptb", PREDICTED);
    let ran = place.run("eval gold.ptb predicted.ptb --json").succeeds();
    let brackets = &ran.json()["brackets"];
    // Gold: S, NP, VP, NP; NP. Predicted: S, NP, NP; NP. Three match.
    close(&brackets["precision"], 100.0 * 3.0 / 4.0);
    close(&brackets["recall"], 100.0 * 3.0 / 5.0);
    close(&brackets["f1"], 100.0 * 6.0 / 9.0);
    close(&brackets["exact"], 50.0);
    assert_eq!(brackets["failures"], 0);
    close(&brackets["tags"], 100.0);
    let text = ran.stdout();
    assert!(text.contains("66.67"), "{text}");
    assert!(place.run("eval gold.ptb predicted.ptb --report markdown").succeeds().stdout().starts_with('|'));
    let report = place.run("eval gold.ptb predicted.ptb --report json -o report.json").succeeds();
    assert_eq!(report.stdout(), "");
    let report: serde_json::Value = serde_json::from_str(&place.get("report.json")).unwrap();
    close(&report["brackets"]["f1"], 100.0 * 6.0 / 9.0);
}

#[test]
fn missing_trees_count_and_misfits_are_refused() {
    let place = Place::new();
    place.put("gold.ptb", GOLD).put("gave-up.ptb", "(())\n(ROOT (NP (NN time)))\n");
    let brackets = place.run("eval gold.ptb gave-up.ptb --json").succeeds().json()["brackets"].clone();
    assert_eq!(brackets["failures"], 1);
    close(&brackets["recall"], 20.0);
    place.put("short.ptb", "(ROOT (NP (NN time)))\n");
    place.run("eval gold.ptb short.ptb").fails(1, "5 words");
    place.put("one.ptb", GOLD.lines().next().unwrap());
    place.run("eval gold.ptb one.ptb").fails(1, "2 gold sentences but 1 predicted");
    place.put("empty.ptb", "");
    place.run("eval empty.ptb empty.ptb").fails(1, "empty.ptb is empty");
}

#[test]
fn conventions_are_options() {
    let place = Place::new();
    place
        .put("gold.ptb", "(ROOT (S (NP-SBJ (NN a)) (VP (VB b))))\n")
        .put("other.ptb", "(ROOT (S (NP (NN a)) (XP (VB b))))\n");
    let f1 = |options: &str| {
        let ran = place.run(&format!("eval gold.ptb other.ptb --json {options}")).succeeds();
        ran.json()["brackets"]["f1"].as_f64().unwrap().round()
    };
    assert_eq!(f1(""), 67.0);
    assert_eq!(f1("--unlabelled"), 100.0);
    assert_eq!(f1("--keep-functions"), 33.0);
    place.put("own.prm", "DELETE_LABEL ROOT\nEQ_LABEL VP XP\n");
    assert_eq!(f1("--params own.prm"), 100.0);
}

#[test]
fn bad_predictions_count_as_wrong_and_bad_gold_is_left_out() {
    let place = Place::new();
    place.put("gold.ptb", "(ROOT (NP (NN a)))\n(ROOT (NP (NN b))\n(ROOT (NP (NN c)))\n");
    place.put("predicted.ptb", "(ROOT (NP NN a)))\n(ROOT (NP (NN b)))\n(ROOT (NP (NN c)))\n");
    place.run("eval gold.ptb predicted.ptb").fails(1, "predicted.ptb:1:").fails(1, "--skip-bad");
    let json = place.run("eval gold.ptb predicted.ptb --skip-bad --json").succeeds().json();
    assert_eq!(json["skipped"]["count"], 2);
    assert_eq!(json["brackets"]["failures"], 1);
    close(&json["brackets"]["recall"], 50.0);
}

fn row(id: u32, form: &str, upos: &str, head: u32, relation: &str) -> String {
    format!("{id}\t{form}\t_\t{upos}\tX\t_\t{head}\t{relation}\t_\t_\n")
}

#[test]
fn dependencies_and_tags_are_scored() {
    let place = Place::new();
    let gold = row(1, "Dogs", "NOUN", 2, "nsubj")
        + &row(2, "bark", "VERB", 0, "root")
        + &row(3, ".", "PUNCT", 2, "punct")
        + "\n";
    let predicted = gold.replace("nsubj", "obj").replace("PUNCT\tX\t_\t2", "SYM\tX\t_\t1");
    place.put("gold.conllu", &gold).put("predicted.conllu", &predicted);
    let json = place.run("eval gold.conllu predicted.conllu --json").succeeds().json();
    close(&json["attachment"]["uas"], 100.0 * 2.0 / 3.0);
    close(&json["attachment"]["las"], 100.0 / 3.0);
    close(&json["attachment"]["clas"], 50.0);
    close(&json["tags"]["upos"], 100.0 * 2.0 / 3.0);
    close(&json["tags"]["xpos"], 100.0);
    let json = place.run("eval gold.conllu predicted.conllu --json --no-punct").succeeds().json();
    close(&json["attachment"]["uas"], 100.0);
    close(&json["attachment"]["las"], 50.0);
}

#[test]
fn entities_are_scored() {
    let place = Place::new();
    place.put("gold.bio", "Ann\tB-PER\nLee\tI-PER\nin\tO\nRome\tB-LOC\n\n");
    place.put("predicted.bio", "Ann\tB-PER\nLee\tO\nin\tO\nRome\tB-LOC\n\n");
    let json = place.run("eval gold.bio predicted.bio --json").succeeds().json();
    close(&json["entities"]["f1"], 50.0);
    close(&json["entities"]["precision"], 50.0);
    place.run("eval gold.bio gold.ptb --format bio").fails(1, "no such file");
}

#[test]
fn two_predictions_are_compared_by_the_bootstrap() {
    let place = Place::new();
    place.put("gold.ptb", GOLD.repeat(30)).put("a.ptb", PREDICTED.repeat(30));
    let json = place.run("eval gold.ptb a.ptb --compare gold.ptb --resamples 500 --json").succeeds().json();
    let f1 =
        json["comparisons"].as_array().unwrap().iter().find(|one| one["metric"] == "f1").unwrap().clone();
    close(&f1["difference"], 100.0 - 100.0 * 6.0 / 9.0);
    assert!(f1["p_value"].as_f64().unwrap() < 0.01, "{f1}");
    let again = place.run("eval gold.ptb a.ptb --compare gold.ptb --resamples 500 --json --threads 1").json();
    assert_eq!(json["comparisons"], again["comparisons"]);
    place.run("eval gold.ptb a.ptb --resamples 5").fails(2, "--compare");
}
