//! Reads a file or standard input, compressed or not.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use corpus::compression::{Compression, Decompressor, decompress};

use super::STANDARD_STREAM;
use super::error::{Act, FileError};

/// A stream of decompressed bytes with a name for error messages.
#[derive(Debug)]
pub struct Input {
    name: String,
    reader: Decompressor<Metered>,
    packed_bytes: Arc<AtomicU64>,
}

/// The source of the bytes.
#[derive(Debug)]
enum Raw {
    File(File),
    Stdin(io::Stdin),
}

/// A source that counts the bytes read.
#[derive(Debug)]
struct Metered {
    raw: Raw,
    bytes: Arc<AtomicU64>,
}

impl Read for Metered {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = match &mut self.raw {
            Raw::File(file) => file.read(buffer),
            Raw::Stdin(stdin) => stdin.read(buffer),
        }?;
        self.bytes.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl Input {
    /// Opens the file at `path`, or standard input if it is `-`. A file of that name can be opened as `./-`.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FileError> {
        Self::open_at(path.as_ref())
    }

    fn open_at(path: &Path) -> Result<Self, FileError> {
        if path == Path::new(STANDARD_STREAM) {
            return Self::stdin();
        }
        let raw = Raw::File(open_file(path)?);
        Self::new(raw, path.display().to_string()).map_err(|error| FileError::open(path, error))
    }

    /// Opens standard input; waits for its first bytes.
    pub fn stdin() -> Result<Self, FileError> {
        Self::new(Raw::Stdin(io::stdin()), STANDARD_STREAM.to_owned())
            .map_err(|error| FileError::new(Act::Open, "standard input", error))
    }

    fn new(raw: Raw, name: String) -> io::Result<Self> {
        let packed_bytes = Arc::new(AtomicU64::new(0));
        let reader = decompress(Metered { raw, bytes: Arc::clone(&packed_bytes) })?;
        Ok(Self { name, reader, packed_bytes })
    }

    /// A counter of the bytes read from the file itself, possibly compressed, for progress reports.
    pub fn packed_bytes(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.packed_bytes)
    }

    /// The name for error messages: the path as it was given, or `-`.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer).map_err(|error| match self.reader.compression() {
            Compression::Plain => error,
            // Errors with an operating system code concern the bytes; all others concern the compression.
            _ if error.raw_os_error().is_some() || error.kind() == io::ErrorKind::Interrupted => error,
            _ => io::Error::new(
                error.kind(),
                format!(
                    "the compressed data are cut short or damaged ({error}); copy or compress the file again"
                ),
            ),
        })
    }
}

/// Whether what `path` names can be read more than once. What was read from a pipe, a device or standard input is gone.
pub fn can_be_read_again(path: impl AsRef<Path>) -> bool {
    let path = path.as_ref();
    // A file that is missing is told by whoever opens it.
    path != Path::new(STANDARD_STREAM) && std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
}

/// Finds out whether the file at `path` can be opened, before long work. Standard input, pipes and devices are not touched:
/// a pipe that is closed again ends the program that writes to it.
pub fn check_input(path: impl AsRef<Path>) -> Result<(), FileError> {
    let path = path.as_ref();
    if path == Path::new(STANDARD_STREAM) {
        return Ok(());
    }
    let metadata = std::fs::metadata(path).map_err(|error| FileError::open(path, error))?;
    if metadata.is_file() || metadata.is_dir() {
        open_file(path)?;
    }
    Ok(())
}

/// Opens a file that is not a folder. On some systems opening a folder succeeds and only reading fails.
pub(super) fn open_file(path: &Path) -> Result<File, FileError> {
    let open = || -> io::Result<File> {
        let file = File::open(path)?;
        if file.metadata()?.is_dir() { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(file) }
    };
    open().map_err(|error| FileError::open(path, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_files_are_read_whatever_their_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text.txt");
        std::fs::write(&path, zstd::encode_all(&b"packed"[..], 0).unwrap()).unwrap();
        let input = Input::open(&path).unwrap();
        assert_eq!(input.name(), path.to_str().unwrap());
        assert_eq!(io::read_to_string(input).unwrap(), "packed");
    }

    #[test]
    fn packed_files_that_were_cut_short_are_told_with_advice() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text.zst");
        let packed = zstd::encode_all(&b"packed".repeat(1000)[..], 0).unwrap();
        std::fs::write(&path, &packed[..packed.len() - 3]).unwrap();
        let error = io::read_to_string(Input::open(&path).unwrap()).unwrap_err();
        assert!(error.to_string().contains("cut short or damaged"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn what_cannot_be_read_again_is_not_touched_before_it_is_read() {
        let (folder, null) = (tempfile::tempdir().unwrap(), Path::new("/dev/null"));
        let path = folder.path().join("text.txt");
        std::fs::write(&path, "text").unwrap();
        assert!(can_be_read_again(&path));
        for other in [Path::new(STANDARD_STREAM), null, folder.path(), &folder.path().join("none")] {
            assert!(!can_be_read_again(other), "{}", other.display());
        }
        check_input(&path).unwrap();
        check_input(null).unwrap();
        check_input(folder.path()).unwrap_err();
        assert!(check_input(folder.path().join("none")).unwrap_err().is_not_found());
    }

    #[test]
    fn missing_files_and_folders_are_refused_when_opened() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Input::open(folder.path().join("none")).unwrap_err().is_not_found());
        let error = Input::open(folder.path()).unwrap_err();
        assert!(error.to_string().contains("it is a folder"), "{error}");
    }
}
