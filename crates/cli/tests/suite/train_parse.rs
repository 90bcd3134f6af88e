//! From a sampled treebank to scored parses.

use crate::place::Place;

fn trained() -> Place {
    let place = Place::new();
    place.sample("train.ptb", 1500, 1).sample("dev.ptb", 60, 2);
    place.run("train pcfg train.ptb -o m.eig").succeeds();
    place
}

#[test]
fn training_parsing_and_scoring_agree() {
    let place = Place::new();
    place.sample("train.ptb", 1500, 1).sample("dev.ptb", 60, 2);
    let json = place.run("train pcfg train.ptb --dev dev.ptb -o m.eig --json").succeeds().json();
    for field in ["seconds", "cpu_seconds", "peak_rss_mb"] {
        assert!(json[field].as_f64().unwrap() > 0.0, "{field}");
    }
    assert!(json["stages"]["read"].is_number() && json["stages"]["count rules"].is_number(), "{json}");
    assert_eq!(json["figures"]["trees"], 1500.0);

    let parse = place.run("parse m.eig dev.ptb -o parsed.ptb --json").succeeds().json();
    assert_eq!(parse["sentences"], 60);
    assert!(parse["stages"]["parse"].is_number(), "{parse}");
    let gold_words = place.run("convert dev.ptb --to words").stdout();
    assert_eq!(place.run("convert parsed.ptb --to words").stdout(), gold_words);
    let scored = place.run("eval dev.ptb parsed.ptb --json").succeeds().json();
    assert_eq!(scored["brackets"]["f1"], json["dev"]["brackets"]["f1"]);
    assert_eq!(scored["brackets"]["failures"], parse["fallbacks"]);
    assert!(scored["brackets"]["f1"].as_f64().unwrap() > 70.0, "{scored}");

    // The same words by another way give the same trees; given tags are kept.
    place.put("dev.txt", &gold_words);
    assert_eq!(place.run("parse m.eig dev.txt").succeeds().stdout(), place.get("parsed.ptb"));
    assert_eq!(
        place.run_with("parse m.eig --quiet", gold_words).succeeds().stdout(),
        place.get("parsed.ptb")
    );
    place.run("parse m.eig dev.ptb --tags given -o tagged.ptb").succeeds();
    let tags = place.run("eval dev.ptb tagged.ptb --json").succeeds().json();
    assert_eq!(tags["brackets"]["tags"], 100.0);
}

#[cfg(unix)]
#[test]
fn pipes_are_read_as_files_are() {
    let place = trained();
    let words = place.run("convert dev.ptb --to words").stdout();
    place.put("dev.words", &words);
    place.run("parse m.eig dev.words -o parsed.ptb").succeeds();
    place.run("train lpcfg dev.ptb --quality fast -o l.eig").succeeds();
    let made = std::process::Command::new("mkfifo").arg(place.path("pipe.words")).status().unwrap();
    assert!(made.success());
    for [arguments, with_pipe, name] in [
        ["parse m.eig dev.words", "parse m.eig pipe.words", "dev.words"],
        ["eval dev.ptb parsed.ptb --format ptb", "eval dev.ptb pipe.words --format ptb", "parsed.ptb"],
        ["cluster dev.words --clusters 5", "cluster pipe.words --clusters 5", "dev.words"],
        ["score l.eig dev.ptb", "score pipe.words dev.ptb", "l.eig"],
        ["inspect l.eig --verify", "inspect pipe.words --verify", "l.eig"],
    ] {
        let (path, contents) = (place.path("pipe.words"), std::fs::read(place.path(name)).unwrap());
        let writer = std::thread::spawn(move || std::fs::write(path, contents));
        let found = place.run(with_pipe).succeeds().stdout();
        // Fails if the command has closed the pipe before its end.
        writer.join().unwrap().unwrap();
        assert_eq!(
            found.replace("pipe.words", name),
            place.run(arguments).succeeds().stdout(),
            "{arguments}"
        );
    }
}

#[test]
fn threads_change_neither_models_nor_parses() {
    let place = trained();
    place.run("train pcfg train.ptb -o one.eig --threads 1").succeeds();
    place.run("train pcfg train.ptb -o two.eig --threads 2").succeeds();
    assert_eq!(std::fs::read(place.path("one.eig")).unwrap(), std::fs::read(place.path("two.eig")).unwrap());
    let one = place.run("parse m.eig dev.ptb --threads 1").succeeds().stdout();
    assert_eq!(place.run("parse m.eig dev.ptb --threads 2").succeeds().stdout(), one);
    assert_eq!(
        place.run("sample english -n 20").stdout(),
        place.run("sample english -n 20 --threads 1").stdout()
    );
}

#[test]
fn every_sentence_gets_one_line() {
    let place = trained();
    // An empty line, words never seen, another script, a very long sentence.
    let long = "the dog ".repeat(400);
    let input =
        format!("the dog barks .\n\nqwerty zxcvb asdf\n東京 は 大きい\n{long}\nthe cat sees a dog .\n");
    let ran = place.run_with("parse m.eig --json", input).succeeds();
    let out = ran.stdout();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 6, "the summary goes to standard error");
    assert_eq!(lines[1], "(())");
    assert!(lines[3].contains("東京"), "{}", lines[3]);
    assert!(lines[4].starts_with("(ROOT (FALLBACK"), "{}", &lines[4][..60]);
    let json = ran.json();
    assert_eq!((&json["sentences"], &json["empty"]), (&6.into(), &1.into()));
    assert!(
        json["fallbacks"].as_u64().unwrap() >= 1 && ran.stderr().contains("FALLBACK"),
        "{}",
        ran.stderr()
    );
}

#[test]
fn inputs_and_outputs_of_all_kinds() {
    let place = trained();
    let tagged =
        place.run_with("parse m.eig --input tagged", "the_DT dog_NN barks_VBZ ._.\n").succeeds().stdout();
    assert!(tagged.contains("(DT the)") && tagged.contains("(VBZ barks)"), "{tagged}");
    let tags = place.run_with("parse m.eig --input tags", "DT NN VBZ .\n").succeeds().stdout();
    assert!(tags.contains("(DT DT)") && tags.contains("(VBZ VBZ)"), "{tags}");
    let conllu = "1\tthe\t_\tDET\tDT\t_\t0\troot\t_\t_\n2\tdog\t_\tNOUN\tNN\t_\t1\tdep\t_\t_\n\n";
    let from_conllu = place.run_with("parse m.eig --input conllu --tags given", conllu).succeeds().stdout();
    assert!(from_conllu.contains("(DT the)") && from_conllu.contains("(NN dog)"), "{from_conllu}");

    let sentence = "the dog sees the cat in the park .\n";
    let json = place.run_with("parse m.eig --format json", sentence).succeeds();
    let record: serde_json::Value = serde_json::from_str(&json.stdout()).unwrap();
    assert_eq!(record["words"][1], "dog");
    assert!(record["log_probability"].as_f64().unwrap() < 0.0 && record["outcome"] == "parsed", "{record}");
    let best = place.run_with("parse m.eig --format json --nbest 3", sentence).succeeds().stdout();
    let record: serde_json::Value = serde_json::from_str(&best).unwrap();
    let list = record["nbest"].as_array().unwrap();
    let scores: Vec<f64> = list.iter().map(|one| one["log_probability"].as_f64().unwrap()).collect();
    assert!(list.len() > 1 && scores.is_sorted_by(|one, other| one >= other), "{scores:?}");
    assert!(list[0]["tree"] != list[1]["tree"]);
    let lines = place.run_with("parse m.eig --nbest 3", sentence).succeeds().stdout();
    assert_eq!(lines.lines().count(), list.len() + 1);
    assert!(place.run_with("parse m.eig --format svg", sentence).succeeds().stdout().starts_with("<svg"));
    let page = place.run_with("parse m.eig --format html", sentence).succeeds().stdout();
    assert!(
        page.starts_with("<!DOCTYPE html>") && page.contains("<svg") && page.ends_with("</html>\n"),
        "{page}"
    );
    assert!(place.run_with("parse m.eig --format drawing", sentence).succeeds().stdout().contains('┌'));
    for options in ["--decode viterbi", "--decode max-rule-product", "--prune none", "--prune 1e-3"] {
        let out = place.run_with(&format!("parse m.eig {options}"), sentence).succeeds().stdout();
        assert!(out.starts_with("(ROOT (S"), "{options}: {out}");
    }
}

#[test]
fn skipped_sentences_keep_their_line() {
    let place = trained();
    place.put("bad.ptb", "(ROOT (NN dog))\n(ROOT (NP NN b)))\n(ROOT (NN dog))\n");
    place.run("parse m.eig bad.ptb").fails(1, "bad.ptb:2:");
    let ran = place.run("parse m.eig bad.ptb --skip-bad").succeeds();
    assert_eq!(ran.stdout().lines().nth(1), Some("(())"));
    assert_eq!(ran.stdout().lines().count(), 3);
    assert!(ran.stderr().contains("skipped 1 unreadable sentence"), "{}", ran.stderr());
}

#[test]
fn models_are_refused_when_they_are_none_or_damaged() {
    let place = trained();
    place.run("parse train.ptb").fails(1, "not an Eigentree model");
    let mut bytes = std::fs::read(place.path("m.eig")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    place.put("damaged.eig", &bytes);
    place.run("parse damaged.eig").fails(1, "damaged.eig");
    place.run("train pcfg m.eig -o x.eig").fails(1, "m.eig is a model");
    // Trees are wanted, so what is none is told as a tree gone wrong, unless the name tells another format.
    place.put("list", "some words\n(ROOT (NP (NN a)))\n").put("a.conllu", "1\n");
    place.run("train pcfg list -o x.eig").fails(1, "list:1:1: expected `(`");
    place.run("train pcfg a.conllu -o x.eig").fails(1, "its format is conllu, but ptb is needed");
    assert!(!place.path("x.eig").exists());
    place.run("train pcfg list -o x.eig --skip-bad").succeeds();
}

#[test]
fn inspection_shows_corpora_and_models() {
    let place = trained();
    let corpus = place.run("inspect dev.ptb --train train.ptb --json").succeeds();
    assert_eq!(corpus.json()["figures"]["sentences"], 60.0);
    assert!(corpus.stdout().contains("unknown words, %"), "{}", corpus.stdout());
    let model = place.run("inspect m.eig --symbol NP --symbol NN --json").succeeds();
    assert_eq!(model.json()["family"], "pcfg");
    assert!(
        model.stdout().contains("rules of NP") && model.stdout().contains("words of NN"),
        "{}",
        model.stdout()
    );
    place.run("inspect m.eig --symbol np").fails(1, "unknown symbol `np`");
}

#[test]
fn the_markovised_grammar_has_more_rules() {
    let place = trained();
    let rules = |options: &str| {
        let ran = place.run(&format!("train pcfg train.ptb -o x.eig --json {options}")).succeeds();
        ran.json()["figures"]["binary_rules"].as_f64().unwrap()
    };
    assert!(rules("--horizontal 0") < rules(""));
    assert!(rules("") < rules("--markov"));
    assert_eq!(rules("--markov"), rules("--vertical 2 --horizontal 1"));
}

#[test]
fn the_demonstration_needs_no_file() {
    let place = Place::new();
    let ran = place.run("demo --trees 600 --json").succeeds();
    if cfg!(feature = "compare") {
        assert!(ran.stdout().contains("error of log p"), "{}", ran.stdout());
    }
    assert!(ran.stdout().contains("What happened:") && ran.stdout().contains('┌'), "{}", ran.stdout());
    let json = ran.json();
    assert_eq!(json["results"].as_array().unwrap().len(), 4);
    assert!(json["results"][3]["states"].as_u64().unwrap() > 1, "{json}");
    assert!(json["results"][0]["brackets"]["f1"].as_f64().unwrap() > 50.0);
    // The grammar that the trees were drawn from knows what the others must learn.
    let f1 = |result: &serde_json::Value| result["brackets"]["f1"].as_f64().unwrap();
    let learnt = json["results"].as_array().unwrap();
    assert!(learnt.iter().all(|learnt| f1(&json["oracle"]) >= f1(learnt)), "{json}");
    assert!(ran.stdout().contains("the true grammar"), "{}", ran.stdout());
    assert!(place.names().is_empty());
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_no_file() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    use std::time::Duration;
    let place = trained();
    place.put("old.ptb", "old\n");
    let before = place.names();
    // It waits for input that never comes.
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("eigentree"))
        .args(["parse", "m.eig", "-", "-o", "old.ptb"])
        .current_dir(place.path(""))
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let stdin = child.stdin.as_mut().unwrap();
    stdin.write_all(b"the dog barks .\n").unwrap();
    stdin.flush().unwrap();
    let mut waits = 0;
    while place.names().len() == before.len() && waits < 600 {
        std::thread::sleep(Duration::from_millis(50));
        waits += 1;
    }
    assert_eq!(place.names().len(), before.len() + 1, "the unfinished file stands beside its place");
    for _ in 0..2 {
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        std::thread::sleep(Duration::from_millis(300));
    }
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130), "{}", String::from_utf8_lossy(&ended.stderr));
    assert_eq!(place.names(), before);
    assert_eq!(place.get("old.ptb"), "old\n");
}
