//! Dependency trees as arcs over the words, for terminals and as SVG.
//!
//! Short sentences stand in one row, with the arcs above it. Longer ones, and those of right-to-left scripts, which a
//! terminal may reorder, get one line per word with the arcs at the left.
//!
//! ```
//! use eigentree_corpus::drawing::{ArcSentence, draw_arcs};
//! use eigentree_corpus::format::conllu::ConlluReader;
//! let conllu = "1\tthe\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tdog\t_\tNOUN\t_\t_\t3\tnsubj\t_\t_\n\
//!               3\tbarks\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n";
//! let sentence = ConlluReader::new(conllu.as_bytes(), "example").next().unwrap()?;
//! println!("{}", draw_arcs(&ArcSentence::of_sentence(&sentence), 80));
//! # Ok::<(), eigentree_corpus::error::ReadError>(())
//! ```

mod grid;
mod horizontal;
mod layout;
mod sentence;
mod svg;
mod vertical;

pub use sentence::{ArcSentence, ArcWord, Mark};

/// Draws a sentence with its arcs: in one row if that fits into `width` columns, else with one word per line. Every
/// line ends in a line feed.
pub fn draw_arcs(sentence: &ArcSentence, width: usize) -> String {
    horizontal::draw(sentence, width).unwrap_or_else(|| vertical::draw(sentence))
}

pub(super) use svg::push_arcs;
