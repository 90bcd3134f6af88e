//! Whether a decoder computes confidences.

/// Whether a decoder also computes confidences, which takes extra time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Confidences {
    /// Skip them.
    #[default]
    Skip,
    /// Compute them.
    Compute,
}
