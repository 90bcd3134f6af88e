//! Grammars with latent states: from a sampled treebank to scored parses.

use crate::place::Place;

fn sampled() -> Place {
    let place = Place::new();
    place.sample("train.ptb", 800, 1).sample("dev.ptb", 60, 2);
    place
}

/// With a model of few states, which is quickly learnt.
fn trained() -> Place {
    let place = sampled();
    place.run("train lpcfg train.ptb --states 4 -o m.eig").succeeds();
    place
}

#[test]
fn training_parsing_and_scoring_agree() {
    let place = sampled();
    let ran = place.run("train lpcfg train.ptb --dev dev.ptb --states 4 -o m.eig --json").succeeds();
    let json = ran.json();
    for field in ["seconds", "cpu_seconds", "peak_rss_mb"] {
        assert!(json[field].as_f64().unwrap() > 0.0, "{field}");
    }
    for stage in ["read", "count rules", "lexicon", "decompose", "moments", "save", "parse dev from words"] {
        assert!(json["stages"][stage].is_number(), "{stage}: {json}");
    }
    assert!(json["model_bytes"].as_u64().unwrap() > 0);
    assert!(ran.stderr().contains("dev with its tags: F1") && ran.stderr().contains("dev from words: F1"));

    for (options, field) in [("", "dev"), ("--tags given", "dev_given_tags")] {
        let parse =
            place.run(&format!("parse m.eig dev.ptb {options} -o parsed.ptb --json")).succeeds().json();
        assert_eq!(parse["sentences"], 60);
        assert!(parse["negative"].is_u64(), "{parse}");
        let words = |file: &str| place.run(&format!("convert {file} --to words")).stdout();
        assert_eq!(words("parsed.ptb"), words("dev.ptb"));
        let scored = place.run("eval dev.ptb parsed.ptb --json").succeeds().json();
        assert_eq!(scored["brackets"]["f1"], json[field]["brackets"]["f1"], "{field}");
        assert_eq!(scored["brackets"]["failures"], parse["fallbacks"]);
    }
    // Latent states are what the sampled trees have and the plain grammar lacks.
    let f1 = |json: &serde_json::Value| json["dev_given_tags"]["brackets"]["f1"].as_f64().unwrap();
    let plain =
        place.run("train lpcfg train.ptb --dev dev.ptb --learner pcfg -o p.eig --json").succeeds().json();
    assert!(f1(&json) > f1(&plain), "{} against {}", f1(&json), f1(&plain));
}

#[test]
fn the_same_seed_gives_the_same_model_on_any_number_of_threads() {
    let place = sampled();
    let train = |name: &str, options: &str| {
        place.run(&format!("train lpcfg train.ptb --states 3 --members 2 {options} -o {name}")).succeeds();
        std::fs::read(place.path(name)).unwrap()
    };
    let one = train("one.eig", "--threads 1");
    assert!(one == train("two.eig", "--threads 2"), "threads change the model");
    assert!(one != train("other.eig", "--seed 2"), "the seed changes nothing");
    let parsed = place.run("parse one.eig dev.ptb --threads 1").succeeds().stdout();
    assert_eq!(place.run("parse one.eig dev.ptb --threads 2").succeeds().stdout(), parsed);
}

#[test]
fn every_learner_makes_a_model() {
    let place = sampled();
    for (options, family, members) in [
        ("--learner spectral --states 2 --features paper --scaling off --shrinkage off", "lpcfg", 1),
        ("--learner cluster --states 2 --em-steps 1 --smoothing 5", "lpcfg", 1),
        ("--learner em --states 2 --em-steps 2 --smoothing 3,10,30", "lpcfg", 1),
        ("--learner spectral --members 2 --states 2 --rule-smoothing siblings", "lpcfg", 2),
        ("--quality fast --states 2 --heads similarity --features rules --smoothing none", "lpcfg", 1),
        ("--learner pcfg --horizontal 0", "pcfg", 0),
        ("--learner markov", "pcfg", 0),
    ] {
        place.run(&format!("train lpcfg train.ptb {options} -o x.eig")).succeeds();
        let shown = place.run("inspect x.eig --json").succeeds().json();
        assert_eq!(shown["family"], family, "{options}");
        if members > 0 {
            assert_eq!(shown["figures"]["members"], members, "{options}: {shown}");
            assert_eq!(shown["notes"]["members"].as_array().unwrap().len(), members, "{options}");
        }
        let parsed = place.run("parse x.eig dev.ptb").succeeds().stdout();
        assert_eq!(parsed.lines().count(), 60, "{options}");
    }
    // Without states it is the same model as that of the other family.
    place.run("train lpcfg train.ptb --learner markov -o one.eig").succeeds();
    place.run("train pcfg train.ptb --markov -o two.eig").succeeds();
    assert!(std::fs::read(place.path("one.eig")).unwrap() == std::fs::read(place.path("two.eig")).unwrap());
}

#[test]
fn numbers_of_states_are_chosen_by_symbol_and_kept_in_the_model() {
    let place = Place::new();
    place.sample("train.ptb", 300, 1).put("few.ptb", "(S (A a) (B b))\n(S (A a) (B b))\n");
    let ran = place
        .run("train lpcfg train.ptb --learner spectral --states 4 --tune-states -o m.eig --json")
        .succeeds();
    let tuning = &ran.json()["state_tuning"];
    assert_eq!(tuning["held_out"], 30);
    assert!(tuning["trials"].as_u64().unwrap() > 3, "{tuning}");
    assert!(tuning["after"].as_f64() >= tuning["before"].as_f64(), "{tuning}");
    assert!(
        ran.stderr().contains("numbers of states chosen on 30 held-out training trees"),
        "{}",
        ran.stderr()
    );
    let notes = place.run("inspect m.eig --json").succeeds().json();
    assert_eq!(notes["notes"]["members"][0]["limits"], tuning["limits"]);
    place.run("train lpcfg few.ptb --tune-states -o x.eig").fails(1, "give more trees or tune nothing");
    place
        .run("train lpcfg train.ptb --learner em --tune-states -o x.eig")
        .fails(1, "are chosen for spectral models");
    assert!(!place.path("x.eig").exists());
}

#[test]
fn tuning_tells_what_it_chose() {
    let place = Place::new();
    place.sample("train.ptb", 200, 1).put("few.ptb", "(S (A a) (B b))\n(S (A a) (B b))\n");
    let ran = place.run("train lpcfg train.ptb --states 2 --tune -o m.eig --json").succeeds();
    let tuning = &ran.json()["tuning"];
    assert_eq!(tuning["held_out"], 20);
    assert_eq!(tuning["trials"].as_array().unwrap().len(), 7, "{tuning}");
    let f1 = |trial: &serde_json::Value| trial["f1"].as_f64().unwrap();
    let trials = tuning["trials"].as_array().unwrap();
    let best =
        trials.iter().max_by(|one, other| f1(one).total_cmp(&f1(other)).then(std::cmp::Ordering::Greater));
    assert_eq!(best.unwrap()["smoothing"], tuning["chosen"]);
    assert!(ran.stderr().contains("chosen on 20 held-out training trees: smoothing"), "{}", ran.stderr());
    let notes = place.run("inspect m.eig --json").succeeds().json();
    assert_eq!(notes["notes"]["smoothing"], tuning["chosen"]);
    place.run("train lpcfg few.ptb --tune -o x.eig").fails(1, "too few trees to hold a tenth out");
    assert!(!place.path("x.eig").exists());
}

#[test]
fn lists_and_confidences_are_written() {
    let place = trained();
    let sentence = "the dog sees the cat near the house .\n";
    let best = place.run_with("parse m.eig --format json --nbest 3", sentence).succeeds().stdout();
    let record: serde_json::Value = serde_json::from_str(&best).unwrap();
    let list = record["nbest"].as_array().unwrap();
    let scores: Vec<f64> = list.iter().map(|one| one["log_probability"].as_f64().unwrap()).collect();
    assert!(list.len() > 1 && scores.is_sorted_by(|one, other| one >= other), "{scores:?}");
    assert!(list[0]["tree"] != list[1]["tree"]);
    let lines = place.run_with("parse m.eig --nbest 3", sentence).succeeds().stdout();
    assert_eq!(lines.lines().count(), list.len() + 1);

    // On standard output confidences are part of JSON, whether that is asked for or not.
    let told = place.run_with("parse m.eig --marginals", sentence).succeeds().stdout();
    assert_eq!(told, place.run_with("parse m.eig --marginals --format json", sentence).succeeds().stdout());
    let record: serde_json::Value = serde_json::from_str(&told).unwrap();
    let spans = record["spans"].as_array().unwrap();
    assert_eq!(spans.len(), record["phrases"].as_array().unwrap().len() + 9, "{record}");
    assert!(spans.iter().all(|span| (0.0..=1.0).contains(&span["confidence"].as_f64().unwrap())), "{record}");
    assert_eq!(
        (&spans[0]["label"], &spans[0]["start"], &spans[0]["end"]),
        (&"ROOT".into(), &0.into(), &9.into())
    );
    place.run_with("parse m.eig --marginals --format ptb", sentence).fails(2, "--format json");

    // Beside a file of trees, which other programs read.
    place.run("parse m.eig dev.ptb -o plain.ptb").succeeds();
    place.run("parse m.eig dev.ptb --marginals -o told.ptb").succeeds();
    assert_eq!(place.get("plain.ptb"), place.get("told.ptb"));
    assert_eq!(place.get("told.ptb.marginals.jsonl").lines().count(), 60);
    let drawn = place.run_with("parse m.eig --marginals --format drawing", sentence).succeeds().stdout();
    assert!(drawn.contains("ROOT 1.00"), "{drawn}");
    let svg = place.run_with("parse m.eig --marginals --format svg", sentence).succeeds().stdout();
    assert!(svg.contains("ROOT 1.00"), "{svg}");
    // An empty line keeps its place.
    let told = place.run_with("parse m.eig --marginals", format!("\n{sentence}")).succeeds().stdout();
    assert_eq!(told.lines().count(), 2);
    assert!(told.starts_with('{') && told.contains("\"outcome\":\"empty\""), "{told}");

    place.run("train pcfg train.ptb -o plain.eig").succeeds();
    let told = place.run_with("parse plain.eig --marginals", sentence).succeeds().stdout();
    let record: serde_json::Value = serde_json::from_str(&told).unwrap();
    let spans = record["spans"].as_array().unwrap();
    assert_eq!(spans.len(), record["phrases"].as_array().unwrap().len() + 9, "{record}");
    assert!(spans.iter().all(|span| (0.0..=1.0).contains(&span["confidence"].as_f64().unwrap())), "{record}");
    assert!(spans.iter().all(|span| span["confidence"].as_f64().unwrap() > 0.0), "{record}");
    assert!(record["alternatives"].is_array(), "{record}");
    // However the tree is chosen, the grammar is as sure.
    let viterbi =
        place.run_with("parse plain.eig --marginals --decode viterbi", sentence).succeeds().stdout();
    let other: serde_json::Value = serde_json::from_str(&viterbi).unwrap();
    assert_eq!(other["tree"], record["tree"], "the sentence is not ambiguous");
    assert_eq!(other["spans"], record["spans"]);
}

#[test]
fn searches_that_need_probabilities_are_refused() {
    let place = trained();
    let sentence = "the dog sees the cat .\n";
    for options in [
        "--decode max-rule-sum",
        "--decode max-rule-product",
        "--decode max-constituent-sum",
        "--prune 1e-3",
        "--prune 1e-6",
    ] {
        let out = place.run_with(&format!("parse m.eig {options}"), sentence).succeeds().stdout();
        assert!(out.starts_with("(ROOT (S"), "{options}: {out}");
    }
    place.run_with("parse m.eig --decode viterbi", sentence).fails(2, "without latent states");
    place.run_with("parse m.eig --prune none", sentence).fails(2, "without latent states");
}

#[test]
fn wrong_options_end_with_code_2() {
    let place = Place::new();
    place.put("a.ptb", "(S (A a) (B b))\n");
    for (options, told) in [
        ("--states 0", "--states"),
        ("--states 1000", "--states"),
        ("--members 0", "--members"),
        ("--quality superb", "--quality"),
        ("--learner neural", "--learner"),
        ("--features all", "--features"),
        ("--smoothing 1,2", "give one number, three numbers separated by commas"),
        ("--smoothing=-1", "give one number"),
        ("--smoothing 5 --tune", "cannot be used with"),
        ("--spans off --networks 1", "add --spans on"),
        ("--quality fast --networks 2", "add --spans on"),
        ("--learner pcfg --networks 1", "--networks does not apply to --learner pcfg"),
        ("--learner pcfg --states 4", "--states does not apply to --learner pcfg"),
        ("--learner pcfg --quality best", "--quality does not apply"),
        ("--learner markov --vertical 3", "--vertical does not apply to --learner markov"),
        ("--learner pcfg --tune", "--tune does not apply"),
        ("--learner pcfg --tune-states", "--tune-states does not apply"),
        ("--learner pcfg --heads similarity", "--head-rules without --binarize head"),
    ] {
        place.run(&format!("train lpcfg a.ptb -o x.eig {options}")).fails(2, told);
    }
    place.run("train lpcfg a.ptb -o a.ptb").fails(2, "would replace the input");
    place.run("train lpcfg missing.ptb -o x.eig").fails(1, "missing.ptb");
    place.run("train lpcfg a.ptb --heads missing.txt -o x.eig").fails(1, "missing.txt");
    assert_eq!(place.names(), ["a.ptb"]);
    // A treebank of one tree is small, but one.
    place.run("train lpcfg a.ptb -o x.eig").succeeds();
    assert_eq!(place.run_with("parse x.eig", "a b\n").succeeds().stdout(), "(S (A a) (B b))\n");
}

#[test]
fn damaged_models_are_refused() {
    let place = trained();
    let bytes = std::fs::read(place.path("m.eig")).unwrap();
    for at in [bytes.len() / 3, bytes.len() / 2, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        place.put("damaged.eig", &damaged);
        place.run("parse damaged.eig dev.ptb").fails(1, "damaged.eig");
        place.run("inspect damaged.eig").fails(1, "damaged.eig");
    }
    place.put("cut.eig", &bytes[..bytes.len() - 100]);
    place.run("parse cut.eig dev.ptb").fails(1, "cut short");
    // Packed, it is the same model.
    place.run("train lpcfg train.ptb --states 4 -o m.eig.zst").succeeds();
    assert_eq!(
        place.run("parse m.eig.zst dev.ptb").succeeds().stdout(),
        place.run("parse m.eig dev.ptb").succeeds().stdout()
    );
}

#[test]
fn inspection_shows_the_sizes() {
    let place = trained();
    let shown = place.run("inspect m.eig --symbol NP --json").succeeds();
    let json = shown.json();
    assert_eq!(json["family"], "lpcfg");
    assert_eq!((&json["figures"]["members"], &json["figures"]["most states"]), (&2.into(), &4.into()));
    assert!(json["figures"]["numbers of rules"].as_u64().unwrap() > 1000, "{json}");
    assert!(shown.stdout().contains("rules of NP") && shown.stdout().contains("most states"));
}
