//! word2vec binary format: a line with the number of words and the dimension, then each word, a space, and its numbers
//! as little-endian 32-bit floats.

use std::io::{self, BufRead, BufReader, Read, Write};

use super::text::header;
use super::vectors::{TRUSTED, WordVectors, check_word, error_at};
use crate::error::ReadError;

/// Maximum length of the first line and of a word.
const LONGEST: u64 = 1 << 16;

/// Writes `vectors`, with a line feed after each, like the original tool.
pub fn write_binary(vectors: &WordVectors, mut sink: impl Write) -> io::Result<()> {
    writeln!(sink, "{} {}", vectors.words().len(), vectors.dimension())?;
    let mut record = Vec::new();
    for (word, values) in vectors.iter() {
        check_word(word)?;
        record.clear();
        record.extend_from_slice(word.as_bytes());
        record.push(b' ');
        record.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        record.push(b'\n');
        sink.write_all(&record)?;
    }
    Ok(())
}

/// Reads from `source`. Errors refer to it as `source_name`; the line of an error is the number of the word plus one.
/// The line feeds after the vectors may be missing.
pub fn read_binary(source: impl Read, source_name: &str) -> Result<WordVectors, ReadError> {
    let mut source = BufReader::new(source);
    let io = |line: u64| move |error| ReadError::Io { source_name: source_name.to_owned(), line, error };
    let first = field(&mut source, b'\n').map_err(io(0))?;
    let (count, dimension) = std::str::from_utf8(&first).ok().and_then(header).ok_or_else(|| {
        error_at(source_name, 1, "the number of words and their dimension", "something else")
    })?;
    let bytes = dimension
        .checked_mul(4)
        .ok_or_else(|| error_at(source_name, 1, "a dimension", format!("{dimension}")))?;
    let mut words = Vec::with_capacity(count.min(TRUSTED));
    let mut values = Vec::with_capacity(count.saturating_mul(dimension).min(TRUSTED));
    let mut record = Vec::new();
    for index in 0..count {
        let line = index as u64 + 2;
        let word = field(&mut source, b' ').map_err(io(line))?;
        let word = word.strip_prefix(b"\n").unwrap_or(&word);
        let word = std::str::from_utf8(word)
            .ok()
            .filter(|word| !word.is_empty())
            .ok_or_else(|| error_at(source_name, line, "a word in UTF-8 and a space", "something else"))?;
        words.push(word.to_owned());
        record.clear();
        source.by_ref().take(bytes as u64).read_to_end(&mut record).map_err(io(line))?;
        if record.len() < bytes {
            return Err(error_at(
                source_name,
                line,
                &format!("{bytes} bytes of numbers"),
                "the end of the file",
            ));
        }
        let (numbers, _) = record.as_chunks::<4>();
        values.extend(numbers.iter().map(|&number| f32::from_le_bytes(number)));
    }
    let end = count as u64 + 1;
    let mut rest = Vec::new();
    source.take(2).read_to_end(&mut rest).map_err(io(end))?;
    if !rest.is_empty() && rest != b"\n" {
        return Err(error_at(source_name, end, "the end of the file", "more bytes"));
    }
    WordVectors::new(words, dimension, values)
        .map_err(|error| error_at(source_name, end, "vectors", error.to_string()))
}

/// The bytes up to `end`, which is dropped; empty if the source or the length limit ends before.
fn field(source: &mut impl BufRead, end: u8) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(LONGEST).read_until(end, &mut bytes)?;
    // Without the terminator it is not a field.
    if bytes.pop() != Some(end) {
        bytes.clear();
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_bit_by_bit() {
        let values = vec![0.1, f32::NAN, 1e-38, f32::from_le_bytes(*b"\n \n ")];
        let vectors = WordVectors::new(vec!["ä".to_owned(), "b".to_owned()], 2, values).unwrap();
        let mut bytes = Vec::new();
        write_binary(&vectors, &mut bytes).unwrap();
        assert!(bytes.starts_with(b"2 2\n\xc3\xa4 \xcd\xcc\xcc\x3d"));
        let read = read_binary(&bytes[..], "-").unwrap();
        assert_eq!(read.words(), vectors.words());
        let bits = |vectors: &WordVectors| vectors.values().iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&read), bits(&vectors));
        // Without line feeds, as some tools write it.
        let bare = b"2 1\na \0\0\x80\x3fb \0\0\0\x40";
        assert_eq!(read_binary(&bare[..], "-").unwrap().values(), [1.0, 2.0]);
    }

    #[test]
    fn cut_and_foreign_files_are_refused() {
        let vectors = WordVectors::new(vec!["a".to_owned(), "b".to_owned()], 2, vec![1.0; 4]).unwrap();
        let mut bytes = Vec::new();
        write_binary(&vectors, &mut bytes).unwrap();
        for cut in 0..bytes.len() - 1 {
            assert!(read_binary(&bytes[..cut], "-").is_err(), "{cut}");
        }
        bytes.extend(b"more");
        assert!(read_binary(&bytes[..], "-").is_err());
        assert!(read_binary(&b"99999999999 99999999999\na "[..], "-").is_err());
    }
}
