//! `cluster`, and what is done with its results: `score`, `sample`, `eval`, `inspect`.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::place::{Place, texts};

/// Sentences of three kinds of words; nouns and verbs of each kind go together.
fn text(sentences: u64) -> String {
    let mut state = 12345u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut text = String::new();
    for _ in 0..sentences {
        let (kind, determiner) = (draw(3), ["the", "a", "some"][draw(3) as usize]);
        let (noun, verb, place) = (draw(20), draw(8), draw(12));
        text.push_str(&format!("{determiner} noun{kind}x{noun} verb{kind}x{verb} in place{place} .\n"));
    }
    text
}

/// Paths, read without the toolkit: bits and count of each word, in the order of the file.
fn read_paths(text: &str) -> Vec<(String, String, u64)> {
    text.lines()
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            assert_eq!(columns.len(), 3, "{line}");
            assert!(columns[0].chars().all(|bit| bit == '0' || bit == '1'), "{line}");
            (columns[0].to_owned(), columns[1].to_owned(), columns[2].parse().expect("a count"))
        })
        .collect()
}

#[test]
fn paths_are_what_other_readers_expect() {
    let place = Place::new();
    let text = text(2000);
    place.put("a.txt", &text);
    let mut counts: HashMap<&str, u64> = HashMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word).or_default() += 1;
    }
    for method in ["exchange", "brown", "spectral+exchange", "spectral"] {
        let ran =
            place.run(&format!("cluster a.txt --clusters 10 --method {method} -o p.txt --json")).succeeds();
        let json = ran.json();
        for field in ["seconds", "cpu_seconds", "peak_rss_mb", "mi"] {
            assert!(json[field].as_f64().unwrap() > 0.0, "{method}: {field}");
        }
        assert!(json["stages"]["read"].is_number());
        assert!(ran.stderr().contains("MB of memory"), "{}", ran.stderr());
        let paths = read_paths(&place.get("p.txt"));
        assert_eq!(paths.len(), counts.len(), "{method}");
        assert!(paths.iter().all(|(_, word, count)| counts[word.as_str()] == *count), "{method}");
        let bits: HashSet<&str> = paths.iter().map(|(bits, ..)| bits.as_str()).collect();
        assert_eq!(bits.len(), 10, "{method}");
        // A whole binary tree: no path begins another, and their shares of the tree add up to 1.
        for one in &bits {
            assert!(bits.iter().all(|other| one == other || !other.starts_with(one)), "{method}");
        }
        let share: f64 = bits.iter().map(|bits| 0.5f64.powi(bits.len() as i32)).sum();
        assert_eq!(share, 1.0, "{method}");
        for pair in paths.windows(2) {
            assert!(pair[0].0 < pair[1].0 || (pair[0].0 == pair[1].0 && pair[0].2 >= pair[1].2), "{method}");
        }
        // The mutual information of the paths on their text is what was told.
        let on_text = place.run("eval a.txt p.txt --json --quiet").succeeds().json();
        let (told, found) = (json["mi"].as_f64().unwrap(), on_text["mi"].as_f64().unwrap());
        assert!((told - found).abs() < 1e-9, "{method}: {told} {found}");
        for threads in [1, 2, 5] {
            place
                .run(&format!("cluster a.txt --clusters 10 --method {method} -o q.txt --threads {threads}"))
                .succeeds();
            assert_eq!(place.get("q.txt"), place.get("p.txt"), "{method} with {threads} threads");
        }
    }
    // The text is made of as many classes as there are clusters, which the singular vectors tell.
    let of: BTreeMap<String, String> =
        read_paths(&place.get("p.txt")).into_iter().map(|(bits, word, _)| (word, bits)).collect();
    assert!(of["the"] == of["a"] && of["a"] == of["some"] && of["the"] != of["noun0x1"]);
}

#[test]
fn count_files_stand_for_their_texts() {
    let place = Place::new();
    place.put("a.txt", text(500)).put("b.txt", text(900)).put("c.txt", "x y z\n");
    place.run("cluster a.txt b.txt --clusters 8 -o whole.txt --counts whole.eigc").succeeds();
    place.run("cluster whole.eigc --clusters 8 -o from_counts.txt").succeeds();
    place.run("count a.txt -o a.eigc").succeeds();
    place.run("cluster b.txt a.eigc --clusters 8 -o mixed.txt").succeeds();
    assert_eq!(place.get("from_counts.txt"), place.get("whole.txt"));
    assert_eq!(place.get("mixed.txt"), place.get("whole.txt"));
    place.run("cluster whole.eigc --vocab 5 --clusters 3 -o few.txt").succeeds();
    assert_eq!(read_paths(&place.get("few.txt")).len(), 6);
    place.run("count a.txt --distance 1 -o near.eigc").succeeds();
    place.run("cluster near.eigc -o x.txt").fails(1, "--context lr1");
    place.run("cluster near.eigc --context lr1 --clusters 8 -o x.txt").succeeds();
    // Standard input and output.
    let ran = place.run_with("cluster - --clusters 8 --quiet", text(500)).succeeds();
    place.run("cluster a.txt --clusters 8 -o a.paths").succeeds();
    assert_eq!(ran.stdout(), place.get("a.paths"));
}

#[test]
fn other_outputs_agree_with_the_paths() {
    let place = Place::new();
    place.put("a.txt", text(800));
    place
        .run("cluster a.txt --clusters 10 --method spectral -o p.txt --tree t.json --picture p.svg --vectors v.txt --model m.eig")
        .succeeds();
    place
        .run("cluster a.txt --clusters 10 --method spectral -o p2.txt --picture p.html --picture-depth 2 --vectors v.npy")
        .succeeds();
    place.run("cluster a.txt --clusters 10 --method spectral -o p2.txt --vectors v.bin").succeeds();
    assert_eq!(place.get("p.txt"), place.get("p2.txt"));
    let paths = read_paths(&place.get("p.txt"));
    let tree: serde_json::Value = serde_json::from_str(&place.get("t.json")).unwrap();
    // The tree, walked from its root, leads to each cluster by its path.
    let (clusters, merges) = (tree["clusters"].as_array().unwrap(), tree["merges"].as_array().unwrap());
    let mut open = vec![(clusters.len() + merges.len() - 1, String::new())];
    let mut seen = 0;
    while let Some((node, bits)) = open.pop() {
        match node.checked_sub(clusters.len()) {
            Some(merge) => {
                for (bit, child) in merges[merge].as_array().unwrap().iter().enumerate() {
                    open.push((child.as_u64().unwrap() as usize, format!("{bits}{bit}")));
                }
            }
            None => {
                assert_eq!(clusters[node]["path"], bits.as_str());
                let words = clusters[node]["words"].as_array().unwrap();
                let here: Vec<_> = paths.iter().filter(|(path, ..)| *path == bits).collect();
                assert_eq!(words.len(), here.len());
                assert!(words.iter().zip(&here).all(|(word, path)| word[0] == path.1.as_str()));
                seen += words.len();
            }
        }
    }
    assert_eq!(seen, paths.len());
    let svg = place.get("p.svg");
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
    let distinct: HashSet<&str> = paths.iter().map(|(bits, ..)| bits.as_str()).collect();
    assert_eq!(svg.matches("class=\"bits\"").count(), distinct.len());
    let html = place.get("p.html");
    assert!(html.matches("class=\"bits\"").count() <= 4 && html.contains("<details>"), "{html}");
    let vectors = place.get("v.txt");
    let mut lines = vectors.lines();
    let sizes: Vec<usize> =
        lines.next().unwrap().split_whitespace().map(|size| size.parse().unwrap()).collect();
    assert_eq!(sizes[0], paths.len());
    let widths: Vec<usize> = lines.map(|line| line.split_whitespace().count()).collect();
    assert_eq!(widths, vec![sizes[1] + 1; paths.len()]);
    assert_eq!(place.get("v.words").lines().count(), paths.len());
    let npy = std::fs::metadata(place.path("v.npy")).unwrap().len() as usize;
    assert!(npy >= 4 * sizes[0] * sizes[1] + 64, "{npy}");
    assert!(
        std::fs::read(place.path("v.bin"))
            .unwrap()
            .starts_with(format!("{} {}\n", sizes[0], sizes[1]).as_bytes())
    );

    let ran = place.run("inspect m.eig --word the --prefix 2 --json --quiet").succeeds();
    let shown = ran.json()["shown"].clone();
    let top: HashSet<&str> = shown[1]["clusters"][0]["top"]
        .as_array()
        .unwrap()
        .iter()
        .map(|word| word.as_str().unwrap())
        .collect();
    assert_eq!(top, HashSet::from(["the", "a", "some"]));
    assert_eq!(
        shown[1]["clusters"][0]["path"],
        paths.iter().find(|path| path.1 == "the").unwrap().0.as_str()
    );
    let bits = &paths[0].0;
    assert!(place.run(&format!("inspect m.eig --cluster {bits}")).succeeds().stdout().contains(&paths[0].1));
    place.run("inspect m.eig --cluster 2").fails(1, "no cluster");
    place.run("inspect m.eig --symbol NP").fails(2, "applies only to grammars");
    place.run("inspect m.eig --word zebra").fails(1, "not in the vocabulary");
    place.run("parse m.eig a.txt").fails(1, "cannot parse");
}

#[test]
fn a_model_scores_and_draws_text() {
    let place = Place::new();
    place.put("a.txt", text(1500)).put("b.txt", "the noun0x1 verb0x1 in place3 .\n\nnew words here\n");
    place.run("cluster a.txt --clusters 12 -o p.txt --model m.eig").succeeds();
    let ran = place.run("score m.eig b.txt --json --quiet").succeeds();
    let text = ran.stdout();
    let lines: Vec<(f64, usize)> = text
        .lines()
        .take(3)
        .map(|line| {
            let (score, words) = line.split_once('\t').unwrap();
            (score.parse().unwrap(), words.parse().unwrap())
        })
        .collect();
    assert_eq!(lines.iter().map(|line| line.1).collect::<Vec<_>>(), [6, 0, 3]);
    assert!(lines[0].0 < 0.0 && lines[1].0 == 0.0 && lines[2].0 < lines[0].0 && lines[2].0.is_finite());
    let json = ran.json();
    let sum = json["log_probability"].as_f64().unwrap();
    assert!((sum - lines.iter().map(|line| line.0).sum::<f64>()).abs() < 1e-5);
    assert_eq!((json["likelihood"]["symbols"].as_u64(), json["unknown"].as_u64()), (Some(11), Some(3)));
    let perplexity = json["likelihood"]["perplexity"].as_f64().unwrap();
    assert!((perplexity - (-sum / 11.0).exp()).abs() < 1e-9 * perplexity);

    place.run("sample m.eig -n 3000 --seed 5 -o s.txt").succeeds();
    place.run("sample m.eig -n 3000 --seed 5 -o t.txt").succeeds();
    assert_eq!(place.get("s.txt"), place.get("t.txt"));
    assert_eq!(place.get("s.txt").lines().count(), 3000);
    let perplexity = |name: &str| {
        let json = place.run(&format!("score m.eig {name} --totals --json --quiet")).succeeds().json();
        json["likelihood"]["perplexity"].as_f64().unwrap()
    };
    // Drawn text is about as probable as the text that the model was made from.
    let (drawn, own) = (perplexity("s.txt"), perplexity("a.txt"));
    assert!((drawn / own - 1.0).abs() < 0.1, "{drawn} {own}");
    place.run("sample m.eig --format ptb").fails(2, "applies only to trees");
    place.run("score p.txt a.txt").fails(1, "not an Eigentree model");
    place.run("cluster a.txt --clusters 12 --boundaries none -o p.txt --model one.eig").succeeds();
    let line = place.run("sample one.eig -n 1 --max-words 7 --quiet").succeeds().stdout();
    assert_eq!(line.split_whitespace().count(), 7);
}

#[test]
fn clusters_are_scored_against_tags() {
    let place = Place::new();
    let row = |id: u32, form: &str, tag: &str| format!("{id}\t{form}\t_\t{tag}\t_\t_\t{}\tx\t_\t_\n", id - 1);
    let gold =
        [row(1, "a", "X"), row(2, "b", "X"), row(3, "c", "Y"), row(4, "d", "Y"), "\n".to_owned()].concat();
    place.put("g.conllu", gold).put("p.txt", "00\ta\t3\n00\tb\t2\n01\tc\t1\n1\t<unk>\t1\n");
    let json = place.run("eval g.conllu p.txt --json --quiet").succeeds().json();
    assert_eq!(json["clusters"]["many_to_one"], 100.0);
    assert_eq!(json["clusters"]["homogeneity"], 100.0);
    assert_eq!((json["clusters"]["clusters"].as_u64(), json["unknown"].as_u64()), (Some(3), Some(1)));
    // H(K) is 3/2 bits and all of the one bit of H(C) is in it.
    assert!((json["clusters"]["completeness"].as_f64().unwrap() - 200.0 / 3.0).abs() < 1e-9);
    let json = place.run("eval g.conllu p.txt --prefix 1 --json --quiet").succeeds().json();
    assert_eq!(json["clusters"]["many_to_one"], 75.0);
    place.run("eval g.conllu p.txt --tags xpos").fails(1, "words with tags");
    assert!(place.run("eval g.conllu p.txt --report markdown").succeeds().stdout().contains("| V-measure"));
    place.run("eval g.conllu p.txt --compare p.txt").fails(2, "does not apply to clusters");
}

#[test]
fn mistakes_are_told_and_leave_no_file() {
    let place = Place::new();
    place.put("a.txt", text(50)).put("empty.txt", "").put("bad.txt", b"good line\nb\xe4d line\n");
    place.sample("trees.ptb", 20, 1);
    place.run("train pcfg trees.ptb -o g.eig").succeeds();
    let names = place.names();
    place.run("cluster none.txt -o x.txt").fails(1, "there is no such file");
    place.run("cluster empty.txt -o x.txt").fails(1, "the text has no words");
    place.run("cluster bad.txt -o x.txt").fails(1, "bad.txt:2:2: expected text in UTF-8");
    place.run("cluster g.eig -o x.txt").fails(1, "cannot load counts from `g.eig`");
    place.run("cluster a.txt -o no/such/x.txt").fails(1, "x.txt");
    place.run("cluster a.txt -o a.txt").fails(2, "would replace the input");
    place.run("cluster a.txt -o x.txt --tree x.txt").fails(2, "two outputs");
    place.run("cluster a.txt --clusters 0").fails(2, "--clusters");
    place.run("cluster a.txt --context l2").fails(2, "--context");
    place.run("cluster a.txt --kappa=-1").fails(2, "--kappa");
    place.run("cluster a.txt --transform cube").fails(2, "--transform");
    place
        .run("cluster a.txt --method brown --kappa 5 -o x.txt")
        .fails(2, "applies only to the spectral methods");
    place
        .run("cluster a.txt --method brown --vectors v.txt -o x.txt")
        .fails(2, "applies only to the spectral methods");
    place.run("cluster a.txt --method best").fails(2, "spectral+exchange");
    place.run("score g.eig a.txt").fails(1, "which cannot score");
    place.run("sample g.eig -n 1").fails(1, "contains a grammar");
    place.run("cluster").fails(2, "TEXT");
    assert_eq!(place.names(), names);
    // More clusters than words: each word is one.
    place.run("cluster a.txt --vocab 4 --clusters 50 -o few.txt").succeeds();
    assert_eq!(read_paths(&place.get("few.txt")).len(), 5);
    place.put("one.txt", "word word word\n");
    place.run("cluster one.txt --clusters 3 -o one.paths").succeeds();
    assert_eq!(place.get("one.paths"), "\tword\t3\n");
}

#[test]
fn a_folder_of_work_spares_what_was_done() {
    let place = Place::new();
    place.put("a.txt", text(600));
    place.run("cluster a.txt --clusters 9 -o plain.txt").succeeds();
    let first = place.run("cluster a.txt --clusters 9 -o first.txt --work w").succeeds();
    assert!(!first.stderr().contains("earlier run"), "{}", first.stderr());
    let second = place.run("cluster a.txt --clusters 9 -o second.txt --work w --json").succeeds();
    assert!(second.stderr().contains("using the counts"), "{}", second.stderr());
    assert!(second.stderr().contains("using the vectors"), "{}", second.stderr());
    assert!(second.json()["stages"]["decompose"].is_null());
    assert_eq!(place.get("first.txt"), place.get("plain.txt"));
    assert_eq!(place.get("second.txt"), place.get("plain.txt"));
    assert!(place.run("inspect w/vectors.eig").succeeds().stdout().contains("dimension"));
    assert!(place.run("inspect w/counts.eigc").succeeds().stdout().contains("tokens"));
    place.run("inspect w/counts.eigc --word the").fails(2, "applies only to clusters of words");
    // Other options, other vectors; other text, other counts.
    let other = place.run("cluster a.txt --clusters 9 --kappa 3 -o x.txt --work w").succeeds();
    assert!(other.stderr().contains("using the counts") && !other.stderr().contains("using the vectors"));
    place.put("a.txt", text(700));
    let other = place.run("cluster a.txt --clusters 9 -o x.txt --work w").succeeds();
    assert!(!other.stderr().contains("earlier run"), "{}", other.stderr());
}

#[cfg(unix)]
#[test]
fn interrupted_runs_leave_their_counts_and_nothing_half_written() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    let place = Place::new();
    // Words that keep Brown's algorithm busy for longer than the test waits.
    let mut state = 1u64;
    let mut draw = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as f64 / 2f64.powi(31)).powi(3) * 60_000.0
    };
    let line = |_| (0..100).map(|_| format!("w{}", draw() as u32)).collect::<Vec<_>>().join(" ") + "\n";
    let busy: String = (0..8000).map(line).collect();
    place.put("a.txt", busy);
    let program = assert_cmd::cargo::cargo_bin("eigentree");
    let mut child = std::process::Command::new(program)
        .current_dir(place.path(""))
        .args("cluster a.txt --method brown --clusters 3000 -o p.txt --work w --quiet".split_whitespace())
        .spawn()
        .unwrap();
    while !place.path("w/counts.eigc").exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was interrupted");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    std::thread::sleep(std::time::Duration::from_millis(200));
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(place.names(), ["a.txt", "w"]);
    let ran =
        place.run("cluster a.txt --method exchange --clusters 5 --vocab 50000 -o p.txt --work w").succeeds();
    // Another limit on the vocabulary was asked for, so that the counts are made anew.
    assert!(!ran.stderr().contains("earlier run"), "{}", ran.stderr());
    let ran =
        place.run("cluster a.txt --method exchange --clusters 5 --vocab 50000 -o p.txt --work w").succeeds();
    assert!(ran.stderr().contains("using the counts"), "{}", ran.stderr());
}

#[test]
fn clusters_of_real_text_predict_what_follows() {
    let Some(folder) = texts() else { return };
    let text = std::fs::read_to_string(folder.join("en_small.txt")).unwrap();
    let lines: Vec<&str> = text.lines().take(40_000).collect();
    let (train, held_out) = lines.split_at(lines.len() * 9 / 10);
    let place = Place::new();
    place.put("train.txt", train.join("\n") + "\n").put("held_out.txt", held_out.join("\n") + "\n");
    let figures = |method: &str| {
        let told = place
            .run(&format!("cluster train.txt --vocab 5000 --clusters 100 --method {method} -o p.txt --model m.eig --json --quiet"))
            .succeeds()
            .json();
        let scored = place.run("score m.eig held_out.txt --totals --json --quiet").succeeds().json();
        let (mi, perplexity) =
            (told["mi"].as_f64().unwrap(), scored["likelihood"]["perplexity"].as_f64().unwrap());
        eprintln!("{method}: {mi:.4} nats, held-out perplexity {perplexity:.2}");
        (mi, perplexity)
    };
    let brown = figures("brown");
    for method in ["exchange", "spectral+exchange"] {
        let (mi, perplexity) = figures(method);
        assert!(mi > brown.0, "{method}: {mi} against {}", brown.0);
        assert!(perplexity < brown.1, "{method}: {perplexity} against {}", brown.1);
    }
    // All words in one cluster are a worse model.
    place.run("cluster train.txt --vocab 5000 --clusters 1 --method brown -o p.txt --model m.eig").succeeds();
    let one = place.run("score m.eig held_out.txt --totals --json --quiet").succeeds().json();
    assert!(one["likelihood"]["perplexity"].as_f64().unwrap() > brown.1);
}

#[test]
fn methods_are_compared() {
    let place = Place::new();
    place.put("a.txt", text(900)).put("b.txt", text(40));
    let json = place
        .run("compare clusters a.txt --clusters 4,10 --vocab 30,100 --plots plots -o report.md --format markdown --json --quiet")
        .succeeds()
        .json();
    let runs = json["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 16);
    assert_eq!(json["held_out_tokens"], 90 * 6);
    for run in runs {
        assert!(run["mi"].as_f64().unwrap() > 0.0 && run["perplexity"].as_f64().unwrap() > 1.0, "{run}");
        assert_eq!(
            run["gamma"].is_number(),
            run["method"].as_str().unwrap().starts_with("spectral"),
            "{run}"
        );
        assert!(run["stages"].as_array().is_some_and(|stages| !stages.is_empty()));
    }
    let report = place.get("report.md");
    assert!(
        report.contains("## Quality")
            && report.contains("## Time by stage")
            && report.contains("| spectral+exchange")
    );
    assert!(place.get("plots/mi-30.svg").starts_with("<svg "));
    // Alone, a method does what it does among others.
    let alone = place
        .run("compare clusters a.txt --methods exchange --clusters 10 --vocab 100 --json --quiet")
        .succeeds()
        .json();
    let among =
        runs.iter().find(|run| run["method"] == "exchange" && run["vocab"] == 100 && run["clusters"] == 10);
    assert_eq!(alone["runs"][0]["mi"], among.unwrap()["mi"]);
    place
        .run("compare clusters a.txt --held-out b.txt --methods exchange --clusters 5 --vocab 50")
        .succeeds();
    place.run("compare clusters a.txt --methods best").fails(2, "spectral+exchange");
    place.run("compare clusters none.txt").fails(1, "there is no such file");
}

/// Starts `eigentree` with these arguments.
#[cfg(unix)]
fn start(place: &Place, arguments: &str) -> std::process::Child {
    std::process::Command::new(assert_cmd::cargo::cargo_bin("eigentree"))
        .args(arguments.split(' '))
        .current_dir(place.path(""))
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap()
}

#[cfg(unix)]
#[test]
fn outputs_of_two_runs_are_never_mixed_whenever_a_run_is_interrupted() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    use std::time::{Duration, Instant};
    let place = Place::new();
    place.put("a.txt", text(300));
    let outputs = ["p.txt", "m.eig", "t.json", "v.txt"];
    let run = |clusters: usize| {
        format!(
            "cluster a.txt --clusters {clusters} --method spectral -o p.txt --model m.eig --tree t.json --vectors v.txt --quiet"
        )
    };
    let read = || outputs.map(|name| std::fs::read(place.path(name)).unwrap());
    place.run(&run(7)).succeeds();
    let new = read();
    let begun = Instant::now();
    place.run(&run(5)).succeeds();
    let (old, length) = (read(), begun.elapsed());
    let mut interrupted = 0;
    for step in 0..24 {
        let mut child = start(&place, &run(7));
        // The last steps come after the usual end: what is written in the last moments counts.
        std::thread::sleep(length.mul_f64(f64::from(step) / 20.0));
        let pid = Pid::from_raw(child.id() as i32);
        // The second signal ends the program at once. Shells start what runs in the background with interrupts ignored, and
        // this job may end before its own handler is there; terminations are never ignored, and handled alike.
        for _ in 0..2 {
            let _ = kill(pid, Signal::SIGTERM);
            std::thread::sleep(Duration::from_millis(25));
        }
        interrupted += usize::from(!child.wait().unwrap().success());
        let found = read();
        assert!(found == old || found == new, "step {step}: outputs of two runs");
        if found == new {
            place.run(&run(5)).succeeds();
        }
        assert_eq!(place.names().len(), 1 + outputs.len(), "step {step}: {:?}", place.names());
    }
    assert!(interrupted > 0);
}

#[cfg(unix)]
#[test]
fn outputs_that_are_missing_after_an_interrupt_are_listed() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    use std::time::Duration;
    let place = Place::new();
    let words: Vec<String> = (0..60_000u64).map(|at| format!("w{}", at * at % 9_973)).collect();
    place.put("a.txt", words.chunks(10).map(|line| line.join(" ") + "\n").collect::<String>());
    let mut child = start(
        &place,
        "cluster a.txt --clusters 500 --method exchange --counts c.eigc -o p.txt --model m.eig --threads 1",
    );
    while !place.names().contains(&"c.eigc".to_owned()) && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    let ended = child.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(130), "{told}");
    assert!(told.contains("not written: `m.eig`, `p.txt`"), "{told}");
    assert_eq!(place.names(), ["a.txt", "c.eigc"]);
}
