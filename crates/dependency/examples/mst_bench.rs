//! Trains a dependency parser on one CoNLL-U file and scores it on another. Reports attachment scores, CPU seconds of
//! training, words per second on one thread, and calibration.
//!
//! `cargo run --release -p eigentree-dependency --example mst_bench -- TRAIN DEV [order=first sentences=800 epochs=6
//! bits=22 heads=8 ratio=0.005 clusters=PATHS structure=any …]`
#![allow(clippy::print_stdout, reason = "the measurements are its output")]

use std::error::Error;
use std::fs::File;

use corpus::compression::decompress;
use corpus::format::brown_paths::BrownPathsReader;
use corpus::format::conllu::{ConlluReader, Sentence};
use eigentree_dependency::arcs::Word;
use eigentree_dependency::mst::{
    ClusterPaths, Mst, MstConfig, MstLearner, Order, Parser, Quality, Scratch, Structure,
};
use models::confidence::Confidences;
use models::learn::{Learner, Silent};

fn read(path: &str) -> Result<Vec<Sentence>, Box<dyn Error>> {
    Ok(ConlluReader::new(decompress(File::open(path)?)?, path).collect::<Result<_, _>>()?)
}

/// CPU seconds of all threads, to a hundredth.
fn now() -> Result<f64, Box<dyn Error>> {
    let text = std::fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = text.split(' ').collect();
    Ok((fields[13].parse::<f64>()? + fields[14].parse::<f64>()?) / 100.0)
}

/// The label without its subtype.
fn universal(label: &str) -> &str {
    label.split(':').next().unwrap_or(label)
}

fn score(name: &str, model: &Mst, dev: &[Sentence]) -> Result<(), Box<dyn Error>> {
    let sentences: Vec<Vec<Word<'_>>> = dev.iter().map(Word::of_sentence).collect();
    let words: usize = sentences.iter().map(Vec::len).sum();
    let parser = Parser::new(model);
    let mut scratch = Scratch::default();
    let (mut heads, mut labels) = (0, 0);
    for (words, gold) in sentences.iter().zip(dev) {
        let Some(parse) = parser.parse(words, &mut scratch) else { continue };
        for ((word, head), &label) in gold.words().zip(&parse.heads).zip(&parse.labels) {
            let right = word.head() == Some(*head);
            heads += usize::from(right);
            labels += usize::from(right && universal(word.deprel()) == universal(model.labels().text(label)));
        }
    }
    let mut least = f64::MAX;
    for _ in 0..5 {
        let start = now()?;
        for words in &sentences {
            parser.parse(words, &mut scratch);
        }
        least = least.min(now()? - start);
    }
    let share = |count: usize| 100.0 * count as f64 / words as f64;
    println!(
        "{name}: UAS {:.2}, LAS {:.2}, {:.0} words/s",
        share(heads),
        share(labels),
        words as f64 / least.max(0.01)
    );
    Ok(())
}

/// Difference between confidences and the share of correct heads and labels, over ten bins of similar confidence.
fn calibration_error(model: &Mst, dev: &[Sentence]) -> f64 {
    let parser = Parser::new(model);
    let mut scratch = Scratch::default();
    // For each bin, the sum of confidences and the number of correct words.
    let mut bins = [(0.0_f64, 0.0_f64); 10];
    let mut words = 0.0;
    for gold in dev {
        for parse in parser.parse_best(&Word::of_sentence(gold), 1, Confidences::Compute, &mut scratch) {
            let found = parse.heads.iter().zip(&parse.labels).zip(&parse.confidences);
            for (word, ((head, &label), &confidence)) in gold.words().zip(found) {
                let right = word.head() == Some(*head) && word.deprel() == model.labels().text(label);
                let bin = &mut bins[((confidence * 10.0) as usize).min(9)];
                *bin = (bin.0 + f64::from(confidence), bin.1 + f64::from(u8::from(right)));
                words += 1.0;
            }
        }
    }
    bins.iter().map(|(sum, right)| (sum - right).abs()).sum::<f64>() / words
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (options, files): (Vec<&String>, Vec<&String>) =
        arguments.iter().partition(|argument| argument.contains('='));
    let [train, dev] = files[..] else { return Err("missing arguments: TRAIN DEV".into()) };
    let (mut train, dev) = (read(train)?, read(dev)?);
    let option = |name: &str| {
        options
            .iter()
            .filter_map(|option| option.split_once('='))
            .find(|(key, _)| *key == name)
            .map(|found| found.1)
    };
    let quality = match option("quality") {
        Some("best") => Quality::Best,
        _ => Quality::Balanced,
    };
    let mut config = MstConfig::quality(quality);
    if option("order") == Some("first") {
        config.order = Order::First;
    }
    config.structure = match option("structure") {
        Some("projective") => Some(Structure::Projective),
        Some("pseudo") => Some(Structure::PseudoProjective),
        Some("any") => Some(Structure::NonProjective),
        _ => None,
    };
    macro_rules! set {
        ($($name:literal => $place:expr),* $(,)?) => {
            $(if let Some(value) = option($name) { $place = value.parse()?; })*
        };
    }
    let mut sentences = train.len();
    set! {
        "sentences" => sentences,
        "epochs" => config.epochs,
        "label_epochs" => config.label_epochs,
        "pruner_epochs" => config.pruner_epochs,
        "bits" => config.bits,
        "heads" => config.pruning.heads,
        "ratio" => config.pruning.ratio,
        "train_heads" => config.training_pruning.heads,
        "train_ratio" => config.training_pruning.ratio,
        "seed" => config.seed,
    }
    train.truncate(sentences);
    let clusters = match option("clusters") {
        None => None,
        Some(path) => {
            let paths: Vec<_> = BrownPathsReader::new(File::open(path)?, path).collect::<Result<_, _>>()?;
            Some(ClusterPaths::new(paths))
        }
    };
    let start = now()?;
    let learned = MstLearner { config: config.clone(), clusters }.learn(&train, &mut Silent)?;
    println!("learnt in {:.1} s", now()? - start);
    score("as learnt", &learned.model, &dev)?;
    let mut calibrated = learned.model.clone();
    calibrated.calibrate(&dev);
    println!(
        "expected calibration error: {:.1} % with the default temperatures, {:.1} % with those tuned on DEV",
        100.0 * calibration_error(&learned.model, &dev),
        100.0 * calibration_error(&calibrated, &dev)
    );
    // The same model with different pruning: `prune=6:0.01,4:0.02`.
    for choice in option("prune").iter().flat_map(|list| list.split(',')) {
        let (heads, ratio) = choice.split_once(':').ok_or("heads:ratio")?;
        let mut pruning = config.pruning;
        (pruning.heads, pruning.ratio) = (heads.parse()?, ratio.parse()?);
        score(choice, &learned.model.clone().with_pruning(pruning), &dev)?;
    }
    Ok(())
}
