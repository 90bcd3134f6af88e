//! `convert`, reading and writing in general, and what happens to bad input.

use std::io::Read;

use crate::place::Place;

const TREES: &str = "(ROOT (S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (PRP him)) (ADVP (RB again))) (. .)))\n\
                     (ROOT (NP (NN time)))\n";

#[test]
fn trees_become_words_tags_dependencies_json_and_pictures() {
    let place = Place::new();
    place.put("a.ptb", TREES);
    let to = |format: &str| place.run(&format!("convert a.ptb --to {format}")).succeeds().stdout();
    assert_eq!(to("words"), "the dog sees him again .\ntime\n");
    assert_eq!(to("tagged"), "the_DT dog_NN sees_VBZ him_PRP again_RB ._.\ntime_NN\n");
    let rows = to("conllu");
    let heads: Vec<&str> = rows.lines().filter_map(|line| line.split('\t').nth(6)).collect();
    assert_eq!(heads, ["2", "3", "0", "3", "3", "3", "0"]);
    let json = to("json");
    let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(first["words"][1], "dog");
    assert_eq!(first["phrases"][2], serde_json::json!(["NP", 0, 2]));
    assert_eq!(to("ptb"), TREES);
    assert!(to("drawing").contains("┌"));
    place.run("convert a.ptb -o a.svg").succeeds();
    assert!(place.get("a.svg").starts_with("<svg"));
}

#[test]
fn transforms_have_inverses() {
    let place = Place::new();
    place.put("a.ptb", TREES);
    for way in ["left", "right", "head"] {
        place
            .run(&format!(
                "convert a.ptb --root none --collapse --vertical 2 --binarize {way} --horizontal 1 -o b.ptb"
            ))
            .succeeds();
        assert!(
            place.get("b.ptb").contains("@VP") && place.get("b.ptb").contains("NP|PRP"),
            "{}",
            place.get("b.ptb")
        );
        place.run("convert b.ptb --unbinarize --expand --root ROOT -o c.ptb").succeeds();
        assert_eq!(place.get("c.ptb"), TREES);
    }
    place.put("raw.ptb", "( (S (NP-SBJ-1 (NN a)) (VP (VB b) (NP (-NONE- *T*-1)))))\n(S (NP (-NONE- *)))\n");
    let ran = place.run("convert raw.ptb --strip").succeeds();
    assert_eq!(ran.stdout(), "( (S (NP (NN a)) (VP (VB b))))\n");
    assert!(ran.stderr().contains("1 sentence without words"), "{}", ran.stderr());
    assert_eq!(place.run("convert a.ptb --pretty").stdout().lines().next(), Some("(ROOT"));
}

#[test]
fn json_can_be_read_again() {
    let place = Place::new();
    let rows = "# sent_id = 1\n# text = du Bois\n1-2\tdu\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=Yes\n\
                1\tde\tde\tADP\tP\tB=1|A=2\t3\tcase\t3:case\tx|NER=B-PER\n2\tle\tle\tDET\t_\t_\t3\tdet\t_\t_\n\
                3\tBois\tBois\tPROPN\t_\t_\t0\troot\t_\tSpaceAfter=No\n3.1\tx\t_\t_\t_\t_\t_\t_\t3:dep\t_\n\n";
    place.put("a.ptb", TREES).put("a.conllu", rows).put("a.tagged", "a_DT dog_NN\n");
    for format in ["json", "jsonl"] {
        for (file, text) in [("a.ptb", TREES), ("a.conllu", rows), ("a.tagged", "a_DT dog_NN\n")] {
            place.run(&format!("convert {file} --to {format} -o b.{format}")).succeeds();
            let to = &file[2..];
            assert_eq!(
                place.run(&format!("convert b.{format} --to {to} --tag-column xpos")).stdout(),
                text,
                "{file}"
            );
            // Without a name, the content tells.
            let written = place.get(&format!("b.{format}"));
            assert_eq!(
                place.run_with(&format!("convert - --to {to} --tag-column xpos"), written).stdout(),
                text
            );
        }
    }
    place.put("c.jsonl", "{\"words\":[\"a\"]}\n{\"words\":\n");
    place.run("convert c.jsonl --to words").fails(1, "c.jsonl:3: expected the JSON");
    place.put("d.jsonl", "{\"words\":[\"a\"]}\n{\"text\":\"a\"}\n");
    place.run("convert d.jsonl --to words").fails(1, "d.jsonl:2: expected the JSON");
}

#[test]
fn conversions_without_meaning_are_refused_and_leave_no_file() {
    let place = Place::new();
    place.put("a.ptb", TREES).put("a.words", "a b\n").put("a.bio", "a\tO\n\n");
    place.run("convert a.ptb -o out.bio").fails(1, "cannot convert ptb to bio");
    place.run("convert a.words -o out.ptb").fails(1, "parse it first");
    place.run("convert a.bio --to conllu -o out.conllu").fails(1, "entity columns");
    assert_eq!(place.names(), ["a.bio", "a.ptb", "a.words"]);
}

#[test]
fn packed_files_and_standard_streams_work() {
    let place = Place::new();
    place.put("a.ptb", TREES);
    for packed in ["a.ptb.gz", "a.ptb.zst"] {
        place.run(&format!("convert a.ptb -o {packed}")).succeeds();
        let mut unpacked = String::new();
        let bytes = std::fs::read(place.path(packed)).unwrap();
        match packed {
            "a.ptb.gz" => flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut unpacked).map(drop),
            _ => zstd::Decoder::new(&bytes[..]).unwrap().read_to_string(&mut unpacked).map(drop),
        }
        .unwrap();
        assert_eq!(unpacked, TREES);
        assert_eq!(place.run(&format!("convert {packed}")).succeeds().stdout(), TREES);
        // The contents tell that standard input is packed, and what it holds.
        assert_eq!(place.run_with("convert - --to words", bytes).succeeds().stdout().lines().count(), 2);
    }
}

#[test]
fn bad_brackets_stop_with_their_place_or_are_skipped() {
    let place = Place::new();
    place.put("bad.ptb", "(ROOT (NN a))\n(ROOT (NP NN b)))\n(ROOT (NN c))\n(ROOT (NN d)\n");
    place.run("convert bad.ptb -o out.ptb").fails(1, "bad.ptb:2:").fails(1, "--skip-bad");
    assert_eq!(place.names(), ["bad.ptb"]);
    let ran = place.run("convert bad.ptb --skip-bad --json -o out.ptb").succeeds();
    assert_eq!(place.get("out.ptb"), "(ROOT (NN a))\n(ROOT (NN c))\n");
    assert!(ran.stderr().contains("skipped 2 unreadable sentences"), "{}", ran.stderr());
    let json = ran.json();
    assert_eq!(json["skipped"]["count"], 2);
    assert!(json["skipped"]["places"][1].as_str().unwrap().starts_with("bad.ptb:4:"), "{json}");
    for field in ["seconds", "cpu_seconds", "peak_rss_mb"] {
        assert!(json[field].as_f64().unwrap() >= 0.0, "{field}");
    }
    assert!(json["stages"]["convert"].is_number());
    place.put("all-bad.ptb", "(ROOT (NP NN b)))\n");
    place.run("convert all-bad.ptb --skip-bad").fails(1, "nothing could be read");
}

#[test]
fn missing_and_empty_files_are_told_with_advice() {
    let place = Place::new();
    place.put("empty.ptb", "");
    for command in [
        "convert none.ptb",
        "inspect none.ptb",
        "train pcfg none.ptb -o m.eig",
        "parse none.eig",
        "eval none.ptb none.ptb",
    ] {
        let ran = place.run(command).fails(1, "there is no such file; check the name");
        assert!(ran.stderr().starts_with("eigentree: error: "), "{}", ran.stderr());
        assert_eq!(ran.stderr().lines().count(), 1, "{}", ran.stderr());
    }
    place.run("convert empty.ptb").fails(1, "empty.ptb is empty");
    place.run("train pcfg empty.ptb -o m.eig").fails(1, "empty.ptb is empty: expected trees");
    place.run("convert empty.ptb -o no/such/folder.ptb").fails(1, "folder");
    assert_eq!(place.names(), ["empty.ptb"]);
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_error() {
    use std::process::{Command, Stdio};
    let place = Place::new();
    place.sample("big.ptb", 3000, 1);
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("eigentree"))
        .args(["convert", "big.ptb", "--json"])
        .current_dir(place.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut some = [0; 64];
    child.stdout.as_mut().unwrap().read_exact(&mut some).unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&ended.stderr), "");
    assert_eq!(ended.status.code(), Some(0));
}
