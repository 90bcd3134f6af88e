//! Streaming reader of Penn brackets.

use std::io::{BufRead, BufReader, Read};

use super::TOP_LABELS;
use crate::error::{Position, ReadError, SyntaxError};
use crate::format::lines::{LONGEST_LINE, too_long};
use crate::tree::{Tree, TreeBuilder};

/// An entry of a file of trees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// A tree.
    Tree(Tree),
    /// An empty bracket: a sentence that a parser could not parse.
    Empty,
}

/// The last item inside the innermost bracket; a word must be alone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// Nothing: the bracket was just opened.
    Opened,
    Word,
    Phrase,
}

/// Where to continue after an error.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Resync {
    /// There was no error.
    No,
    /// At the next line that begins a tree.
    NextLine,
    /// At the current line, which begins a tree.
    ThisLine,
}

/// Reads trees one by one. As an iterator, it continues with the next tree after a syntax error.
///
/// ```
/// use eigentree_corpus::format::penn::PennReader;
/// let text = "(S (NN a))(S (NN b))\n(S\n  (NN c))\n";
/// let trees: Result<Vec<_>, _> = PennReader::new(text.as_bytes(), "example").collect();
/// assert_eq!(trees.unwrap().len(), 3);
/// ```
pub struct PennReader<R> {
    input: BufReader<R>,
    name: String,
    line: Vec<u8>,
    /// Next byte of `line`.
    at: usize,
    line_number: u64,
    /// A byte of `line` and its column. It moves from tree to tree: counting from the start of the line each time would
    /// take quadratic time where one line holds many trees.
    known: (usize, u64),
    /// Start of the last tree read.
    tree_start: Position,
    resync: Resync,
    finished: bool,
}

/// Reads exactly one tree from `text`.
pub fn parse_one(text: &str) -> Result<Tree, ReadError> {
    let mut reader = PennReader::new(text.as_bytes(), "(text)");
    let tree = reader.next().unwrap_or_else(|| Err(reader.error_at(0, "a tree", "nothing")))?;
    match reader.next() {
        None => Ok(tree),
        Some(_) => Err(reader.error_at(0, "one tree", "more text after it")),
    }
}

impl<R: Read> PennReader<R> {
    /// Reads from `input`. Errors refer to it as `name`.
    pub fn new(input: R, name: impl Into<String>) -> Self {
        Self {
            input: BufReader::with_capacity(1 << 16, input),
            name: name.into(),
            line: Vec::new(),
            at: 0,
            line_number: 0,
            known: (0, 1),
            tree_start: Position { line: 0, column: None },
            resync: Resync::No,
            finished: false,
        }
    }

    /// Start of the last tree returned.
    pub fn tree_start(&self) -> Position {
        self.tree_start
    }

    /// The next tree or empty bracket; `None` at the end.
    pub fn next_entry(&mut self) -> Option<Result<Entry, ReadError>> {
        if self.finished {
            return None;
        }
        let result = self.read_entry();
        match &result {
            Ok(None) | Err(ReadError::Io { .. }) => self.finished = true,
            Err(ReadError::Syntax(_)) if self.resync == Resync::No => self.resync = Resync::NextLine,
            Err(ReadError::Syntax(_)) => {}
            Ok(Some(_)) => {}
        }
        result.transpose()
    }

    /// Loads the next line; `false` at the end of the input.
    fn load_line(&mut self) -> Result<bool, ReadError> {
        self.line.clear();
        self.at = 0;
        self.known = (0, 1);
        let fail = |error| ReadError::Io { source_name: self.name.clone(), line: self.line_number, error };
        let read = self.input.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut self.line);
        let read = read.map_err(fail)?;
        if read > LONGEST_LINE {
            return Err(fail(too_long("line")));
        }
        if read == 0 {
            return Ok(false);
        }
        self.line_number += 1;
        if self.line_number == 1 && self.line.starts_with(b"\xef\xbb\xbf") {
            self.at = 3;
        }
        if let Err(error) = std::str::from_utf8(&self.line) {
            let at = error.valid_up_to();
            let found = format!("the byte 0x{:02x}, which is not valid UTF-8", self.line[at]);
            return Err(self.error_at(at, "text in UTF-8", &found));
        }
        Ok(true)
    }

    fn column(&self, at: usize) -> u64 {
        let at = at.min(self.line.len());
        let (from, column) = if self.known.0 <= at { self.known } else { (0, 1) };
        column + String::from_utf8_lossy(&self.line[from..at]).chars().count() as u64
    }

    fn error_at(&self, at: usize, expected: &str, found: &str) -> ReadError {
        SyntaxError {
            source_name: self.name.clone(),
            position: Position { line: self.line_number.max(1), column: Some(self.column(at)) },
            expected: expected.to_owned(),
            found: found.to_owned(),
        }
        .into()
    }

    /// Whether the current line opens, in its first column, a bracket that occurs only at the top of a tree.
    fn line_begins_a_tree(&self) -> bool {
        let Some(rest) = self.line.strip_prefix(b"(") else { return false };
        let end = rest.iter().position(|&b| ends_token(b)).unwrap_or(rest.len());
        TOP_LABELS.iter().any(|label| label.as_bytes() == &rest[..end])
    }

    /// The token at `at`, as text.
    fn token(&mut self) -> &str {
        let start = self.at;
        while self.at < self.line.len() && !ends_token(self.line[self.at]) {
            self.at += 1;
        }
        // `load_line` has checked the line, and tokens are split at ASCII bytes.
        std::str::from_utf8(&self.line[start..self.at]).unwrap_or_default()
    }

    fn read_entry(&mut self) -> Result<Option<Entry>, ReadError> {
        let mut builder = TreeBuilder::new();
        // One entry per open bracket; words do not open any.
        let mut last: Vec<Last> = Vec::new();
        let mut only_top_labels = true;
        if std::mem::replace(&mut self.resync, Resync::No) == Resync::NextLine {
            loop {
                if !self.load_line()? {
                    return Ok(None);
                }
                if self.line.first() == Some(&b'(') {
                    break;
                }
            }
        }
        loop {
            let Some(&byte) = self.line.get(self.at) else {
                if !self.load_line()? {
                    return if last.is_empty() {
                        Ok(None)
                    } else {
                        Err(self.unclosed("the end of the file"))
                    };
                }
                if !last.is_empty() && self.line_begins_a_tree() && self.tree_start.column == Some(1) {
                    self.resync = Resync::ThisLine;
                    return Err(self.unclosed(&format!("another tree on line {}", self.line_number)));
                }
                continue;
            };
            match byte {
                b if b.is_ascii_whitespace() => self.at += 1,
                b'(' => {
                    if last.is_empty() {
                        self.known = (self.at, self.column(self.at));
                        self.tree_start = Position { line: self.line_number, column: Some(self.known.1) };
                    }
                    match last.last_mut() {
                        Some(Last::Word) => return Err(self.error_at(self.at, "`)` after the word", "`(`")),
                        Some(state) => *state = Last::Phrase,
                        None => {}
                    }
                    self.at += 1;
                    let label = self.token();
                    only_top_labels &= TOP_LABELS.contains(&label);
                    builder.open(label);
                    last.push(Last::Opened);
                }
                b')' => {
                    match last.pop() {
                        None => return Err(self.error_at(self.at, "`(`", "`)` without an open bracket")),
                        Some(Last::Opened) if only_top_labels => return self.empty_bracket(last.len()),
                        Some(Last::Opened) => {
                            return Err(self.error_at(self.at, "a word or a bracket", "`)`"));
                        }
                        Some(_) => {}
                    }
                    self.at += 1;
                    builder.close();
                    if last.is_empty() {
                        let tree = builder.finish();
                        return match tree {
                            Some(tree) => Ok(Some(Entry::Tree(tree))),
                            None => Err(self.error_at(self.at, "a tree of less than 4 GB", "a larger one")),
                        };
                    }
                }
                _ => {
                    let start = self.at;
                    match last.last_mut() {
                        None => {
                            let found = format!("`{}`", self.token());
                            return Err(self.error_at(start, "`(`, which begins a tree", &found));
                        }
                        Some(state @ Last::Opened) => *state = Last::Word,
                        Some(Last::Word) => {
                            let found = format!("a second word, `{}`", self.token());
                            return Err(self.error_at(start, "`)` after the word", &found));
                        }
                        Some(Last::Phrase) => {
                            let found = format!("the word `{}`", self.token());
                            return Err(self.error_at(start, "`(` or `)` after a bracket", &found));
                        }
                    }
                    let token = self.token();
                    if token.contains("RB-") {
                        let form = token.replace("-LRB-", "(").replace("-RRB-", ")");
                        builder.word(&form);
                    } else {
                        builder.word(token);
                    }
                }
            }
        }
    }

    fn unclosed(&self, found: &str) -> ReadError {
        SyntaxError {
            source_name: self.name.clone(),
            position: self.tree_start,
            expected: "a closing bracket for the tree that begins here".to_owned(),
            found: found.to_owned(),
        }
        .into()
    }

    /// At the `)` of an empty bracket, with `depth` brackets still open.
    fn empty_bracket(&mut self, depth: usize) -> Result<Option<Entry>, ReadError> {
        let start = self.at;
        let mut open = depth + 1;
        // The whole entry is empty only if nothing but closing brackets follows.
        while open > 0 {
            match self.line.get(self.at) {
                Some(b')') => open -= 1,
                Some(b) if b.is_ascii_whitespace() => {}
                _ => return Err(self.error_at(start, "a word or a bracket", "`)`")),
            }
            self.at += 1;
        }
        Ok(Some(Entry::Empty))
    }
}

impl<R: Read> Iterator for PennReader<R> {
    type Item = Result<Tree, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(match self.next_entry()? {
            Ok(Entry::Tree(tree)) => Ok(tree),
            Ok(Entry::Empty) => Err(self.error_at(self.at, "a tree", "an empty bracket")),
            Err(error) => Err(error),
        })
    }
}

fn ends_token(byte: u8) -> bool {
    byte == b'(' || byte == b')' || byte.is_ascii_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Result<String, String>> {
        PennReader::new(text.as_bytes(), "t")
            .map(|tree| tree.map(|t| t.to_string()).map_err(|error| error.to_string()))
            .collect()
    }

    #[test]
    fn layouts_are_free() {
        let expected = ["( (S (NN a)))", "(X (NN b))", "(X (Y (NN c)) (NN d))"];
        let layouts = [
            "( (S (NN a)))(X (NN b)) (X (Y (NN c))(NN d))",
            "((S (NN a)))\r\n(X\n (NN\tb)) (X\n (Y (NN c))\n (NN d))\n\n",
        ];
        for layout in layouts {
            let trees: Vec<String> = read(layout).into_iter().map(Result::unwrap).collect();
            assert_eq!(trees, expected, "{layout:?}");
        }
    }

    #[test]
    fn columns_are_counted_in_characters_from_tree_to_tree() {
        let mut reader = PennReader::new("(S (A é)) (S (B 猫))  (S (C c))\n (S (D d))\n".as_bytes(), "t");
        let starts: Vec<_> = std::iter::from_fn(|| {
            reader.next().map(|tree| (tree.is_ok(), reader.tree_start().line, reader.tree_start().column))
        })
        .collect();
        assert_eq!(
            starts,
            [(true, 1, Some(1)), (true, 1, Some(11)), (true, 1, Some(22)), (true, 2, Some(2))]
        );
    }

    #[test]
    fn brackets_in_words_are_unescaped() {
        let tree: Tree = "(S (-LRB- -LRB-) (NN friend-LRB-s-RRB-))".parse().unwrap();
        assert_eq!(tree.words().collect::<Vec<_>>(), ["(", "friend(s)"]);
        assert_eq!(tree.tags().collect::<Vec<_>>(), ["-LRB-", "NN"]);
    }

    #[test]
    fn errors_name_the_place() {
        let cases = [
            ("(S (NN a b))", "t:1:10: expected `)` after the word, found a second word, `b`"),
            ("(S (NN ä) b)", "t:1:11: expected `(` or `)` after a bracket, found the word `b`"),
            ("(S (NP))", "t:1:7: expected a word or a bracket, found `)`"),
            ("\nfoo", "t:2:1: expected `(`, which begins a tree, found `foo`"),
            ("(S (NN a)))", "t:1:11: expected `(`, found `)` without an open bracket"),
            (
                "(S (NN a)",
                "t:1:1: expected a closing bracket for the tree that begins here, found the end of the file",
            ),
            ("(())", "t:1:5: expected a tree, found an empty bracket"),
        ];
        for (text, message) in cases {
            let errors: Vec<String> = read(text).into_iter().filter_map(Result::err).collect();
            assert_eq!(errors, [message], "{text:?}");
        }
    }

    #[test]
    fn reading_goes_on_after_an_error() {
        let text = "(ROOT (NN a))\n(ROOT (NN b)\n(ROOT (NN c))\n(ROOT (NN d e))\n  (x)\n(ROOT (NN f))\n";
        let good: Vec<String> = read(text).into_iter().filter_map(Result::ok).collect();
        assert_eq!(good, ["(ROOT (NN a))", "(ROOT (NN c))", "(ROOT (NN f))"]);
        assert_eq!(read(text).len(), 5);
    }

    #[test]
    fn bad_utf8_is_an_error_with_a_column() {
        let mut reader = PennReader::new(&b"(S (NN \xff))\n(S (NN a))"[..], "t");
        let error = reader.next().unwrap().unwrap_err();
        assert_eq!(
            error.to_string(),
            "t:1:8: expected text in UTF-8, found the byte 0xff, which is not valid UTF-8"
        );
        assert!(reader.next().unwrap().is_ok());
        assert!(reader.next().is_none());
    }

    #[test]
    fn a_million_brackets_do_not_overflow_the_stack() {
        let deep = "(X ".repeat(1_000_000) + "(N a)" + &")".repeat(1_000_000);
        let tree: Tree = deep.parse().unwrap();
        assert_eq!(tree.node_count(), 1_000_002);
        assert_eq!(tree.to_string().len(), deep.len());
    }
}
