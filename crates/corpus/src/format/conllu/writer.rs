//! Writing of sentences.

use std::io::{self, Write};

use super::{Column, Sentence};

/// Writes sentences to `W`, each followed by a blank line.
///
/// ```
/// use eigentree_corpus::format::conllu::{ConlluReader, ConlluWriter};
/// let input = "# sent_id = a\n1\tHi\thi\tINTJ\t_\t_\t0\troot\t_\t_\n\n";
/// let mut writer = ConlluWriter::new(Vec::new());
/// for sentence in ConlluReader::new(input.as_bytes(), "-") {
///     writer.write(&sentence?)?;
/// }
/// assert_eq!(writer.into_inner()?, input.as_bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ConlluWriter<W> {
    sink: W,
    /// One sentence is assembled here and written at once, so that an unbuffered sink is not called per column.
    buffer: Vec<u8>,
}

impl<W: Write> ConlluWriter<W> {
    /// Writes to `sink`.
    pub fn new(sink: W) -> Self {
        Self { sink, buffer: Vec::new() }
    }

    /// Writes one sentence.
    ///
    /// # Errors
    /// Those of the sink, and [`io::ErrorKind::InvalidInput`] for a sentence that could not be read back: one without
    /// words, or with a head or a range beyond its last word. Nothing is written in that case.
    pub fn write(&mut self, sentence: &Sentence) -> io::Result<()> {
        sentence.check_complete()?;
        self.buffer.clear();
        let ending = sentence.line_ending().as_str().as_bytes();
        for comment in sentence.comments() {
            self.buffer.extend_from_slice(comment.as_bytes());
            self.buffer.extend_from_slice(ending);
        }
        for token in sentence.tokens() {
            for column in Column::ALL {
                if column != Column::Id {
                    self.buffer.push(b'\t');
                }
                self.buffer.extend_from_slice(token.column(column).as_bytes());
            }
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
