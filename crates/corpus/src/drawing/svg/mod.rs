//! Trees as SVG: one self-contained document for any browser or editor.

mod document;
mod sideways;
mod text;
mod top_down;

pub use document::{NodeLook, SvgDocument};
pub use text::{push_escaped, text_width};

pub(super) use document::{BELOW, FONT_SIZE, Frame, MARGIN};
pub(super) use text::UNIT;
