//! Errors of loading and saving models.

use std::fmt;
use std::io;

use super::header::FORMAT_VERSION;
use super::kind::Kind;

/// Why a model could not be loaded: what is wrong with the file, and what to do.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct LoadError {
    // Boxed, so that the `Result` of every getter stays small.
    kind: Box<LoadErrorKind>,
}

#[derive(Debug, thiserror::Error)]
enum LoadErrorKind {
    #[error("cannot read the model: {0}")]
    Io(#[source] io::Error),
    #[error(
        "the model file is empty; the program that wrote it may have been interrupted: train or copy it again"
    )]
    Empty,
    #[error("not an Eigentree model{}", .looks_like.map(|name| format!(" (it looks like {name})")).unwrap_or_default())]
    Foreign { looks_like: Option<&'static str> },
    #[error(
        "the model file was changed by a transfer or an editor meant for text: copy it again in binary mode"
    )]
    Mangled,
    #[error(
        "this file was written by a newer Eigentree (format {found}, this build reads up to {FORMAT_VERSION}): update \
         eigentree"
    )]
    NewerFormat { found: u32 },
    #[error("the model file is cut short ({found} bytes of {expected}): copy or train it again")]
    Truncated { expected: u64, found: u64 },
    #[error("the model file has {extra} bytes after its end: copy or train it again")]
    Trailing { extra: u64 },
    #[error("the model file is damaged ({0}): copy or train it again")]
    Damaged(Place),
    #[error(
        "the model file is inconsistent ({what}), though its checksums are right: report this as a bug of its writer"
    )]
    Malformed { what: String },
    #[error(
        "the model has no section `{name}`: it is another kind of model, or was written by another version; train it again"
    )]
    MissingSection { name: String },
    #[error("section `{name}` of the model contains {found} instead of {expected}: train the model again")]
    WrongContents { name: String, expected: String, found: String },
    #[error("expected a model of the family `{expected}`, but this is one of `{found}`")]
    WrongFamily { expected: String, found: String },
    #[error(
        "this `{family}` model was written by a newer Eigentree ({creator}; model format {found}, this build reads up to \
         {supported}): update eigentree"
    )]
    NewerFamilyFormat { family: String, creator: String, found: u32, supported: u32 },
    #[error("section `{name}` of the model is invalid: {what}")]
    Invalid { name: String, what: String },
}

/// Where the damage is.
#[derive(Clone, Debug)]
pub(super) enum Place {
    Header,
    Table,
    Padding { before: String },
    Section { name: String },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Header => write!(f, "its header does not match its checksum"),
            Place::Table => write!(f, "its section table does not match its checksum"),
            Place::Padding { before: name } => write!(f, "the padding before section `{name}` is not zero"),
            Place::Section { name } => write!(f, "section `{name}` does not match its checksum"),
        }
    }
}

impl From<LoadErrorKind> for LoadError {
    fn from(kind: LoadErrorKind) -> Self {
        Self { kind: Box::new(kind) }
    }
}

impl From<io::Error> for LoadError {
    fn from(error: io::Error) -> Self {
        LoadErrorKind::Io(error).into()
    }
}

impl LoadError {
    /// A finding of a family: the contents of section `name` are inconsistent, although the checksum is correct.
    ///
    /// ```
    /// let error = eigentree_models::persist::LoadError::invalid("rules", "rule 7 refers to symbol 12 of 10");
    /// assert_eq!(error.section(), Some("rules"));
    /// ```
    pub fn invalid(name: impl Into<String>, what: impl Into<String>) -> Self {
        LoadErrorKind::Invalid { name: name.into(), what: what.into() }.into()
    }

    /// Whether the file is not a model at all.
    pub fn is_foreign(&self) -> bool {
        matches!(*self.kind, LoadErrorKind::Foreign { .. } | LoadErrorKind::Empty)
    }

    /// Whether the end of the file is missing.
    pub fn is_truncated(&self) -> bool {
        matches!(*self.kind, LoadErrorKind::Truncated { .. } | LoadErrorKind::Empty)
    }

    /// Whether the file was a model but has been altered.
    pub fn is_damaged(&self) -> bool {
        matches!(
            *self.kind,
            LoadErrorKind::Damaged(_) | LoadErrorKind::Mangled | LoadErrorKind::Trailing { .. }
        )
    }

    /// Whether a newer version of the program is needed.
    pub fn is_newer(&self) -> bool {
        matches!(*self.kind, LoadErrorKind::NewerFormat { .. } | LoadErrorKind::NewerFamilyFormat { .. })
    }

    /// Whether the model is intact but of another family.
    pub fn is_wrong_family(&self) -> bool {
        matches!(*self.kind, LoadErrorKind::WrongFamily { .. })
    }

    /// Whether a required section is missing.
    pub fn is_missing_section(&self) -> bool {
        matches!(*self.kind, LoadErrorKind::MissingSection { .. })
    }

    /// Whether the bytes are intact but contradict each other or the expectations of the caller.
    pub fn is_invalid(&self) -> bool {
        matches!(
            *self.kind,
            LoadErrorKind::Malformed { .. }
                | LoadErrorKind::WrongContents { .. }
                | LoadErrorKind::Invalid { .. }
        )
    }

    /// Whether the bytes could not be read at all.
    pub fn is_io(&self) -> bool {
        matches!(*self.kind, LoadErrorKind::Io(_))
    }

    /// The section at fault, if any.
    pub fn section(&self) -> Option<&str> {
        match &*self.kind {
            LoadErrorKind::MissingSection { name }
            | LoadErrorKind::WrongContents { name, .. }
            | LoadErrorKind::Invalid { name, .. }
            | LoadErrorKind::Damaged(Place::Section { name }) => Some(name),
            _ => None,
        }
    }

    pub(super) fn empty() -> Self {
        LoadErrorKind::Empty.into()
    }

    pub(super) fn foreign(looks_like: Option<&'static str>) -> Self {
        LoadErrorKind::Foreign { looks_like }.into()
    }

    pub(super) fn mangled() -> Self {
        LoadErrorKind::Mangled.into()
    }

    pub(super) fn newer_format(found: u32) -> Self {
        LoadErrorKind::NewerFormat { found }.into()
    }

    pub(super) fn truncated(expected: u64, found: u64) -> Self {
        LoadErrorKind::Truncated { expected, found }.into()
    }

    pub(super) fn trailing(extra: u64) -> Self {
        LoadErrorKind::Trailing { extra }.into()
    }

    pub(super) fn damaged(place: Place) -> Self {
        LoadErrorKind::Damaged(place).into()
    }

    pub(super) fn malformed(what: impl Into<String>) -> Self {
        LoadErrorKind::Malformed { what: what.into() }.into()
    }

    pub(super) fn missing_section(name: String) -> Self {
        LoadErrorKind::MissingSection { name }.into()
    }

    pub(super) fn wrong_kind(name: &str, expected: Kind, found: Kind) -> Self {
        let (expected, found) = (expected.to_string(), found.to_string());
        LoadErrorKind::WrongContents { name: name.to_owned(), expected, found }.into()
    }

    pub(super) fn wrong_shape(name: &str, expected: &[usize], found: &[usize]) -> Self {
        let (expected, found) = (format!("shape {expected:?}"), format!("shape {found:?}"));
        LoadErrorKind::WrongContents { name: name.to_owned(), expected, found }.into()
    }

    pub(super) fn wrong_family(expected: &str, found: &str) -> Self {
        LoadErrorKind::WrongFamily { expected: expected.to_owned(), found: found.to_owned() }.into()
    }

    pub(super) fn newer_family_format(family: &str, creator: &str, found: u32, supported: u32) -> Self {
        let (family, creator) = (family.to_owned(), creator.to_owned());
        LoadErrorKind::NewerFamilyFormat { family, creator, found, supported }.into()
    }
}

/// Why a model could not be saved.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct SaveError {
    kind: SaveErrorKind,
}

#[derive(Debug, thiserror::Error)]
enum SaveErrorKind {
    #[error("cannot write the model: {0}")]
    Io(#[source] io::Error),
    #[error("section `{name}` cannot be saved: {what}")]
    BadSection { name: String, what: String },
}

impl From<io::Error> for SaveError {
    fn from(error: io::Error) -> Self {
        Self { kind: SaveErrorKind::Io(error) }
    }
}

impl SaveError {
    pub(super) fn bad_section(name: impl Into<String>, what: impl Into<String>) -> Self {
        Self { kind: SaveErrorKind::BadSection { name: name.into(), what: what.into() } }
    }

    /// Whether writing failed; otherwise a section is at fault.
    pub fn is_io(&self) -> bool {
        matches!(self.kind, SaveErrorKind::Io(_))
    }
}
