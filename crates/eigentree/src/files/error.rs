//! Errors of files: which file, which operation, and what to do.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use models::persist::{LoadError, SaveError};

/// A file that could not be read or written. The message names the file and the operation, and gives advice.
#[derive(Debug, thiserror::Error)]
#[error("cannot {act} {name}: {}", self.reason())]
pub struct FileError {
    act: Act,
    name: String,
    #[source]
    cause: Cause,
}

/// The attempted operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Act {
    Open,
    Create,
    Write,
    Load,
    Save,
}

#[derive(Debug, thiserror::Error)]
enum Cause {
    #[error(transparent)]
    Io(io::Error),
    #[error(transparent)]
    Load(LoadError),
    #[error(transparent)]
    Save(SaveError),
}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Act::Open => "open",
            Act::Create => "create",
            Act::Write => "write",
            Act::Load => "load the model from",
            Act::Save => "save the model to",
        })
    }
}

/// How a path is shown: as the user gave it; standard streams by name.
pub(super) fn show(path: &Path) -> String {
    format!("`{}`", path.display())
}

impl FileError {
    pub(super) fn new(act: Act, name: impl Into<String>, error: io::Error) -> Self {
        Self { act, name: name.into(), cause: Cause::Io(error) }
    }

    /// The same where a file is to be read. Who types `dev.ptb` may have `dev.ptb.gz`.
    pub(super) fn open(path: &Path, error: io::Error) -> Self {
        let packed = |ending: &str| {
            let mut other = path.as_os_str().to_owned();
            other.push(ending);
            Some(PathBuf::from(other)).filter(|other| other.is_file())
        };
        let other = [".gz", ".zst"].into_iter().find_map(packed);
        match other.filter(|_| error.kind() == io::ErrorKind::NotFound) {
            Some(other) => {
                let told = format!("there is no such file, but there is {}", show(&other));
                Self::new(Act::Open, show(path), io::Error::new(error.kind(), told))
            }
            None => Self::new(Act::Open, show(path), error),
        }
    }

    pub(super) fn load(name: impl Into<String>, error: LoadError) -> Self {
        Self { act: Act::Load, name: name.into(), cause: Cause::Load(error) }
    }

    pub(super) fn save(name: impl Into<String>, error: SaveError) -> Self {
        Self { act: Act::Save, name: name.into(), cause: Cause::Save(error) }
    }

    /// The same for other files.
    pub(super) fn renamed(self, name: String) -> Self {
        Self { name, ..self }
    }

    /// Whether the file or folder does not exist.
    pub fn is_not_found(&self) -> bool {
        self.io().is_some_and(|error| error.kind() == io::ErrorKind::NotFound)
    }

    /// Whether the reader of our output closed it, as `head` does; a program then stops silently.
    pub fn is_broken_pipe(&self) -> bool {
        self.io().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// The error of loading, if the file could be read but not loaded as a model.
    pub fn load_error(&self) -> Option<&LoadError> {
        match &self.cause {
            Cause::Load(error) => Some(error),
            Cause::Io(_) | Cause::Save(_) => None,
        }
    }

    fn io(&self) -> Option<&io::Error> {
        match &self.cause {
            Cause::Io(error) => Some(error),
            Cause::Load(error) => std::error::Error::source(error)?.downcast_ref(),
            Cause::Save(error) => std::error::Error::source(error)?.downcast_ref(),
        }
    }

    fn reason(&self) -> String {
        use io::ErrorKind as Kind;
        let error = match &self.cause {
            Cause::Io(error) => error,
            Cause::Load(error) => return error.to_string(),
            Cause::Save(error) => return error.to_string(),
        };
        let advice = match (error.kind(), self.act) {
            (Kind::NotFound, _) if error.get_ref().is_some() => return error.to_string(),
            (Kind::AlreadyExists, Act::Create) => "a file has this name; choose another name for the folder",
            (Kind::NotFound, Act::Create) => "its folder does not exist; create the folder first",
            (Kind::NotFound, Act::Write) => {
                "its temporary file is gone; another program may have cleaned up the folder"
            }
            (Kind::NotFound, _) => "there is no such file; check the name",
            (Kind::PermissionDenied, Act::Create | Act::Write | Act::Save) => {
                "permission denied; the file and its folder must be writable, as a temporary file is written there"
            }
            (Kind::PermissionDenied, _) => "permission denied; check its read permissions",
            (Kind::IsADirectory, _) => "it is a folder; give a file",
            (Kind::NotADirectory, _) => {
                "a folder in its path is missing or is a file, or the name ends in a slash"
            }
            (Kind::ReadOnlyFilesystem, _) => "the file system is read-only; choose another place",
            (Kind::StorageFull | Kind::QuotaExceeded, _) => {
                "no space is left; free some, or choose another place"
            }
            _ => return error.to_string(),
        };
        advice.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_act_the_file_and_the_way_out() {
        let error = FileError::new(Act::Open, show(Path::new("x.ptb")), io::ErrorKind::NotFound.into());
        assert_eq!(error.to_string(), "cannot open `x.ptb`: there is no such file; check the name");
        assert!(error.is_not_found());
        let error = FileError::new(Act::Create, show(Path::new("a/x")), io::ErrorKind::NotFound.into());
        assert!(error.to_string().contains("create the folder first"));
        assert!(!error.is_broken_pipe());
    }

    #[test]
    fn a_packed_file_of_the_same_name_is_named() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("a.ptb.gz"), "").unwrap();
        let told = |name: &str| {
            FileError::open(&place.path().join(name), io::ErrorKind::NotFound.into()).to_string()
        };
        assert!(
            told("a.ptb").ends_with("a.ptb.gz`") && told("a.ptb").contains("but there is"),
            "{}",
            told("a.ptb")
        );
        assert!(told("b.ptb").ends_with("check the name"));
    }

    #[test]
    fn a_broken_pipe_is_recognised_inside_a_save_error() {
        let save = SaveError::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert!(FileError::save("standard output", save).is_broken_pipe());
    }
}
