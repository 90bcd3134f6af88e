//! Folders: made for several outputs, searched for inputs.

use std::fs;
use std::path::{Path, PathBuf};

use super::STANDARD_STREAM;
use super::error::{Act, FileError, show};

/// The paths as they are, whatever holds them. Functions that take any kind of paths pass these on, so that what they do is
/// compiled once, in this crate, rather than in that of every caller.
pub(crate) fn plain(paths: &[impl AsRef<Path>]) -> Vec<&Path> {
    paths.iter().map(AsRef::as_ref).collect()
}

/// Creates a folder and its parents; an existing folder is left as it is.
pub fn create_folder(path: impl AsRef<Path>) -> Result<(), FileError> {
    let path = path.as_ref();
    fs::create_dir_all(path).map_err(|error| FileError::new(Act::Create, show(path), error))
}

/// The size of all files together; `None` if one of them is standard input or another stream.
pub(crate) fn total_size(paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Option<u64> {
    let size = |path: &Path| {
        let file = fs::metadata(path).ok().filter(|_| path != Path::new(STANDARD_STREAM))?;
        file.is_file().then_some(file.len())
    };
    paths.into_iter().map(|path| size(path.as_ref())).sum()
}

/// A file to read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundFile {
    /// Its path.
    pub path: PathBuf,
    /// Its path below the folder that was given, or its name if the file itself was given.
    pub relative: PathBuf,
}

/// How deep folders are searched.
const DEEPEST: usize = 32;

/// The files among `paths` and those in the folders among them, each folder's in the order of their names. Files and folders
/// whose names begin with a dot are left out, unless they are given themselves, and so are pipes and devices, which may never end, and
/// links to a folder that they lie in. A link in a folder that leads to nothing is an error, so that no work is lost when its turn
/// comes. A path that is neither stays in the list: opening it tells what is wrong.
pub fn find_files(paths: &[impl AsRef<Path>]) -> Result<Vec<FoundFile>, FileError> {
    let mut found = Vec::new();
    for path in paths {
        let path = path.as_ref();
        if path.is_dir() {
            search(path, Path::new(""), &mut Vec::new(), &mut found)?;
        } else {
            let relative = path.file_name().map_or_else(|| path.to_path_buf(), PathBuf::from);
            found.push(FoundFile { path: path.to_path_buf(), relative });
        }
    }
    Ok(found)
}

/// `above` has the folders that are being searched, under the names that they have without links.
fn search(
    folder: &Path,
    relative: &Path,
    above: &mut Vec<PathBuf>,
    found: &mut Vec<FoundFile>,
) -> Result<(), FileError> {
    let fail = |error| FileError::new(Act::Open, show(folder), error);
    let own = fs::canonicalize(folder).map_err(fail)?;
    if above.len() > DEEPEST || above.contains(&own) {
        return Ok(());
    }
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        names.push(entry.map_err(fail)?.file_name());
    }
    names.sort();
    above.push(own);
    for name in names.into_iter().filter(|name| !name.to_string_lossy().starts_with('.')) {
        let (path, relative) = (folder.join(&name), relative.join(&name));
        match fs::metadata(&path) {
            Ok(data) if data.is_dir() => search(&path, &relative, above, found)?,
            Ok(data) if !data.is_file() => {}
            Ok(_) => found.push(FoundFile { path, relative }),
            Err(error) => return Err(FileError::new(Act::Open, show(&path), error)),
        }
    }
    above.pop();
    Ok(())
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
        assert!(error.starts_with("cannot create `") && error.contains("a file has this name"), "{error}");
    }

    #[test]
    fn files_of_folders_are_found_in_order() {
        let place = tempfile::tempdir().unwrap();
        let file = |name: &str| {
            let path = place.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        };
        ["b.txt", "a/z.txt", "a/c/y.txt", ".hidden", "a/.git/x"].iter().for_each(|name| file(name));
        let found =
            find_files(&[place.path().to_path_buf(), place.path().join("b.txt"), "none".into()]).unwrap();
        let relative: Vec<_> = found.iter().map(|found| found.relative.to_str().unwrap()).collect();
        assert_eq!(relative, ["a/c/y.txt", "a/z.txt", "b.txt", "b.txt", "none"]);
        assert!(found.iter().take(4).all(|found| found.path.is_file()));
    }

    #[cfg(unix)]
    #[test]
    fn links_and_sockets_do_not_make_a_search_endless() {
        use std::os::unix::{fs::symlink, net::UnixListener};
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        fs::create_dir_all(at("in/sub")).unwrap();
        fs::create_dir_all(at("other")).unwrap();
        for name in ["in/a.txt", "in/sub/b.txt", "other/c.txt"] {
            fs::write(at(name), "x").unwrap();
        }
        symlink(at("in"), at("in/sub/up")).unwrap();
        symlink(at("other"), at("in/other")).unwrap();
        symlink(at("in"), at("other/back")).unwrap();
        // As with a pipe, nobody may ever write into it.
        let _socket = UnixListener::bind(at("in/socket")).unwrap();
        let found = find_files(&[at("in")]).unwrap();
        let relative: Vec<_> = found.iter().map(|found| found.relative.to_str().unwrap()).collect();
        assert_eq!(relative, ["a.txt", "other/c.txt", "sub/b.txt"]);
        symlink(at("nowhere"), at("in/z.txt")).unwrap();
        let told = find_files(&[at("in")]).unwrap_err().to_string();
        assert!(told.contains("z.txt") && told.contains("no such file"), "{told}");
    }
}
