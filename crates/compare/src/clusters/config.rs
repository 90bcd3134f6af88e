//! What is compared, and on what.

use corpus::cooccurrence::{Boundaries, Encoding, UNKNOWN};
use eigentree::training::Preset;
use words::clusters::{Method, SpectralConfig};

/// What is compared.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// Who takes part, each once.
    pub methods: Vec<Method>,
    /// Numbers of clusters.
    pub clusters: Vec<usize>,
    /// How many words are kept apart.
    pub vocab: Vec<usize>,
    /// The name of the class of other words.
    pub unknown: String,
    /// Where sequences of words end.
    pub boundaries: Boundaries,
    /// What happens to bytes that are no UTF-8.
    pub encoding: Encoding,
    /// For the method `spectral`; for the other spectral method its rank and weights are the usual ones of that.
    pub spectral: SpectralConfig,
    /// Settings with which the method `spectral` runs besides that of `spectral`: Figure 6 of the paper.
    pub sweep: Vec<SpectralConfig>,
    /// Whether the tables of the paper are printed, with its numbers beside ours.
    pub preset: Preset,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            methods: vec![Method::Brown, Method::Spectral, Method::Exchange, Method::SpectralExchange],
            clusters: vec![50, 100, 200],
            vocab: vec![10_000],
            unknown: UNKNOWN.to_owned(),
            boundaries: Boundaries::default(),
            encoding: Encoding::default(),
            spectral: SpectralConfig::of(Method::Spectral),
            sweep: Vec::new(),
            preset: Preset::Own,
        }
    }
}

/// The text.
#[derive(Clone, Copy, Debug)]
pub struct Data<'t> {
    /// Learnt from.
    pub train: &'t [u8],
    /// Whose perplexity is told.
    pub held_out: &'t [u8],
}

/// A text without its last `1/part` lines, and these.
///
/// ```
/// use eigentree_compare::clusters::split;
/// assert_eq!(split(b"a\nb\nc\nd\n", 4), (&b"a\nb\nc\n"[..], &b"d\n"[..]));
/// ```
pub fn split(text: &[u8], part: usize) -> (&[u8], &[u8]) {
    let lines = text.iter().filter(|&&byte| byte == b'\n').count();
    let kept = lines - lines / part.max(1);
    let mut ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    let cut = if kept == 0 { 0 } else { ends.nth(kept - 1).unwrap_or(text.len()) };
    text.split_at(cut)
}
