//! Files that are written completely or not at all.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

use super::error::{Act, FileError, show};
use super::leftovers;

/// Maximum number of symbolic links to follow before reporting a loop, as on Linux.
const MAX_LINKS: usize = 40;

/// A file under construction: written next to its target, and moved there by [`commit`](Self::commit).
///
/// - Until then an existing file of that name is untouched; afterwards the new one is safely on disk.
/// - Dropped without a commit, it disappears. If the process is killed, the next file in that folder
///   removes what it left.
/// - It gets the permissions of the file it replaces, or those of a new file. Owner and hard links are not preserved.
/// - A symbolic link is kept; its target is replaced.
/// - A program that has the old file open or mapped keeps the old content.
#[derive(Debug)]
pub struct AtomicFile {
    file: NamedTempFile<File>,
    /// The target, with links followed.
    target: PathBuf,
    /// The path as the user gave it.
    name: String,
    registered: Registered,
}

impl AtomicFile {
    /// Starts a file that will be at `path`. Fails now, not at the end of a long job, if it could not be put there.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        let name = show(path);
        let fail = |error| FileError::new(Act::Create, name.clone(), error);
        let target = follow_links(path).map_err(fail)?;
        match fs::metadata(&target) {
            Ok(old) if old.is_dir() => return Err(fail(io::ErrorKind::IsADirectory.into())),
            // A read-only file must not be replaced, even if its folder is writable.
            Ok(_) => drop(File::options().write(true).open(&target).map_err(fail)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(fail(error)),
        }
        if target.file_name().is_none() {
            return Err(fail(io::ErrorKind::IsADirectory.into()));
        }
        leftovers::remove_in(folder(&target));
        let file = tempfile::Builder::new()
            .prefix(leftovers::PREFIX)
            .suffix(leftovers::SUFFIX)
            // A regular new file, whose permissions follow the umask; temporary files would be private.
            .make_in(folder(&target), |path| File::options().write(true).create_new(true).open(path))
            // The error would name the temporary file, which the user does not know.
            .map_err(|error| fail(error.kind().into()))?;
        leftovers::claim(file.as_file());
        let registered = REGISTRY.register(file.path(), &name);
        Ok(Self { file, target, name, registered })
    }

    /// Puts the file in its place.
    pub fn commit(self) -> Result<(), FileError> {
        self.sync()?;
        Self::put_all(vec![self]).map_err(|(_, error)| error)
    }

    /// Brings everything but the name to the disk, so that little can go wrong with [`put_all`](Self::put_all).
    pub(super) fn sync(&self) -> Result<(), FileError> {
        let sync = || -> io::Result<()> {
            if let Ok(old) = fs::metadata(&self.target) {
                self.file.as_file().set_permissions(old.permissions())?;
            }
            // Without this the new name could reach the disk before the content.
            self.file.as_file().sync_all()
        };
        sync().map_err(|error| FileError::new(Act::Write, self.name.clone(), error))
    }

    /// Gives the files their names, one directly after the other, in their order. [`remove_unfinished`] comes before all of them
    /// or after. If one fails, those after it are not tried; the error is the failed one's, with its place.
    pub(super) fn put_all(files: Vec<Self>) -> Result<(), (usize, FileError)> {
        let mut registry = REGISTRY.lock();
        let mut named = Vec::new();
        let mut failed = None;
        let mut given_up = Vec::new();
        for (at, Self { file, target, name, registered }) in files.into_iter().enumerate() {
            if failed.is_some() {
                given_up.push((file, registered));
                continue;
            }
            match file.persist(&target) {
                Ok(_) => {
                    registry.published(&registered);
                    named.push((target, registered));
                }
                Err(error) => {
                    failed = Some((at, FileError::new(Act::Write, name, error.error)));
                    given_up.push((error.file, registered));
                }
            }
        }
        // Entries leave the registry when they are dropped, so it must be free by then.
        drop(registry);
        named.iter().for_each(|(target, _)| sync_folder(folder(target)));
        failed.map_or(Ok(()), Err)
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_file_mut().flush()
    }
}

/// What became of the files of a process that ends before its time.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unfinished {
    /// The files that never got their names, as they were given, in the order of their names.
    pub not_written: Vec<String>,
    /// The number of files that did.
    pub written: usize,
}

/// Removes the temporary files of all [`AtomicFile`]s of this process. For interrupt handlers, just before exit:
/// committing any of them fails afterwards. Files that appear together are left alone while they do.
pub fn remove_unfinished() -> Unfinished {
    REGISTRY.remove_all()
}

/// Names of files that were given up to remember, for messages; a process that runs for long forgets further ones.
const REMEMBERED: usize = 64;

static REGISTRY: Registry = Registry::new();

/// The existing temporary files.
#[derive(Debug)]
struct Registry {
    files: Mutex<Files>,
}

#[derive(Debug)]
struct Files {
    /// The names of files under construction, by their temporary paths.
    unfinished: BTreeMap<PathBuf, String>,
    given_up: Vec<String>,
    written: usize,
}

/// An entry of the registry, removed on drop.
#[derive(Debug)]
struct Registered {
    registry: &'static Registry,
    path: PathBuf,
}

impl Registry {
    const fn new() -> Self {
        Self { files: Mutex::new(Files { unfinished: BTreeMap::new(), given_up: Vec::new(), written: 0 }) }
    }

    fn register(&'static self, path: &Path, name: &str) -> Registered {
        self.lock().unfinished.insert(path.to_owned(), name.to_owned());
        Registered { registry: self, path: path.to_owned() }
    }

    fn remove_all(&self) -> Unfinished {
        let mut files = self.lock();
        let mut not_written = std::mem::take(&mut files.given_up);
        for (path, name) in std::mem::take(&mut files.unfinished) {
            // It may already be gone, and an exiting program cannot report it.
            let _ = fs::remove_file(path);
            not_written.push(name);
        }
        not_written.sort();
        Unfinished { not_written, written: std::mem::take(&mut files.written) }
    }

    fn lock(&self) -> MutexGuard<'_, Files> {
        // The lists are consistent even if one of their users panicked.
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Files {
    fn published(&mut self, registered: &Registered) {
        self.unfinished.remove(&registered.path);
        self.written += 1;
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        let mut files = self.registry.lock();
        // A file that has its name is no longer listed.
        if let Some(name) = files.unfinished.remove(&self.path)
            && files.given_up.len() < REMEMBERED
        {
            files.given_up.push(name);
        }
    }
}

/// The path behind all symbolic links, which need not exist.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_symlink() => path = folder(&path).join(fs::read_link(&path)?),
            _ => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links; they may form a loop"))
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// Makes the new name durable, where folders can be opened. The file is complete either way, so errors are ignored.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The names of what a folder holds, sorted.
    pub(in crate::files) fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn write(path: &Path, text: &str) -> Result<(), FileError> {
        let mut file = AtomicFile::create(path)?;
        file.write_all(text.as_bytes()).unwrap();
        file.commit()
    }

    #[test]
    fn the_old_file_stands_until_the_commit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.eig");
        write(&path, "old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(folder.path()).len(), 2);
        file.commit().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(folder.path()), ["model.eig"]);
    }

    #[test]
    fn nothing_is_left_of_a_file_that_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.eig");
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        let temporary = file.registered.path.clone();
        assert!(REGISTRY.lock().unfinished.contains_key(&temporary));
        drop(file);
        assert!(names(folder.path()).is_empty());
        assert!(!REGISTRY.lock().unfinished.contains_key(&temporary));
    }

    #[test]
    fn an_interrupt_removes_what_is_registered_and_no_more() {
        // A separate registry: the shared one holds the files of other tests.
        static REGISTRY: Registry = Registry::new();
        let folder = tempfile::tempdir().unwrap();
        let [finished, given_up, unfinished] =
            ["finished", "given up", "unfinished"].map(|name| folder.path().join(name));
        for path in [&finished, &unfinished] {
            fs::write(path, "x").unwrap();
        }
        let entry = REGISTRY.register(&finished, "f");
        REGISTRY.lock().published(&entry);
        drop(entry);
        drop(REGISTRY.register(&given_up, "g"));
        let _entry = REGISTRY.register(&unfinished, "u");
        let told = REGISTRY.remove_all();
        assert_eq!(told, Unfinished { not_written: vec!["g".to_owned(), "u".to_owned()], written: 1 });
        assert_eq!(names(folder.path()), ["finished"]);
        assert_eq!(REGISTRY.remove_all(), Unfinished::default());
    }

    #[test]
    fn a_commit_without_the_temporary_file_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.eig");
        let file = AtomicFile::create(&path).unwrap();
        fs::remove_file(file.file.path()).unwrap();
        assert!(file.commit().unwrap_err().is_not_found());
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn folders_and_places_without_a_folder_are_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let error = AtomicFile::create(folder.path()).unwrap_err();
        assert!(error.to_string().contains("it is a folder"), "{error}");
        let error = AtomicFile::create(&folder.path().join("no/where.eig")).unwrap_err();
        assert!(error.to_string().contains("create the folder first"), "{error}");
        assert!(AtomicFile::create(Path::new("..")).is_err());
        assert!(AtomicFile::create(Path::new("")).is_err());
    }

    #[cfg(unix)]
    mod unix {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

        use super::*;

        fn mode(path: &Path) -> u32 {
            fs::metadata(path).unwrap().mode() & 0o777
        }

        #[test]
        fn permissions_are_those_of_a_new_file_or_of_the_old_one() {
            let folder = tempfile::tempdir().unwrap();
            let [plain, path] = ["plain", "atomic"].map(|name| folder.path().join(name));
            File::create(&plain).unwrap();
            write(&path, "new").unwrap();
            assert_eq!(mode(&path), mode(&plain));
            fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
            write(&path, "newer").unwrap();
            assert_eq!(mode(&path), 0o640);
        }

        #[test]
        fn links_are_kept_and_their_targets_replaced() {
            let folder = tempfile::tempdir().unwrap();
            let at = |name: &str| folder.path().join(name);
            fs::create_dir(at("store")).unwrap();
            fs::write(at("store/model.eig"), "old").unwrap();
            symlink("store/model.eig", at("direct")).unwrap();
            symlink("direct", at("indirect")).unwrap();
            write(&at("indirect"), "new").unwrap();
            assert_eq!(fs::read_to_string(at("store/model.eig")).unwrap(), "new");
            assert!(fs::symlink_metadata(at("direct")).unwrap().is_symlink());
            assert!(fs::symlink_metadata(at("indirect")).unwrap().is_symlink());

            symlink("store/later.eig", at("dangling")).unwrap();
            write(&at("dangling"), "made").unwrap();
            assert_eq!(fs::read_to_string(at("store/later.eig")).unwrap(), "made");

            symlink("round", at("round")).unwrap();
            assert!(write(&at("round"), "x").is_err());
        }

        #[test]
        fn whoever_has_the_old_file_open_keeps_it() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("model.eig");
            write(&path, "old").unwrap();
            let old = File::open(&path).unwrap();
            write(&path, "new and longer").unwrap();
            assert_eq!(io::read_to_string(old).unwrap(), "old");
        }
    }
}
