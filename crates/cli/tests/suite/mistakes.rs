//! Mistakes that are easily made, and what the program says.

use crate::place::Place;

#[test]
fn no_input_is_replaced_by_an_output() {
    let place = Place::new();
    place.sample("train.ptb", 100, 1);
    place.run("train pcfg train.ptb -o m.eig").succeeds();
    let before = (place.get("train.ptb"), std::fs::read(place.path("m.eig")).unwrap());
    for arguments in [
        "train pcfg train.ptb -o train.ptb",
        "train pcfg train.ptb -o ./train.ptb",
        "train pcfg m.eig --dev train.ptb -o train.ptb",
        "parse m.eig train.ptb -o m.eig",
        "parse m.eig train.ptb -o train.ptb",
        "eval train.ptb train.ptb -o train.ptb",
        "sample train.ptb -o train.ptb",
    ] {
        place.run(arguments).fails(2, "would replace the input");
    }
    assert_eq!((place.get("train.ptb"), std::fs::read(place.path("m.eig")).unwrap()), before);
    // A conversion may take the place of what it converts.
    place.run("convert train.ptb --root none -o train.ptb").succeeds();
    assert!(!place.get("train.ptb").contains("ROOT"));
}

#[cfg(feature = "serve")]
#[test]
fn a_service_without_its_model_says_so_in_one_line() {
    let place = Place::new();
    place.put("a.eig", "no model\n");
    for (model, told) in [("missing.eig", "there is no such file"), ("a.eig", "model")] {
        let ran = place.run(&format!("serve {model} --port 0")).fails(1, told);
        assert_eq!(ran.stderr().lines().count(), 1, "{}", ran.stderr());
        assert!(!ran.stderr().contains("os error"), "{}", ran.stderr());
    }
}

#[test]
fn transforms_of_trees_are_refused_for_other_formats() {
    let place = Place::new();
    place.put("a.words", "time flies\n");
    for option in ["--strip", "--root none", "--binarize left", "--pretty"] {
        place
            .run(&format!("convert a.words {option}"))
            .fails(2, "applies only to trees, but a.words is in the format words");
    }
}

fn with_model() -> Place {
    let place = Place::new();
    place.sample("train.ptb", 300, 1);
    place.run("train pcfg train.ptb -o m.eig").succeeds();
    place
}

#[test]
fn trees_that_are_taken_for_words_are_noticed() {
    let place = with_model();
    let note = "looks like ptb; if it is, give --input ptb";
    let trees = place.get("train.ptb").lines().take(3).collect::<Vec<_>>().join("\n");
    let ran = place.run_with("parse m.eig", trees.clone()).succeeds();
    assert!(ran.stderr().contains(note), "{}", ran.stderr());
    assert_eq!(ran.stdout().lines().count(), 3);
    for (arguments, input) in [
        ("parse m.eig --input words", trees.as_str()),
        ("parse m.eig --input ptb", trees.as_str()),
        ("parse m.eig", "( the dog ) barks .\n"),
        ("parse m.eig --quiet", trees.as_str()),
    ] {
        let ran = place.run_with(arguments, input).succeeds();
        assert!(!ran.stderr().contains(note), "{arguments}: {}", ran.stderr());
    }
    let row = "1\tthe\t_\t_\tDT\t_\t0\troot\t_\t_\n";
    let told = place.run_with("parse m.eig", row).succeeds().stderr();
    assert!(told.contains("--input conllu"), "{told}");
    place.run_with("parse m.eig --tags given", trees).fails(2, "--input tagged, ptb or conllu");
}

#[test]
fn what_was_not_as_asked_is_counted_by_its_reason() {
    let place = with_model();
    let ran = place.run_with("parse m.eig --input tagged --json", "the_DT dog_QQ barks_ZZ ._.\n").succeeds();
    assert_eq!(ran.json()["unknown_tags"], 2);
    assert!(ran.stderr().contains("2 tags of 4 words unknown to the model"), "{}", ran.stderr());
    let ran = place
        .run_with("parse m.eig --max-words 4 --json", "The old dog barks .\nThe dog barks .\n")
        .succeeds();
    assert_eq!((&ran.json()["too_long"], &ran.json()["fallbacks"]), (&1.into(), &1.into()));
    assert!(ran.stderr().contains("1 of 2 sentences longer than 4 words (--max-words)"), "{}", ran.stderr());
    assert!(!ran.stderr().contains("not derived"), "{}", ran.stderr());
    let told = place.run_with("parse m.eig", "").succeeds().stderr();
    assert!(told.contains("no sentences"), "{told}");
    // A drawing has an entry for each sentence too.
    let drawn = place.run_with("parse m.eig --format drawing", "\na dog\n").succeeds().stdout();
    assert!(drawn.starts_with("(())\n\n"), "{drawn}");
}

#[test]
fn errors_name_the_file() {
    let place = Place::new();
    place
        .put("a.ptb", "(S (NN a))\n(S (NN b))\n")
        .put("one.ptb", "(S (NN a))\n")
        .put("other.ptb", "(S (NN c))\n");
    place.put("bytes.prm", b"\xff\xfe\x00").put("bad.prm", "NONSENSE 1\n");
    place.run("eval a.ptb one.ptb").fails(1, "a.ptb and one.ptb: cannot compare: 2 gold sentences but 1");
    place
        .run("eval one.ptb one.ptb --compare other.ptb")
        .fails(1, "one.ptb and other.ptb: cannot compare sentence 1");
    place.run("eval a.ptb a.ptb --params bytes.prm").fails(1, "cannot read parameters from bytes.prm");
    place.run("eval a.ptb a.ptb --params bad.prm").fails(1, "bad.prm: cannot use the setting `NONSENSE");
    place.run("eval a.ptb a.ptb --compare a.ptb --resamples 0").fails(2, "--resamples");
    // A packed file that was cut short, so early and so late that each reader meets the end.
    let packed = zstd::encode_all(place.get("a.ptb").repeat(50).as_bytes(), 0).unwrap();
    for length in [8, packed.len() - 2] {
        place.put("cut.zst", &packed[..length]);
        for command in ["inspect", "convert --from ptb"] {
            let ran = place.run(&format!("{command} cut.zst")).fails(1, "cut.zst");
            assert!(ran.stderr().contains("cut short or damaged"), "{}", ran.stderr());
        }
    }
}

#[test]
fn text_in_another_encoding_is_told_what_to_do() {
    let place = Place::new();
    place.put("latin.ptb", b"(S (NN Z\xfcge))\n").put("latin.txt", b"Z\xfcge fahren\n");
    for file in ["latin.ptb", "latin.txt"] {
        place.run(&format!("inspect {file}")).fails(1, "iconv -f LATIN1 -t UTF-8");
    }
}

#[test]
fn the_summary_of_a_model_has_its_grammar() {
    let place = with_model();
    let json = place.run("inspect m.eig --symbol NP --symbol NN --top 3 --json").succeeds().json();
    assert!(json["figures"]["binary rules"].is_u64(), "{json}");
    assert_eq!(json["roots"][0][0], "S");
    assert_eq!(json["symbols"]["NP"]["rules"]["top"].as_array().unwrap().len(), 3);
    assert!(json["symbols"]["NN"]["words"]["count"].as_u64().unwrap() > 3, "{json}");
}

#[test]
fn labels_that_remember_their_parents_are_suggested() {
    let place = with_model();
    place.run("train pcfg train.ptb --markov -o markov.eig").succeeds();
    place.run("inspect markov.eig --symbol NP").fails(1, "NP^S");
    place.run("inspect markov.eig --symbol NP^S").succeeds();
    place.run("inspect m.eig --symbol np").fails(1, "case-sensitive");
}

#[cfg(unix)]
#[test]
fn an_interrupt_that_also_ends_the_input_leaves_no_file() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    use std::time::Duration;
    let place = with_model();
    place.put("old.ptb", "old\n");
    let before = place.names();
    for arguments in [
        &["parse", "m.eig", "-", "-o", "old.ptb"][..],
        &["convert", "-", "--from", "words", "--to", "words", "-o", "old.ptb"],
    ] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("eigentree"))
            .args(arguments)
            .current_dir(place.path(""))
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"the dog barks .\n").unwrap();
        stdin.flush().unwrap();
        let mut waits = 0;
        while place.names().len() == before.len() && waits < 600 {
            std::thread::sleep(Duration::from_millis(50));
            waits += 1;
        }
        // As in a pipe on a terminal: the interrupt ends the writer of the input as well.
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        std::thread::sleep(Duration::from_millis(200));
        drop(stdin);
        let ended = child.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(130), "{arguments:?}: {told}");
        assert!(told.contains("interrupted"), "{told}");
        assert_eq!((place.names(), place.get("old.ptb").as_str()), (before.clone(), "old\n"));
    }
}

#[test]
fn the_summary_replaces_no_input_and_outputs_do_not_share_a_name() {
    let place = Place::new();
    place.sample("a.mrg", 10, 1);
    let before = place.get("a.mrg");
    place.run("convert a.mrg --to words -o o --summary ./a.mrg").fails(2, "both name the file");
    place
        .run("convert a.mrg --to words -o o.txt --summary ./o.txt")
        .fails(2, "--output and --summary are two outputs that both name the file");
    place.run("eval a.mrg a.mrg --html same --sentences ./same").fails(2, "both name the file");
    assert_eq!(place.get("a.mrg"), before);
    assert_eq!(place.names(), ["a.mrg"]);
    place.run("convert a.mrg -o a.mrg --summary s.json").succeeds();
}
