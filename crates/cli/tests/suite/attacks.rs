//! Attacks that once succeeded, one test each. `crates/fuzzing` has more of their kind.

use std::time::Duration;

use crate::place::Place;

#[test]
fn small_files_that_name_many_symbols_take_little_memory() {
    let place = Place::new();
    place.put("a.txt", "a b a\nb a\n".repeat(10));
    place.run("train automaton a.txt --rank 1 -o m.eig").succeeds();
    for alphabet in ["100000000", "4294967295", "4294967296", "18446744073709551616"] {
        place.put("big.seq", format!("2 {alphabet}\n3 0 3 1\n2 1 0\n"));
        for command in ["train automaton big.seq -o x.eig", "score m.eig big.seq", "inspect big.seq"] {
            let ran = place.run(&format!("{command} --max-memory 300M"));
            let told = ran.stderr();
            assert!(
                ran.code() >= 0 && !told.contains("--max-memory") && !told.contains("panicked"),
                "{command}: {told}"
            );
        }
    }
}

#[test]
fn numbers_beyond_sense_are_refused_with_their_range() {
    let place = Place::new();
    place.put("a.txt", "a b\n").put("a.mrg", "(S (N a))\n");
    for number in ["4294967296", "9223372036854775807", "18446744073709551616"] {
        for command in [
            "count a.txt -o o --distance",
            "cluster a.txt -o o --clusters",
            "train lpcfg a.mrg -o o --states",
            "train automaton a.txt -o o --rank",
            "train mst a.mrg -o o --epochs",
            "parse m.eig a.txt --nbest",
        ] {
            let ran = place.run(&format!("{command} {number}")).fails(2, number);
            assert!(!ran.stderr().contains("panicked"), "{command}: {}", ran.stderr());
        }
    }
    assert_eq!(place.names(), ["a.mrg", "a.txt"]);
}

#[test]
fn a_line_with_eighty_thousand_trees_takes_time_in_proportion() {
    let place = Place::new();
    let seconds = |trees: usize| {
        place.put("a.mrg", "(S (NP (N a)) (VP (V b))) ".repeat(trees) + "\n");
        let json = place.run("convert a.mrg --to words -o a.words --json").succeeds().json();
        assert_eq!(json["sentences"].as_u64(), Some(trees as u64));
        json["cpu_seconds"].as_f64().unwrap()
    };
    let (few, many) = (seconds(20_000), seconds(80_000));
    // Four times as many trees: a quadratic reader takes sixteen times as long, and did take more than 20 s.
    assert!(many < 10.0 * few.max(0.1), "{few} s for 20,000, {many} s for 80,000");
}

#[test]
fn messages_have_no_control_characters_of_the_input() {
    let place = Place::new();
    let attack = "\u{1b}]0;pwned\u{7}\u{9b}2J";
    place.put("a.mrg", format!("(S (N a)) ){attack}\n"));
    place.put("a.conllu", format!("1\t{attack}\t_\n\n"));
    place.put("a.bio", format!("a\tX-{attack}\n\n"));
    place.put("a.paths", format!("01x{attack}\tw\t1\n"));
    place.put(&format!("{attack}.mrg"), "(S\n");
    let named = format!("{attack}.mrg");
    for arguments in [
        vec!["inspect", "a.mrg"],
        vec!["inspect", "a.conllu"],
        vec!["inspect", "a.bio"],
        vec!["train", "tagger", "a.conllu", "--clusters", "a.paths", "-o", "o"],
        vec!["inspect", &named],
        vec!["parse", &attack],
        vec!["convert", "a.mrg", "--to", &attack],
        vec!["train", &attack],
        vec!["inspect", "a.mrg", "--skip-bad"],
    ] {
        let ran = place.command("").args(&arguments).output().unwrap();
        let told = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(!told.contains(['\u{1b}', '\u{7}', '\u{9b}']), "{arguments:?}: {told:?}");
    }
}

#[cfg(unix)]
#[test]
fn what_a_killed_run_leaves_the_next_one_removes() {
    let place = Place::new();
    place.sample("a.mrg", 3000, 1);
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("eigentree"))
        .args(["train", "lpcfg", "a.mrg", "-o", "m.eig", "--quiet"])
        .current_dir(place.path(""))
        .spawn()
        .unwrap();
    let left = || place.names().into_iter().find(|name| name.ends_with(".part"));
    while left().is_none() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let part = left().expect("a killed run cannot remove its file");
    // As if it were older; a young file may belong to a run that has just begun.
    let file = std::fs::File::options().write(true).open(place.path(&part)).unwrap();
    file.set_modified(std::time::SystemTime::now() - Duration::from_secs(120)).unwrap();
    drop(file);
    place.run("convert a.mrg --to words -o a.words").succeeds();
    assert_eq!(place.names(), ["a.mrg", "a.words"]);
}

#[test]
fn words_of_very_long_sentences_are_not_scored_and_that_is_said() {
    let place = Place::new();
    place.sample("a.mrg", 60, 1);
    place.run("train lpcfg a.mrg --quality fast -o a.eig").succeeds();
    let long = format!("(S{})\n", " (NP (NN dog))".repeat(700));
    place.put("long.mrg", long);
    let ran = place.run("score a.eig long.mrg -o scores --json").succeeds();
    let told = ran.stderr();
    assert!(told.contains("1 of 1 sentences longer than 600 words"), "{told}");
    assert!(!told.contains("-0.00"), "{told}");
    assert_eq!(ran.json()["sentences"]["too_long"], 1);
}

#[cfg(target_os = "linux")]
#[test]
fn endless_lines_are_refused() {
    let place = Place::new();
    place.put("t.bio", "Ann B-PER\nlives O\n\n".repeat(3)).sample("a.mrg", 5, 1);
    place
        .run("train ner t.bio --clusters /dev/zero -o m.eig")
        .fails(1, "a line has more than 268435456 bytes");
    place
        .run("convert /dev/zero --from ptb --to words -o out")
        .fails(1, "a line has more than 268435456 bytes");
    place.run("cluster /dev/zero -o out").fails(1, "a token has more than 268435456 bytes");
    assert_eq!(place.names(), ["a.mrg", "t.bio"]);
}

#[test]
fn nothing_of_a_table_is_said_to_be_skippable() {
    let place = Place::new();
    place.put("t.bio", "Ann B-PER\nlives O\n\n".repeat(3)).put("paths.txt", "01\tAnn\tmany\n");
    let told =
        place.run("train ner t.bio --clusters paths.txt -o m.eig").fails(1, "expected a count").stderr();
    assert!(!told.contains("--skip-bad"), "{told}");
    place.put("paths.txt", b"01\tAnn\xff\t3\n");
    place.run("train ner t.bio --clusters paths.txt -o m.eig").fails(1, "iconv -f LATIN1");
}

#[test]
fn labels_in_reports_and_drawings_cannot_reach_the_terminal() {
    let place = Place::new();
    let row = |tag: &str| format!("1\ta\u{1b}]0;pwned\u{7}\ta\t{tag}\t_\t_\t0\troot\t_\t_\n\n");
    place.put("a.conllu", row("X\u{9b}2J")).put("b.conllu", row("Y\u{202e}"));
    place.put("a.mrg", "(S (N\u{1b}[31m a) (V b\u{202e}))\n(S (V\u{7} c))\n");
    for command in [
        "convert a.conllu --to drawing",
        "convert a.mrg --to drawing",
        "inspect a.conllu",
        "inspect a.mrg",
        "check a.conllu b.conllu",
        "eval a.conllu b.conllu --errors",
        "eval a.conllu b.conllu --errors --report markdown",
    ] {
        let told = place.run(command).stdout();
        assert!(
            !told.is_empty() && !told.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']),
            "{command}: {told:?}"
        );
    }
}
