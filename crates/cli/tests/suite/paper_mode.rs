//! `--paper`: exactly the published methods, named constant by constant; `compare recovery`.

use serde_json::Value;

use crate::place::{Place, treebank};

/// The protocol of a run, and that of the model that it wrote.
fn protocol(place: &Place, command: &str) -> Value {
    let json = place.run(&format!("{command} -o m.eig --json --quiet")).succeeds().json();
    let stored = place.run("inspect m.eig --json --quiet").succeeds().json();
    assert_eq!(stored["notes"]["protocol"], json["protocol"], "{command}");
    json["protocol"].clone()
}

fn departures(protocol: &Value) -> Vec<&String> {
    protocol["departures"].as_object().unwrap().keys().collect()
}

#[test]
fn grammars_are_learnt_and_parse_exactly_as_published() {
    let place = Place::new();
    place.sample("train.ptb", 300, 1).sample("dev.ptb", 20, 2);
    let paper = protocol(&place, "train lpcfg train.ptb --paper --states 3 --smoothing 30 --nu 0.7");
    assert_eq!(paper["published"], true, "{paper}");
    let constants = &paper["constants"];
    for (name, value) in [("states", "3"), ("κ", "5"), ("C", "30"), ("ν", "0.7"), ("horizontal order", "0")]
    {
        assert_eq!(constants[name], value, "{name} in {paper}");
    }
    place.run("parse m.eig dev.ptb --paper -o parsed.ptb --quiet").succeeds();
    let json = place.run("eval dev.ptb parsed.ptb --json --quiet").succeeds().json();
    assert!(json["brackets"]["f1"].as_f64().unwrap() > 50.0, "{json}");
    let lines = place.run("score m.eig dev.ptb --quiet").succeeds().stdout();
    let mut derived = 0;
    for line in lines.lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        let [tree, words, sentence, tree_sign, sign] = columns[..] else { panic!("{line}") };
        assert!(words.parse::<usize>().unwrap() > 0 && ["+", "-", "0"].contains(&sign), "{line}");
        // A tree is part of the sum over trees, if both are probabilities.
        if (tree_sign, sign) == ("+", "+") {
            let (tree, sentence): (f64, f64) = (tree.parse().unwrap(), sentence.parse().unwrap());
            assert!(tree < 0.0 && sentence < 0.0, "{line}");
            derived += 1;
        }
    }
    assert!(lines.lines().count() == 20 && derived > 5, "{lines}");
    let totals = place.run("score m.eig dev.ptb --totals --json --quiet").succeeds().json();
    assert_eq!(totals["trees"], 20, "{totals}");
    assert!(totals["sentences"]["log_probability"].as_f64().unwrap() < 0.0, "{totals}");
    let record: Value = serde_json::from_str(
        &place.run_with("parse m.eig --format json", "the dog sees the cat .\n").succeeds().stdout(),
    )
    .unwrap();
    assert!([1, -1].map(Value::from).contains(&record["sign"]), "{record}");
    let em = protocol(&place, "train lpcfg train.ptb --paper --learner em --states 2 --em-steps 2");
    assert_eq!(em["published"], true, "{em}");
    let ours = protocol(&place, "train lpcfg train.ptb --quality fast");
    assert_eq!(ours["departures"]["features"], serde_json::json!(["rich", "paper"]), "{ours}");
    let changed = protocol(&place, "train lpcfg train.ptb --paper --states 2 --nodes-per-state 30");
    assert_eq!(departures(&changed), ["nodes per state"]);
    place.run("train lpcfg train.ptb --paper --learner cluster -o x.eig").fails(2, "not in the paper");
    place.run("train lpcfg train.ptb --nu 0.5 -o x.eig").fails(2, "--paper");
}

#[test]
fn head_automata_and_latent_trees_are_learnt_exactly_as_published() {
    let place = Place::new();
    place.put("train.conllu", treebank(120)).put("dev.conllu", treebank(9));
    for options in ["--states 3", "--learner em --states 2 --em-steps 3 --restarts 2", "--learner det+f"] {
        let paper = protocol(&place, &format!("train head-automata train.conllu --paper {options}"));
        assert_eq!(paper["published"], true, "{options}: {paper}");
    }
    for (options, states) in [("", "9"), ("--learner em --em-steps 2 --restarts 1", "15")] {
        let paper = protocol(&place, &format!("train head-automata train.conllu --paper {options}"));
        assert_eq!(paper["constants"]["states"], states, "{paper}");
    }
    let start =
        protocol(&place, "train head-automata train.conllu --learner spectral+em --states 3 --em-steps 3");
    assert!(departures(&start).iter().any(|name| *name == "learner"), "{start}");
    place.run("parse m.eig dev.conllu -o parsed.conllu --quiet").succeeds();
    place.run("train head-automata train.conllu --paper --mixture 0.1 -o x.eig").fails(2, "not in the paper");

    let paper = protocol(&place, "train deptree train.conllu --paper --states 3");
    // The paper has vectors of words from a larger text.
    assert_eq!(departures(&paper), ["embedding"]);
    assert_eq!(paper["constants"]["estimator"], "one prior", "{paper}");
    // The paper's ten states, whatever the default of other learners is.
    let json = place.run("train deptree train.conllu --paper -o m.eig --json --quiet").succeeds().json();
    assert_eq!(json["protocol"]["constants"]["states"], "10", "{json}");
    assert_eq!(json["figures"]["states"], 10, "{json}");
    assert!(json["theory"]["sigma_k"].as_f64().unwrap() > 0.0, "{json}");
    let exact = place
        .run("train deptree train.conllu --states 3 --exact-states --min-count 5 -o m.eig --json --quiet")
        .succeeds()
        .json();
    assert_eq!(exact["figures"]["states"], 3, "{exact}");
    let json = place
        .run("train deptree train.conllu --dev dev.conllu --learner spectral+em --states 3 --em-steps 5 --min-count 5 -o m.eig --json --quiet")
        .succeeds()
        .json();
    assert_eq!((&json["dev"]["negative"], &json["dev"]["impossible"]), (&0.into(), &0.into()), "{json}");
}

#[test]
fn clusters_are_learnt_exactly_as_published_and_settings_are_swept() {
    let place = Place::new();
    place.sample("train.ptb", 300, 1);
    place.run("convert train.ptb --to words -o text.txt --quiet").succeeds();
    let json =
        place.run("cluster text.txt --paper --clusters 8 -o paths.txt --json --quiet").succeeds().json();
    assert_eq!(json["protocol"]["published"], true, "{json}");
    let json = place.run("cluster text.txt --clusters 8 -o paths.txt --json --quiet").succeeds().json();
    assert_eq!(json["protocol"]["published"], false, "{json}");
    let json = place
        .run("cluster text.txt --method spectral --hierarchy top-down --clusters 8 -o paths.txt --json --quiet")
        .succeeds()
        .json();
    assert_eq!(departures(&json["protocol"]), ["hierarchy"]);
    assert_eq!(json["clusters"], 8, "{json}");
    place.run("cluster text.txt --paper --hierarchy top-down -o x.txt").fails(2, "--hierarchy");
    place.run("cluster text.txt --method brown --hierarchy top-down -o x.txt").fails(2, "spectral methods");
    let json = place
        .run("compare clusters text.txt --methods brown,spectral --clusters 8 --context r1,lr1 --kappa 1,10 --json -o r.txt --quiet")
        .succeeds()
        .json();
    let runs = json["runs"].as_array().unwrap();
    let settings: Vec<(&str, f64)> = runs
        .iter()
        .filter(|run| run["method"] == "spectral")
        .map(|run| (run["context"].as_str().unwrap(), run["kappa"].as_f64().unwrap()))
        .collect();
    assert_eq!(settings, [("r1", 1.0), ("r1", 10.0), ("lr1", 1.0), ("lr1", 10.0)]);
    assert!(place.get("r.txt").contains("Figure 6"));
    place.run("compare clusters text.txt --paper --clusters 8 --rank 3 -o r.txt").fails(2, "--paper");
    let json = place
        .run("compare clusters text.txt --paper --clusters 6,8 --kappa 1,10 --plots plots --json --quiet -o r.txt")
        .succeeds()
        .json();
    let methods: Vec<&str> =
        json["runs"].as_array().unwrap().iter().map(|run| run["method"].as_str().unwrap()).collect();
    assert_eq!(methods, ["brown", "spectral", "spectral"].repeat(2));
    // Each κ has a line of its own.
    let mut files = std::fs::read_dir(place.path("plots")).unwrap().map(|file| file.unwrap().path());
    let mi = files.find(|path| path.file_name().unwrap().to_string_lossy().starts_with("mi-")).unwrap();
    let svg = std::fs::read_to_string(mi).unwrap();
    assert!(svg.contains("κ 1<") && svg.contains("κ 10<"), "{svg}");
    let report = place.get("r.txt");
    for part in ["Table 2", "Table 3", "13.77", "13020"] {
        assert!(report.contains(part), "{part} is missing:\n{report}");
    }
    // Fewer singular vectors than clusters.
    let json = place
        .run("compare clusters text.txt --methods spectral --clusters 8 --rank 2,8 --json --quiet -o r.txt")
        .succeeds()
        .json();
    let ranks: Vec<u64> =
        json["runs"].as_array().unwrap().iter().map(|run| run["rank"].as_u64().unwrap()).collect();
    assert_eq!(ranks, [2, 8]);
}

#[test]
fn the_tables_of_the_paper_stand_beside_ours() {
    let place = Place::new();
    place.sample("train.ptb", 200, 1).sample("dev.ptb", 20, 2).sample("test.ptb", 20, 3);
    let json = place
        .run(
            "compare lpcfg train.ptb --dev dev.ptb --test test.ptb --paper --states 2,8,32 --em-steps 10 --format markdown -o \
             r.md --json --quiet",
        )
        .succeeds()
        .json();
    // As in the paper, a tagger learnt from the trees gives the tags.
    assert_eq!(json["tags"], serde_json::json!(["tagger"]));
    assert!(json["tagger"]["dev"].as_f64().unwrap() > 90.0, "{}", json["tagger"]);
    let report = place.get("r.md");
    for part in [
        "Table 1",
        "Table 2",
        "Table 3",
        "Section 4.3",
        "85.60",
        "(83.51)",
        "(68.62)",
        "Exactly the method",
        "with a tagger's tags",
        "test set",
        "(18.76)",
        " a→bc |",
        " a→x |",
        "(84.00)",
        "(87.76)",
        "(88.05)",
    ] {
        assert!(report.contains(part), "{part} is missing:\n{report}");
    }
}

#[test]
fn constants_of_the_paper_are_chosen_for_each_number_of_states() {
    let place = Place::new();
    place.sample("train.ptb", 120, 1).sample("dev.ptb", 10, 2);
    let json = place
        .run("compare lpcfg train.ptb --dev dev.ptb --paper --learners spectral --states 1,2 --tags given --tune -o r.txt --json --quiet")
        .succeeds()
        .json();
    let tuned = json["tuned"].as_array().unwrap();
    let states: Vec<u64> = tuned.iter().map(|one| one["states"].as_u64().unwrap()).collect();
    assert_eq!(states, [1, 2]);
    for one in tuned {
        let constants = one["constants"].as_str().unwrap();
        assert!(
            constants.starts_with("C ") && constants.contains(", ν ") && constants.contains(" below "),
            "{one}"
        );
        assert!((0.0..=100.0).contains(&one["f1"].as_f64().unwrap()), "{one}");
        assert!(place.get("r.txt").contains(constants));
    }
    place
        .run("compare lpcfg train.ptb --dev dev.ptb --paper --tune --smoothing 5 -o x.txt")
        .fails(2, "cannot be used with");
}

#[test]
fn a_known_grammar_is_recovered_better_from_more_trees() {
    let place = Place::new();
    let json = place
        .run("compare recovery --sizes 300,5000 --repeats 1 --restarts 2 --em-steps 5 --plots plots --json -o r.txt --quiet")
        .succeeds()
        .json();
    let error = |learner: &str, trees: u64| {
        let points = json["points"].as_array().unwrap().iter();
        let mut own = points.filter(|point| point["learner"] == learner && point["trees"] == trees);
        own.next().unwrap()["error"].as_f64().unwrap()
    };
    assert!(error("spectral", 5000) < 0.5 * error("spectral", 300), "{json}");
    assert!(error("one-state", 5000) > 0.9 * error("one-state", 300), "{json}");
    assert_eq!((&json["states"], &json["grammar_states"]), (&8.into(), &8.into()));
    assert_eq!(json["points"].as_array().unwrap().len(), 2 * 4);
    assert!(place.get("plots/recovery.svg").contains("<svg"));
}

#[test]
fn theorems_are_told_for_clusters_and_latent_trees() {
    let place = Place::new();
    let lines = "the dog barks\na cat sleeps\nthe cat barks\na dog sleeps\nthe bird sings\na bird barks\n";
    place.put("a.txt", lines.repeat(20)).put("train.conllu", treebank(120));
    let report =
        place.run("cluster a.txt --clusters 3 -o p.txt --model c.eig --json --quiet").succeeds().json();
    let json = place.run("inspect c.eig --theory --json --quiet").succeeds().json();
    let theory = &json["theory"];
    assert_eq!(&report["theory"], theory);
    let value = |name: &str| theory[name].as_f64().unwrap_or_else(|| panic!("{name} in {theory}"));
    assert_eq!((value("clusters"), value("words"), value("pairs")), (3.0, 9.0, 480.0));
    assert!(value("kappa_m") >= 1.0 && value("epsilon") < 0.07 && value("needed") > value("pairs"));
    let text = place.run("inspect c.eig --theory").succeeds().stdout();
    assert!(text.contains("Theorem 5.2 of Stratos et al. (2014)"), "{text}");

    place
        .run("train deptree train.conllu --states 3 --exact-states --min-count 5 -o d.eig --quiet")
        .succeeds();
    let theory = place.run("inspect d.eig --theory --json --quiet").succeeds().json()["theory"].clone();
    let value = |name: &str| theory[name].as_f64();
    assert_eq!(theory["states"], 3);
    assert!(value("sigma_k").unwrap() > 0.0, "{theory}");
    // A parameter that is 0 asks for infinitely many triples, which JSON cannot say.
    match value("lambda").unwrap() > 0.0 {
        true => assert!(value("needed").unwrap() > 1e6, "{theory}"),
        false => assert!(theory["needed"].is_null(), "{theory}"),
    }
    // What was not decomposed says so, and does not claim a theorem.
    place.run("train deptree train.conllu --learner em --states 3 --min-count 5 -o e.eig --quiet").succeeds();
    let text = place.run("inspect e.eig --theory").succeeds().stdout();
    assert!(text.contains("theory: no symbol of this model has states from a decomposition"), "{text}");
}
