//! `train tagger`, `train ner`, `train pipeline` and `tag` as a user runs them.

mod common;

use common::Place;
use serde_json::Value;

/// A treebank of short sentences with text, tags and a multiword token.
fn treebank() -> String {
    let mut text = String::new();
    for n in 0..60 {
        let (noun, verb) = (["dog", "cat", "house"][n % 3], ["sees", "hears"][n % 2]);
        text.push_str(&format!(
            "# text = The {noun} {verb} Anna{n}'s toy.\n\
             1\tThe\t_\tDET\tDT\tDefinite=Def\t2\tdet\t_\t_\n\
             2\t{noun}\t_\tNOUN\tNN\tNumber=Sing\t3\tnsubj\t_\t_\n\
             3\t{verb}\t_\tVERB\tVBZ\tNumber=Sing\t0\troot\t_\t_\n\
             4-5\tAnna{n}'s\t_\t_\t_\t_\t_\t_\t_\t_\n\
             4\tAnna{n}\t_\tPROPN\tNNP\tNumber=Sing\t6\tnmod\t_\t_\n\
             5\t's\t_\tPART\tPOS\t_\t4\tcase\t_\t_\n\
             6\ttoy\t_\tNOUN\tNN\tNumber=Sing\t3\tobj\t_\tSpaceAfter=No\n\
             7\t.\t_\tPUNCT\t.\t_\t3\tpunct\t_\t_\n\n"
        ));
    }
    text
}

#[test]
fn columns_are_learnt_and_all_else_is_kept() {
    let place = Place::new();
    place.put("train.conllu", treebank());
    place
        .run("train tagger train.conllu --dev train.conllu --columns upos,xpos,feats -o m.eig --json")
        .succeeds();
    place.run("tag m.eig train.conllu -o out.conllu").succeeds();
    assert_eq!(place.get("out.conllu"), place.get("train.conllu"), "what was learnt is what was read");
    let ran = place.run("eval train.conllu out.conllu --json --quiet");
    let line = ran.stdout();
    let summary: Value = serde_json::from_str(line.lines().last().unwrap()).unwrap();
    assert_eq!(summary["tags"]["upos"], 100.0);

    let tagged = place
        .run_with("tag m.eig --input words --confidence", "The cat hears Anna1 .\n\nThe dog sees Anna2 .\n");
    let tagged = tagged.stdout();
    assert_eq!(tagged.matches("\tDET\tDT\tDefinite=Def\t").count(), 2, "{tagged}");
    assert!(tagged.contains("upos_confidence="), "{tagged}");
    let best = place.run_with("tag m.eig --input words --nbest 3", "The cat hears Anna1 .\n").stdout();
    assert_eq!(best.matches("# rank = ").count(), 3, "{best}");
    assert!(place.run("parse m.eig train.conllu").stderr().contains("`tag` uses it"));
}

#[test]
fn entities_are_learnt_and_scored() {
    let place = Place::new();
    let text = "Anna\tB-PER\nSmith\tI-PER\nlives\tO\nin\tO\nParis\tB-LOC\n.\tO\n\n".repeat(20);
    place.put("train.bio", &text).put("cities.txt", "Paris\nNew York\n");
    place.run("train ner train.bio --gazetteer cities.txt --dev train.bio -o ner.eig").succeeds();
    place.run("tag ner.eig train.bio -o out.bio").succeeds();
    assert_eq!(place.get("out.bio"), text);
    assert!(!place.run("tag ner.eig train.bio --confidence").0.status.success());
}

#[test]
fn raw_text_goes_through_a_pipeline_in_order() {
    let place = Place::new();
    place.put("train.conllu", treebank());
    place.run("train pipeline train.conllu -o en.eig --quiet").succeeds();
    let raw =
        "The dog sees Anna7's toy. The cat hears Anna3's toy.\n\nThe house sees Anna9's toy.\n".repeat(50);
    place.put("raw.txt", &raw);
    place.run("tag en.eig raw.txt -o one.conllu --threads 1").succeeds();
    place.run("tag en.eig raw.txt -o two.conllu --threads 3").succeeds();
    place.run("parse en.eig raw.txt -o three.conllu").succeeds();
    let out = place.get("one.conllu");
    assert_eq!(out, place.get("two.conllu"));
    assert_eq!(out, place.get("three.conllu"));
    assert_eq!(out.matches("# newpar").count(), 51);
    assert_eq!(out.matches("\tPART\tPOS\t").count(), 150, "{}", &out[..600]);
    // The last token stands where it says.
    let last = out.trim_end().lines().last().unwrap();
    let chars = raw.trim_end().chars().count();
    assert!(last.ends_with(&format!("start_char={}|end_char={chars}", chars - 1)), "{last}");

    place.put("bad.txt", b"good.\nb\xffd\n");
    let ran = place.run("tag en.eig bad.txt");
    assert!(ran.stderr().contains("bad.txt:2"), "{}", ran.stderr());
    place.put("none.txt", "\n\n");
    assert_eq!(place.run("tag en.eig none.txt").stdout(), "");
    assert!(
        place
            .run("train tagger train.conllu --columns head -o x.eig")
            .stderr()
            .contains("no column to learn")
    );
    assert!(
        place.run("train tagger train.conllu --columns lemma -o x.eig").stderr().contains("nothing to learn")
    );
}

#[test]
fn a_pipeline_parses_raw_text_and_given_words() {
    let place = Place::new();
    place.put("train.conllu", treebank());
    let ran = place.run("train pipeline train.conllu --dev train.conllu --folds 3 -o en.eig --json");
    let summary: Value = serde_json::from_str(ran.succeeds().stdout().lines().last().unwrap()).unwrap();
    assert_eq!(summary["dev"]["upos"], 100.0, "{summary}");
    assert_eq!(summary["dev_trees"]["attachment"]["las"], 100.0, "{summary}");

    // Words that are given keep their comments, ranges and MISC; tags and trees are those of the pipeline.
    let gold = place.get("train.conllu");
    let blanked: String = gold.lines().map(|line| format!("{}\n", blank(line))).collect();
    assert_ne!(blanked, gold);
    place.put("blank.conllu", &blanked);
    for command in ["tag", "parse"] {
        place.run(&format!("{command} en.eig blank.conllu -o out.conllu")).succeeds();
        assert_eq!(place.get("out.conllu"), gold, "{command}");
    }
    let words = place.run_with("parse en.eig - --input words", "The dog sees Anna5 's toy .\n").stdout();
    assert!(words.contains("3\tsees\t_\tVERB\tVBZ\tNumber=Sing\t0\troot"), "{words}");

    // Raw text: every sentence is a tree, and evaluation against the treebank finds no fault.
    let raw: String =
        gold.lines().filter_map(|line| line.strip_prefix("# text = ")).collect::<Vec<_>>().join(" ");
    place.put("raw.txt", raw);
    place.run("parse en.eig raw.txt -o raw.conllu").succeeds();
    let ran = place.run("eval train.conllu raw.conllu --align --json --quiet");
    let summary: Value = serde_json::from_str(ran.succeeds().stdout().lines().last().unwrap()).unwrap();
    assert!(summary.to_string().contains("100.0"), "{summary}");
    assert_eq!(place.get("raw.conllu").matches("\t0\troot\t").count(), 60);

    for (arguments, told) in [
        ("tag en.eig raw.txt --confidence", "one analysis"),
        ("parse en.eig raw.txt --nbest 3", "one analysis"),
        ("parse en.eig raw.txt --input tagged", "its own tagger"),
        ("parse en.eig raw.txt --format ptb", "writes CoNLL-U"),
    ] {
        place.run(arguments).fails(2, told);
    }
}

#[test]
fn a_pipeline_takes_what_the_treebank_has() {
    let place = Place::new();
    let flat: String = treebank().lines().map(|line| format!("{}\n", without_trees(line))).collect();
    let entities = "Anna1\tB-PER\nsees\tO\nAnna2\tB-PER\n.\tO\n\n".repeat(20);
    let text = "The dog sees Anna1 .\nThe cat hears Anna2 .\n".repeat(30);
    place.put("train.conllu", flat).put("train.bio", entities).put("text.txt", text);
    let ran =
        place.run("train pipeline train.conllu --text text.txt --entities train.bio -o en.eig").succeeds();
    let told = ran.stderr();
    assert!(told.contains("XPOS is empty") && told.contains("no trees"), "{told}");
    let out = place.run_with("tag en.eig", "The dog sees Anna1's toy.").stdout();
    assert!(out.contains("NER=B-PER") && out.contains("\tDET\t_\tDefinite=Def\t_\t_\t"), "{out}");
    place.run("train pipeline train.conllu --parser fast -o x.eig").fails(1, "no sentence has a head");
}

/// A row of CoNLL-U without tags and trees.
fn blank(line: &str) -> String {
    change(line, &[3, 4, 5, 6, 7])
}

/// A row without XPOS and without its place in a tree.
fn without_trees(line: &str) -> String {
    change(line, &[4, 6, 7])
}

fn change(line: &str, empty: &[usize]) -> String {
    if !line.contains('\t') {
        return line.to_owned();
    }
    let columns = line.split('\t').enumerate();
    let columns = columns.map(|(number, column)| if empty.contains(&number) { "_" } else { column });
    columns.collect::<Vec<_>>().join("\t")
}
