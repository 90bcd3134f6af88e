//! Tables that users bring: head rules and grammars.

use crate::place::Place;

const TREE: &str = "(ROOT (S (NP (D the) (N dog)) (V saw) (NP (D a) (N cat)) (ADV again)))\n";

fn heads(conllu: &str) -> Vec<&str> {
    conllu.lines().filter_map(|line| line.split('\t').nth(6)).collect()
}

#[test]
fn head_rules_come_from_a_name_or_a_file() {
    let place = Place::new();
    place.put("a.ptb", TREE).put("heads.txt", "# verbs first\nS : left V\nNP : right N\n");
    place.put("last.txt", "* : right ADV NP N\n");
    let convert = |rules: &str| {
        place.run(&format!("convert a.ptb --to conllu --head-rules {rules}")).succeeds().stdout()
    };
    assert_eq!(heads(&convert("heads.txt")), ["2", "3", "0", "5", "3", "3"]);
    assert_eq!(heads(&convert("last.txt")), ["2", "6", "6", "5", "6", "0"]);
    assert_eq!(convert("english"), place.run("convert a.ptb --to conllu").succeeds().stdout());
    assert_ne!(convert("similarity"), convert("heads.txt"));

    // Binarisation splits around the head that the rules find.
    let split = |rules: &str| {
        place.run(&format!("convert a.ptb --binarize head --head-rules {rules}")).succeeds().stdout()
    };
    assert_ne!(split("heads.txt"), split("last.txt"));
    place.put("split.ptb", split("heads.txt"));
    assert_eq!(place.run("convert split.ptb --unbinarize").succeeds().stdout(), TREE);
}

#[test]
fn grammars_are_binarised_by_the_head_rules_given() {
    let place = Place::new();
    place.sample("train.ptb", 300, 1).put("last.txt", "* : right *\n");
    let train = |options: &str| {
        place.run(&format!("train pcfg train.ptb -o m.eig {options}")).succeeds();
        std::fs::read(place.path("m.eig")).unwrap()
    };
    let english = train("--binarize head");
    assert_eq!(train("--binarize head --head-rules english"), english);
    assert_ne!(train("--binarize head --head-rules last.txt"), english);
    place.run_with("parse m.eig", "the dog barks .\n").succeeds();
}

#[test]
fn head_rules_that_cannot_be_used_are_refused() {
    let place = Place::new();
    place.put("a.ptb", TREE).put("bad.txt", "NP : right N\nVP left V\n");
    place.run("convert a.ptb --to conllu --head-rules bad.txt").fails(1, "bad.txt: head rules, line 2");
    place
        .run("train pcfg a.ptb -o m.eig --binarize head --head-rules none")
        .fails(1, "`english` or `similarity`");
    place.run("train pcfg a.ptb -o m.eig --head-rules english").fails(2, "--binarize head");
    place.run("convert a.ptb --head-rules english").fails(2, "applies only to --binarize head");
}

#[test]
fn the_grammar_of_the_program_can_be_shown_changed_and_drawn_from() {
    let place = Place::new();
    place.run("sample english --show-grammar -o mine.grammar").succeeds();
    assert!(place.get("mine.grammar").contains("%root"));
    let sample = |grammar: &str| place.run(&format!("sample {grammar} -n 20")).succeeds().stdout();
    assert_eq!(sample("mine.grammar"), sample("english"));

    place.put("tiny.grammar", "%root S\nS -> N V\nN => dogs\nV => bark\n");
    assert_eq!(place.run("sample tiny.grammar -n 1").succeeds().stdout(), "(ROOT (S (N dogs) (V bark)))\n");
    place.put("bad.grammar", "%root S\nS -> N V\nN => dogs\n");
    place.run("sample bad.grammar").fails(1, "bad.grammar:2:");
    place.run("sample engrish").fails(1, "the built-in grammars are called `english` and `cycle`");
    place.run("sample english --show-grammar -n 5").fails(2, "cannot be used with");
}

#[test]
fn the_tables_of_the_manual_work() {
    let manual = include_str!("../../../../docs/reference/conventions.md");
    let block = |start: &str| {
        let from = manual.find(&format!("```text\n{start}")).unwrap() + "```text\n".len();
        manual[from..].split("```").next().unwrap().to_owned()
    };
    let place = Place::new();
    place.put("manual.grammar", block("%root")).put("manual.heads", block("# a comment"));
    place.run("sample manual.grammar -n 50 -o sample.ptb").succeeds();
    let sample = place.get("sample.ptb");
    assert!(sample.lines().count() == 50 && !sample.contains("dogs) (VP (V sees"), "{sample}");
    place.put("a.ptb", "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))\n");
    let conllu = place.run("convert a.ptb --to conllu --head-rules manual.heads").succeeds().stdout();
    assert_eq!(heads(&conllu), ["2", "0", "2"]);
}
