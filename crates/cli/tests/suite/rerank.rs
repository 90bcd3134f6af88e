//! `train deptree`, `score` of trees, `train reranker`, `rerank`, `compare deptree`.

use crate::place::{Place, treebank};

#[test]
fn latent_trees_are_learnt_and_score_trees() {
    let place = Place::new();
    place.put("train.conllu", treebank(120)).put("dev.conllu", treebank(9));
    for learner in ["spectral --states 4", "em --states 4 --em-steps 5"] {
        let json = place
            .run(&format!("train deptree train.conllu --dev dev.conllu --min-count 5 --learner {learner} -o m.eig --json --quiet"))
            .succeeds()
            .json();
        assert_eq!(json["dev"]["trees"], 9, "{json}");
        let per_word = json["dev"]["log_probability_per_word"].as_f64().unwrap();
        assert!(per_word < 0.0 && per_word > -6.0, "{learner}: {json}");
        let lines = place.run("score m.eig dev.conllu --quiet").succeeds().stdout();
        assert_eq!(lines.lines().count(), 9);
        for line in lines.lines() {
            let columns: Vec<&str> = line.split('\t').collect();
            assert!(
                columns[0].parse::<f64>().unwrap() < 0.0 && columns[1].parse::<usize>().unwrap() >= 5,
                "{line}"
            );
        }
        let json = place.run("score m.eig dev.conllu --totals --json --quiet").succeeds().json();
        assert_eq!(json["trees"], 9, "{json}");
    }
    place.run("parse m.eig dev.conllu").fails(1, "cannot parse");
    let json = place
        .run("train deptree train.conllu --min-count 5 --states 3 --triples both -o m.eig --json --quiet")
        .succeeds()
        .json();
    assert_eq!(json["protocol"]["constants"]["triples"], "siblings and chains", "{json}");
    // The published method takes vectors of words from a larger text; without any it departs from that.
    place.run("convert train.conllu --to words -o text.words --quiet").succeeds();
    place
        .run("cluster text.words --method spectral --clusters 4 --context lr1 --vectors v.txt -o paths.txt --quiet")
        .succeeds();
    for (vectors, published) in [("", false), ("--vectors v.txt", true)] {
        let json = place
            .run(&format!("train deptree train.conllu --paper --states 3 {vectors} -o m.eig --json --quiet"))
            .succeeds()
            .json();
        assert_eq!(json["protocol"]["published"], published, "{json}");
    }
    place.run("train deptree train.conllu --learner em --vectors v.txt -o m.eig").fails(2, "--vectors needs");
    place.run("train deptree dev.conllu --states 0 -o x.eig").fails(2, "--states");
}

#[test]
fn a_reranker_is_learnt_and_chooses_one_tree_of_each_list() {
    let place = Place::new();
    place.put("train.conllu", treebank(120)).put("test.conllu", treebank(30));
    place.run("train mst train.conllu --quality fast --epochs 2 -o parser.eig --quiet").succeeds();
    place.run("parse parser.eig test.conllu --nbest 8 -o lists.conllu --quiet").succeeds();
    for features in ["both", "tags", "latent"] {
        place
            .run(&format!(
                "train reranker train.conllu --features {features} --nbest 8 --states 4 --min-count 5 --epochs 3 -o r.eig --quiet"
            ))
            .succeeds();
        let json = place.run("rerank r.eig lists.conllu -o best.conllu --json --quiet").succeeds().json();
        assert_eq!(json["sentences"], 30, "{json}");
        let json = place.run("eval test.conllu best.conllu --json --quiet").succeeds().json();
        assert!(json["attachment"]["uas"].as_f64().unwrap() > 90.0, "{features}: {json}");
    }
    for (options, published) in [("", false), ("--paper", false), ("--paper --vectors v.txt", true)] {
        place.put("v.txt", "the 1 0\ndog 0 1\nsaw 1 1\ncat 0.2 1\nwith -1 0.5\n");
        let json = place
            .run(&format!(
                "train reranker test.conllu --nbest 4 --states 2 {options} -o p.eig --json --quiet"
            ))
            .succeeds()
            .json();
        assert_eq!(json["protocol"]["published"], published, "{options}: {json}");
        assert!(json["protocol"]["constants"]["trees per list"] == "4", "{json}");
    }
    // Lists of any tool: the same words again, without scores, the best first.
    let other = treebank(2).split("\n\n").nth(1).unwrap().replace("\t3\tobj", "\t2\tobj") + "\n\n";
    place.put("other.conllu", format!("{}\n\n{other}", treebank(2).split("\n\n").nth(1).unwrap()));
    let json = place.run("rerank r.eig other.conllu -o one.conllu --json --quiet").succeeds().json();
    assert_eq!((&json["sentences"], &json["trees"]), (&1.into(), &2.into()), "{json}");

    place.put("bad.conllu", treebank(1).replace("# sent_id = s0", "# score = much"));
    place.run("rerank r.eig bad.conllu -o x.conllu").fails(1, "`# score = much` is not a number");
    place.run("rerank parser.eig lists.conllu -o x.conllu").fails(1, "train one with `train reranker`");
}

#[test]
fn numbers_of_hidden_states_are_chosen_by_reranking_held_out_lists() {
    let place = Place::new();
    place.put("train.conllu", treebank(60)).put("few.conllu", treebank(3));
    let ran = place
        .run("train reranker train.conllu --nbest 8 --states 6 --tune-states --min-count 5 --em-steps 3 -o r.eig --json")
        .succeeds();
    let told = |states: usize| -> f64 {
        let text = ran.stderr();
        let line = text.lines().find(|line| line.contains(&format!("{states} states: "))).unwrap();
        line.split_whitespace().find_map(|word| word.parse().ok().filter(|&right: &f64| right > 6.0)).unwrap()
    };
    let best = [1, 2, 4, 6]
        .into_iter()
        .fold(1, |best, states| if told(states) > told(best) { states } else { best });
    assert!(ran.stderr().contains(&format!("chosen by held-out lists: {best} states")), "{}", ran.stderr());
    assert_eq!(ran.json()["protocol"]["constants"]["states"], best.to_string());
    place
        .run("train reranker train.conllu --tune-states --features tags -o x.eig")
        .fails(2, "chooses among latent trees");
    place.run("train reranker train.conllu --tune-states --paper -o x.eig").fails(2, "cannot be used with");
    place
        .run("train reranker train.conllu --states 2 --tune-states --weights perceptron --nbest 4 -o x.eig")
        .fails(1, "only log-linear weights");
    assert!(!place.path("x.eig").exists());
}

#[test]
fn ways_of_reranking_are_compared() {
    let place = Place::new();
    std::fs::create_dir(place.path("tiny")).unwrap();
    place.put("tiny/train.conllu", treebank(90)).put("tiny/dev.conllu", treebank(12));
    let json = place
        .run("compare deptree tiny --orders first --nbest 5 --states 3 --json --quiet")
        .succeeds()
        .json();
    let choices = json["blocks"][0]["choices"].as_array().unwrap();
    // The parser alone, tags, and three latent learners without and with tags.
    assert_eq!(choices.len(), 8, "{json}");
    assert!(choices.iter().all(|choice| choice["uas"].as_f64().unwrap() > 50.0), "{json}");
    assert!(choices[3]["gain"]["p_value"].as_f64().unwrap() > 0.0, "{json}");
    let latent = json["blocks"][0]["latent"].as_array().unwrap();
    assert_eq!(latent.len(), 3, "{json}");
    for model in &latent[1..] {
        assert_eq!((&model["states"], &model["negative"]), (&model["asked"], &0.0.into()), "{json}");
    }
    place
        .run("compare deptree tiny --nbest 5 --states 3 --paper --format markdown -o r.md --quiet")
        .succeeds();
    let report = place.get("r.md");
    let settings =
        ["2nd order (siblings)", "punctuation is left out of all trees", "tags are those of a tagger"];
    for part in ["Table 1", "92.70", "41.30", "| tiny"].into_iter().chain(settings) {
        assert!(report.contains(part), "{part} is missing:\n{report}");
    }
}
