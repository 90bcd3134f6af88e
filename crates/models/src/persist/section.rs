//! The section table.
//!
//! One entry per section, in the order of the sections in the file:
//!
//! | bytes | field |
//! |---|---|
//! | 8 | offset of the section from the start of the file |
//! | 8 | length in bytes |
//! | 4 | CRC-32 of the section |
//! | 1 | [`Kind`] |
//! | 1 | number of dimensions, 1 to 8 |
//! | 2 | length of the name |
//! | 8 each | dimensions, outermost first |
//! | … | name, then zeros up to a multiple of 8 bytes |
//!
//! The offsets follow from the lengths. They are stored for the convenience of other readers and are checked, which
//! rules out overlaps and gaps.

use super::error::{LoadError, Place};
use super::header::{HEADER_LEN, Header, align};
use super::kind::Kind;

pub(super) const MAX_DIMENSIONS: usize = 8;
const MAX_NAME: usize = 255;
const NAME_ALIGNMENT: usize = 8;

/// A named part of a container.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// `shape.iter().product() * kind.item_size() == byte_len`
    pub(super) shape: Vec<usize>,
    /// `offset % ALIGNMENT == 0`
    pub(super) offset: usize,
    pub(super) byte_len: usize,
    pub(super) crc: u32,
}

impl Section {
    /// Full name, such as `tagger/lexicon/words.text`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Type of the contents.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Dimensions, outermost first.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Size in the file.
    pub fn byte_len(&self) -> usize {
        self.byte_len
    }

    fn end(&self) -> usize {
        self.offset + self.byte_len
    }
}

/// Why `name` is not a valid section name, if it is not. Names are paths of ASCII words, so that they survive any tool.
pub(super) fn name_fault(name: &str) -> Option<&'static str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if name.len() > MAX_NAME {
        Some("the name has more than 255 bytes")
    } else if name.split('/').any(|part| part.is_empty() || !part.chars().all(is_plain)) {
        Some("names are made of ASCII letters, digits, `_`, `-` and `.`, with single `/` between the parts")
    } else {
        None
    }
}

/// Size of a tensor in bytes, or `None` if it exceeds the address space.
pub(super) fn byte_len(kind: Kind, shape: &[usize]) -> Option<usize> {
    // A zero anywhere makes the tensor empty, even if the other dimensions overflow.
    if shape.contains(&0) {
        return Some(0);
    }
    shape.iter().try_fold(kind.item_size(), |size, &dimension| size.checked_mul(dimension))
}

pub(super) fn encoded_len(name: &str, dimensions: usize) -> usize {
    24 + 8 * dimensions + name.len().next_multiple_of(NAME_ALIGNMENT)
}

pub(super) fn encode_table(sections: &[Section]) -> Vec<u8> {
    let mut table = Vec::new();
    for section in sections {
        let dimensions =
            u8::try_from(section.shape.len()).expect("the writer refuses more than 8 dimensions");
        let name_len =
            u16::try_from(section.name.len()).expect("the writer refuses names of more than 255 bytes");
        table.extend((section.offset as u64).to_le_bytes());
        table.extend((section.byte_len as u64).to_le_bytes());
        table.extend(section.crc.to_le_bytes());
        table.extend([section.kind.code(), dimensions]);
        table.extend(name_len.to_le_bytes());
        for &dimension in &section.shape {
            table.extend((dimension as u64).to_le_bytes());
        }
        table.extend(section.name.as_bytes());
        table.resize(table.len().next_multiple_of(NAME_ALIGNMENT), 0);
    }
    table
}

/// Reads the table and checks that its sections fill the file described by `header` without overlap or gap.
pub(super) fn decode_table(header: &Header, table: &[u8]) -> Result<Vec<Section>, LoadError> {
    if crc32fast::hash(table) != header.table_crc {
        return Err(LoadError::damaged(Place::Table));
    }
    let mut rest = table;
    let mut sections = Vec::new();
    let mut end = HEADER_LEN + table.len();
    for index in 0..header.sections {
        let section = decode_entry(&mut rest)
            .map_err(|what| LoadError::malformed(format!("entry {index} of its section table {what}")))?;
        let fits =
            align(end) == Some(section.offset) && section.offset.checked_add(section.byte_len).is_some();
        if !fits {
            let what = format!("section `{}` does not follow the one before it", section.name);
            return Err(LoadError::malformed(what));
        }
        end = section.end();
        sections.push(section);
    }
    if !rest.is_empty() {
        return Err(LoadError::malformed("its section table is longer than its entries"));
    }
    if end as u64 != header.file_len {
        return Err(LoadError::malformed("its sections do not end where the file does"));
    }
    Ok(sections)
}

fn decode_entry(rest: &mut &[u8]) -> Result<Section, String> {
    const CUT: &str = "is cut short";
    const HUGE: &str = "is too large for this machine";
    let size = |number: u64| usize::try_from(number).map_err(|_| HUGE);
    let offset = size(u64::from_le_bytes(take(rest).ok_or(CUT)?))?;
    let stored_len = size(u64::from_le_bytes(take(rest).ok_or(CUT)?))?;
    let crc = u32::from_le_bytes(take(rest).ok_or(CUT)?);
    let [code, dimensions] = take(rest).ok_or(CUT)?;
    let name_len = usize::from(u16::from_le_bytes(take(rest).ok_or(CUT)?));
    let kind = Kind::from_code(code).ok_or_else(|| format!("has the unknown kind {code}"))?;
    let dimensions = usize::from(dimensions);
    if !(1..=MAX_DIMENSIONS).contains(&dimensions) {
        return Err(format!("has {dimensions} dimensions"));
    }
    let mut shape = Vec::with_capacity(dimensions);
    for _ in 0..dimensions {
        shape.push(size(u64::from_le_bytes(take(rest).ok_or(CUT)?))?);
    }
    let (name, after) = rest.split_at_checked(name_len).ok_or(CUT)?;
    let padding_len = name_len.next_multiple_of(NAME_ALIGNMENT) - name_len;
    let (padding, after) = after.split_at_checked(padding_len).ok_or(CUT)?;
    *rest = after;
    let name = std::str::from_utf8(name).map_err(|_| "has a name that is not UTF-8")?;
    if let Some(fault) = name_fault(name) {
        return Err(format!("has a bad name: {fault}"));
    }
    if padding.iter().any(|&byte| byte != 0) {
        return Err("has padding that is not zero".to_owned());
    }
    if byte_len(kind, &shape) != Some(stored_len) {
        return Err(format!("has {stored_len} bytes, which is not the size of {kind} {shape:?}"));
    }
    Ok(Section { name: name.to_owned(), kind, shape, offset, byte_len: stored_len, crc })
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(*taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_overflow_are_refused() {
        assert_eq!(byte_len(Kind::F64, &[3, 4]), Some(96));
        assert_eq!(byte_len(Kind::F64, &[usize::MAX, 2]), None);
        assert_eq!(byte_len(Kind::F64, &[usize::MAX / 8 + 1]), None);
        assert_eq!(byte_len(Kind::F64, &[usize::MAX, 2, 0]), Some(0));
    }

    #[test]
    fn names_are_plain_paths() {
        for good in ["a", "metadata", "tagger/lexicon/words.text", "x-1_b"] {
            assert_eq!(name_fault(good), None);
        }
        for bad in ["", "/a", "a/", "a//b", "a b", "é", "a\0", "a\\b"] {
            assert!(name_fault(bad).is_some(), "{bad:?}");
        }
        assert!(name_fault(&"a".repeat(256)).is_some());
    }

    #[test]
    fn the_table_is_as_long_as_announced() {
        let section = Section {
            name: "some.name".to_owned(),
            kind: Kind::U16,
            shape: vec![2, 3],
            offset: 192,
            byte_len: 12,
            crc: 7,
        };
        let table = encode_table(std::slice::from_ref(&section));
        assert_eq!(table.len(), encoded_len("some.name", 2));
        assert_eq!(decode_entry(&mut &table[..]), Ok(section));
    }
}
