//! CoNLL-X, the older format of dependency treebanks (S. Buchholz and E. Marsi, CoNLL-X shared task on multilingual
//! dependency parsing, 2006): ID, FORM, LEMMA, CPOSTAG, POSTAG, FEATS, HEAD, DEPREL, PHEAD, PDEPREL.
//!
//! Sentences are stored as the [`Sentence`] of CoNLL-U, so that all other code uses one type, and conversion means
//! reading with one module and writing with the other. CPOSTAG is UPOS and POSTAG is XPOS. PHEAD and PDEPREL, the
//! projective tree, have no column there: unless they are `_`, they become the attributes `PHead` and `PDeprel` of
//! MISC, in which `%` and `|` are written as `%25` and `%7C`. What is read is written back byte for byte, with the
//! exceptions listed in [`conllu`](super::conllu).
//!
//! Conversion from CoNLL-U drops what the format lacks: comments, ranges, empty nodes, DEPS and the rest of MISC. Forms
//! with spaces stay as they are, although the format does not provide for them: columns are split only at tabs.

use std::io::{self, Read, Write};

use super::conllu::{Column, Dialect, Sentence, SentenceReader, Token};
use crate::error::ReadError;

const PROJECTIVE_HEAD: &str = "PHead";
const PROJECTIVE_RELATION: &str = "PDeprel";

/// A stream of sentences. It continues after an error like [`ConlluReader`](super::conllu::ConlluReader).
///
/// ```
/// use eigentree_corpus::format::conllx::ConllxReader;
/// let input = "1\tHi\thi\tI\tUH\t_\t0\tROOT\t0\tROOT\n\n";
/// let sentence = ConllxReader::new(input.as_bytes(), "-").next().unwrap()?;
/// let word = sentence.word(0).unwrap();
/// assert_eq!(word.xpos(), "UH");
/// assert_eq!(word.misc_value("PDeprel"), Some("ROOT"));
/// # Ok::<(), eigentree_corpus::error::ReadError>(())
/// ```
#[derive(Debug)]
pub struct ConllxReader<R> {
    inner: SentenceReader<R>,
}

impl<R: Read> ConllxReader<R> {
    /// Reads from `source`. Errors refer to it as `source_name`.
    pub fn new(source: R, source_name: impl Into<String>) -> Self {
        Self { inner: SentenceReader::new(source, source_name, Dialect::X) }
    }

    /// Number of the last line read.
    pub fn line_number(&self) -> u64 {
        self.inner.lines.line_number()
    }
}

impl<R: Read> Iterator for ConllxReader<R> {
    type Item = Result<Sentence, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.inner.next_sentence()
    }
}

impl<R: Read> std::iter::FusedIterator for ConllxReader<R> {}

/// Writes sentences to `W`, each followed by a blank line.
#[derive(Debug)]
pub struct ConllxWriter<W> {
    sink: W,
    buffer: Vec<u8>,
}

impl<W: Write> ConllxWriter<W> {
    /// Writes to `sink`.
    pub fn new(sink: W) -> Self {
        Self { sink, buffer: Vec::new() }
    }

    /// Writes the words of one sentence. Errors as in [`ConlluWriter::write`](super::conllu::ConlluWriter::write).
    pub fn write(&mut self, sentence: &Sentence) -> io::Result<()> {
        sentence.check_complete()?;
        self.buffer.clear();
        let ending = sentence.line_ending().as_str().as_bytes();
        for word in sentence.words() {
            for column in &Column::ALL[..Column::Deps as usize] {
                self.buffer.extend_from_slice(word.column(*column).as_bytes());
                self.buffer.push(b'\t');
            }
            self.buffer.extend_from_slice(projective(word, PROJECTIVE_HEAD).as_bytes());
            self.buffer.push(b'\t');
            self.buffer.extend_from_slice(projective(word, PROJECTIVE_RELATION).as_bytes());
            self.buffer.extend_from_slice(ending);
        }
        self.buffer.extend_from_slice(ending);
        self.sink.write_all(&self.buffer)
    }

    /// Flushes and returns the sink.
    pub fn into_inner(mut self) -> io::Result<W> {
        self.sink.flush()?;
        Ok(self.sink)
    }
}

fn projective(word: Token<'_>, key: &str) -> String {
    word.misc_value(key)
        .filter(|value| !value.is_empty())
        .map_or_else(|| "_".to_owned(), |value| value.replace("%7C", "|").replace("%25", "%"))
}

/// MISC for the two columns, at least one of which is given.
pub(super) fn misc_of(phead: &str, pdeprel: &str) -> String {
    let parts = [(PROJECTIVE_HEAD, phead), (PROJECTIVE_RELATION, pdeprel)];
    let given = parts.iter().filter(|(_, value)| *value != "_");
    let written: Vec<String> = given
        .map(|(key, value)| format!("{key}={}", value.replace('%', "%25").replace('|', "%7C")))
        .collect();
    written.join("|")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::conllu::{ConlluReader, ConlluWriter};

    fn rewritten(input: &str) -> String {
        let mut writer = ConllxWriter::new(Vec::new());
        for sentence in ConllxReader::new(input.as_bytes(), "test") {
            writer.write(&sentence.unwrap()).unwrap();
        }
        String::from_utf8(writer.into_inner().unwrap()).unwrap()
    }

    #[test]
    fn projective_columns_survive() {
        let input = "1\ta\t_\tN\tNN\tx|y\t2\tdep\t2\tp%|%7C\n2\tb\t_\tV\tVB\t_\t0\tROOT\t_\tROOT\n\n\
                     1\tc\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
        assert_eq!(rewritten(input), input);
    }

    #[test]
    fn columns_survive_the_way_through_conllu() {
        let input = "1\ta b\t_\tN\tNN\tx|y\t2\tdep\t2\tp|q\n2\tb\t_\tV\tVB\t_\t0\tROOT\t0\tROOT\n\n";
        let mut through = ConlluWriter::new(Vec::new());
        for sentence in ConllxReader::new(input.as_bytes(), "test") {
            through.write(&sentence.unwrap()).unwrap();
        }
        let mut back = ConllxWriter::new(Vec::new());
        for sentence in ConlluReader::new(&through.into_inner().unwrap()[..], "test") {
            back.write(&sentence.unwrap()).unwrap();
        }
        assert_eq!(back.into_inner().unwrap(), input.as_bytes());
    }

    #[test]
    fn what_the_format_lacks_is_left_out() {
        let input = "# c\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta\t_\t_\t_\t_\t0\troot\t0:root\tSpaceAfter=No\n\
                     1.1\te\t_\t_\t_\t_\t_\t_\t_\t_\n2\tb\t_\t_\t_\t_\t1\tdep\t_\t_\n\n";
        let sentence = ConlluReader::new(input.as_bytes(), "test").next().unwrap().unwrap();
        let mut writer = ConllxWriter::new(Vec::new());
        writer.write(&sentence).unwrap();
        let expected = "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n2\tb\t_\t_\t_\t_\t1\tdep\t_\t_\n\n";
        assert_eq!(writer.into_inner().unwrap(), expected.as_bytes());
    }

    #[test]
    fn conllu_lines_are_refused_with_their_place() {
        let error =
            |input: &str| ConllxReader::new(input.as_bytes(), "f").next().unwrap().unwrap_err().to_string();
        assert_eq!(error("# c\n"), "f:1:1: expected a token, since CoNLL-X has no comments, found `#`");
        assert!(
            error("1-2\ta\t_\t_\t_\t_\t_\t_\t_\t_\n").starts_with("f:1:1: expected the number of a word")
        );
        assert!(
            error("1\tä\t_\t_\t_\t_\t0\t_\tx\t_\n")
                .starts_with("f:1:17: expected the number of a projective head")
        );
    }
}
