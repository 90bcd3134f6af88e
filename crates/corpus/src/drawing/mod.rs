//! Drawings of constituency trees, for terminals and as SVG.
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

mod indented;
mod layout;
mod side_by_side;
mod svg;
mod terminal;

pub use indented::draw_indented;
pub use side_by_side::side_by_side;
pub use svg::{SvgDocument, push_escaped};
pub use terminal::{draw, draw_top_down};
