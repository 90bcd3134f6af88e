//! Models of sequences from the command line: learnt, scored, asked, drawn from, inspected.

use std::fmt::Write as _;

use crate::place::Place;

/// Sequences in which 0 and 1 take turns, and 2 ends all.
fn numbered(count: usize) -> String {
    let mut text = format!("{count} 3\n");
    for i in 0..count {
        let mut sequence: Vec<usize> = (0..i % 6).map(|t| t % 2).collect();
        sequence.push(2);
        let symbols: Vec<String> = sequence.iter().map(ToString::to_string).collect();
        writeln!(text, "{} {}", sequence.len(), symbols.join(" ")).unwrap();
    }
    text
}

#[test]
fn numbers_are_learnt_scored_and_predicted() {
    let place = Place::new();
    place.put("train", numbered(600)).put("test", "2 3\n2 0 2\n4 0 1 0 2\n");
    place.put("solution", "2\n0.1666\n0.1666\n").put("prefixes", "2 3\n1 0\n5 0 1 0 1 0\n");
    place.put("targets", "1.0 1 0.8 2 0.2\n1.0 2 1.0\n");
    for learner in ["automaton --max-rank 6", "hmm", "automaton --learner em --rank 4"] {
        place.run(&format!("train {learner} train -o m.eig --quiet")).succeeds();
        let told = place.run("score m.eig test --solution solution --totals --json --quiet").json();
        assert_eq!(told["sequences"], 2);
        // Two sequences of equal probability.
        let found = told["pautomac"]["perplexity"].as_f64().unwrap();
        assert!((2.0..2.1).contains(&found), "{learner}: {told}");
        assert!((told["pautomac"]["optimum"].as_f64().unwrap() - 2.0).abs() < 1e-9);
        let told = place.run("predict m.eig prefixes --targets targets --json --quiet").json();
        assert!(told["prediction"]["ndcg_at_5"].as_f64().unwrap() > 0.9, "{learner}: {told}");
    }
}

#[test]
fn tokens_are_learnt_and_drawn() {
    let place = Place::new();
    place.put("train", "the dog barks\nthe cat sleeps\na dog sleeps\n".repeat(40));
    let told = place.run("train automaton train -o m.eig --rank spectrum --json --quiet").json();
    assert!(told["figures"]["held_out_perplexity"].as_f64().unwrap() < 2.5, "{told}");
    let drawn = place.run("sample m.eig -n 50 --quiet").stdout();
    assert_eq!(drawn.lines().count(), 50);
    assert!(drawn.contains("the dog") || drawn.contains("the cat"), "{drawn}");
    let ranked = place.run_with("predict m.eig - -k 2 --quiet", "the\n").stdout();
    assert!(ranked.starts_with("cat ") || ranked.starts_with("dog "), "{ranked}");
    // Two numbers on one line are a prefix, not the header of a file without sequences.
    place
        .put("digits", "1 2 3\n2 3 1\n3 1 2\n".repeat(40))
        .run("train automaton digits -o d.eig --quiet")
        .succeeds();
    let ranked = place.run_with("predict d.eig - -k 1 --quiet", "1 2\n").succeeds().stdout();
    assert!(ranked.starts_with("3 "), "{ranked}");
    let shown = place.run("inspect m.eig").stdout();
    assert!(shown.contains("family sequence") && shown.contains("singular values"), "{shown}");
    // A word that was never seen has a probability.
    let told = place.put("new", "the zebra sleeps\n").run("score m.eig new --totals --json --quiet").json();
    assert_eq!(told["unknown"], 1);
    assert!(told["log_probability"].as_f64().unwrap().is_finite());
}

#[test]
fn mistakes_are_told() {
    let place = Place::new();
    place.put("train", numbered(50)).put("bad", "2 3\n2 0 7\n1 1\n");
    place.run("train automaton train -o m.eig --rank many").fails(2, "--rank");
    place.run("train automaton train -o m.eig --rank 0").fails(2, "at least 1");
    place
        .run("train automaton bad -o m.eig --input pautomac")
        .fails(1, "bad:2:5: expected a symbol below 3, found 7");
    assert!(!place.names().contains(&"m.eig".to_owned()));
}
