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

/// Trees in which `V N P` has P below N, but P follows V far more often: one state for the modifiers of V puts it there, and two
/// know that V has one modifier. One word in 33 is such a P.
fn one_modifier_each() -> String {
    let tree = |words: &[(&str, usize)]| -> String {
        let line = |(at, (tag, head)): (usize, &(&str, usize))| {
            let word = tag.to_lowercase();
            format!("{}\t{word}\t{word}\tX\t{tag}\t_\t{head}\tdep\t_\t_\n", at + 1)
        };
        words.iter().enumerate().map(line).chain(["\n".to_owned()]).collect()
    };
    let nested = tree(&[("VB", 0), ("NN", 1), ("IN", 2)]);
    nested.repeat(20)
        + &tree(&[("VB", 0), ("IN", 1)]).repeat(200)
        + &tree(&[("VB", 0), ("NN", 1)]).repeat(100)
}

#[test]
fn the_figures_of_the_paper_stand_beside_known_ones() {
    let place = Place::new();
    place.put("trees.conllu", one_modifier_each());
    let json = place
        .run(
            "compare head-automata trees.conllu --dev trees.conllu --test trees.conllu --paper --states 2 --em-steps 5 --restarts 2 \
             --plots plots --format markdown -o r.md --json --quiet",
        )
        .succeeds()
        .json();
    let run = |learner: &str| {
        let runs = json["runs"].as_array().unwrap();
        runs.iter().find(|run| run["learner"] == learner).unwrap_or_else(|| panic!("{learner}: {json}"))
    };
    for (learner, uas) in [("det", 100.0 * 32.0 / 33.0), ("det+f", 100.0), ("spectral", 100.0)] {
        for part in ["dev", "test"] {
            let found = run(learner)[part]["uas"].as_f64().unwrap();
            assert!((found - uas).abs() < 1e-9, "{learner}, {part}: {found}");
        }
    }
    // Here words are tags, so that equation 21 has nothing to gain: it decides everywhere and is right with every weight.
    let combined = &run("lex + spectral")["combined"];
    assert_eq!((&combined["positive"], &combined["weighted"]), (&320.into(), &100.0.into()), "{combined}");
    assert_eq!(
        (&combined["positive_uas"], &combined["other_uas"]),
        (&100.0.into(), &0.0.into()),
        "{combined}"
    );
    let alone = combined["positive_words_alone"].as_f64().unwrap();
    assert!((alone - 100.0 * 32.0 / 33.0).abs() < 1e-9, "{combined}");
    let published = json["published"].as_array().unwrap();
    let test =
        published.iter().find(|one| one["place"] == "table 1" && one["learner"] == "spectral").unwrap();
    assert_eq!((&test["paper"], &test["ours"]), (&80.44.into(), &100.0.into()), "{test}");
    let graph = &json["graph"];
    assert_eq!((&graph["head"], &graph["states"]), (&"NN".into(), &2.into()), "{graph}");
    let report = place.get("r.md");
    for part in
        ["Table 1: unlexicalised", "Equation 21", "Figure 3: left modifiers of NN", "81.68", "(n = 15)"]
    {
        assert!(report.contains(part), "{part} is missing:\n{report}");
    }
    for plot in ["figure-3.svg", "figure-3-merged.svg", "tags.svg", "words.svg"] {
        assert!(place.get(&format!("plots/{plot}")).contains("<svg"), "{plot}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let place = Place::new();
    place.put("train.conllu", treebank(30));
    place.run("train head-automata train.conllu --learner magic -o m.eig").fails(2, "magic");
    place.run("train head-automata none.conllu -o m.eig").fails(1, "there is no such file");
    assert!(!place.path("m.eig").exists());
}
