//! Learners side by side, on a sampled treebank.

use serde_json::Value;

use crate::place::Place;

const LEARNERS: [&str; 16] = [
    "pcfg",
    "smoothed-pcfg",
    "markov",
    "em",
    "em-unsmoothed",
    "spectral",
    "no-smoothing",
    "no-scaling",
    "no-shrinkage",
    "signs-kept",
    "sum",
    "sum-signs-kept",
    "rule-features",
    "paper-features",
    "cluster",
    "cluster-em",
];

/// F1 with given tags and from words, at the last checkpoint with two states, if it has states.
const F1: [(&str, f64, f64); 16] = [
    ("pcfg", 88.85, 89.74),
    ("smoothed-pcfg", 89.33, 90.18),
    ("markov", 89.13, 85.71),
    ("em", 90.21, 90.80),
    ("em-unsmoothed", 90.52, 89.26),
    ("spectral", 91.91, 91.41),
    ("no-smoothing", 91.44, 91.91),
    ("no-scaling", 90.52, 89.13),
    ("no-shrinkage", 91.88, 92.19),
    ("signs-kept", 91.91, 91.41),
    ("sum", 91.91, 91.41),
    ("sum-signs-kept", 91.91, 91.41),
    ("rule-features", 90.38, 91.41),
    ("paper-features", 91.91, 91.41),
    ("cluster", 91.44, 92.19),
    ("cluster-em", 91.44, 92.19),
];

/// Kernels differ in rounding: two brackets of about 330.
const TOLERANCE: f64 = 0.7;

fn sampled() -> Place {
    let place = Place::new();
    place.sample("train.ptb", 400, 1).sample("dev.ptb", 40, 2).sample("test.ptb", 30, 3);
    place
}

fn runs<'j>(report: &'j Value, learner: &str) -> Vec<&'j Value> {
    report["runs"].as_array().unwrap().iter().filter(|run| run["learner"] == learner).collect()
}

/// Fails unless elements are closed in order, and attributes and texts have no bare signs of XML.
fn assert_well_formed(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        let (text, element) = rest.split_at(start);
        assert!(!text.contains('>') || open.last() == Some(&"style"), "{text}");
        let end = element.find('>').unwrap();
        let inside = &element[1..end];
        if let Some(name) = inside.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else {
            assert_eq!(inside.matches('"').count() % 2, 0, "{inside}");
            if !inside.ends_with('/') {
                open.push(inside.split_whitespace().next().unwrap());
            }
        }
        rest = &element[end + 1..];
    }
    assert!(open.is_empty(), "{open:?}");
    for part in svg.split('&').skip(1) {
        assert!(["amp;", "lt;", "gt;", "quot;"].iter().any(|entity| part.starts_with(entity)), "{part}");
    }
}

#[test]
fn all_learners_are_compared_and_every_form_tells_the_same() {
    let place = sampled();
    let options = format!(
        "compare lpcfg train.ptb --dev dev.ptb --test test.ptb --states 2,3 --em-steps 3/2 --cluster-steps 2 --tags both \
         --learners {} --plots figures/plots --format json -o report.json --json",
        LEARNERS.join(",")
    );
    let ran = place.run(&options).succeeds();
    let (summary, report): (Value, Value) =
        (ran.json(), serde_json::from_str(&place.get("report.json")).unwrap());
    assert_eq!(summary["runs"], report["runs"]);
    assert!(summary["peak_rss_mb"].as_f64().unwrap() > 0.0);
    assert_eq!(
        (&report["train"]["trees"], &report["dev"]["trees"], &report["test"]["trees"]),
        (&400.into(), &40.into(), &30.into())
    );
    assert_eq!(report["tags"], serde_json::json!(["given", "predicted"]));
    for learner in LEARNERS {
        let latent = !["pcfg", "smoothed-pcfg", "markov"].contains(&learner);
        let found = runs(&report, learner);
        assert_eq!(found.len(), if latent { 2 } else { 1 }, "{learner}");
        for (run, states) in found.into_iter().zip([2, 3]) {
            assert!(!latent || run["states"] == states, "{run}");
            let checkpoints = run["checkpoints"].as_array().unwrap();
            let steps: Vec<Option<u64>> = checkpoints.iter().map(|at| at["steps"].as_u64()).collect();
            match learner {
                "em" | "em-unsmoothed" => assert_eq!(steps, [Some(2), Some(3)]),
                "cluster-em" => assert_eq!(steps, [Some(2)]),
                _ => assert_eq!(steps, [None]),
            }
            for checkpoint in checkpoints {
                let told: Vec<&Value> =
                    checkpoint["dev"].as_array().unwrap().iter().map(|score| &score["tags"]).collect();
                assert_eq!(told, ["given", "predicted"]);
                for score in checkpoint["dev"].as_array().unwrap() {
                    assert!(score["sentences_per_second"].as_f64().unwrap() > 0.0);
                    assert!(score["negative"].is_u64());
                }
            }
            let cost = |key: &str| checkpoints.last().unwrap()[key].as_f64().unwrap();
            let stages = run["stages"].as_array().unwrap();
            let sum: f64 = stages.iter().map(|stage| stage["seconds"].as_f64().unwrap()).sum();
            assert!((sum - cost("seconds")).abs() < 1e-6 && sum > 0.0, "{learner}: {sum}");
        }
    }
    for (learner, given, predicted) in F1 {
        let run = runs(&report, learner)[0];
        let last = run["checkpoints"].as_array().unwrap().last().unwrap();
        for (score, expected) in last["dev"].as_array().unwrap().iter().zip([given, predicted]) {
            let f1 = score["brackets"]["f1"].as_f64().unwrap();
            assert!((f1 - expected).abs() < TOLERANCE, "{learner}: {f1} instead of {expected}");
            // Only variants change parses, and no variant of these changes them all.
            let changed = score["changed"].as_u64();
            let is_variant =
                report["ablations"].as_array().unwrap().iter().any(|one| one["learner"] == learner);
            assert_eq!(changed.is_some(), is_variant && learner != "em-unsmoothed", "{learner}");
            assert!(changed.is_none_or(|changed| changed < 20), "{learner}: {changed:?}");
        }
        // Every row has its figures on the test set.
        for run in runs(&report, learner) {
            let tests = run["tests"].as_array().unwrap();
            let tags: Vec<&Value> = tests.iter().map(|test| &test["tags"]).collect();
            assert_eq!(tags, ["given", "predicted"], "{learner}");
        }
    }
    // Names of stages, of what is shared and of what is a learner's own.
    let names = |stages: &Value| -> Vec<String> {
        stages.as_array().unwrap().iter().map(|stage| stage["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&report["shared"]), ["count rules", "lexicon", "smooth rules", "number nodes"]);
    assert_eq!(
        names(&runs(&report, "spectral")[0]["stages"]),
        ["features", "decompose", "moments", "word moments"]
    );
    assert_eq!(names(&runs(&report, "em")[0]["stages"]), ["start", "share subtrees", "steps"]);

    let speed = report["speed"].as_array().unwrap();
    assert_eq!(speed.len(), 4);
    for one in speed {
        let figure = |key: &str| one[key].as_f64().unwrap();
        assert!((figure("em_seconds") / figure("spectral_seconds") - figure("factor")).abs() < 1e-6);
        let last = if one["em_steps"] == 3 { "last" } else { "within" };
        assert_eq!(one["em_best"], last);
        assert_eq!(one["em_level"].is_object(), figure("em_f1") >= figure("spectral_f1"), "{one}");
    }
    assert_eq!(report["ablations"].as_array().unwrap().len(), 9 * 2 * 2);
    // On the test set, once for each main learner and use of tags.
    assert_eq!(report["tests"].as_array().unwrap().len(), 7 * 2);
    for test in report["tests"].as_array().unwrap() {
        let learner = test["learner"].as_str().unwrap();
        let best = runs(&report, learner)
            .iter()
            .flat_map(|run| run["checkpoints"].as_array().unwrap())
            .flat_map(|checkpoint| checkpoint["dev"].as_array().unwrap())
            .filter(|score| score["tags"] == test["tags"])
            .map(|score| score["brackets"]["f1"].as_f64().unwrap())
            .fold(0.0, f64::max);
        assert_eq!(test["dev_f1"].as_f64(), Some(best), "{learner}");
        assert_eq!(test["brackets"]["sentences"], 30);
    }

    let plots =
        ["accuracy-given", "accuracy-predicted", "em-steps-given", "em-steps-predicted", "training-time"];
    for plot in plots {
        let svg = place.get(&format!("figures/plots/{plot}.svg"));
        assert!(svg.starts_with("<svg xmlns=") && svg.matches("<text").count() > 10, "{plot}");
        assert_well_formed(&svg);
    }
    assert_eq!(std::fs::read_dir(place.path("figures/plots")).unwrap().count(), plots.len());
}

#[test]
fn tables_tell_the_factor_and_threads_change_no_score() {
    let place = sampled();
    let options =
        "compare lpcfg train.ptb --dev dev.ptb --states 2 --em-steps 1,2 --learners em,spectral,signs-kept";
    let text = place.run(options).succeeds().stdout();
    for part in [
        "Training set: 400 trees",
        "share ",
        "count rules",
        "Results on the development set, from words",
        "EM over its iterations, from words",
        "What each part is worth",
        "Spectral m=2: ",
        "EM to its best iteration (",
        "factor ",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let markdown = place.run(&format!("{options} --format markdown")).succeeds().stdout();
    assert!(markdown.contains("\n## Time of training by stage\n") && markdown.contains("| learner "));

    let scores = |threads: &str| -> Vec<Value> {
        let report = place.run(&format!("{options} --threads {threads} --json --quiet")).succeeds().json();
        let checkpoints = report["runs"].as_array().unwrap().iter().flat_map(|run| {
            run["checkpoints"].as_array().unwrap().iter().map(|at| at["dev"][0]["brackets"].clone())
        });
        checkpoints.collect()
    };
    let one = scores("1");
    assert_eq!(one.len(), 4);
    assert_eq!(one, scores("2"));
}

#[test]
fn without_states_there_is_little_to_plot() {
    let place = sampled();
    place.run("compare lpcfg train.ptb --dev dev.ptb --learners pcfg --plots p --quiet").succeeds();
    let plots: Vec<_> =
        std::fs::read_dir(place.path("p")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(plots, ["training-time.svg"]);
}

#[test]
fn wrong_options_end_with_code_2_and_leave_nothing() {
    let place = Place::new();
    place.put("a.ptb", "(S (A a) (B b))\n");
    for (options, told) in [
        ("", "--dev"),
        ("--dev a.ptb --states 0", "--states"),
        ("--dev a.ptb --states 4,x", "--states"),
        ("--dev a.ptb --em-steps 0", "--em-steps"),
        ("--dev a.ptb --em-steps 10/0", "30/10"),
        ("--dev a.ptb --learners neural", "--learners"),
        ("--dev a.ptb --tags gold", "--tags"),
        ("--dev a.ptb -o a.ptb", "would replace the input"),
        ("--dev - -", "standard input can be read once only"),
    ] {
        place.run(&format!("compare lpcfg a.ptb {options}")).fails(2, told);
    }
    place.run("compare clusters a.ptb --clusters 2").fails(1, "is a treebank in the format ptb");
    place.run("compare lpcfg a.ptb --dev missing.ptb -o x.txt --report json").fails(1, "missing.ptb");
    place.run("compare lpcfg a.ptb --dev a.ptb --plots a.ptb").fails(1, "cannot create `a.ptb`");
    assert_eq!(place.names(), ["a.ptb"]);
}
