//! One line of a sentence: its id, and a view of its columns.

use std::fmt;

use super::Column;
use super::enhanced::{EnhancedArc, enhanced_arcs};
use super::sentence::Row;
use crate::dependency::Head;

/// The kind and numbers of a line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TokenId {
    /// A syntactic word, numbered from 1.
    Word(u32),
    /// A surface token that covers the words `first..=last`.
    Range {
        /// Number of the first word covered.
        first: u32,
        /// Number of the last word covered.
        last: u32,
    },
    /// A node of the enhanced graph without a word of its own.
    Empty {
        /// Number of the word it follows; 0 before the first.
        after: u32,
        /// Position among the empty nodes there, counted from 1.
        index: u32,
    },
}

impl TokenId {
    /// Parses an id in its canonical form: no sign, no leading zeros.
    pub(crate) fn parse(text: &str) -> Option<TokenId> {
        let bytes = text.as_bytes();
        match memchr::memchr2(b'-', b'.', bytes) {
            None => parse_number(text).filter(|&word| word > 0).map(TokenId::Word),
            Some(at) => {
                let (left, right) = (parse_number(&text[..at])?, parse_number(&text[at + 1..])?);
                match bytes[at] {
                    b'-' if left > 0 && left <= right => Some(TokenId::Range { first: left, last: right }),
                    b'.' if right > 0 => Some(TokenId::Empty { after: left, index: right }),
                    _ => None,
                }
            }
        }
    }
}

impl fmt::Display for TokenId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TokenId::Word(word) => write!(f, "{word}"),
            TokenId::Range { first, last } => write!(f, "{first}-{last}"),
            TokenId::Empty { after, index } => write!(f, "{after}.{index}"),
        }
    }
}

/// Parses a number of at most nine digits without sign or leading zeros. Nine digits suffice for any sentence and
/// cannot overflow.
#[inline]
pub(crate) fn parse_number(text: &str) -> Option<u32> {
    let bytes = text.as_bytes();
    if bytes.is_empty() || bytes.len() > 9 || (bytes[0] == b'0' && bytes.len() > 1) {
        return None;
    }
    bytes
        .iter()
        .try_fold(0u32, |number, byte| byte.is_ascii_digit().then(|| number * 10 + u32::from(byte - b'0')))
}

/// The columns of a new token; `_`, meaning "not given", by default.
///
/// ```
/// use eigentree_corpus::format::conllu::Columns;
/// let columns = Columns { form: "dogs", upos: "NOUN", ..Columns::default() };
/// assert_eq!(columns.lemma, "_");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each field is the column of that name")]
pub struct Columns<'a> {
    pub form: &'a str,
    pub lemma: &'a str,
    pub upos: &'a str,
    pub xpos: &'a str,
    pub feats: &'a str,
    pub head: Option<Head>,
    pub deprel: &'a str,
    pub deps: &'a str,
    pub misc: &'a str,
}

impl Default for Columns<'_> {
    fn default() -> Self {
        Columns {
            form: "_",
            lemma: "_",
            upos: "_",
            xpos: "_",
            feats: "_",
            head: None,
            deprel: "_",
            deps: "_",
            misc: "_",
        }
    }
}

/// A view of one line of a sentence. Columns that were not given are `_`, as in the file.
#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) row: &'a Row,
}

impl<'a> Token<'a> {
    /// Whether the token is a word, a range or an empty node, and its numbers.
    #[inline]
    pub fn id(&self) -> TokenId {
        self.row.id
    }

    /// The text of any column.
    #[inline]
    pub fn column(&self, column: Column) -> &'a str {
        &self.text[self.row.columns[column as usize].range()]
    }

    /// FORM. May contain spaces.
    pub fn form(&self) -> &'a str {
        self.column(Column::Form)
    }

    /// LEMMA.
    pub fn lemma(&self) -> &'a str {
        self.column(Column::Lemma)
    }

    /// UPOS.
    pub fn upos(&self) -> &'a str {
        self.column(Column::Upos)
    }

    /// XPOS.
    pub fn xpos(&self) -> &'a str {
        self.column(Column::Xpos)
    }

    /// FEATS, as written.
    pub fn feats(&self) -> &'a str {
        self.column(Column::Feats)
    }

    /// HEAD; `None` for `_`, which ranges and empty nodes always have.
    #[inline]
    pub fn head(&self) -> Option<Head> {
        self.row.head
    }

    /// DEPREL, with its subtype.
    pub fn deprel(&self) -> &'a str {
        self.column(Column::Deprel)
    }

    /// DEPREL up to the first `:`, the universal relation.
    pub fn universal_deprel(&self) -> &'a str {
        let deprel = self.deprel();
        deprel.split_once(':').map_or(deprel, |(universal, _)| universal)
    }

    /// DEPS, as written. See [`Token::enhanced`] for its parts.
    pub fn deps(&self) -> &'a str {
        self.column(Column::Deps)
    }

    /// The arcs of DEPS; none for `_`, and `None` for a part that is not `head:relation`.
    pub fn enhanced(&self) -> impl Iterator<Item = Option<EnhancedArc<'a>>> + use<'a> {
        enhanced_arcs(self.deps())
    }

    /// MISC, as written.
    pub fn misc(&self) -> &'a str {
        self.column(Column::Misc)
    }

    /// The value of `key` in MISC.
    pub fn misc_value(&self, key: &str) -> Option<&'a str> {
        attribute(self.misc(), key)
    }

    /// The value of `key` in FEATS.
    pub fn feature(&self, key: &str) -> Option<&'a str> {
        attribute(self.feats(), key)
    }

    /// Whether a space follows in the running text: false only if MISC has `SpaceAfter=No`.
    ///
    /// Inside a multiword range, the line of the range determines this.
    pub fn space_after(&self) -> bool {
        self.misc_value("SpaceAfter") != Some("No")
    }
}

/// The value of `key` in a list `key=value|key=value`.
fn attribute<'a>(list: &'a str, key: &str) -> Option<&'a str> {
    list.split('|').find_map(|part| part.strip_prefix(key)?.strip_prefix('='))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_one_spelling() {
        assert_eq!(TokenId::parse("12"), Some(TokenId::Word(12)));
        assert_eq!(TokenId::parse("3-4"), Some(TokenId::Range { first: 3, last: 4 }));
        assert_eq!(TokenId::parse("0.1"), Some(TokenId::Empty { after: 0, index: 1 }));
        for bad in [
            "", "0", "01", "+1", "-", "1-", "-1", "4-3", "0-1", "1.0", "1.", ".1", "1-2-3", "1.1.1", "1e3",
            "١",
        ] {
            assert_eq!(TokenId::parse(bad), None, "{bad:?}");
        }
        assert_eq!(TokenId::parse("9999999999999999999999"), None);
    }

    #[test]
    fn attributes_are_found_whole() {
        assert_eq!(attribute("Gloss=a=b|SpaceAfter=No", "SpaceAfter"), Some("No"));
        assert_eq!(attribute("Gloss=a=b|SpaceAfter=No", "Gloss"), Some("a=b"));
        assert_eq!(attribute("XSpaceAfter=No", "SpaceAfter"), None);
        assert_eq!(attribute("SpaceAfterX=No", "SpaceAfter"), None);
        assert_eq!(attribute("_", "SpaceAfter"), None);
    }
}
