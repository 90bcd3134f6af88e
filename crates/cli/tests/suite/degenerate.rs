//! Every learner on data that nobody meant it for: one tree, one word, nothing twice, odd labels, more states than data. Each run
//! gives a model that can be used, or says why there is none.

use std::ffi::OsStr;
use std::panic::{AssertUnwindSafe, catch_unwind};

use eigentree::inspection::Verification;
use eigentree::learn::Silent;
use eigentree::models::persist::Container;
use eigentree_cli::calls::{OptionValues, call, definition};

use crate::place::Place;

/// Labels and words of this kind have a meaning somewhere in the toolkit.
const ODD: [&str; 16] = [
    "@",
    "|",
    "^",
    "-",
    "-LRB-",
    "-RRB-",
    "/",
    "NP^S",
    "@NP|x",
    "NP-SBJ-1",
    "=",
    "a/b_c",
    "名詞",
    "اسم",
    "é\u{301}",
    "\u{1f600}",
];

/// Treebanks by name.
fn treebanks() -> Vec<(&'static str, String)> {
    let leaf = |at: usize| format!("(T{at} w{at})");
    let odd = |at: usize| ODD[at % ODD.len()];
    let odd_trees = |from: usize| {
        let leaves: String =
            (0..4).map(|at| format!(" ({} {})", odd(from + at), odd(from + 3 * at))).collect();
        format!("({} ({}{leaves}) ({} {}))\n", odd(from), odd(from + 5), odd(from + 7), odd(from + 9))
    };
    let mut dice = 7u64;
    let mut tree = String::new();
    for _ in 0..12 {
        random_tree(&mut dice, 4, &mut tree);
        tree.push('\n');
    }
    vec![
        ("one tree", "(S (NP (D the) (N dog)) (VP (V barks)))\n".to_owned()),
        ("one word", "(S (N a))\n".to_owned()),
        ("one tag", "(N a)\n".to_owned()),
        ("no labels", "( (S (N a) (V b)))\n".to_owned()),
        ("the same tree", "(S (NP (N dog)) (VP (V barks)))\n".repeat(30)),
        (
            "nothing twice",
            (0..20).map(|at| format!("(S{at} (P{at} {}) {})\n", leaf(2 * at), leaf(2 * at + 1))).collect(),
        ),
        ("odd labels", (0..16).map(odd_trees).collect()),
        ("a chain", format!("{}(N a){}\n", "(S (V b) ".repeat(40), ")".repeat(40))),
        ("unary", format!("{}(N a){}\n", "(S ".repeat(12), ")".repeat(12)).repeat(3)),
        ("flat", format!("(S{})\n", (0..60).map(|at| format!(" {}", leaf(at))).collect::<String>())),
        ("random", tree),
    ]
}

/// A random tree over a few labels and words.
fn random_tree(dice: &mut u64, depth: usize, out: &mut String) {
    let mut below = |bound: u64| {
        *dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*dice >> 33) % bound
    };
    let (label, word, children) = (below(4), below(9), 1 + below(3));
    if depth == 0 || below(3) == 0 {
        out.push_str(&format!("(T{label} w{word})"));
        return;
    }
    out.push_str(&format!("(P{label}"));
    for _ in 0..children {
        out.push(' ');
        random_tree(dice, depth - 1, out);
    }
    out.push(')');
}

/// Dependency treebanks by name: per word the form, the tag, the head and the relation.
fn dependencies() -> Vec<(&'static str, String)> {
    let sentence = |length: usize, word: &dyn Fn(usize) -> (String, String, usize, String)| {
        let row = |at: usize| {
            let (form, tag, head, relation) = word(at);
            format!("{at}\t{form}\t{form}\t{tag}\t{tag}\t_\t{head}\t{relation}\t_\t_\n")
        };
        (1..=length).map(row).collect::<String>() + "\n"
    };
    let plain = |head: usize| if head == 0 { "root".to_owned() } else { "dep".to_owned() };
    let simple = |length: usize, head: &dyn Fn(usize) -> usize| {
        sentence(length, &|at| (format!("w{}", at % 5), format!("T{}", at % 3), head(at), plain(head(at))))
    };
    let odd = |from: usize| {
        sentence(6, &|at| {
            // Brackets can be themselves here.
            let text = |by: usize| match (from + by * at) % (ODD.len() + 2) {
                16 => "(".to_owned(),
                17 => ")".to_owned(),
                number => ODD[number].to_owned(),
            };
            let relation =
                if at == 1 { "root".to_owned() } else { format!("r{}", text(5).replace('|', ":")) };
            (text(1), text(3), at - 1, relation)
        })
    };
    vec![
        ("one word", simple(1, &|_| 0)),
        ("one sentence", simple(3, &|at| at - 1)),
        ("the same sentence", simple(4, &|at| at - 1).repeat(30)),
        ("a star", simple(40, &|at| usize::from(at > 1)).repeat(3)),
        ("crossing", simple(6, &|at| [0, 0, 4, 1, 1, 2, 3][at]).repeat(5)),
        (
            "nothing twice",
            (0..20)
                .map(|number| {
                    let name = |at: usize, of: &str| format!("{of}{number}x{at}");
                    sentence(3, &|at| {
                        let relation = if at == 1 { "root".to_owned() } else { name(at, "r") };
                        (name(at, "w"), name(at, "T"), at - 1, relation)
                    })
                })
                .collect(),
        ),
        ("odd labels", (0..18).map(odd).collect()),
        ("no tags", sentence(3, &|at| (format!("w{at}"), "_".to_owned(), at - 1, plain(at - 1))).repeat(4)),
    ]
}

/// Texts by name.
fn texts() -> Vec<(&'static str, String)> {
    vec![
        ("one word", "a\n".to_owned()),
        ("one word again and again", "a a a a a a\n".repeat(5)),
        (
            "nothing twice",
            (0..300).map(|at| format!("w{at}{}", if at % 7 == 0 { '\n' } else { ' ' })).collect(),
        ),
        ("odd words", ODD.join(" ") + "\n" + &ODD.join("\n") + "\n"),
        ("empty lines", "\n\na b\n\n\nb a\n\n".to_owned()),
        ("one long line", "a b c d e ".repeat(400) + "\n"),
    ]
}

/// The ways to call a command that matter here: all learners, the extremes of the number of states.
fn variants(path: &[&str]) -> Vec<Vec<String>> {
    let (_, options) = definition(path).expect("the command exists");
    let short = options.iter().find(|option| option.name == "epochs").map(|_| "--epochs=1".to_owned());
    let mut variants = vec![Vec::new()];
    for option in options.iter().filter(|option| !option.positional) {
        let values: Vec<String> = match (&option.values, option.name.as_str()) {
            (OptionValues::Choice(words), "learner" | "method" | "quality" | "preset" | "observe") => {
                words.clone()
            }
            (OptionValues::Integer, "states" | "rank" | "dimension" | "clusters" | "dim") => {
                ["1", "256", "1000"].map(str::to_owned).to_vec()
            }
            _ => continue,
        };
        variants.extend(values.iter().map(|value| vec![format!("--{}={value}", option.name)]));
    }
    variants.into_iter().map(|variant| variant.into_iter().chain(short.clone()).collect()).collect()
}

/// Trains with all variants of a command on all data, and uses the models: on `DATA`, what they were trained on, and on `OTHER`, all
/// data, most of which a model gives no probability.
fn check(command: &[&str], data: &[(&'static str, String)], extension: &str, uses: &[&str]) {
    let place = Place::new();
    let at = |name: &str| place.path(name).to_str().expect("the path is text").to_owned();
    let (file, model, out) = (at(&format!("data.{extension}")), at("m.eig"), at("out"));
    let other = at(&format!("other.{extension}"));
    place.put(&format!("other.{extension}"), data.iter().map(|(_, text)| text.as_str()).collect::<String>());
    let mut defects = Vec::new();
    let (mut models, mut refusals) = (0, 0);
    let attempt = |arguments: &[String], name: &str, defects: &mut Vec<String>| {
        let given: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
        match catch_unwind(AssertUnwindSafe(|| call(&given, Box::new(Silent)))) {
            Ok(Ok(_)) => return true,
            Ok(Err(error)) if !error.to_string().trim().is_empty() => {}
            Ok(Err(_)) => defects.push(format!("{name}: {arguments:?} fails without a message")),
            Err(_) => defects.push(format!("{name}: {arguments:?} panics")),
        }
        false
    };
    for (name, text) in data {
        place.put(&format!("data.{extension}"), text);
        for variant in variants(command) {
            let mut arguments: Vec<String> = command.iter().map(|&part| part.to_owned()).collect();
            let output = if command[0] == "cluster" { "--model" } else { "--output" };
            arguments.extend([file.clone(), format!("{output}={model}")]);
            if command[0] == "cluster" {
                arguments.push(format!("--output={out}"));
            }
            arguments.extend(variant);
            if !attempt(&arguments, name, &mut defects) {
                refusals += 1;
                continue;
            }
            models += 1;
            let verified = Container::from_bytes(std::fs::read(&model).expect("the model is there"))
                .map_err(|error| error.to_string())
                .and_then(|file| Verification::of(&file, name).map_err(|error| error.to_string()));
            if let Err(told) = verified {
                defects.push(format!("{name}: {arguments:?} writes a model with a defect: {told}"));
            }
            for usage in uses {
                let put = |part: &str| match part {
                    "MODEL" => model.clone(),
                    "DATA" => file.clone(),
                    "OTHER" => other.clone(),
                    part => part.replace("OUT", &out),
                };
                let (usage, may_be_refused) =
                    usage.strip_prefix("try ").map_or((*usage, false), |usage| (usage, true));
                let used: Vec<String> = usage.split(' ').map(put).collect();
                let before = defects.len();
                if !attempt(&used, name, &mut defects) && defects.len() == before && !may_be_refused {
                    defects.push(format!("{name}: {arguments:?}, then {used:?} fails"));
                }
            }
        }
    }
    assert!(defects.is_empty(), "{defects:#?}");
    eprintln!("{}: {models} models, {refusals} refusals", command.join(" "));
    assert!(models > 0, "{command:?}: all {refusals} were refused");
}

#[test]
fn grammars() {
    let data = treebanks();
    let parse = ["parse MODEL DATA --output=OUT", "parse MODEL OTHER --output=OUT"];
    check(&["train", "pcfg"], &data, "ptb", &parse);
    // Those without latent states are not scored.
    check(&["train", "lpcfg"], &data, "ptb", &[parse[0], parse[1], "try score MODEL OTHER --output=OUT"]);
}

#[test]
fn dependency_parsers() {
    let data = dependencies();
    for command in [["train", "mst"], ["train", "head-automata"]] {
        check(
            &command,
            &data,
            "conllu",
            &["parse MODEL DATA --output=OUT", "parse MODEL OTHER --output=OUT"],
        );
    }
}

#[test]
fn latent_trees_and_rerankers() {
    let data = dependencies();
    for command in [["train", "deptree"], ["train", "reranker"]] {
        let uses: &[&str] = match command[1] {
            "deptree" => &["score MODEL DATA --output=OUT", "score MODEL OTHER --output=OUT"],
            _ => &[],
        };
        check(&command, &data, "conllu", uses);
    }
}

#[test]
fn taggers_and_pipelines() {
    let data = dependencies();
    for command in [["train", "tagger"], ["train", "pipeline"]] {
        check(&command, &data, "conllu", &["tag MODEL DATA --output=OUT", "tag MODEL OTHER --output=OUT"]);
    }
    let entities = vec![
        ("one word", "a\tO\n\n".to_owned()),
        ("one entity", "a\tB-PER\n\n".to_owned()),
        ("nothing twice", (0..20).map(|at| format!("w{at}\tB-C{at}\n\n")).collect()),
        ("odd labels", ODD.iter().map(|odd| format!("{odd}\tB-{odd}\n\n")).collect()),
    ];
    check(
        &["train", "ner"],
        &entities,
        "bio",
        &["tag MODEL DATA --output=OUT", "tag MODEL OTHER --output=OUT"],
    );
}

#[test]
fn sequences_and_clusters() {
    let data = texts();
    for command in [["train", "automaton"], ["train", "hmm"]] {
        check(&command, &data, "txt", &["score MODEL DATA --output=OUT", "score MODEL OTHER --output=OUT"]);
    }
    check(&["cluster"], &data, "txt", &["score MODEL DATA --output=OUT", "score MODEL OTHER --output=OUT"]);
}
