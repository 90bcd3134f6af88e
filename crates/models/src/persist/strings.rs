//! String tables: the concatenated text, and the end of each string.

use super::error::LoadError;
use super::storage::Storage;

/// Suffixes of the two sections of a table.
pub(super) const TEXT_SUFFIX: &str = ".text";
pub(super) const ENDS_SUFFIX: &str = ".ends";

/// Strings by index, read in place.
#[derive(Clone, PartialEq, Debug)]
pub struct StringTable {
    /// UTF-8.
    text: Storage<u8>,
    /// String `i` is `text[ends[i - 1]..ends[i]]`, with `ends[-1] = 0`. Non-decreasing; the last end is `text.len()`,
    /// and every end is at a character boundary.
    ends: Storage<u64>,
}

impl StringTable {
    /// Checks the invariants once, so that accesses need no checks.
    pub(super) fn new(name: &str, text: Storage<u8>, ends: Storage<u64>) -> Result<Self, LoadError> {
        let whole = std::str::from_utf8(&text).map_err(|error| {
            LoadError::invalid(format!("{name}{TEXT_SUFFIX}"), format!("not UTF-8: {error}"))
        })?;
        let invalid = |index: usize, what: &str| {
            LoadError::invalid(format!("{name}{ENDS_SUFFIX}"), format!("string {index} {what}"))
        };
        let mut start = 0;
        for (index, &end) in ends.iter().enumerate() {
            if end < start {
                return Err(invalid(index, "ends before it starts"));
            }
            let on_boundary = usize::try_from(end).is_ok_and(|end| whole.is_char_boundary(end));
            if !on_boundary {
                return Err(invalid(index, "ends outside the text or inside a character"));
            }
            start = end;
        }
        if start != whole.len() as u64 {
            return Err(invalid(ends.len(), "is missing: text is left over after the last end"));
        }
        Ok(Self { text, ends })
    }

    /// String `index`.
    pub fn get(&self, index: usize) -> Option<&str> {
        let end = self.ends.get(index).copied()?;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        let bytes = self.text.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)?;
        std::str::from_utf8(bytes).ok()
    }

    /// Number of strings.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether the table is empty.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All strings in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|index| self.get(index).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str, ends: &[u64]) -> Result<StringTable, LoadError> {
        StringTable::new("words", text.as_bytes().to_vec().into(), ends.to_vec().into())
    }

    #[test]
    fn strings_are_found_by_index() {
        let table = table("aéz", &[1, 1, 3, 4]).unwrap();
        assert_eq!(table.iter().collect::<Vec<_>>(), ["a", "", "é", "z"]);
        assert_eq!(table.get(4), None);
    }

    #[test]
    fn ends_that_fall_split_a_character_or_leave_text_are_refused() {
        for ends in [&[3, 1, 4][..], &[2, 4], &[1, 3], &[1, 3, 5], &[u64::MAX], &[]] {
            let error = table("aéz", ends).unwrap_err();
            assert!(error.is_invalid(), "{ends:?}");
            assert_eq!(error.section(), Some("words.ends"));
        }
        assert!(table("", &[]).unwrap().is_empty());
        let error = StringTable::new("words", vec![0xff].into(), vec![1].into()).unwrap_err();
        assert_eq!(error.section(), Some("words.text"));
    }
}
