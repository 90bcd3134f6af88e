//! word2vec text format: a line with the number of words and the dimension, then one word per line with its numbers.

use std::io::{self, Read, Write};

use super::super::lines::{LineReader, column_of, quote};
use super::vectors::{TRUSTED, WordVectors, check_word};
use crate::error::ReadError;

/// Writes `vectors`; each number is the shortest that reads back as itself.
pub fn write_text(vectors: &WordVectors, mut sink: impl Write) -> io::Result<()> {
    writeln!(sink, "{} {}", vectors.words().len(), vectors.dimension())?;
    for (word, values) in vectors.iter() {
        check_word(word)?;
        write!(sink, "{word}")?;
        for value in values {
            write!(sink, " {value}")?;
        }
        writeln!(sink)?;
    }
    Ok(())
}

/// Reads from `source`. Errors refer to it as `source_name`. The first line may be missing, as in the files of GloVe.
pub fn read_text(source: impl Read, source_name: &str) -> Result<WordVectors, ReadError> {
    let mut lines = LineReader::new(source, source_name);
    let mut words: Vec<String> = Vec::new();
    let mut values: Vec<f32> = Vec::new();
    let mut announced: Option<usize> = None;
    let mut dimension: Option<usize> = None;
    while let Some(line) = lines.next_line()? {
        let text = line.text.trim_end_matches(' ');
        let number = line.number;
        if number == 1
            && let Some((count, size)) = header(text)
        {
            announced = Some(count);
            dimension = Some(size);
            words.reserve(count.min(TRUSTED));
            values.reserve(count.saturating_mul(size).min(TRUSTED));
            continue;
        }
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        if word.is_empty() {
            return Err(lines.error_at(number, Some(1), "a word and its numbers", "nothing"));
        }
        let mut found = 0;
        let mut offset = word.len() + 1;
        for field in rest.split(' ') {
            if !field.is_empty() {
                let Ok(value) = field.parse() else {
                    let (column, field) = (column_of(text, offset), quote(field));
                    return Err(lines.error_at(number, Some(column), "a number", field));
                };
                values.push(value);
                found += 1;
            }
            offset += field.len() + 1;
        }
        words.push(word.to_owned());
        let expected = *dimension.get_or_insert(found);
        if found != expected {
            let found = format!("{found} of them");
            return Err(lines.error_at(number, None, format!("{expected} numbers"), found));
        }
    }
    match announced {
        Some(count) if count != words.len() => {
            let found = format!("{} of them", words.len());
            Err(lines.error_at(
                lines.line_number(),
                None,
                format!("{count} words, as given in the first line"),
                found,
            ))
        }
        _ => WordVectors::new(words, dimension.unwrap_or(0), values)
            .map_err(|error| lines.error_at(lines.line_number(), None, "vectors", error.to_string())),
    }
}

/// The two numbers of a first line.
pub(super) fn header(line: &str) -> Option<(usize, usize)> {
    let (count, size) = line.split_once(' ')?;
    Some((count.parse().ok()?, size.trim_end().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_to_the_last_bit() {
        let values = vec![0.1, -0.0, 1e-38, f32::MAX, 1.0 / 3.0, 7.0];
        let vectors = WordVectors::new(vec!["ä\u{a0}".to_owned(), "1".to_owned()], 3, values).unwrap();
        let mut text = Vec::new();
        write_text(&vectors, &mut text).unwrap();
        let read = read_text(&text[..], "-").unwrap();
        assert_eq!(read, vectors);
        assert!(read.values()[1].is_sign_negative());
        let body = text.splitn(2, |&byte| byte == b'\n').nth(1).unwrap();
        assert_eq!(read_text(body, "-").unwrap(), vectors);
        let bad = WordVectors::new(vec!["a b".to_owned()], 1, vec![0.0]).unwrap();
        assert!(write_text(&bad, io::sink()).is_err());
    }

    #[test]
    fn errors_are_placed() {
        let told = |text: &str| read_text(text.as_bytes(), "v").unwrap_err().to_string();
        assert!(told("1 2\nä 1 x\n").starts_with("v:2:5: expected a number, found"));
        assert!(told("1 2\na 1\n").starts_with("v:2: expected 2 numbers, found 1"));
        assert!(told("2 1\na 1\n").contains("expected 2 words, as given in the first line, found 1"));
        assert!(told("99999999999999 9999999\n").contains("found 0 of them"));
        assert!(told("1 1\n 1\n").starts_with("v:2:1: expected a word"));
        assert_eq!(read_text(&b""[..], "v").unwrap().words().len(), 0);
    }
}
