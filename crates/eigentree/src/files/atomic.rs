//! Files that are written completely or not at all.

use std::collections::BTreeSet;
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
        let registered = UNFINISHED.register(file.path());
        Ok(Self { file, target, name, registered })
    }

    /// Puts the file in its place.
    pub fn commit(self) -> Result<(), FileError> {
        self.sync()?;
        self.put()
    }

    /// Brings everything but the name to the disk, so that little can go wrong with [`put`](Self::put).
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

    /// Gives the file its name.
    pub(super) fn put(self) -> Result<(), FileError> {
        let Self { file, target, name, registered } = self;
        let put = file.persist(&target).map_err(|error| FileError::new(Act::Write, name, error.error));
        sync_folder(folder(&target));
        drop(registered);
        put.map(drop)
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

/// Removes the temporary files of all [`AtomicFile`]s of this process. For interrupt handlers, just before exit:
/// committing any of them fails afterwards.
pub fn remove_unfinished() {
    UNFINISHED.remove_all();
}

static UNFINISHED: Registry = Registry { paths: Mutex::new(BTreeSet::new()) };

/// The existing temporary files.
#[derive(Debug)]
struct Registry {
    paths: Mutex<BTreeSet<PathBuf>>,
}

/// An entry of the registry, removed on drop.
#[derive(Debug)]
struct Registered {
    registry: &'static Registry,
    path: PathBuf,
}

impl Registry {
    fn register(&'static self, path: &Path) -> Registered {
        self.lock().insert(path.to_owned());
        Registered { registry: self, path: path.to_owned() }
    }

    fn remove_all(&self) {
        for path in std::mem::take(&mut *self.lock()) {
            // It may already be gone, and an exiting program cannot report it.
            let _ = fs::remove_file(path);
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<PathBuf>> {
        // The set is consistent even if one of its users panicked.
        self.paths.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        self.registry.lock().remove(&self.path);
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
        assert!(UNFINISHED.lock().contains(&temporary));
        drop(file);
        assert!(names(folder.path()).is_empty());
        assert!(!UNFINISHED.lock().contains(&temporary));
    }

    #[test]
    fn an_interrupt_removes_what_is_registered_and_no_more() {
        // A separate registry: the shared one holds the files of other tests.
        static REGISTRY: Registry = Registry { paths: Mutex::new(BTreeSet::new()) };
        let folder = tempfile::tempdir().unwrap();
        let [finished, unfinished] = ["finished", "unfinished"].map(|name| folder.path().join(name));
        for path in [&finished, &unfinished] {
            fs::write(path, "x").unwrap();
        }
        drop(REGISTRY.register(&finished));
        let _entry = REGISTRY.register(&unfinished);
        REGISTRY.remove_all();
        assert_eq!(names(folder.path()), ["finished"]);
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
