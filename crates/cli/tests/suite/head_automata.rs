//! `train head-automata`, `parse`, `inspect` and `compare head-automata`: the program from outside.

use crate::place::{Place, treebank};

#[test]
fn every_learner_makes_a_parser() {
    let place = Place::new();
    place.put("train.conllu", treebank(120)).put("dev.conllu", treebank(20));
    place.put("paths.txt", "00\tdog\t9\n01\tcat\t8\n1\tthe\t20\n");
    for learner in [
        "spectral --states 2",
        "em --states 2",
        "det",
        "det+f",
        "lex",
        "lex+fcp",
        "spectral --states 2 --words lex+fcp --weight 0.7",
        "spectral+em --states 2 --alphabet features --words lex+fcp --distance --clusters paths.txt",
    ] {
        let json = place
            .run(&format!(
                "train head-automata train.conllu --dev dev.conllu --learner {learner} -o m.eig --json --quiet"
            ))
            .succeeds()
            .json();
        assert!(json["dev"]["attachment"]["uas"].as_f64().unwrap() > 80.0, "{learner}: {json}");
        place.run("parse m.eig dev.conllu -o one.conllu --threads 1 --quiet").succeeds();
        place.run("parse m.eig dev.conllu -o two.conllu --threads 2 --quiet").succeeds();
        assert_eq!(place.get("one.conllu"), place.get("two.conllu"), "{learner}");
    }
}

#[test]
fn clusters_belong_to_the_model_of_words() {
    let place = Place::new();
    place.put("train.conllu", treebank(20)).put("paths.txt", "00\tdog\t9\n1\tthe\t20\n");
    let train = "train head-automata train.conllu --clusters paths.txt -o m.eig --quiet";
    place.run(train).fails(2, "--clusters needs a model of words");
    place.run(&format!("{train} --words lex --paper")).fails(2, "cannot be used with");
}

#[test]
fn confidences_lists_and_graphs_are_written() {
    let place = Place::new();
    place.put("train.conllu", treebank(120)).put("dev.conllu", treebank(6));
    place.run("train head-automata train.conllu --states 2 -o m.eig --quiet").succeeds();
    place.run("parse m.eig dev.conllu --nbest 3 --confidence -o lists.conllu --quiet").succeeds();
    let lists = place.get("lists.conllu");
    assert_eq!(lists.matches("# parse = 1").count(), 6, "{lists}");
    assert_eq!(lists.matches("# parse = 3").count(), 6, "{lists}");
    let words = lists.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    let confidences: Vec<f64> = words
        .map(|line| line.split_once("Confidence=").expect("every word has a confidence").1.parse().unwrap())
        .collect();
    let words_of_dev = treebank(6).lines().filter(|line| line.contains('\t')).count();
    assert_eq!(confidences.len(), 3 * words_of_dev, "{lists}");
    assert!(confidences.iter().all(|confidence| (0.0..=1.0).contains(confidence)), "{lists}");
    assert!(confidences.iter().any(|&confidence| 0.0 < confidence && confidence < 1.0), "{lists}");
    let seen = place
        .run("inspect m.eig --symbol VERB --sequences train.conllu --graphs graphs --quiet")
        .succeeds()
        .stdout();
    assert!(seen.contains("singular values"), "{seen}");
    assert!(seen.contains("in the state of their cluster"), "{seen}");
    let folder: Vec<String> = std::fs::read_dir(place.path("graphs"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    assert!(folder.iter().any(|name| name.ends_with(".svg")), "{folder:?}");
    assert!(folder.iter().any(|name| name.ends_with(".dot")), "{folder:?}");
    // One cluster beside the initial state, made of the empty prefix and the most frequent one.
    place
        .run("inspect m.eig --symbol VERB --sequences train.conllu --graphs few --graph-clusters 1 --graph-prefixes 2 --graph-merge 0 --quiet")
        .succeeds();
    let dot = place.get("few/VERB-left.dot");
    assert_eq!((dot.matches("STOP").count(), dot.matches("->").count()), (2, 1), "{dot}");
    place.run("inspect m.eig --graph-merge 2").fails(2, "between 0 and 1");
}

#[test]
fn trees_are_chosen_by_three_objectives() {
    let place = Place::new();
    place.put("train.conllu", treebank(120)).put("dev.conllu", treebank(12));
    place.run("train head-automata train.conllu --learner det+f -o det.eig --quiet").succeeds();
    place.run("train head-automata train.conllu --states 2 -o m.eig --quiet").succeeds();
    for options in ["det.eig dev.conllu --decode viterbi", "m.eig dev.conllu --decode max-rule-sum"] {
        place.run(&format!("parse {options} -o parsed.conllu --quiet")).succeeds();
        let json = place.run("eval dev.conllu parsed.conllu --json --quiet").succeeds().json();
        assert!(json["attachment"]["uas"].as_f64().unwrap() > 80.0, "{options}: {json}");
    }
    place.run("parse m.eig dev.conllu --decode viterbi -o x.conllu").fails(2, "without hidden states");
    place.run("parse det.eig dev.conllu --decode viterbi --nbest 2 -o x.conllu").fails(2, "drop --nbest");
    place.run("parse m.eig dev.conllu --decode max-constituent-sum -o x.conllu").fails(2, "for grammars");
}

#[test]
fn learners_are_compared() {
    let place = Place::new();
    place.put("train.conllu", treebank(90)).put("dev.conllu", treebank(12));
    let json = place
        .run("compare head-automata train.conllu --dev dev.conllu --states 1,2 --em-steps 2 --tags-alone --json --quiet")
        .succeeds()
        .json();
    let runs = json["runs"].as_array().unwrap();
    let learners: Vec<&str> = runs.iter().map(|run| run["learner"].as_str().unwrap()).collect();
    let states = [1, 2];
    let latent = ["spectral", "em (2)", "spectral+em (15)"].into_iter().flat_map(|name| states.map(|_| name));
    assert_eq!(learners, ["det", "det+f"].into_iter().chain(latent).collect::<Vec<_>>());
    assert!(runs.iter().all(|run| run["dev"]["uas"].as_f64().unwrap() > 80.0), "{json}");
    // By other objectives: the best of each learner, and the most probable tree only without hidden states.
    let decoded: Vec<bool> = runs
        .iter()
        .filter(|run| run["decoded"].is_object())
        .map(|run| run["decoded"]["viterbi"].is_number())
        .collect();
    assert_eq!(decoded, [true, true, false, false, false], "{json}");
}

#[test]
fn what_does_not_fit_is_refused() {
    let place = Place::new();
    place.put("train.conllu", treebank(30));
    place.run("train head-automata train.conllu --learner magic -o m.eig").fails(2, "magic");
    place.run("train head-automata none.conllu -o m.eig").fails(1, "there is no such file");
    assert!(!place.path("m.eig").exists());
}
