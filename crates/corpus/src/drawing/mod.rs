//! Drawings of constituency trees and of dependency arcs, for terminals and as SVG.
//!
//! ```
//! use eigentree_corpus::{drawing, tree::Tree};
//! let tree: Tree = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))".parse()?;
//! assert_eq!(drawing::draw(&tree, 80), "
//!       S
//!    ┌──┴───┐
//!    NP     VP
//!  ┌─┴─┐    │
//!  DT  NN  VBZ
//! the dog barks
//! ".trim_start_matches('\n'));
//! # Ok::<(), eigentree_corpus::error::ReadError>(())
//! ```

mod arcs;
mod confidence;
mod indented;
mod layout;
mod side_by_side;
mod svg;
mod terminal;

pub use arcs::{ArcSentence, ArcWord, Mark, draw_arcs};
pub use indented::{draw_indented, draw_outline};
pub use side_by_side::side_by_side;
pub use svg::{NodeLook, SvgDocument, push_escaped, text_width};
pub use terminal::{draw, draw_top_down};
