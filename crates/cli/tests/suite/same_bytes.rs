//! The same data and seed give the same files, byte by byte: in every run, on one thread and on several, for every learner.

use std::fs;

use eigentree_cli::calls::{OptionValues, definition};

use crate::place::{Place, treebank};

/// Named entities; the sampled treebanks have none.
const ENTITIES: &str =
    "The\tO\ndog\tO\nsees\tO\nAnna\tB-PER\n.\tO\n\nIn\tO\nNew\tB-LOC\nYork\tI-LOC\n.\tO\n\n";

/// Options that choose between ways to learn.
const WAYS: [&str; 9] =
    ["learner", "method", "quality", "preset", "observe", "objective", "parser", "estimator", "algorithm"];

/// The way to learn that a command takes if not told, and all others one at a time.
fn ways(command: &str) -> Vec<String> {
    let path: Vec<&str> = command.split(' ').take_while(|part| !part.starts_with('-')).collect();
    let (_, options) = definition(&path).expect("the command exists");
    let mut ways = vec![String::new()];
    for option in options.iter().filter(|option| WAYS.contains(&option.name.as_str())) {
        if let OptionValues::Choice(words) = &option.values {
            ways.extend(words.iter().map(|word| format!("--{}={word}", option.name)));
        }
    }
    ways
}

/// Learns in all ways, each three times; at least `least` of them must give files.
fn check(command: &str, input: &str, outputs: &str, least: usize) {
    let place = Place::new();
    place.sample("t.mrg", 60, 3);
    place.run("convert t.mrg --to words -o t.txt").succeeds();
    place.put("t.conllu", treebank(40)).put("t.bio", ENTITIES.repeat(12));
    let mut learnt = 0;
    for way in ways(command) {
        let mut runs = Vec::new();
        for threads in [1, 2, 2] {
            for old in place.names().into_iter().filter(|name| name.starts_with("out")) {
                fs::remove_file(place.path(&old)).unwrap();
            }
            let ran =
                place.run(&format!("{command} {input} {outputs} {way} --seed 7 --threads {threads} --quiet"));
            let written = place.names().into_iter().filter(|name| name.starts_with("out"));
            let files: Vec<(String, Vec<u8>)> =
                written.map(|name| (name.clone(), fs::read(place.path(&name)).unwrap())).collect();
            runs.push((ran.code(), ran.stderr(), files));
        }
        let [one, two, again] = &runs[..] else { unreachable!("there are three runs") };
        assert_eq!(two, again, "{command} {way}: twice on two threads");
        assert_eq!(one, two, "{command} {way}: one thread and two");
        // Some ways need options or data of their own, and say so.
        learnt += usize::from(one.0 == 0 && !one.2.is_empty());
    }
    assert!(learnt >= least, "{command}: {learnt} ways gave files");
}

#[test]
fn grammars() {
    check("train pcfg", "t.mrg", "-o out", 1);
    check("train lpcfg --states 3", "t.mrg", "-o out", 4);
}

#[test]
fn dependency_parsers() {
    check("train mst", "t.conllu", "-o out", 3);
    check("train head-automata", "t.conllu", "-o out", 3);
    check("train reranker", "t.conllu", "-o out", 1);
    check("train deptree", "t.conllu", "-o out", 2);
}

#[test]
fn taggers_and_pipelines() {
    check("train tagger", "t.conllu", "-o out", 1);
    check("train ner", "t.bio", "-o out", 2);
    check("train pipeline", "t.conllu", "-o out", 2);
}

#[test]
fn sequences() {
    check("train hmm --rank 3", "t.txt", "-o out", 1);
    check("train automaton --rank 3", "t.txt", "-o out", 1);
}

#[test]
fn words() {
    check("cluster --clusters 6", "t.txt", "-o out --model out.eig --vectors out.vec", 2);
    check("count", "t.txt", "-o out", 1);
}
