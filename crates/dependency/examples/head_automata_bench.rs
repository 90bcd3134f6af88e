//! Head automata on a treebank: accuracy on held-out sentences, CPU time of learning and of inference.
//!
//! `cargo run --release -p eigentree-dependency --example head_automata_bench -- TRAIN DEV MODEL...` with models such as `det`,
//! `det+f`, `spectral:6:0.1`, `em:8:25`, `lex+fcp`, `lex+fcp:1.0+spectral:6:0.1`.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement prints what it measures")]

use corpus::format::conllu::{ConlluReader, Sentence};
use eigentree_dependency::arcs::Word;
use eigentree_dependency::head_automata::*;
use models::learn::{Progress, Silent};

fn read(path: &str) -> Vec<Sentence> {
    let input = corpus::compression::decompress(std::fs::File::open(path).unwrap()).unwrap();
    ConlluReader::new(input, path).collect::<Result<_, _>>().unwrap()
}

fn configure(text: &str, alphabet: Alphabet) -> HeadAutomataConfig {
    let mut config = HeadAutomataConfig { alphabet, tags: TagModel::None, ..HeadAutomataConfig::default() };
    for part in text.split('&') {
        let fields: Vec<&str> = part.split(':').collect();
        let number = |at: usize, default: f64| fields.get(at).map_or(default, |text| text.parse().unwrap());
        match fields[0] {
            "det" => config.tags = TagModel::Deterministic(Memory::Nothing),
            "det+f" => config.tags = TagModel::Deterministic(Memory::First),
            "spectral" => {
                config.tags = TagModel::Spectral(SpectralConfig {
                    states: number(1, 6.0) as usize,
                    mixture: number(2, 0.1),
                    min_sequences: number(3, 1.0),
                });
            }
            "em" => {
                config.tags = TagModel::Em(EmConfig {
                    states: number(1, 8.0) as usize,
                    steps: number(2, 25.0) as usize,
                    mixture: number(3, 0.1),
                    ..EmConfig::default()
                });
            }
            lex => {
                let memory = match lex {
                    "lex" => Memory::Nothing,
                    "lex+f" => Memory::First,
                    _ => Memory::FirstCoordinationPunctuation,
                };
                config.lexical = Some(LexicalConfig {
                    memory,
                    weight: number(1, 1.0),
                    geometry: if number(2, 0.0) > 0.0 { Geometry::Use } else { Geometry::Ignore },
                    diversity: number(3, 5.0),
                    min_count: number(4, 2.0) as usize,
                });
            }
        }
    }
    config
}

/// CPU seconds of all threads, to a hundredth.
fn now() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = text.split(' ').collect();
    (fields[13].parse::<f64>().unwrap() + fields[14].parse::<f64>().unwrap()) / 100.0
}

/// CPU seconds of this thread.
fn thread_now() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (train, dev) = (read(&arguments[0]), read(&arguments[1]));
    let alphabet = std::env::var("ALPHABET").unwrap_or_default();
    let alphabet =
        Alphabet::NAMED.iter().find(|(_, name)| *name == alphabet).map_or(Alphabet::Product, |found| found.0);
    for text in &arguments[2..] {
        let config = configure(text, alphabet);
        let start = now();
        let mut silent = Silent;
        let mut progress = Progress::new(&mut silent);
        let treebank = PreparedTreebank::new(&train, &config, &mut progress).unwrap();
        let prepared = now() - start;
        let model = HeadAutomataLearner { config }.learn_prepared(&treebank, &mut progress).unwrap();
        let learnt = now() - start;
        for objective in [Objective::LogMarginals] {
            let parser = Parser::new(&model, ParserConfig { objective, ..ParserConfig::default() });
            let mut scratch = Scratch::default();
            let (mut right, mut words, mut fallback, mut floored) = (0, 0, 0, 0);
            let start = thread_now();
            for sentence in &dev {
                parser.marginals(&Word::of_sentence(sentence), &mut scratch);
            }
            let inference = thread_now() - start;
            let start = thread_now();
            for sentence in &dev {
                let parse = parser.parse(&Word::of_sentence(sentence), &mut scratch);
                fallback += usize::from(parse.decider != Decider::Whole);
                floored += usize::from(parse.floored > 0);
                words += parse.heads.len();
                right += parse
                    .heads
                    .iter()
                    .zip(sentence.words())
                    .filter(|(head, word)| Some(**head) == word.head())
                    .count();
            }
            let seconds = thread_now() - start;
            println!(
                "{text} {objective:?}: UAS {:.2}, fallback {fallback}, floored {floored} of {}, \
                 prepare {:.2} s, learn {:.2} s, {:.0} tokens/s, inside–outside alone {:.0}",
                100.0 * right as f64 / words as f64,
                dev.len(),
                prepared,
                learnt - prepared,
                words as f64 / seconds,
                words as f64 / inference
            );
        }
    }
}
