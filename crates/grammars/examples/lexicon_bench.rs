//! Measures the lexicon's contribution to parsing raw words: bracket F1 of a PCFG, and tagging accuracy over all words,
//! over words seen in training and over new words.
//!
//! `cargo run --release -p eigentree-grammars --example lexicon_bench -- TRAIN.ptb DEV.ptb [--json '{"rare_count":5}']`
//!
//! With `--held-out DOCUMENTS`, a file that names the document of each training tree, no DEV is needed: every tenth
//! document is held out. The constants of the lexicon were chosen this way.

#![allow(clippy::print_stdout, reason = "the measurements are its output")]

use std::fs::File;
use std::io::Read;
use std::time::Instant;

use corpus::format::penn::{Entry, PennReader};
use corpus::ids::Id;
use corpus::tree::Tree;
use corpus::tree::binarize::Horizontal;
use corpus::tree::normal_form::NormalForm;
use eigentree_grammars::lexicon::{LexiconConfig, Observation, SentenceEmissions};
use eigentree_grammars::pcfg::{Parser, ParserConfig, Pcfg, PcfgConfig, PcfgLearner, Scratch};
use eval::brackets::{BracketConfig, BracketScorer};
use models::learn::{Learner, Silent};

fn read(path: &str) -> Vec<Tree> {
    let input = corpus::compression::decompress(File::open(path).expect("a file")).expect("a readable file");
    PennReader::new(input, path).collect::<Result<_, _>>().expect("well-formed trees")
}

/// CPU seconds of this thread where the system reports them (Linux), wall-clock seconds otherwise.
fn seconds(origin: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos =
        told.as_deref().and_then(|text| text.split(' ').next()).and_then(|text| text.parse::<f64>().ok());
    nanos.map_or_else(|| origin.elapsed().as_secs_f64(), |nanos| nanos * 1e-9)
}

/// Defaults with some fields replaced.
fn config(changes: Option<&str>) -> LexiconConfig {
    let mut all = serde_json::to_value(LexiconConfig::default()).expect("a plain structure");
    if let Some(changes) = changes {
        let changes: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(changes).expect("a JSON object");
        for (name, value) in changes {
            match name.strip_prefix("context.") {
                Some(name) => all["context"][name] = value,
                None => all[name] = value,
            }
        }
    }
    serde_json::from_value(all).expect("fields of the configuration")
}

/// Correct and total counts, of known and of new words.
#[derive(Default)]
struct Tags([(usize, usize); 2]);

impl Tags {
    fn add(&mut self, model: &Pcfg, word: &str, right: bool) {
        let new = usize::from(model.lexicon().words().get(word).is_none());
        self.0[new].0 += usize::from(right);
        self.0[new].1 += 1;
    }

    fn show(&self) -> String {
        let share = |(right, all): (usize, usize)| 100.0 * right as f64 / all.max(1) as f64;
        let [known, new] = self.0;
        let all = (known.0 + new.0, known.1 + new.1);
        format!("tags {:.2} (known {:.2}, new {:.2})", share(all), share(known), share(new))
    }
}

fn main() {
    let origin = Instant::now();
    let args: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| args.iter().position(|arg| arg == name).map(|at| args[at + 1].clone());
    let horizontal: usize = option("--horizontal").map_or(1, |text| text.parse().expect("a number"));
    let all = read(&args[0]);
    let (train, dev): (Vec<Tree>, Vec<Tree>) = match option("--held-out") {
        None => (all, read(&args[1])),
        Some(documents) => {
            let mut text = String::new();
            let file = File::open(&documents).expect("a file");
            let mut input = corpus::compression::decompress(file).expect("a readable file");
            input.read_to_string(&mut text).expect("UTF-8");
            let (mut number, mut last) = (0, None);
            let mut parts = (Vec::new(), Vec::new());
            for (tree, document) in all.into_iter().zip(text.lines()) {
                number += usize::from(last.is_some_and(|last| last != document));
                last = Some(document);
                if number % 10 == 3 { parts.1.push(tree) } else { parts.0.push(tree) }
            }
            parts
        }
    };
    let normal_form = NormalForm { horizontal: Horizontal::Order(horizontal), ..NormalForm::default() };
    let lexicon = config(option("--json").as_deref());
    let start = seconds(origin);
    let learner = PcfgLearner { config: PcfgConfig { normal_form, lexicon, ..PcfgConfig::default() } };
    let model = learner.learn(&train, &mut Silent).expect("a treebank").model;
    println!("learn {:.2} s; {} trees to parse", seconds(origin) - start, dev.len());

    let start = seconds(origin);
    let (mut alone, mut words, mut emitted) = (Tags::default(), 0, 0);
    let mut out = SentenceEmissions::default();
    for tree in &dev {
        let lexicon = model.lexicon();
        let sentence: Vec<_> = tree.words().map(Observation::Word).collect();
        lexicon.emissions_of_sentence(&sentence, &mut out);
        for (at, (word, tag)) in tree.words().zip(tree.tags()).enumerate() {
            words += 1;
            emitted += out.word(at).len();
            let mut shares = vec![0.0; lexicon.tags().len()];
            for emission in out.word(at) {
                let joint = f64::from(emission.probability) * lexicon.preterminal_count(emission.preterminal);
                shares[lexicon.tag_of(emission.preterminal).index()] += joint;
            }
            let best = (0..shares.len()).max_by(|&a, &b| shares[a].total_cmp(&shares[b])).expect("a tag");
            let id = Id::new(best).expect("a small number");
            alone.add(&model, word, lexicon.tags().text(id) == tag);
        }
    }
    println!(
        "lexicon alone: {}; {:.0} words/s, {:.1} preterminals per word",
        alone.show(),
        f64::from(words) / (seconds(origin) - start),
        emitted as f64 / f64::from(words)
    );
    for (name, given) in [("gold tags", true), ("raw words", false)] {
        if option("--only").is_some_and(|only| only != name) {
            continue;
        }
        let parser = Parser::new(&model, ParserConfig::default());
        let mut scratch = Scratch::default();
        let mut scorer = BracketScorer::new(BracketConfig::collins());
        let mut tags = Tags::default();
        let start = seconds(origin);
        for tree in &dev {
            let sentence: Vec<Observation<'_>> = tree
                .words()
                .zip(tree.tags())
                .map(
                    |(word, tag)| {
                        if given { Observation::Tagged(word, tag) } else { Observation::Word(word) }
                    },
                )
                .collect();
            let parse = parser.parse(&sentence, &mut scratch).expect("a tree");
            for ((word, tag), found) in tree.words().zip(tree.tags()).zip(parse.tree.tags()) {
                tags.add(&model, word, tag == found);
            }
            scorer.score(tree, &Entry::Tree(parse.tree)).expect("the same words");
        }
        let taken = seconds(origin) - start;
        let summary = scorer.finish().summary();
        println!(
            "{name}: F1 {:.2}; {}; {:.0} sentences/s",
            100.0 * summary.brackets.f1(),
            tags.show(),
            dev.len() as f64 / taken
        );
    }
}
