//! What is wrong, and what to annotate next: `eval --errors`, `check`, `curve`, `crossval`, `select`, drawings of arcs.

use std::fmt::Write;

use crate::place::Place;

/// Sentences "the ADJ NOUN VERB" with a few words and a regular tree.
fn treebank(sentences: usize) -> String {
    let (adjectives, nouns) = (["old", "big", "red"], ["dog", "cat", "man", "bird", "tree"]);
    let verbs = ["barks", "sleeps", "falls", "sings"];
    let mut text = String::new();
    for number in 0..sentences {
        let (adjective, noun, verb) =
            (adjectives[number % 3], nouns[(number * 7) % 5], verbs[(number * 3 + number / 5) % 4]);
        if number % 10 == 0 {
            let _ = writeln!(text, "# newdoc id = d{number}");
        }
        let _ = write!(
            text,
            "# sent_id = s{number}\n1\tthe\tthe\tDET\t_\t_\t3\tdet\t_\t_\n2\t{adjective}\t_\tADJ\t_\t_\t3\tamod\t_\t_\n\
             3\t{noun}\t_\tNOUN\t_\t_\t4\tnsubj\t_\t_\n4\t{verb}\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
        );
    }
    text
}

#[test]
fn arcs_are_drawn_in_the_terminal_and_as_svg() {
    let place = Place::new();
    place.put("a.conllu", treebank(1));
    let drawn = place.run("convert a.conllu --to drawing").succeeds().stdout();
    assert!(drawn.contains("det") && drawn.contains('▼') && drawn.contains("root"), "{drawn}");
    let narrow = place.run("convert a.conllu --to drawing --width 20").succeeds().stdout();
    assert_eq!(narrow.lines().filter(|line| !line.is_empty()).count(), 4, "{narrow}");
    assert!(narrow.contains("det ←3"), "{narrow}");
    place.run("convert a.conllu -o a.svg").succeeds();
    assert!(place.get("a.svg").contains(">amod</text>"));
}

#[test]
fn errors_are_analysed_as_tables_pages_and_lines() {
    let place = Place::new();
    let gold = treebank(4);
    place.put("gold.conllu", &gold).put("train.conllu", treebank(1));
    place.put("predicted.conllu", gold.replace("4\tnsubj", "2\tobj"));
    let command =
        "eval gold.conllu predicted.conllu --errors --train train.conllu --html e.html --sentences s.tsv";
    let tables = place.run(command).succeeds().stdout();
    assert!(tables.contains("by relation") && tables.contains("unknown"), "{tables}");
    let confusion = tables.lines().find(|line| line.starts_with("nsubj") && line.contains("obj"));
    assert!(confusion.is_some_and(|line| line.trim_end().ends_with('4')), "{tables}");
    let page = place.get("e.html");
    assert!(page.contains("<svg") && page.contains("class=\"wrong\"") && !page.contains("<script"));
    let scores = place.get("s.tsv");
    assert_eq!(scores.lines().count(), 5);
    assert!(scores.contains("1\ts0\t4\t1\t100.00\t75.00\t75.00"), "{scores}");
    place.run("eval gold.conllu predicted.conllu --errors --align").fails(2, "same tokens");
}

#[test]
fn checks_find_cycles_duplicates_and_variation_and_set_the_exit_code() {
    let place = Place::new();
    let good = treebank(30);
    place.put("good.conllu", &good);
    place.run("check good.conllu").succeeds();
    // A word that is its head's head, and a label that varies within the same words.
    let cycle = good.replacen("4\tbarks\t_\tVERB\t_\t_\t0\troot", "4\tbarks\t_\tVERB\t_\t_\t3\tdep", 1);
    place.put("cycle.conllu", &cycle);
    let report = place.run("check cycle.conllu").fails(1, "1 error found").stdout();
    assert!(report.contains("error cycle (1)"), "{report}");
    let varied = good.replacen("1\tthe\tthe\tDET", "1\tthe\tthe\tPRON", 1);
    place.put("varied.conllu", &varied);
    let report = place.run("check varied.conllu --duplicate-words 3 --report json").succeeds().stdout();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let kinds: Vec<&str> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["kind"].as_str().unwrap())
        .collect();
    assert!(kinds.contains(&"variation") && kinds.contains(&"inconsistent-duplicate"), "{kinds:?}");
    place.run("check varied.conllu --strict").fails(1, "--strict");
    let both = place.run("check good.conllu good.conllu --duplicate-words 3").succeeds().stdout();
    assert!(both.contains("duplicate-across-files"), "{both}");
    place.put("bad.ptb", "(S (NP (NN a))\n(S (NP (NN b)) (VP (VB c)))\n");
    place.run("check bad.ptb").fails(1, "found");
}

#[test]
fn curves_and_folds_report_figures() {
    let place = Place::new();
    place.put("a.conllu", treebank(120)).put("dev.conllu", treebank(20));
    let curve =
        "curve tagger a.conllu --dev dev.conllu --sizes 10,20,40,80 --repeats 2 --report json --plot c.svg";
    let found: serde_json::Value = serde_json::from_str(&place.run(curve).succeeds().stdout()).unwrap();
    assert_eq!(found["points"].as_array().unwrap().len(), 8);
    assert_eq!(found["forecasts"][0]["name"], "UPOS");
    assert!(place.get("c.svg").contains("Learning curve"));
    let folds = place.run("crossval mst a.conllu --folds 3 --quality fast").succeeds().stdout();
    assert!(folds.contains("whole documents (12)") && folds.contains("LAS"), "{folds}");
    place.run("curve tagger a.conllu --sizes 5000").fails(1, "only");
}

#[test]
fn selection_writes_annotated_sentences_best_first() {
    let place = Place::new();
    place.put("a.conllu", treebank(60));
    // Words that the model does not know.
    place.put("pool.conllu", treebank(20).replace("bird", "zyx").replace("sings", "qwv"));
    place.run("train mst a.conllu --quality fast -o m.eig").succeeds();
    let chosen = place.run("select m.eig pool.conllu -n 3").succeeds();
    assert!(chosen.stderr().contains("3 sentences of 20"), "{}", chosen.stderr());
    let text = chosen.stdout();
    assert_eq!(text.matches("# select_rank = ").count(), 3);
    assert!(text.contains("# expected_errors = ") && text.contains("Confidence="), "{text}");
    let again = place.run("select m.eig pool.conllu -n 3 --threads 1").succeeds().stdout();
    assert_eq!(again, text);
    place.run("select m.eig pool.conllu --min-words 9 --max-words 3").fails(2, "--min-words");
}
