//! Reads sequences from files.

use std::io;
use std::path::Path;

use corpus::format::numbered_sequences::NumberedSequences;
use corpus::ids::{Id, WordId};
use corpus::vocab::Vocab;
use sequences::automaton::SequenceCounts;
use sequences::sequence::Alphabet;

use crate::Error;
use crate::files::Input;
use crate::reading::Format;

/// The format of sequences. It is no [`Format`](crate::reading::Format): those hold sentences of words, while numbered
/// sequences have symbols of an alphabet that is known in advance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum SequenceFormat {
    /// Detected from the content.
    #[default]
    Detect,
    /// The format of PAutomaC and SPiCe.
    Numbered,
    /// One sequence per line, tokens separated by spaces; a blank line is an empty sequence.
    Tokens,
}

impl SequenceFormat {
    /// All formats.
    pub const ALL: [SequenceFormat; 3] =
        [SequenceFormat::Detect, SequenceFormat::Numbered, SequenceFormat::Tokens];

    /// Its short name, as used in options.
    pub fn name(self) -> &'static str {
        match self {
            SequenceFormat::Detect => "detect",
            SequenceFormat::Numbered => "pautomac",
            SequenceFormat::Tokens => "tokens",
        }
    }

    /// The format in one line, for lists of options.
    pub fn description(self) -> &'static str {
        match self {
            SequenceFormat::Detect => "Detect the format from the file contents",
            SequenceFormat::Numbered => {
                "Numbers as in PAutomaC and SPiCe: a header `sequences symbols`, then lines `length symbol symbol …`"
            }
            SequenceFormat::Tokens => "One sequence per line, tokens separated by spaces",
        }
    }
}

/// The sequences of a file, as they are stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SequenceFile {
    /// Numbers.
    Numbered(NumberedSequences),
    /// Tokens.
    Tokens(Vec<Vec<String>>),
}

/// Reads a file of sequences.
pub fn read_sequences(path: impl AsRef<Path>, format: SequenceFormat) -> Result<SequenceFile, Error> {
    read_sequences_at(path.as_ref(), format)
}

fn read_sequences_at(path: &Path, format: SequenceFormat) -> Result<SequenceFile, Error> {
    let input = Input::open(path)?;
    let name = input.name().to_owned();
    let text = io::read_to_string(input)
        .map_err(|error| Error::Data(format!("cannot read sequences from {name}: {error}")))?;
    let numbered = match format {
        // A single line of two numbers has no sequence if it is a header: it is one of two symbols.
        SequenceFormat::Detect => {
            NumberedSequences::looks_like(&text)
                && text.lines().filter(|line| !line.trim().is_empty()).count() > 1
        }
        SequenceFormat::Numbered => true,
        SequenceFormat::Tokens => false,
    };
    if numbered {
        return Ok(SequenceFile::Numbered(NumberedSequences::read(text.as_bytes(), name)?));
    }
    if let Some(found) = Format::of_treebank(path, text.as_bytes()) {
        return Err(Error::Treebank { name, found });
    }
    let tokens = |line: &str| line.split_whitespace().map(str::to_owned).collect();
    Ok(SequenceFile::Tokens(text.lines().map(tokens).collect()))
}

impl SequenceFile {
    /// The number of sequences.
    pub fn len(&self) -> usize {
        match self {
            SequenceFile::Numbered(read) => read.sequences.len(),
            SequenceFile::Tokens(lines) => lines.len(),
        }
    }

    /// Whether there are no sequences.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The alphabet of a model of these sequences. Tokens that occur less often than `min_count` are treated as
    /// unknown.
    pub fn alphabet(&self, min_count: usize) -> Alphabet {
        self.alphabet_of(min_count, usize::MAX)
    }

    /// The same with at most `most` tokens, the most frequent ones.
    pub fn alphabet_of(&self, min_count: usize, most: usize) -> Alphabet {
        match self {
            SequenceFile::Numbered(read) => Alphabet::Numbers(read.alphabet),
            SequenceFile::Tokens(lines) => {
                let mut all: Vec<&str> = lines.iter().flatten().map(String::as_str).collect();
                all.sort_unstable();
                let mut words: Vec<(usize, &str)> =
                    all.chunk_by(|a, b| a == b).map(|same| (same.len(), same[0])).collect();
                words.retain(|(count, _)| *count >= min_count);
                words.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
                words.truncate(most);
                Alphabet::Words(words.into_iter().map(|(_, word)| word).collect::<Vocab<WordId>>())
            }
        }
    }

    /// The sequences as symbol ids of an alphabet. Errors call the file `name`.
    pub fn numbers(&self, alphabet: &Alphabet, name: &str) -> Result<Vec<Vec<u32>>, Error> {
        let unknown = |token: &str| {
            Error::Data(format!("{name}: unknown symbol `{token}`; the model has {} symbols", alphabet.len()))
        };
        match self {
            SequenceFile::Numbered(read) => {
                let known = |symbol: &u32| match alphabet {
                    Alphabet::Numbers(count) if (*symbol as usize) < *count => Ok(*symbol),
                    Alphabet::Numbers(_) => Err(unknown(&symbol.to_string())),
                    Alphabet::Words(_) => {
                        alphabet.symbol(&symbol.to_string()).ok_or_else(|| unknown(&symbol.to_string()))
                    }
                };
                read.sequences.iter().map(|sequence| sequence.iter().map(known).collect()).collect()
            }
            SequenceFile::Tokens(lines) => lines
                .iter()
                .map(|line| {
                    line.iter().map(|token| alphabet.symbol(token).ok_or_else(|| unknown(token))).collect()
                })
                .collect(),
        }
    }

    /// The sequences, counted.
    pub fn counts(&self, alphabet: &Alphabet, name: &str) -> Result<SequenceCounts, Error> {
        Ok(SequenceCounts::of(alphabet.len(), self.numbers(alphabet, name)?)?)
    }
}

/// Whether a symbol stands for unknown words.
pub(super) fn is_unknown(alphabet: &Alphabet, symbol: u32) -> bool {
    matches!(alphabet, Alphabet::Words(vocab) if WordId::new(symbol as usize).is_none_or(|word| word.index() >= vocab.len()))
}
