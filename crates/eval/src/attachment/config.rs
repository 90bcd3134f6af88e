//! Conventions of attachment scoring.

/// What to do with the subtype of a relation, `nsubj:pass`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Subtypes {
    /// Compare universal relations only, as the shared task does.
    #[default]
    Cut,
    /// Compare whole relations.
    Keep,
}

/// The conventions of a comparison; the default is the shared task's.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct AttachmentConfig {
    /// Subtypes of relations.
    pub subtypes: Subtypes,
}
