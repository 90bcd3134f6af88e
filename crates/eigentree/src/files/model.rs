//! Opens model files.

use std::io::{self, Read, Seek};
use std::path::Path;
use std::time::SystemTime;

use corpus::compression::{Compression, decompress};
use memmap2::Mmap;
use models::persist::{Container, LoadError, MAGIC};

use super::STANDARD_STREAM;
use super::error::{Act, FileError, show};
use super::input::{Input, can_be_read_again, check_input, open_file};

/// The number of leading bytes that [`Compression`] looks at.
const MAGIC_BYTES: u64 = 4;

/// Whether the file at `path` begins like a model or count file. What begins on standard input, in a pipe or device, would
/// be lost for the next reader, so it is not looked at and the result is `false`.
pub fn is_model(path: impl AsRef<Path>) -> Result<bool, FileError> {
    is_model_at(path.as_ref())
}

fn is_model_at(path: &Path) -> Result<bool, FileError> {
    if !can_be_read_again(path) {
        return check_input(path).map(|()| false);
    }
    let mut start = Vec::new();
    let read = Input::open(path)?.take(MAGIC.len() as u64).read_to_end(&mut start);
    read.map_err(|error| FileError::new(Act::Open, show(path), error))?;
    Ok(start == MAGIC)
}

/// Opens the model at `path`, or on standard input if it is `-`, and checks it.
///
/// A plain file is mapped into memory: nothing is copied, and processes share it. While a model is in use its file may
/// be removed or replaced by another, as every writer here does, but must not be rewritten in place. Compressed files
/// and pipes are read into memory.
pub fn open_model(path: impl AsRef<Path>) -> Result<Container, FileError> {
    open_model_at(path.as_ref())
}

fn open_model_at(path: &Path) -> Result<Container, FileError> {
    if path == Path::new(STANDARD_STREAM) {
        return Container::from_reader(Input::stdin()?)
            .map_err(|error| FileError::load("standard input", error));
    }
    let fail = |error: LoadError| FileError::load(show(path), error);
    let fail_io = |error: io::Error| FileError::new(Act::Open, show(path), error);
    let mut file = open_file(path)?;
    let metadata = file.metadata().map_err(fail_io)?;
    if !metadata.is_file() {
        return Container::from_reader(decompress(file).map_err(fail_io)?).map_err(fail);
    }
    let mut start = Vec::new();
    file.by_ref().take(MAGIC_BYTES).read_to_end(&mut start).map_err(fail_io)?;
    // An empty file cannot be mapped.
    if start.is_empty() {
        return Container::from_bytes(start).map_err(fail);
    }
    if Compression::of_prefix(&start) != Compression::Plain {
        file.rewind().map_err(fail_io)?;
        return Container::from_reader(decompress(file).map_err(fail_io)?).map_err(fail);
    }
    // SAFETY: the bytes of a map must not change under the slices made from it. `AtomicFile`, through which all our
    // files are written, replaces a file by renaming and never writes into one that has a name, so the mapped file
    // keeps its content. The documentation of `open_model` asks the same of other programs.
    let map = unsafe { Mmap::map(&file) }.map_err(fail_io)?;
    Container::from_mmap(map).map_err(fail)
}

/// Reads the model at `path` into memory and checks it. Unlike that of [`open_model`], its content stays the same whatever
/// happens to the file, which suits programs that run for long.
pub fn read_model(path: impl AsRef<Path>) -> Result<Container, FileError> {
    read_model_at(path.as_ref())
}

fn read_model_at(path: &Path) -> Result<Container, FileError> {
    Container::from_reader(Input::open(path)?).map_err(|error| FileError::load(show(path), error))
}

/// What tells whether a file was written again or replaced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileStamp {
    length: u64,
    modified: Option<SystemTime>,
    /// The number of the file in its file system, where there are such numbers.
    number: u64,
}

/// The stamp of the file at `path`. Pipes and devices have none: reading them again may wait for ever.
pub fn stamp_of(path: impl AsRef<Path>) -> Result<FileStamp, FileError> {
    let path = path.as_ref();
    let fail = |error| FileError::new(Act::Open, show(path), error);
    let metadata = std::fs::metadata(path).map_err(fail)?;
    if !metadata.is_file() {
        return Err(fail(io::Error::other("it is not a regular file")));
    }
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino(&metadata);
    #[cfg(not(unix))]
    let number = 0;
    Ok(FileStamp { length: metadata.len(), modified: metadata.modified().ok(), number })
}

#[cfg(test)]
mod tests {
    use models::persist::{ContainerWriter, Metadata};

    use super::*;
    use crate::files::Output;

    fn save(path: &Path, numbers: &[f32]) {
        let mut writer = ContainerWriter::new(&Metadata::new("test", 1));
        writer.array("numbers", numbers);
        let length = Output::create(path).unwrap().write_model(writer).unwrap();
        assert!(length > 4 * numbers.len() as u64);
    }

    #[test]
    fn models_are_opened_plain_and_packed() {
        let folder = tempfile::tempdir().unwrap();
        let numbers: Vec<f32> = (0..10_000).map(|i| i as f32).collect();
        for name in ["a.eig", "a.eig.gz", "a.eig.zst"] {
            let path = folder.path().join(name);
            save(&path, &numbers);
            assert_eq!(open_model(&path).unwrap().array::<f32>("numbers").unwrap()[..], numbers, "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn an_open_model_survives_its_replacement_and_removal() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.eig");
        save(&path, &[1.0; 100_000]);
        let old = open_model(&path).unwrap().array::<f32>("numbers").unwrap();
        save(&path, &[2.0]);
        let new = open_model(&path).unwrap().array::<f32>("numbers").unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(old.iter().all(|&number| number == 1.0) && old.len() == 100_000);
        assert_eq!(new[..], [2.0]);
    }

    #[test]
    fn a_model_in_memory_survives_a_file_that_is_cut_short_and_the_stamp_shows_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.eig");
        save(&path, &[1.0; 100_000]);
        let (container, stamp) = (read_model(&path).unwrap(), stamp_of(&path).unwrap());
        assert_eq!(stamp_of(&path).unwrap(), stamp);
        std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(10).unwrap();
        assert_ne!(stamp_of(&path).unwrap(), stamp);
        assert!(container.array::<f32>("numbers").unwrap().iter().all(|&number| number == 1.0));
        assert!(read_model(&path).unwrap_err().load_error().is_some_and(LoadError::is_truncated));
    }

    #[test]
    fn errors_name_the_file_and_the_fault() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.eig");
        assert!(open_model(&path).unwrap_err().is_not_found());
        save(&path, &[1.0; 100]);
        let whole = std::fs::read(&path).unwrap();
        for length in [0, 3, 100, whole.len() - 1] {
            std::fs::write(&path, &whole[..length]).unwrap();
            let error = open_model(&path).unwrap_err();
            assert!(error.load_error().is_some_and(LoadError::is_truncated), "{length}: {error}");
            assert!(error.to_string().contains("a.eig`"), "{error}");
        }
        std::fs::write(&path, "(S (NP dogs) (VP bark))\n").unwrap();
        let error = open_model(&path).unwrap_err();
        assert!(error.to_string().contains("not an Eigentree model (it looks like text"), "{error}");
        assert!(open_model(folder.path()).unwrap_err().to_string().contains("folder"));
        // A compressed model that was cut short.
        std::fs::write(&path, &zstd::encode_all(&whole[..], 0).unwrap()[..60]).unwrap();
        assert!(open_model(&path).is_err());
    }
}
