//! Temporary files of processes that were killed.
//!
//! A process locks its temporary files, and the system drops the locks of a process that ends, however it ends. So a file
//! with our name that can be locked belongs to nobody any more.

use std::collections::BTreeSet;
use std::fs::{self, DirEntry, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

pub(super) const PREFIX: &str = ".eigentree-";
pub(super) const SUFFIX: &str = ".part";

/// A younger file may belong to a process that has not locked it yet.
const YOUNGEST: Duration = Duration::from_secs(60);

/// The folders that this process has looked through: once is enough, and a folder may hold millions of outputs.
static SEEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Marks a temporary file as used by this process, as long as it is open.
pub(super) fn claim(file: &File) {
    // Some file systems have no locks; leftovers stay there, as `remove` cannot lock them either.
    let _ = file.try_lock();
}

/// Removes the temporary files in `folder` whose processes have ended. Failures are ignored: they are not the user's concern.
pub(super) fn remove_in(folder: &Path) {
    let first = fs::canonicalize(folder)
        .is_ok_and(|folder| SEEN.lock().unwrap_or_else(PoisonError::into_inner).insert(folder));
    if first {
        remove_older(folder, YOUNGEST);
    }
}

fn remove_older(folder: &Path, age: Duration) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten().filter(|entry| is_ours(entry) && is_older(entry, age)) {
        // Writing access, since a shared lock of a reader would not tell.
        let Ok(file) = File::options().write(true).open(entry.path()) else { continue };
        if file.try_lock().is_ok() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_ours(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    let ours = name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
    // Not a link: that would be somebody else's.
    ours && entry.file_type().is_ok_and(|kind| kind.is_file())
}

fn is_older(entry: &DirEntry, age: Duration) -> bool {
    let changed = entry.metadata().and_then(|metadata| metadata.modified());
    changed.is_ok_and(|changed| SystemTime::now().duration_since(changed).is_ok_and(|passed| passed >= age))
}

#[cfg(test)]
mod tests {
    use super::super::atomic::tests::names;
    use super::*;

    #[test]
    fn files_without_an_owner_are_removed_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in [".eigentree-dead.part", ".eigentree-used.part", ".eigentree-x.txt", "other.part"] {
            fs::write(at(name), "x").unwrap();
        }
        let used = File::options().write(true).open(at(".eigentree-used.part")).unwrap();
        claim(&used);
        remove_older(folder.path(), YOUNGEST);
        assert_eq!(names(folder.path()).len(), 4, "all are too young");
        remove_older(folder.path(), Duration::ZERO);
        assert_eq!(names(folder.path()), [".eigentree-used.part", ".eigentree-x.txt", "other.part"]);
        drop(used);
        remove_older(folder.path(), Duration::ZERO);
        assert_eq!(names(folder.path()), [".eigentree-x.txt", "other.part"]);
    }

    #[test]
    fn a_folder_is_looked_through_once() {
        let folder = tempfile::tempdir().unwrap();
        let dead = folder.path().join(".eigentree-dead.part");
        let make = || {
            let file = File::create(&dead).unwrap();
            file.set_modified(SystemTime::now() - 2 * YOUNGEST).unwrap();
        };
        make();
        remove_in(folder.path());
        assert!(!dead.exists());
        make();
        remove_in(folder.path());
        assert!(dead.exists());
    }

    #[test]
    fn after_the_clock_went_back_files_of_the_future_stay() {
        let folder = tempfile::tempdir().unwrap();
        let dead = folder.path().join(".eigentree-dead.part");
        File::create(&dead).unwrap().set_modified(SystemTime::now() + 2 * YOUNGEST).unwrap();
        remove_older(folder.path(), YOUNGEST);
        assert!(dead.exists());
    }
}
