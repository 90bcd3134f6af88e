//! Measures whether latent trees help inside the search for a dependency tree. The score of each arc of a first-order
//! parser is increased by
//!
//! ```text
//! λ (log p̂(head → modifier) − log p̂(head) − log p̂(modifier))
//! ```
//!
//! from a latent tree model of the same treebank: how much more likely the two words are as head and modifier on that
//! side than independently. `cargo run --release -p eigentree-dependency --example latent_arcs -- TRAIN DEV
//! [SENTENCES]` prints UAS on DEV for several λ, for the spectral method and for EM, and for latent scores alone.
#![allow(clippy::print_stdout, reason = "the measurements are its output")]

use std::collections::HashMap;
use std::error::Error;
use std::fs::File;

use corpus::compression::decompress;
use corpus::dependency::{DependencyTree, Head, RootRule};
use corpus::format::conllu::{ConlluReader, Sentence};
use eigentree_dependency::arcs::{ArcScores, Eisner, Word};
use eigentree_dependency::deptree::{
    Deptree, EmConfig, EmLearner, Scratch as LatentScratch, SpectralLearner, TreeSites, TreeWords,
};
use eigentree_dependency::mst::{MstConfig, MstLearner, Parser, Quality, Scratch, Structure};
use models::learn::{Learner, Silent};

/// Weights of the latent scores relative to those of the parser.
const WEIGHTS: [f32; 7] = [0.0, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0];

fn read(path: &str) -> Result<Vec<Sentence>, Box<dyn Error>> {
    Ok(ConlluReader::new(decompress(File::open(path)?)?, path).collect::<Result<_, _>>()?)
}

fn tag(upos: &str, xpos: &str) -> String {
    format!("{upos}/{xpos}")
}

/// The trees as input for latent models.
fn trees(sentences: &[Sentence]) -> Vec<TreeWords> {
    let one = |sentence: &Sentence| {
        let words = Word::of_sentence(sentence);
        let words = words.iter().map(|word| (word.form.to_owned(), tag(word.upos, word.xpos))).collect();
        TreeWords::new(words, DependencyTree::from_sentence(sentence, RootRule::Single).ok()?)
    };
    sentences.iter().filter_map(one).collect()
}

/// Scores of single arcs under a latent model.
struct LatentArcs<'m> {
    model: &'m Deptree,
    /// By symbols of head and modifier and the position of the head; without a head, by the modifier alone.
    known: HashMap<(Option<(u32, Head)>, u32), f32>,
    scratch: LatentScratch,
}

impl LatentArcs<'_> {
    /// `log p̂` of a word, or of a head and its modifier; `None` if `p̂` is not positive.
    fn log(&mut self, symbols: Vec<u32>, heads: Vec<Head>) -> Option<f64> {
        let tree = DependencyTree::new(heads, RootRule::Single).ok()?;
        let found = self.model.score_sites(&TreeSites::new(symbols, &tree), &mut self.scratch).probability;
        (found.value() > 0.0).then_some(found.log)
    }

    /// How much more likely the words are as head and modifier than independently; 0 where the model gives no estimate.
    fn of_arc(&mut self, head: u32, modifier: u32, left: bool) -> f32 {
        let place = if left { Head::from_number(2) } else { Head::from_number(1) }.unwrap_or(Head::ROOT);
        let key = (Some((head, place)), modifier);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let pair = match left {
            true => self.log(vec![modifier, head], vec![place, Head::ROOT]),
            false => self.log(vec![head, modifier], vec![Head::ROOT, place]),
        };
        let alone = |arcs: &mut Self, symbol| arcs.log(vec![symbol], vec![Head::ROOT]);
        let value = match (pair, alone(self, head), alone(self, modifier)) {
            (Some(pair), Some(head), Some(modifier)) => (pair - head - modifier) as f32,
            _ => 0.0,
        };
        self.known.insert(key, value);
        value
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [train, dev, rest @ ..] = &arguments[..] else { return Err("missing arguments: TRAIN DEV".into()) };
    let (mut train, dev) = (read(train)?, read(dev)?);
    if let Some(sentences) = rest.first() {
        train.truncate(sentences.parse()?);
    }
    let config = MstConfig { structure: Some(Structure::Projective), ..MstConfig::quality(Quality::Fast) };
    let parser = MstLearner { config, ..Default::default() }.learn(&train, &mut Silent)?.model;
    let data = trees(&train);
    let spectral = SpectralLearner::default().learn(&data, &mut Silent)?.model;
    let em = EmLearner { config: EmConfig::default() }.learn(&data, &mut Silent)?.model;
    for (name, model) in [("spectral", &spectral), ("EM", &em)] {
        let mut latent = LatentArcs { model, known: HashMap::new(), scratch: LatentScratch::default() };
        let mut right = [0; WEIGHTS.len() + 1];
        let (mut words, mut scratch, mut eisner, mut heads) =
            (0, Scratch::default(), Eisner::default(), Vec::new());
        for sentence in &dev {
            let own = Word::of_sentence(sentence);
            let Some(scores) = Parser::new(&parser).arc_scores(&own, &mut scratch) else { continue };
            let symbols: Vec<u32> = own
                .iter()
                .map(|word| model.observations().of_word(word.form, &tag(word.upos, word.xpos)) as u32)
                .collect();
            words += own.len();
            // The last entry is for latent scores alone, over the arcs that the parser considers.
            for (at, right) in right.iter_mut().enumerate() {
                let (mut mixed, weight) = (ArcScores::new(own.len()), WEIGHTS.get(at));
                for modifier in 0..own.len() {
                    for head in (0..=own.len()).filter(|&head| scores.get(head, modifier) > f32::NEG_INFINITY)
                    {
                        let of_latent = match head.checked_sub(1) {
                            None => 0.0,
                            Some(place) => latent.of_arc(symbols[place], symbols[modifier], modifier < place),
                        };
                        let score = match weight {
                            Some(weight) => scores.get(head, modifier) + weight * of_latent,
                            None => of_latent,
                        };
                        mixed.set(head, modifier, score);
                    }
                }
                if eisner.decode(&mixed, RootRule::Single, &mut heads).is_some() {
                    *right += sentence
                        .words()
                        .zip(&heads)
                        .filter(|(word, head)| word.head() == Some(**head))
                        .count();
                }
            }
        }
        let shares = right.map(|right| format!("{:.2}", 100.0 * right as f64 / words as f64));
        let (alone, mixed) = shares.split_last().ok_or("no weights")?;
        println!("{name}: UAS with λ = {WEIGHTS:?}: {}; latent scores alone {alone}", mixed.join(" "));
    }
    Ok(())
}
