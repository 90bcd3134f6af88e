//! The first 64 bytes of a container.
//!
//! | offset | bytes | field |
//! |---|---|---|
//! | 0 | 8 | [`MAGIC`] |
//! | 8 | 4 | format version |
//! | 12 | 4 | number of sections |
//! | 16 | 8 | length of the whole file |
//! | 24 | 8 | length of the section table, which follows the header |
//! | 32 | 4 | CRC-32 of the section table |
//! | 36 | 24 | zero |
//! | 60 | 4 | CRC-32 of the 60 bytes before |
//!
//! Every later version keeps this header, whatever else it changes. So the version can be trusted before anything else
//! is read, and a damaged version number is distinguished from a newer one.

use super::error::{LoadError, Place};
use super::foreign;

/// The first bytes of a container. The first one is neither ASCII nor UTF-8, which exposes text tools and 7-bit
/// transfers; the line ends expose transfers that rewrite them.
pub const MAGIC: [u8; 8] = [0x89, b'E', b'I', b'G', b'\r', b'\n', 0x1a, b'\n'];

/// The container version that this build writes, and the newest it reads.
///
/// 1: header, section table, sections; metadata first.
pub const FORMAT_VERSION: u32 = 1;

/// Sections begin at multiples of this many bytes: one cache line, which suits every number type and vector register.
pub const ALIGNMENT: usize = 64;

pub(super) const HEADER_LEN: usize = 64;
const CHECKED_LEN: usize = HEADER_LEN - 4;

/// `length` rounded up to the alignment, or `None` beyond the address space.
pub(super) fn align(length: usize) -> Option<usize> {
    length.checked_next_multiple_of(ALIGNMENT)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Header {
    pub(super) sections: u32,
    pub(super) file_len: u64,
    pub(super) table_len: u64,
    pub(super) table_crc: u32,
}

impl Header {
    pub(super) fn encode(&self) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        bytes[0..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.sections.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.file_len.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.table_len.to_le_bytes());
        bytes[32..36].copy_from_slice(&self.table_crc.to_le_bytes());
        let crc = crc32fast::hash(&bytes[..CHECKED_LEN]);
        bytes[CHECKED_LEN..].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    /// Reads the header at the start of `bytes`, which may be the whole file or any prefix that is long enough.
    pub(super) fn decode(bytes: &[u8]) -> Result<Self, LoadError> {
        foreign::check_magic(bytes)?;
        let header: &[u8; HEADER_LEN] =
            bytes.first_chunk().ok_or_else(|| LoadError::truncated(HEADER_LEN as u64, bytes.len() as u64))?;
        let u32_at = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| header[at + i]));
        let u64_at = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| header[at + i]));
        if crc32fast::hash(&header[..CHECKED_LEN]) != u32_at(CHECKED_LEN) {
            return Err(LoadError::damaged(Place::Header));
        }
        match u32_at(8) {
            FORMAT_VERSION => {}
            0 => return Err(LoadError::malformed("its format version is 0")),
            newer => return Err(LoadError::newer_format(newer)),
        }
        if header[36..CHECKED_LEN].iter().any(|&byte| byte != 0) {
            return Err(LoadError::malformed("the reserved part of its header is not zero"));
        }
        Ok(Self { sections: u32_at(12), file_len: u64_at(16), table_len: u64_at(24), table_crc: u32_at(32) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_version_is_named_even_if_all_else_changed() {
        let mut bytes = Header { sections: 9, file_len: 9, table_len: 9, table_crc: 9 }.encode();
        bytes[8] = 3;
        let crc = crc32fast::hash(&bytes[..CHECKED_LEN]);
        bytes[CHECKED_LEN..].copy_from_slice(&crc.to_le_bytes());
        let error = Header::decode(&bytes).unwrap_err();
        assert!(error.is_newer());
        assert!(error.to_string().contains("format 3, this build reads up to 1"), "{error}");
    }

    #[test]
    fn a_flipped_bit_in_the_version_is_damage_and_not_a_newer_version() {
        let mut bytes = Header { sections: 1, file_len: 64, table_len: 0, table_crc: 0 }.encode();
        bytes[8] ^= 2;
        assert!(Header::decode(&bytes).unwrap_err().is_damaged());
    }
}
