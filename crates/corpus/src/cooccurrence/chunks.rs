//! A stream split into chunks between tokens.

use std::io::{self, Read};

use super::type_table::{PADDING, is_blank};
use crate::format::lines::{LONGEST_LINE, too_long};

/// Large enough to make the handover cheap, small enough to stay in the second-level cache while it is scanned.
pub(super) const CHUNK_BYTES: usize = 1 << 19;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A piece of text that ends between tokens, followed by spaces.
#[derive(Default)]
pub(super) struct Chunk {
    /// The text, followed by [`PADDING`] spaces.
    pub(super) padded: Vec<u8>,
    /// Number of the first line.
    pub(super) line: u64,
    /// Whether the source ends with this chunk.
    pub(super) last: bool,
}

/// Splits a stream into chunks.
pub(super) struct Chunker<R> {
    source: R,
    /// Bytes read beyond the last split.
    rest: Vec<u8>,
    line: u64,
    started: bool,
    target: usize,
}

impl<R: Read> Chunker<R> {
    pub(super) fn new(source: R) -> Self {
        Self { source, rest: Vec::new(), line: 1, started: false, target: CHUNK_BYTES }
    }

    /// Number of the next line.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// Fills `chunk`, reusing its buffer.
    pub(super) fn next(&mut self, chunk: &mut Chunk) -> io::Result<()> {
        let buffer = &mut chunk.padded;
        buffer.clear();
        buffer.append(&mut self.rest);
        let mut wanted = self.target.max(buffer.len() * 2);
        let cut = loop {
            // A reader may return less than requested; `read_to_end` continues, and retries interrupted reads.
            let missing = wanted - buffer.len();
            buffer.reserve(missing + PADDING);
            let read = self.source.by_ref().take(missing as u64).read_to_end(buffer)?;
            if !std::mem::replace(&mut self.started, true) && buffer.starts_with(BYTE_ORDER_MARK) {
                buffer.drain(..BYTE_ORDER_MARK.len());
            }
            chunk.last = read < missing;
            if chunk.last {
                break buffer.len();
            }
            match buffer.iter().rposition(|&byte| is_blank(byte)) {
                Some(blank) => break blank + 1,
                None if buffer.len() >= LONGEST_LINE => return Err(too_long("token")),
                // A token longer than a chunk: doubling keeps the total cost linear.
                None => wanted *= 2,
            }
        };
        self.rest.extend_from_slice(&buffer[cut..]);
        buffer.truncate(cut);
        chunk.line = self.line;
        self.line += memchr::memchr_iter(b'\n', buffer).count() as u64;
        buffer.resize(cut + PADDING, b' ');
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_end_between_tokens_and_leave_nothing_out() {
        let text = format!("\u{feff}one two\nthree {} four\n\nfive", "x".repeat(50));
        for target in [3, 8, 17, 64, 1000] {
            let mut chunker = Chunker { target, ..Chunker::new(text.as_bytes()) };
            let mut chunk = Chunk::default();
            let mut whole = Vec::new();
            loop {
                chunker.next(&mut chunk).unwrap();
                let line = 1 + whole.iter().filter(|&&byte| byte == b'\n').count() as u64;
                assert_eq!(chunk.line, line);
                let bytes = &chunk.padded[..chunk.padded.len() - PADDING];
                assert!(chunk.last || bytes.last().is_some_and(|&byte| is_blank(byte)));
                whole.extend_from_slice(bytes);
                if chunk.last {
                    break;
                }
            }
            assert_eq!(whole, text.trim_start_matches('\u{feff}').as_bytes(), "{target}");
        }
    }
}
