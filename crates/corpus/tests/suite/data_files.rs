//! Location of the real treebanks for tests.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use eigentree_corpus::compression::decompress;

/// The data directory: `$EIGENTREE_DATA`, or `shared/data` beside the checkout. Reports visibly if there is none.
pub(crate) fn data_directory(subdirectory: &str) -> Option<PathBuf> {
    let root = match std::env::var_os("EIGENTREE_DATA") {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
    };
    let directory = root.join(subdirectory);
    if directory.is_dir() {
        Some(directory)
    } else {
        eprintln!("SKIPPED: no {} (set EIGENTREE_DATA to run this test)", directory.display());
        None
    }
}

/// All files below `directory` whose name, without `.gz`, ends in `suffix`; sorted.
pub(crate) fn files_below(directory: &Path, suffix: &str) -> Vec<PathBuf> {
    let mut pending = vec![directory.to_path_buf()];
    let mut files = Vec::new();
    while let Some(directory) = pending.pop() {
        for entry in std::fs::read_dir(&directory).expect("data directory is readable") {
            let path = entry.expect("data directory is readable").path();
            if path.is_dir() {
                pending.push(path);
            } else if path.to_string_lossy().trim_end_matches(".gz").ends_with(suffix) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The decompressed bytes of a file.
pub(crate) fn unpacked(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    let file = File::open(path).expect("data file opens");
    decompress(file).expect("data file unpacks").read_to_end(&mut bytes).expect("data file unpacks");
    bytes
}
