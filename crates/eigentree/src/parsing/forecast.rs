//! What a very long sentence takes, said before it is parsed.
//!
//! With *n* words, *C* coarse and *P* fine phrases the coarse pass visits about *n*³/6 pairs of a span and a split point, and fills
//! *n*²/2 cells with 2 *C* numbers each; the fine pass keeps up to 3 *P* numbers in the cells that are left to it, a quarter of
//! them in long sentences. Latent states are computed over what both leave.

use std::fmt;

use grammars::pcfg::Pcfg;

/// Seconds per coarse phrase, span and split point, on a core of today. Sentences of 600 and 1,200 words took 3.6 to 4.7 ns with
/// a grammar of English-GUM and 4.6 to 5.5 ns with latent states.
const SECONDS: f64 = 4.5e-9;

/// What is worth telling: more than anybody waits without a word, or more than a laptop has left.
const LONG: f64 = 60.0;
const LARGE: f64 = 4e9;

/// The expected cost of one sentence.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Forecast {
    words: usize,
    seconds: f64,
    bytes: f64,
}

impl Forecast {
    /// The cost of a sentence of this many words, if it is worth telling.
    pub(super) fn of(words: usize, grammar: &Pcfg) -> Option<Self> {
        Self::of_sizes(words, grammar.coarse_phrases(), grammar.symbols().phrases())
    }

    fn of_sizes(words: usize, coarse: usize, fine: usize) -> Option<Self> {
        let [n, coarse, fine] = [words, coarse, fine].map(|size| size as f64);
        let seconds = n.powi(3) / 6.0 * coarse * SECONDS;
        let bytes = n.powi(2) / 2.0 * 4.0 * (2.0 * coarse + 0.25 * 3.0 * fine);
        (seconds >= LONG || bytes >= LARGE).then_some(Self { words, seconds, bytes })
    }
}

impl fmt::Display for Forecast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a sentence of {} words takes roughly ", self.words)?;
        match self.seconds {
            seconds if seconds < 100.0 => write!(f, "{seconds:.0} s")?,
            seconds if seconds < 6000.0 => write!(f, "{:.0} min", seconds / 60.0)?,
            seconds => write!(f, "{:.1} h", seconds / 3600.0)?,
        }
        write!(f, " and {:.1} GB of memory; a smaller --max-words leaves it out", self.bytes / 1e9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_measured_is_foretold() {
        // Of the grammar of English-GUM with 96 coarse and 594 fine phrases: 101 s and 1.8 GB, with states 128 s and 2.1 GB.
        let forecast = Forecast::of_sizes(1200, 96, 594).unwrap();
        assert!((80.0..160.0).contains(&forecast.seconds), "{forecast}");
        assert!((1.5e9..2.5e9).contains(&forecast.bytes), "{forecast}");
        assert_eq!(Forecast::of_sizes(600, 96, 594), None, "what every run parses is not worth a word");
    }

    #[test]
    fn hours_and_gigabytes_are_named() {
        let told = Forecast::of_sizes(5100, 96, 594).unwrap().to_string();
        assert_eq!(
            told,
            "a sentence of 5100 words takes roughly 2.7 h and 33.2 GB of memory; a smaller --max-words leaves it out"
        );
        assert!(Forecast::of_sizes(usize::MAX, 1, 1).is_some());
    }
}
