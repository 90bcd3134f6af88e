//! `.npy`, the array format of NumPy, version 1.0, for the numbers. The words go to a list, one per line, in the same
//! order.

use std::io::{self, Read, Write};

use super::super::lines::{LineReader, quote};
use super::vectors::{TRUSTED, WordVectors, check_word, error_at};
use crate::error::ReadError;

const MAGIC: &[u8] = b"\x93NUMPY";
const ALIGNMENT: usize = 64;
/// Maximum length of a header.
const MAX_HEADER: usize = 1 << 16;

/// Writes the numbers as a matrix of 32-bit floats with one row per word.
pub fn write_npy(vectors: &WordVectors, mut sink: impl Write) -> io::Result<()> {
    let (rows, columns) = (vectors.words().len(), vectors.dimension());
    let mut header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    let start = MAGIC.len() + 4;
    while !(start + header.len() + 1).is_multiple_of(ALIGNMENT) {
        header.push(' ');
    }
    header.push('\n');
    sink.write_all(MAGIC)?;
    sink.write_all(&[1, 0])?;
    sink.write_all(&(header.len() as u16).to_le_bytes())?;
    sink.write_all(header.as_bytes())?;
    let mut bytes = Vec::new();
    for (_, values) in vectors.iter() {
        bytes.clear();
        bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        sink.write_all(&bytes)?;
    }
    Ok(())
}

/// Writes the words of the rows, one per line.
pub fn write_words(vectors: &WordVectors, mut sink: impl Write) -> io::Result<()> {
    for word in vectors.words() {
        check_word(word)?;
        writeln!(sink, "{word}")?;
    }
    Ok(())
}

/// Reads a matrix of 32-bit or 64-bit floats, in either storage order, and the words of its rows. Each source comes
/// with the name used in errors.
pub fn read_npy(
    (numbers, numbers_name): (impl Read, &str),
    (words, words_name): (impl Read, &str),
) -> Result<WordVectors, ReadError> {
    let array = read_array(numbers, numbers_name)?;
    let mut lines = LineReader::new(words, words_name);
    let mut words = Vec::new();
    while let Some(line) = lines.next_line()? {
        words.push(line.text.to_owned());
    }
    if words.len() != array.rows {
        let expected = format!("{} words, one per row of {numbers_name}", array.rows);
        return Err(error_at(words_name, lines.line_number(), &expected, format!("{} of them", words.len())));
    }
    WordVectors::new(words, array.columns, array.values)
        .map_err(|error| error_at(numbers_name, 1, "a table", error.to_string()))
}

struct Array {
    rows: usize,
    columns: usize,
    values: Vec<f32>,
}

fn read_array(mut source: impl Read, name: &str) -> Result<Array, ReadError> {
    let io = |error| ReadError::Io { source_name: name.to_owned(), line: 0, error };
    let mut take = |count: usize| -> Result<Vec<u8>, ReadError> {
        let mut bytes = Vec::with_capacity(count.min(TRUSTED));
        source.by_ref().take(count as u64).read_to_end(&mut bytes).map_err(io)?;
        if bytes.len() < count {
            let found = format!("the end of the file after {}", bytes.len());
            return Err(error_at(name, 1, &format!("{count} more bytes"), found));
        }
        Ok(bytes)
    };
    let start = take(MAGIC.len() + 2)?;
    if !start.starts_with(MAGIC) {
        return Err(error_at(name, 1, "a NumPy array file", "something else"));
    }
    let length = match start[MAGIC.len()] {
        1 => take(2)?,
        _ => take(4)?,
    };
    let length = length.iter().rev().fold(0usize, |sum, &byte| sum << 8 | usize::from(byte));
    if length > MAX_HEADER {
        return Err(error_at(name, 1, "a header of at most 64 kB", format!("one of {length} bytes")));
    }
    let header = take(length)?;
    let header = String::from_utf8_lossy(&header).into_owned();
    let bad = || error_at(name, 1, "a table of '<f4' or '<f8'", quote(header.trim_end()));
    let width = match entry(&header, "descr").ok_or_else(bad)?.trim_matches(['\'', '"']) {
        "<f4" => 4,
        "<f8" => 8,
        _ => return Err(bad()),
    };
    let by_columns = match entry(&header, "fortran_order") {
        Some("False") => false,
        Some("True") => true,
        _ => return Err(bad()),
    };
    let (rows, columns) = shape(&header).ok_or_else(bad)?;
    let count =
        rows.checked_mul(columns).filter(|count| count.checked_mul(width).is_some()).ok_or_else(bad)?;
    let bytes = take(count * width)?;
    if !take_rest(&mut source).map_err(io)?.is_empty() {
        return Err(error_at(name, 1, "the end of the file", "more bytes"));
    }
    let mut values: Vec<f32> = if width == 4 {
        bytes.as_chunks::<4>().0.iter().map(|&number| f32::from_le_bytes(number)).collect()
    } else {
        bytes.as_chunks::<8>().0.iter().map(|&number| f64::from_le_bytes(number) as f32).collect()
    };
    if by_columns {
        values = (0..count).map(|index| values[index % columns * rows + index / columns]).collect();
    }
    Ok(Array { rows, columns, values })
}

fn take_rest(source: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut rest = Vec::new();
    source.take(1).read_to_end(&mut rest)?;
    Ok(rest)
}

/// The plain value of a key in the header.
fn entry<'a>(header: &'a str, key: &str) -> Option<&'a str> {
    let after = header.split_once(&format!("'{key}':"))?.1;
    Some(after.split([',', '}']).next()?.trim())
}

fn shape(header: &str) -> Option<(usize, usize)> {
    let inside = header.split_once("'shape':")?.1.split_once('(')?.1.split_once(')')?.0;
    let (rows, columns) = inside.split_once(',')?;
    Some((rows.trim().parse().ok()?, columns.trim().trim_end_matches(',').parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vectors() -> WordVectors {
        let words = ["a", "b", "ä"].map(str::to_owned).to_vec();
        WordVectors::new(words, 2, vec![0.1, -1.0, 2.5, f32::MIN_POSITIVE, 1e30, 0.0]).unwrap()
    }

    fn written() -> (Vec<u8>, Vec<u8>) {
        let (mut numbers, mut words) = (Vec::new(), Vec::new());
        write_npy(&vectors(), &mut numbers).unwrap();
        write_words(&vectors(), &mut words).unwrap();
        (numbers, words)
    }

    #[test]
    fn what_is_written_is_read() {
        let (numbers, words) = written();
        assert_eq!(read_npy((&numbers[..], "n"), (&words[..], "w")).unwrap(), vectors());
        // As in NumPy, the numbers begin at a multiple of 64.
        assert_eq!(numbers.len() % ALIGNMENT, 24);
        assert_eq!(&numbers[..10], b"\x93NUMPY\x01\x00\x76\x00");
        assert_eq!(numbers[127], b'\n');
        assert_eq!(words, "a\nb\nä\n".as_bytes());
    }

    #[test]
    fn columns_first_and_wide_numbers_are_read() {
        let header = "{'descr': '<f8', 'fortran_order': True, 'shape': (3, 2), }\n";
        let mut file = [MAGIC, &[2, 0], &(header.len() as u32).to_le_bytes(), header.as_bytes()].concat();
        for value in [1.0f64, 2.0, 3.0, 4.0, 5.0, 6.0] {
            file.extend(value.to_le_bytes());
        }
        let read = read_npy((&file[..], "n"), (&b"a\nb\nc\n"[..], "w")).unwrap();
        assert_eq!(read.values(), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
        assert_eq!(read.vector(1), [2.0, 5.0]);
    }

    #[test]
    fn cut_and_foreign_files_are_refused() {
        let (numbers, words) = written();
        for cut in 0..numbers.len() {
            assert!(read_npy((&numbers[..cut], "n"), (&words[..], "w")).is_err(), "{cut}");
        }
        let error = read_npy((&numbers[..], "n"), (&b"a\n"[..], "w")).unwrap_err();
        assert!(error.to_string().contains("3 words, one per row of n, found 1"), "{error}");
        let huge = "{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999, 9999999999), }";
        let file = [MAGIC, &[1, 0], &(huge.len() as u16).to_le_bytes(), huge.as_bytes()].concat();
        assert!(read_npy((&file[..], "n"), (&words[..], "w")).is_err());
        assert!(read_npy((&b"PK\x03\x04...."[..], "n"), (&words[..], "w")).is_err());
    }
}
