//! Transparent decompression of gzip and zstd. The format is detected from the first bytes rather than from a file
//! name, so standard input works like a file.
//!
//! Concatenated gzip members or zstd frames are read as one text, as by the command-line tools. Any other input,
//! including an empty one, is passed through unchanged. A truncated compressed stream is a read error, never a shorter
//! text. Formats that are not read, such as xz, are refused by name; so are zstd streams in builds without the feature
//! `zstd`.

use std::io::{self, BufReader, Cursor, Read};

use flate2::bufread::MultiGzDecoder;

const BUFFER_BYTES: usize = 64 * 1024;
/// Length of the longest magic number.
const MAGIC_BYTES: usize = 10;

/// Compression of a stream.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Compression {
    /// None.
    Plain,
    /// Gzip, RFC 1952.
    Gzip,
    /// Zstandard, RFC 8878.
    Zstd,
}

impl Compression {
    /// Detects the compression of a stream that begins with `prefix`.
    pub fn of_prefix(prefix: &[u8]) -> Compression {
        match prefix {
            // The third byte is the method; deflate is the only one defined.
            [0x1f, 0x8b, 0x08, ..] => Compression::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Compression::Zstd,
            // A skippable frame, which some tools write first.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Compression::Zstd,
            _ => Compression::Plain,
        }
    }
}

/// The name of a packed format that is not read, and the program that unpacks it to standard output.
fn unread_format(prefix: &[u8]) -> Option<(&'static str, &'static str)> {
    match prefix {
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(("xz", "xz -dc")),
        [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59] => Some(("bzip2", "bzip2 -dc")),
        [0x04, 0x22, 0x4d, 0x18, ..] => Some(("lz4", "lz4 -dc")),
        [b'P', b'K', 3, 4, ..] => Some(("zip", "unzip -p")),
        [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => Some(("7z", "7z x -so")),
        _ => None,
    }
}

/// The source, preceded by the bytes that were inspected.
type Replayed<R> = BufReader<io::Chain<Cursor<Vec<u8>>, R>>;

/// A reader of the decompressed bytes of `R`.
pub struct Decompressor<R: Read> {
    inner: Inner<R>,
}

enum Inner<R: Read> {
    Plain(Replayed<R>),
    // The decoders are large; the plain reader should not pay for them.
    Gzip(Box<MultiGzDecoder<Replayed<R>>>),
    #[cfg(feature = "zstd")]
    Zstd(Box<zstd::Decoder<'static, Replayed<R>>>),
}

/// Inspects the first bytes of `source` and wraps it accordingly.
///
/// ```
/// use std::io::Read;
/// use eigentree_corpus::compression::{Compression, decompress};
/// let mut reader = decompress(&b"(ROOT (X x))"[..])?;
/// assert_eq!(reader.compression(), Compression::Plain);
/// let mut text = String::new();
/// reader.read_to_string(&mut text)?;
/// assert_eq!(text, "(ROOT (X x))");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn decompress<R: Read>(mut source: R) -> io::Result<Decompressor<R>> {
    let mut prefix = Vec::with_capacity(MAGIC_BYTES);
    // A pipe may return fewer bytes than requested; `read_to_end` continues, and retries interrupted reads.
    source.by_ref().take(MAGIC_BYTES as u64).read_to_end(&mut prefix)?;
    if let Some((name, program)) = unread_format(&prefix) {
        let message = format!(
            "it is compressed with {name}, which is not read; unpack it first, for example into standard input: \
             `{program} FILE | eigentree …`"
        );
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    let compression = Compression::of_prefix(&prefix);
    let replayed = BufReader::with_capacity(BUFFER_BYTES, Cursor::new(prefix).chain(source));
    let inner = match compression {
        Compression::Plain => Inner::Plain(replayed),
        Compression::Gzip => Inner::Gzip(Box::new(MultiGzDecoder::new(replayed))),
        #[cfg(feature = "zstd")]
        Compression::Zstd => Inner::Zstd(Box::new(zstd::Decoder::with_buffer(replayed)?)),
        #[cfg(not(feature = "zstd"))]
        Compression::Zstd => {
            return Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "it is compressed by zstd, which this build cannot read; decompress it first, or use gzip",
            ));
        }
    };
    Ok(Decompressor { inner })
}

impl<R: Read> Decompressor<R> {
    /// The detected compression.
    pub fn compression(&self) -> Compression {
        match self.inner {
            Inner::Plain(_) => Compression::Plain,
            Inner::Gzip(_) => Compression::Gzip,
            #[cfg(feature = "zstd")]
            Inner::Zstd(_) => Compression::Zstd,
        }
    }
}

impl<R: Read> Read for Decompressor<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.inner {
            Inner::Plain(reader) => reader.read(buffer),
            Inner::Gzip(reader) => reader.read(buffer),
            #[cfg(feature = "zstd")]
            Inner::Zstd(reader) => reader.read(buffer),
        }
    }
}

impl<R: Read> std::fmt::Debug for Decompressor<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Decompressor").field("compression", &self.compression()).finish_non_exhaustive()
    }
}

#[cfg(all(test, feature = "zstd"))]
mod tests {
    use std::io::Write;

    use super::*;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text).expect("memory takes all bytes");
        encoder.finish().expect("memory takes all bytes")
    }

    fn read_all(packed: &[u8]) -> io::Result<(Compression, Vec<u8>)> {
        let mut reader = decompress(packed)?;
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes)?;
        Ok((reader.compression(), bytes))
    }

    /// Long enough to span several buffers, and not highly compressible.
    fn sample() -> Vec<u8> {
        (0..200_000u32).flat_map(|i| format!("{} ", i.wrapping_mul(2_654_435_761)).into_bytes()).collect()
    }

    #[test]
    fn each_packing_is_recognised_and_undone() {
        let text = sample();
        assert_eq!(read_all(&text).unwrap(), (Compression::Plain, text.clone()));
        assert_eq!(read_all(&gzip(&text)).unwrap(), (Compression::Gzip, text.clone()));
        assert_eq!(read_all(&zstd::encode_all(&text[..], 1).unwrap()).unwrap(), (Compression::Zstd, text));
    }

    #[test]
    fn members_and_frames_are_joined() {
        let packed = [gzip(b"one "), gzip(b""), gzip(b"two")].concat();
        assert_eq!(read_all(&packed).unwrap().1, b"one two");
        let frames: Vec<_> =
            [&b"one "[..], b"", b"two"].iter().map(|part| zstd::encode_all(*part, 3).unwrap()).collect();
        assert_eq!(read_all(&frames.concat()).unwrap().1, b"one two");
        // A skippable frame of three bytes in front.
        let skippable = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9], &frames.concat()[..]].concat();
        assert_eq!(read_all(&skippable).unwrap(), (Compression::Zstd, b"one two".to_vec()));
    }

    #[test]
    fn what_is_not_unpacked_is_named() {
        for (start, name) in [
            (&b"\xfd7zXZ\0\0\x04"[..], "xz"),
            (b"BZh91AY&SY....", "bzip2"),
            (b"PK\x03\x04....", "zip"),
            (b"7z\xbc\xaf\x27\x1c\0\x04", "7z"),
            (b"\x04\x22\x4d\x18....", "lz4"),
        ] {
            let error = read_all(start).unwrap_err().to_string();
            assert!(error.contains(&format!("compressed with {name},")), "{error}");
        }
        assert!(read_all(b"BZh9 is a word").is_ok());
    }

    #[test]
    fn short_and_empty_inputs_are_plain() {
        for input in [&b""[..], b"a", b"\x1f", b"\x1f\x8b", b"\x28\xb5\x2f", b"ab\n"] {
            assert_eq!(read_all(input).unwrap(), (Compression::Plain, input.to_vec()));
        }
    }

    #[test]
    fn a_truncated_stream_is_an_error() {
        let text = sample();
        for packed in [gzip(&text), zstd::encode_all(&text[..], 1).unwrap()] {
            for keep in [5, packed.len() / 2, packed.len() - 1] {
                assert!(read_all(&packed[..keep]).is_err(), "{keep} of {} bytes", packed.len());
            }
        }
    }

    #[test]
    fn a_source_that_gives_single_bytes_is_recognised() {
        struct Single<'a>(&'a [u8]);
        impl Read for Single<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let Some((&first, rest)) = self.0.split_first() else { return Ok(0) };
                buffer[0] = first;
                self.0 = rest;
                Ok(1)
            }
        }
        let packed = gzip(b"drip");
        let mut text = String::new();
        decompress(Single(&packed)).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "drip");
    }
}
