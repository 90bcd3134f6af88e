//! Folders for several outputs.

use std::fs;
use std::path::Path;

use super::error::{Act, FileError, show};

/// Creates a folder and its parents; an existing folder is left as it is.
pub fn create_folder(path: impl AsRef<Path>) -> Result<(), FileError> {
    let path = path.as_ref();
    fs::create_dir_all(path).map_err(|error| FileError::new(Act::Create, show(path), error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_made_once_and_not_over_files() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("a/b");
        create_folder(&folder).unwrap();
        create_folder(&folder).unwrap();
        assert!(folder.is_dir());
        let file = place.path().join("file");
        fs::write(&file, "x").unwrap();
        let error = create_folder(&file).unwrap_err().to_string();
        assert!(error.starts_with("cannot create `") && error.contains("file"), "{error}");
    }
}
