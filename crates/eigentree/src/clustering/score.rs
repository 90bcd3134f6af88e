//! The probability of a text under a cluster model.

use std::io::{self, Read, Write};

use corpus::cooccurrence::Boundaries;
use corpus::format::plain_text::{BlankLines, PlainTextReader, TokenStyle};
use eval::report::{LikelihoodReport, Report};
use models::learn::Observer;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde_json::{Value, json};
use words::clusters::{BrownModel, Sampler, State};

use crate::Error;
use crate::files::Output;

/// Number of lines between two calls of the observer.
const CHUNK: u64 = 1024;

/// The probability of a text.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct TextScore {
    /// The natural logarithm of the probability of the whole text.
    pub log_probability: f64,
    /// Number of words.
    pub tokens: u64,
    /// Number of words in the class of other words, or without a class.
    pub unknown: u64,
    /// Number of lines with words.
    pub lines: u64,
    /// Number of words, plus the ends of lines if the model knows them.
    pub symbols: u64,
}

impl TextScore {
    /// The sum over two texts.
    pub fn plus(self, other: Self) -> Self {
        Self {
            log_probability: self.log_probability + other.log_probability,
            tokens: self.tokens + other.tokens,
            unknown: self.unknown + other.unknown,
            lines: self.lines + other.lines,
            symbols: self.symbols + other.symbols,
        }
    }

    /// The exponential of the mean negative log-probability per symbol.
    pub fn perplexity(&self) -> f64 {
        (-self.log_probability / self.symbols.max(1) as f64).exp()
    }

    /// The score as a likelihood report.
    pub fn report(&self) -> LikelihoodReport {
        LikelihoodReport {
            perplexity: self.perplexity(),
            bits_per_symbol: -self.log_probability / self.symbols.max(1) as f64 / std::f64::consts::LN_2,
            symbols: self.symbols,
            sentences: self.lines as usize,
            impossible: 0,
        }
    }

    /// The score as a JSON object: the likelihood report and the counts.
    pub fn to_json(&self) -> Value {
        let mut object = Report { likelihood: Some(self.report()), ..Report::default() }.to_json_value();
        object["log_probability"] = json!(self.log_probability);
        object["tokens"] = json!(self.tokens);
        object["unknown"] = json!(self.unknown);
        object["lines"] = json!(self.lines);
        object
    }
}

/// Scores a text, called `name` in errors, line by line. `each` gets the natural logarithm of the probability of each
/// line and its number of words. If sequences do not end with lines, each line continues the previous one.
pub fn score_text(
    model: &BrownModel,
    text: impl Read,
    name: &str,
    observer: &mut dyn Observer,
    mut each: impl FnMut(f64, usize) -> Result<(), Error>,
) -> Result<TextScore, Error> {
    observer.stage("score", None);
    let reader = PlainTextReader::new(text, name, TokenStyle::Verbatim).blank_lines(BlankLines::Keep);
    let mut sum = TextScore::default();
    let mut before = State::Border;
    let mut lines = 0;
    for sentence in reader {
        let sentence = sentence?;
        let mut line = TextScore::default();
        for text in sentence.words() {
            let word = model.word(text);
            line.log_probability += model.log_probability(before, word);
            line.tokens += 1;
            line.unknown += u64::from(model.vocab().get(text).is_none());
            before = model.state_of(word);
        }
        if line.tokens > 0 {
            (line.lines, line.symbols) = (1, line.tokens);
            if model.boundaries() == Boundaries::Lines {
                line.log_probability += model.transition(before, State::Border).ln();
                line.symbols += 1;
                before = State::Border;
            }
        }
        each(line.log_probability, sentence.len())?;
        sum = sum.plus(line);
        lines += 1;
        if lines % CHUNK == 0 {
            observer.advance(CHUNK);
            if observer.cancelled() {
                return Err(Error::Cancelled);
            }
        }
    }
    observer.advance(lines % CHUNK);
    Ok(sum)
}

/// Samples lines of text from a model and writes them; returns the number of words. Longer lines are truncated.
pub fn sample_text(
    model: &BrownModel,
    lines: u64,
    longest: usize,
    seed: u64,
    mut output: Output,
    observer: &mut dyn Observer,
) -> Result<u64, Error> {
    observer.stage("sample", Some(lines));
    let sampler = Sampler::new(model);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut words = 0;
    for line in 1..=lines {
        let drawn = sampler.sequence(longest, &mut rng);
        words += drawn.len() as u64;
        let written: io::Result<()> = writeln!(output, "{}", drawn.join(" "));
        written.map_err(|error| output.error(error))?;
        if line % CHUNK == 0 || line == lines {
            observer.advance((line - 1) % CHUNK + 1);
            if observer.cancelled() {
                return Err(Error::Cancelled);
            }
        }
    }
    output.finish()?;
    Ok(words)
}
