//! Conventions of attachment scoring.

/// Treatment of relation subtypes such as `nsubj:pass`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Subtypes {
    /// Compare universal relations only, as the shared task does.
    #[default]
    Cut,
    /// Compare full relations.
    Keep,
}

/// Conventions of a comparison; the default is that of the shared task.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct AttachmentConfig {
    /// Treatment of relation subtypes.
    pub subtypes: Subtypes,
}
