//! The formats of corpora, detected from file names and content.

use std::fmt;
use std::path::Path;

use crate::files::extension;

/// A corpus format for reading.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Constituency trees in Penn brackets.
    Ptb,
    /// CoNLL-U.
    Conllu,
    /// CoNLL-X.
    Conllx,
    /// Two columns, `token<TAB>tag`.
    Bio,
    /// One sentence per line, words separated by spaces.
    Words,
    /// The same with `word_TAG`.
    Tagged,
    /// The same with `word/TAG`.
    Slashed,
    /// One sentence per line, tags instead of words.
    Tags,
    /// JSON of annotators, or one object per sentence.
    Json,
    /// Raw text. A pipeline divides it into sentences and tokens; without one, lines and spaces do.
    Text,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 10] = [
        Format::Ptb,
        Format::Conllu,
        Format::Conllx,
        Format::Bio,
        Format::Words,
        Format::Tagged,
        Format::Slashed,
        Format::Tags,
        Format::Json,
        Format::Text,
    ];

    /// The formats that have one meaning without a model.
    pub const CORPORA: [Format; 7] = [
        Format::Ptb,
        Format::Conllu,
        Format::Conllx,
        Format::Bio,
        Format::Words,
        Format::Tagged,
        Format::Slashed,
    ];

    /// The formats that can be converted to others.
    pub const CONVERTIBLE: [Format; 8] = [
        Format::Ptb,
        Format::Conllu,
        Format::Conllx,
        Format::Bio,
        Format::Words,
        Format::Tagged,
        Format::Slashed,
        Format::Json,
    ];

    /// Its short name, as used in options.
    pub fn name(self) -> &'static str {
        match self {
            Format::Ptb => "ptb",
            Format::Conllu => "conllu",
            Format::Conllx => "conllx",
            Format::Bio => "bio",
            Format::Words => "words",
            Format::Tagged => "tagged",
            Format::Slashed => "slashed",
            Format::Tags => "tags",
            Format::Json => "json",
            Format::Text => "text",
        }
    }

    /// The format in one line, for lists of options.
    pub fn description(self) -> &'static str {
        match self {
            Format::Ptb => "Constituency trees in Penn brackets",
            Format::Conllu => "CoNLL-U, or CoNLL-U Plus",
            Format::Conllx => "CoNLL-X",
            Format::Bio => "Two columns separated by a tab: token and tag; or the four of CoNLL-2003",
            Format::Words => "One sentence per line, tokens separated by spaces",
            Format::Tagged => "One sentence per line, tokens written as word_TAG",
            Format::Slashed => "One sentence per line, tokens written as word/TAG",
            Format::Json => "JSON of annotators, or one object per sentence as `convert` writes them",
            Format::Tags => "One sentence per line, tags instead of words",
            Format::Text => "Raw text, for pipelines",
        }
    }

    /// The extensions that name the format. Text has none: too many formats share `.txt`.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Format::Ptb => &["ptb", "mrg", "tree", "trees", "brackets", "bracket", "parse", "psd"],
            Format::Conllu => &["conllu", "conllup"],
            Format::Conllx => &["conllx"],
            Format::Bio => &["bio", "iob", "iob1", "iob2", "bioes"],
            Format::Words => &["words", "tok"],
            Format::Tagged => &["tagged"],
            Format::Slashed => &["slashed"],
            Format::Json => &["json", "jsonl"],
            Format::Tags | Format::Text => &[],
        }
    }

    /// Infers the format from the extension, ignoring that of compression: `dev.ptb.gz` holds trees. An extension
    /// shared by many formats, such as `.txt`, gives `None`.
    ///
    /// ```
    /// use eigentree::reading::Format;
    /// assert_eq!(Format::of_path("dev.ptb.gz".as_ref()), Some(Format::Ptb));
    /// assert_eq!(Format::of_path("notes.txt".as_ref()), None);
    /// ```
    pub fn of_path(path: &Path) -> Option<Format> {
        let ending = extension(path)?;
        Self::ALL.into_iter().find(|format| format.extensions().contains(&ending.as_str()))
    }

    /// Guesses the format from the first lines. Lines of words and lines of tagged words cannot be distinguished with
    /// certainty, since words may contain `_`: such a text counts as words.
    pub fn of_start(start: &[u8]) -> Format {
        let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
        let mut lines = start.split(|&byte| byte == b'\n');
        let content = |line: &&[u8]| !line.trim_ascii().is_empty() && !is_comment(line);
        if start.starts_with(b"# global.columns") {
            return Format::Conllu;
        }
        let Some(line) = lines.find(content) else { return Format::Words };
        let columns = line.split(|&byte| byte == b'\t').count();
        match line.trim_ascii_start().first() {
            _ if columns == 10 => Format::Conllu,
            _ if columns == 2 && is_bio_tag(line) || is_conll_2003(line) => Format::Bio,
            Some(b'(') => Format::Ptb,
            Some(b'{') if is_record(start) => Format::Json,
            _ => Format::Words,
        }
    }
}

impl Format {
    /// The format of a treebank that would be taken for plain text by what reads tokens of any kind: by its name, or by a start
    /// that no text has. `(` alone may begin a text.
    pub fn of_treebank(path: &Path, start: &[u8]) -> Option<Format> {
        let treebank = |format: &Format| {
            matches!(format, Format::Ptb | Format::Conllu | Format::Conllx | Format::Bio | Format::Json)
        };
        let by_start = || {
            let format = Self::of_start(start);
            let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
            let brackets = ["( (", "((", "(ROOT (", "(TOP (", "(S ("];
            (format != Format::Ptb || brackets.iter().any(|first| text.starts_with(first.as_bytes())))
                .then_some(format)
        };
        Self::of_path(path).or_else(by_start).filter(treebank)
    }
}

/// Whether a line is the first of CoNLL-2003: the mark of a document, or four columns of which the last two are chunks.
fn is_conll_2003(line: &[u8]) -> bool {
    let columns: Vec<&[u8]> = line.trim_ascii_end().split(|byte| matches!(byte, b' ' | b'\t')).collect();
    match columns[..] {
        [b"-DOCSTART-", ..] => true,
        [_, _, chunk, tag] => [chunk, tag].iter().all(|tag| is_bio_tag(tag)),
        _ => false,
    }
}

/// Whether a text that begins with `{` is a document or a sentence in JSON.
fn is_record(start: &[u8]) -> bool {
    let has = |field: &[u8]| start.windows(field.len()).any(|window| window == field);
    has(b"\"words\"") || has(b"\"sentences\"")
}

/// Whether the line is a CoNLL-U comment. A `#` before a TAB is a token.
fn is_comment(line: &[u8]) -> bool {
    line.starts_with(b"#") && !line.contains(&b'\t')
}

/// Whether the last column is an entity tag.
fn is_bio_tag(line: &[u8]) -> bool {
    let tag = line.rsplit(|&byte| byte == b'\t').next().unwrap_or_default().trim_ascii_end();
    matches!(tag, b"O" | [b'B' | b'I' | b'E' | b'S', b'-', ..])
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn treebanks_are_told_from_text() {
        let of = |name: &str, start: &str| Format::of_treebank(name.as_ref(), start.as_bytes());
        assert_eq!(of("a.conllu", ""), Some(Format::Conllu));
        assert_eq!(of("-", "1\tA\ta\tX\tX\t_\t0\troot\t_\t_\n"), Some(Format::Conllu));
        assert_eq!(of("a.txt", "( (S (NP (NN time))"), Some(Format::Ptb));
        assert_eq!(of("a.jsonl", "{}"), Some(Format::Json));
        assert_eq!(of("a.txt", "{\"sentences\":["), Some(Format::Json));
        assert_eq!(of("a.txt", "(see below) it is a text"), None);
        assert_eq!(of("a.words", "A text ."), None);
    }

    #[test]
    fn names_tell_the_format_and_standard_input_does_not() {
        for (name, format) in [
            ("a/b.PTB", Some(Format::Ptb)),
            ("wsj_0001.mrg.gz", Some(Format::Ptb)),
            ("x.conllu.zst", Some(Format::Conllu)),
            ("x.conll", None),
            ("-", None),
            ("ptb", None),
            ("x.iob2", Some(Format::Bio)),
            ("x.jsonl.gz", Some(Format::Json)),
        ] {
            assert_eq!(Format::of_path(name.as_ref()), format, "{name}");
        }
    }

    #[test]
    fn contents_tell_the_format() {
        let row = "1\tA\ta\tX\tX\t_\t0\troot\t_\t_\n";
        for (text, format) in [
            ("\n  ( (S (NN a)))\n".to_owned(), Format::Ptb),
            (format!("# text = A\n{row}"), Format::Conllu),
            (row.to_owned(), Format::Conllu),
            ("#\tO\nyes\tO\n".to_owned(), Format::Bio),
            ("(\tO\n".to_owned(), Format::Bio),
            ("-DOCSTART- -X- O O\n\nEU NNP I-NP I-ORG\n".to_owned(), Format::Bio),
            ("EU NNP I-NP I-ORG\n".to_owned(), Format::Bio),
            ("Plan O is B-1\n".to_owned(), Format::Words),
            ("# global.columns = ID FORM\n1\tA\n".to_owned(), Format::Conllu),
            ("(S\t(NN a))\n".to_owned(), Format::Ptb),
            ("{\"words\":[\"Dogs\"]}\n".to_owned(), Format::Json),
            ("{ braces }\n".to_owned(), Format::Words),
            ("Dogs bark .\n".to_owned(), Format::Words),
            (String::new(), Format::Words),
        ] {
            assert_eq!(Format::of_start(text.as_bytes()), format, "{text:?}");
        }
    }
}
