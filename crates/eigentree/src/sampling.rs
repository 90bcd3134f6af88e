//! Synthetic treebanks from grammars with hidden states.

use std::io::{self, Write};
use std::path::Path;

use corpus::synthetic::{self, HiddenStates, LatentGrammar, SampleConfig, cycle, english, grammar_text};
use corpus::tree::Tree;
use corpus::tree::root::wrap_root;
use models::learn::Observer;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::Error;
use crate::conversion::{Item, Sink, SinkConfig, Target};
use crate::files::{Input, Output};

/// The name of the built-in grammar of English-like sentences.
pub const ENGLISH: &str = "english";

/// The name of the built-in small grammar in normal form.
pub const CYCLE: &str = "cycle";

/// The label at the top of every sampled tree.
const TOP: &str = "ROOT";

/// Number of trees between two calls of the observer.
const CHUNK: u64 = 256;

/// Configuration of sampling.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SamplingConfig {
    /// Number of trees.
    pub trees: u64,
    /// Maximum number of words; longer sentences are drawn again.
    pub max_words: usize,
    /// Whether labels show their hidden states.
    pub hidden_states: HiddenStates,
    /// Seed. The same seed gives the same trees; a smaller sample is a prefix of a larger one.
    pub seed: u64,
}

impl Default for SamplingConfig {
    fn default() -> Self {
        let SampleConfig { max_words, hidden_states } = SampleConfig::default();
        Self { trees: 1000, max_words, hidden_states, seed: 1 }
    }
}

/// Draws trees from the built-in grammar. The same seed gives the same trees.
pub fn sample_english(trees: usize, seed: u64) -> Vec<Tree> {
    synthetic::sample_treebank(english(), trees, seed)
        .expect("the built-in grammar is sound, as its tests show")
}

/// Calls a function with the grammar called `name`: [`ENGLISH`], [`CYCLE`], or a file in the format of [`grammar_text`].
pub fn with_grammar<T>(
    name: &Path,
    draw: impl FnOnce(&LatentGrammar) -> Result<T, Error>,
) -> Result<T, Error> {
    if name == Path::new(ENGLISH) {
        return draw(english());
    }
    if name == Path::new(CYCLE) {
        return draw(cycle());
    }
    let text = grammar_source(name)?;
    let grammar = grammar_text::parse(&text).map_err(|error| {
        let (told, shown) = (error.to_string(), name.display());
        // The reader does not know the name of the file.
        Error::Data(match told.strip_prefix("grammar:") {
            Some(rest) => format!("{shown}:{rest}"),
            None => format!("{shown}: {told}"),
        })
    })?;
    draw(&grammar)
}

/// The text of the grammar called `name`: [`ENGLISH`], [`CYCLE`], or the content of a file.
pub fn grammar_source(name: &Path) -> Result<String, Error> {
    if name == Path::new(ENGLISH) {
        return Ok(synthetic::ENGLISH.to_owned());
    }
    if name == Path::new(CYCLE) {
        return Ok(synthetic::CYCLE.to_owned());
    }
    let input = Input::open(name).map_err(|error| match error.is_not_found() {
        true => Error::Data(format!("{error}; the built-in grammars are called `{ENGLISH}` and `{CYCLE}`")),
        false => error.into(),
    })?;
    let shown = input.name().to_owned();
    io::read_to_string(input).map_err(|error| {
        Error::Data(format!(
            "cannot read a grammar from {shown}: {error}; `sample {ENGLISH} --show-grammar` shows one"
        ))
    })
}

/// Samples trees, each below a root of its own.
///
/// # Errors
/// If sentences are longer than the limit again and again.
pub fn sample_trees(grammar: &LatentGrammar, config: &SamplingConfig) -> Result<Vec<Tree>, Error> {
    let sample = SampleConfig { max_words: config.max_words, hidden_states: config.hidden_states };
    let mut rng = ChaCha8Rng::seed_from_u64(config.seed);
    let mut draw = || grammar.sample(&sample, &mut rng).map_err(|error| Error::Data(error.to_string()));
    (0..config.trees).map(|_| Ok(wrap_root(draw()?, TOP))).collect()
}

/// Samples trees and writes them to `output`, which it finishes. Returns the number of words.
pub fn sample(
    grammar: &LatentGrammar,
    config: &SamplingConfig,
    target: Target,
    mut output: Output,
    observer: &mut dyn Observer,
) -> Result<u64, Error> {
    observer.stage("sample", Some(config.trees));
    let sample = SampleConfig { max_words: config.max_words, hidden_states: config.hidden_states };
    let mut rng = ChaCha8Rng::seed_from_u64(config.seed);
    let mut sink = Sink::new(&mut output, target, SinkConfig::default());
    let mut words = 0;
    let mut failure = None;
    for done in 1..=config.trees {
        let tree = grammar.sample(&sample, &mut rng).map_err(|error| Error::Data(error.to_string()))?;
        words += tree.word_count() as u64;
        if let Err(error) = sink.write(&Item::Tree(wrap_root(tree, TOP))) {
            failure = Some(error);
            break;
        }
        if done % CHUNK == 0 || done == config.trees {
            observer.advance((done - 1) % CHUNK + 1);
            if observer.cancelled() {
                return Err(Error::Cancelled);
            }
        }
    }
    let finished = match failure {
        None => sink.finish().and_then(|out| out.flush()),
        Some(error) => Err(error),
    };
    finished.map_err(|error| output.error(error))?;
    output.finish()?;
    Ok(words)
}
