//! Whether a decoder computes confidences.

/// Whether a parser also computes confidences, which costs time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Confidences {
    /// Leave them out.
    #[default]
    Skip,
    /// Compute them.
    Compute,
}
