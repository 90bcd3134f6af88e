//! Writes a file or standard output, compressed or not.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::write::GzEncoder;
use models::persist::ContainerWriter;

use super::STANDARD_STREAM;
use super::atomic::AtomicFile;
use super::error::{Act, FileError, show};

const BUFFER_BYTES: usize = 64 * 1024;

/// A buffered output. It must be [`finish`](Self::finish)ed: a file that is dropped before never appears.
pub struct Output {
    name: String,
    packer: Packer,
}

enum Packer {
    Plain(BufWriter<Raw>),
    // Boxed: the encoders are large.
    Gzip(Box<GzEncoder<BufWriter<Raw>>>),
    #[cfg(feature = "zstd")]
    Zstd(Box<zstd::Encoder<'static, BufWriter<Raw>>>),
}

/// The target of the bytes.
enum Raw {
    Atomic(AtomicFile),
    /// A device or a pipe, which can only be written in place.
    Direct(File),
    Stdout(io::Stdout),
}

impl Write for Raw {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Raw::Atomic(file) => file.write(bytes),
            Raw::Direct(file) => file.write(bytes),
            Raw::Stdout(stdout) => stdout.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Raw::Atomic(file) => file.flush(),
            Raw::Direct(file) => file.flush(),
            Raw::Stdout(stdout) => stdout.flush(),
        }
    }
}

/// An [`Output`] that is complete but does not have its name yet. If it is dropped, it never appears.
#[must_use = "a file appears when it is published"]
pub struct SealedOutput {
    name: String,
    /// A file; what was written to a device or a pipe is out already.
    file: Option<AtomicFile>,
}

impl SealedOutput {
    /// Moves the file to its path.
    pub fn publish(self) -> Result<(), FileError> {
        Self::publish_all([self])
    }

    /// Moves all files to their paths, one directly after the other: who looks at them, or kills the process, finds all old or
    /// all new, unless it happens between two renames; [`remove_unfinished`](super::remove_unfinished) never does. An error
    /// names all that were not written.
    pub fn publish_all(outputs: impl IntoIterator<Item = Self>) -> Result<(), FileError> {
        // What went to a device or a pipe is out already.
        let (names, files): (Vec<String>, Vec<AtomicFile>) =
            outputs.into_iter().filter_map(|output| Some((output.name, output.file?))).unzip();
        AtomicFile::put_all(files).map_err(|(at, error)| error.renamed(names[at..].join(", ")))
    }
}

impl Output {
    /// Starts the file at `path`, or standard output if it is `-`. A name ending in `.gz` or `.zst` compresses it.
    ///
    /// Call it before long work, so that a path that cannot be written is reported at once.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, FileError> {
        Self::create_at(path.as_ref())
    }

    fn create_at(path: &Path) -> Result<Self, FileError> {
        if path == Path::new(STANDARD_STREAM) {
            return Ok(Self::stdout());
        }
        let name = show(path);
        let fail = |error| FileError::new(Act::Create, name.clone(), error);
        // `/dev/null`, `/dev/stdout` and pipes must be written, not replaced.
        let raw = match fs::metadata(path) {
            Ok(metadata) if !metadata.is_file() && !metadata.is_dir() => {
                Raw::Direct(File::options().write(true).open(path).map_err(fail)?)
            }
            _ => Raw::Atomic(AtomicFile::create(path)?),
        };
        let buffered = BufWriter::with_capacity(BUFFER_BYTES, raw);
        let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
        let packer = match extension.as_deref().and_then(|extension| extension.to_str()) {
            Some("gz") => Packer::Gzip(Box::new(GzEncoder::new(buffered, flate2::Compression::default()))),
            #[cfg(feature = "zstd")]
            Some("zst") => Packer::Zstd(Box::new(
                zstd::Encoder::new(buffered, zstd::DEFAULT_COMPRESSION_LEVEL).map_err(fail)?,
            )),
            #[cfg(not(feature = "zstd"))]
            Some("zst") => {
                let reason =
                    "this build cannot write zstd; choose another name, such as one that ends in .gz";
                return Err(fail(io::Error::new(io::ErrorKind::Unsupported, reason)));
            }
            _ => Packer::Plain(buffered),
        };
        Ok(Self { name, packer })
    }

    /// Standard output.
    pub fn stdout() -> Self {
        let raw = Raw::Stdout(io::stdout());
        Self {
            name: "standard output".to_owned(),
            packer: Packer::Plain(BufWriter::with_capacity(BUFFER_BYTES, raw)),
        }
    }

    /// Writes the remaining bytes, and moves a file to its path.
    pub fn finish(self) -> Result<(), FileError> {
        self.seal()?.publish()
    }

    /// Writes the remaining bytes. The file is on disk then, under a temporary name.
    pub fn seal(self) -> Result<SealedOutput, FileError> {
        let Self { name, packer } = self;
        let end = || -> io::Result<Raw> {
            let buffered = match packer {
                Packer::Plain(buffered) => buffered,
                Packer::Gzip(encoder) => encoder.finish()?,
                #[cfg(feature = "zstd")]
                Packer::Zstd(encoder) => encoder.finish()?,
            };
            let mut raw = buffered.into_inner().map_err(io::IntoInnerError::into_error)?;
            raw.flush()?;
            Ok(raw)
        };
        let file = match end().map_err(|error| FileError::new(Act::Write, name.clone(), error))? {
            Raw::Atomic(file) => {
                file.sync()?;
                Some(file)
            }
            Raw::Direct(_) | Raw::Stdout(_) => None,
        };
        Ok(SealedOutput { name, file })
    }

    /// Writes a model and finishes; returns the size of the model.
    pub fn write_model(self, model: ContainerWriter<'_>) -> Result<u64, FileError> {
        let (length, sealed) = self.seal_model(model)?;
        sealed.publish()?;
        Ok(length)
    }

    /// Writes a model and [`seal`](Self::seal)s the output; returns the size of the model.
    pub fn seal_model(mut self, model: ContainerWriter<'_>) -> Result<(u64, SealedOutput), FileError> {
        let length = model.write_to(&mut self).map_err(|error| FileError::save(self.name.clone(), error))?;
        Ok((length, self.seal()?))
    }

    /// Turns an error of [`Write`] into one that names the file.
    pub fn error(&self, error: io::Error) -> FileError {
        FileError::new(Act::Write, self.name.clone(), error)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.packer {
            Packer::Plain(writer) => writer.write(bytes),
            Packer::Gzip(writer) => writer.write(bytes),
            #[cfg(feature = "zstd")]
            Packer::Zstd(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.packer {
            Packer::Plain(writer) => writer.flush(),
            // Nobody reads a compressed file before it is complete. Compressing what happens to be there would cost size, and
            // the bytes would depend on time.
            Packer::Gzip(_) => Ok(()),
            #[cfg(feature = "zstd")]
            Packer::Zstd(_) => Ok(()),
        }
    }
}

impl std::fmt::Debug for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Output").field("name", &self.name).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Input;

    #[test]
    fn sealed_files_appear_together_and_an_error_names_the_missing_ones() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let sealed = |name: &str| {
            let mut output = Output::create(at(name)).unwrap();
            output.write_all(b"new").unwrap();
            output.seal().unwrap()
        };
        let both = [sealed("a"), sealed("b")];
        assert!(!at("a").exists() && !at("b").exists());
        SealedOutput::publish_all(both).unwrap();
        assert_eq!(fs::read(at("a")).unwrap(), b"new");
        assert_eq!(fs::read(at("b")).unwrap(), b"new");

        let three = ["c", "d", "e"].map(sealed);
        fs::create_dir(at("d")).unwrap();
        let error = SealedOutput::publish_all(three).unwrap_err().to_string();
        assert!(at("c").is_file() && !at("e").exists());
        assert!(!error.contains("/c`") && error.contains("/d`, `") && error.contains("/e`: "), "{error}");
    }

    #[test]
    fn the_name_says_how_to_pack() {
        let folder = tempfile::tempdir().unwrap();
        let text = "one line of several\n".repeat(20_000);
        for (name, start) in [("a.txt", &b"one"[..]), ("a.GZ", b"\x1f\x8b"), ("a.b.zst", b"\x28\xb5\x2f\xfd")]
        {
            let path = folder.path().join(name);
            let mut output = Output::create(&path).unwrap();
            output.write_all(text.as_bytes()).unwrap();
            assert!(!path.exists());
            output.finish().unwrap();
            assert!(fs::read(&path).unwrap().starts_with(start), "{name}");
            assert_eq!(io::read_to_string(Input::open(&path).unwrap()).unwrap(), text);
        }
    }

    #[test]
    fn a_dropped_output_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.gz");
        fs::write(&path, "old").unwrap();
        let mut output = Output::create(&path).unwrap();
        output.write_all(&[7; 1 << 20]).unwrap();
        drop(output);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_are_written_and_not_replaced() {
        use std::os::unix::fs::FileTypeExt;
        let mut output = Output::create("/dev/null").unwrap();
        output.write_all(b"x").unwrap();
        output.finish().unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());

        let mut full = Output::create("/dev/full").unwrap();
        full.write_all(b"x").unwrap();
        let error = full.finish().unwrap_err();
        assert_eq!(
            error.to_string(),
            "cannot write `/dev/full`: no space is left; free some, or choose another place"
        );
    }

    #[test]
    fn compressed_bytes_do_not_depend_on_flushes() {
        let folder = tempfile::tempdir().unwrap();
        let written = |name: &str, flushes: usize| {
            let path = folder.path().join(name);
            let mut output = Output::create(&path).unwrap();
            for line in 0..100 {
                writeln!(output, "line {line} of one hundred").unwrap();
                if flushes > 0 && line % flushes == 0 {
                    output.flush().unwrap();
                }
            }
            output.finish().unwrap();
            std::fs::read(path).unwrap()
        };
        assert_eq!(written("a.gz", 0), written("b.gz", 7));
        #[cfg(feature = "zstd")]
        assert_eq!(written("a.zst", 0), written("b.zst", 7));
    }
}
