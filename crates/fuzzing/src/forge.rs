//! Model files taken apart, changed, and sealed again with valid checksums.

use rand::seq::IndexedRandom;
use rand::{Rng, RngCore};

const HEADER: usize = 64;
const ALIGNMENT: usize = 64;
/// Code of sections with JSON; those with text have the code before it.
const JSON: u8 = 17;

/// A section of a model file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Name of the section.
    pub name: Vec<u8>,
    /// Code of the type of its items.
    pub kind: u8,
    /// Dimensions, outermost first.
    pub shape: Vec<u64>,
    /// Its contents.
    pub bytes: Vec<u8>,
}

/// The sections of a file, free to be changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forgery {
    /// In the order of the file.
    pub parts: Vec<Part>,
}

impl Forgery {
    /// Takes a file apart; `None` if it is not a model file.
    pub fn open(file: &[u8]) -> Option<Self> {
        let u32_at = |at: usize| Some(u32::from_le_bytes(*file.get(at..)?.first_chunk()?));
        let u64_at = |at: usize| Some(u64::from_le_bytes(*file.get(at..)?.first_chunk()?));
        let size = |number: u64| usize::try_from(number).ok();
        let mut at = HEADER;
        let mut parts = Vec::new();
        for _ in 0..u32_at(12)? {
            let (offset, length) = (size(u64_at(at)?)?, size(u64_at(at + 8)?)?);
            let &[kind, dimensions] = file.get(at + 20..)?.first_chunk()?;
            let name_len = usize::from(u16::from_le_bytes(*file.get(at + 22..)?.first_chunk()?));
            at += 24;
            let mut shape = Vec::new();
            for _ in 0..dimensions {
                shape.push(u64_at(at)?);
                at += 8;
            }
            let name = file.get(at..at + name_len)?.to_vec();
            at += name_len.next_multiple_of(8);
            let bytes = file.get(offset..offset.checked_add(length)?)?.to_vec();
            parts.push(Part { name, kind, shape, bytes });
        }
        Some(Self { parts })
    }

    /// The file, with all checksums right.
    pub fn seal(&self) -> Vec<u8> {
        let entry = |part: &Part| 24 + 8 * part.shape.len() + part.name.len().next_multiple_of(8);
        let table_len: usize = self.parts.iter().map(entry).sum();
        let mut file = vec![0; HEADER + table_len];
        let mut table = Vec::with_capacity(table_len);
        for part in &self.parts {
            file.resize(file.len().next_multiple_of(ALIGNMENT), 0);
            table.extend((file.len() as u64).to_le_bytes());
            table.extend((part.bytes.len() as u64).to_le_bytes());
            table.extend(crc32fast::hash(&part.bytes).to_le_bytes());
            // A fuzzer may have made a name or a shape that does not fit; the lengths are then wrong, as they may be.
            table.extend([part.kind, part.shape.len() as u8]);
            table.extend((part.name.len() as u16).to_le_bytes());
            part.shape.iter().for_each(|dimension| table.extend(dimension.to_le_bytes()));
            table.extend(&part.name);
            table.resize(table.len().next_multiple_of(8), 0);
            file.extend(&part.bytes);
        }
        let length = file.len() as u64;
        file[..8].copy_from_slice(&[0x89, b'E', b'I', b'G', b'\r', b'\n', 0x1a, b'\n']);
        file[8..12].copy_from_slice(&1_u32.to_le_bytes());
        file[12..16].copy_from_slice(&(self.parts.len() as u32).to_le_bytes());
        file[16..24].copy_from_slice(&length.to_le_bytes());
        file[24..32].copy_from_slice(&(table_len as u64).to_le_bytes());
        file[32..36].copy_from_slice(&crc32fast::hash(&table).to_le_bytes());
        file[HEADER..HEADER + table_len].copy_from_slice(&table);
        let crc = crc32fast::hash(&file[..60]);
        file[60..64].copy_from_slice(&crc.to_le_bytes());
        file
    }

    /// Changes what the script says: one thing after another, until it is over or no section is left.
    pub fn follow(&mut self, mut script: Script<'_>) {
        while !script.is_over() && self.change(&mut script).is_some() {}
    }

    /// Changes one thing, and returns what it was; `None` if no section is left.
    pub fn change(&mut self, rng: &mut impl Rng) -> Option<String> {
        if self.parts.is_empty() {
            return None;
        }
        let index = rng.random_range(0..self.parts.len());
        let name = String::from_utf8_lossy(&self.parts[index].name).into_owned();
        let done = match rng.random_range(0..20) {
            0 => {
                self.parts.remove(index);
                "removed".to_owned()
            }
            1 => {
                let other = rng.random_range(0..self.parts.len());
                let names = [index, other].map(|part| self.parts[part].name.clone());
                self.parts.swap(index, other);
                [self.parts[index].name, self.parts[other].name] = names;
                format!("exchanged with the contents of section {other}")
            }
            2 => self.parts[index].cut(rng),
            3 => self.parts[index].grow(rng),
            4 => self.parts[index].reshape(rng),
            5 => self.parts[index].overwrite(rng),
            _ => self.parts[index].change_item(rng),
        };
        Some(format!("{name}: {done}"))
    }
}

/// Choices that a fuzzer makes: its bytes in place of random ones, then zeros.
#[derive(Clone, Copy, Debug)]
pub struct Script<'a> {
    bytes: &'a [u8],
}

impl<'a> Script<'a> {
    /// The choices in these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// Whether no bytes are left.
    pub fn is_over(&self) -> bool {
        self.bytes.is_empty()
    }
}

impl RngCore for Script<'_> {
    fn next_u32(&mut self) -> u32 {
        let mut number = [0; 4];
        self.fill_bytes(&mut number);
        u32::from_le_bytes(number)
    }

    fn next_u64(&mut self) -> u64 {
        let mut number = [0; 8];
        self.fill_bytes(&mut number);
        u64::from_le_bytes(number)
    }

    fn fill_bytes(&mut self, target: &mut [u8]) {
        let (taken, left) = self.bytes.split_at(target.len().min(self.bytes.len()));
        target[..taken.len()].copy_from_slice(taken);
        target[taken.len()..].fill(0);
        self.bytes = left;
    }
}

impl Part {
    fn item_size(&self) -> usize {
        match self.kind {
            2 | 8 => 2,
            3 | 5 | 6 => 4,
            4 | 7 => 8,
            _ => 1,
        }
    }

    /// Number of items per unit of the outermost dimension, in bytes.
    fn row(&self) -> usize {
        let inner: u64 = self.shape.iter().skip(1).product();
        (inner as usize).max(1) * self.item_size()
    }

    /// Drops rows at the end, and tells so in the shape.
    fn cut(&mut self, rng: &mut impl Rng) -> String {
        let rows = self.bytes.len() / self.row();
        let keep = if rows == 0 { 0 } else { rng.random_range(0..rows) };
        self.bytes.truncate(keep * self.row());
        self.set_rows(keep);
        format!("cut to {keep} of {rows} rows")
    }

    /// Repeats rows, and tells so in the shape.
    fn grow(&mut self, rng: &mut impl Rng) -> String {
        let rows = self.bytes.len() / self.row();
        let more = rng.random_range(1..=3.max(rows.min(64)));
        let row = self.row();
        let tail = self.bytes[self.bytes.len() - row.min(self.bytes.len())..].to_vec();
        for _ in 0..more {
            if tail.is_empty() {
                self.bytes.extend(vec![0; row]);
            } else {
                self.bytes.extend(&tail);
            }
        }
        self.set_rows(rows + more);
        format!("grown from {rows} by {more} rows")
    }

    fn set_rows(&mut self, rows: usize) {
        if let Some(first) = self.shape.first_mut() {
            *first = rows as u64;
        }
    }

    /// Announces another shape for the same contents.
    fn reshape(&mut self, rng: &mut impl Rng) -> String {
        let before = self.shape.clone();
        match rng.random_range(0..3) {
            0 => self.shape.reverse(),
            1 => self.shape = vec![self.shape.iter().product()],
            _ => self.shape.insert(0, 1),
        }
        format!("shape {before:?} became {:?}", self.shape)
    }

    /// Writes any bytes over a few of its own.
    fn overwrite(&mut self, rng: &mut impl Rng) -> String {
        if self.bytes.is_empty() {
            return "empty, unchanged".to_owned();
        }
        let at = rng.random_range(0..self.bytes.len());
        let end = self.bytes.len().min(at + rng.random_range(1..=32));
        rng.fill(&mut self.bytes[at..end]);
        format!("bytes {at} to {end} changed")
    }

    /// Replaces one number, character, or number inside JSON.
    fn change_item(&mut self, rng: &mut impl Rng) -> String {
        let size = self.item_size();
        let items = self.bytes.len() / size;
        if items == 0 {
            return "empty, unchanged".to_owned();
        }
        if self.kind == JSON {
            return self.change_json(rng);
        }
        let item = rng.random_range(0..items);
        let place = &mut self.bytes[item * size..][..size];
        let before = place.to_vec();
        let interesting: &[u64] = match self.kind {
            6 => &FLOATS_32,
            7 => &FLOATS_64,
            _ => &[
                0,
                1,
                2,
                0x7f,
                0xff,
                0x7fff,
                0xffff,
                0x7fff_ffff,
                0xffff_ffff,
                1 << 40,
                u64::MAX >> 1,
                u64::MAX,
            ],
        };
        let value = match rng.random_range(0..4) {
            0 | 1 => *interesting.choose(rng).expect("the list is not empty"),
            2 => {
                let mut whole = [0; 8];
                whole[..size].copy_from_slice(place);
                u64::from_le_bytes(whole).wrapping_add_signed(rng.random_range(-2..=2))
            }
            _ => rng.random(),
        };
        place.copy_from_slice(&value.to_le_bytes()[..size]);
        format!("item {item} of {items} changed from {before:?} to {place:?}")
    }

    fn change_json(&mut self, rng: &mut impl Rng) -> String {
        let starts: Vec<usize> = (0..self.bytes.len())
            .filter(|&at| {
                self.bytes[at].is_ascii_digit() && (at == 0 || !self.bytes[at - 1].is_ascii_digit())
            })
            .collect();
        let Some(&start) = starts.choose(rng) else {
            let at = rng.random_range(0..self.bytes.len());
            self.bytes[at] = rng.random();
            return format!("byte {at} of the JSON changed");
        };
        let end = start + self.bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let values = [
            "0",
            "1",
            "2",
            "3",
            "17",
            "65535",
            "4294967295",
            "4294967296",
            "99999999",
            "18446744073709551615",
            "-1",
            "1e308",
            "0.5",
        ];
        let value = values.choose(rng).expect("the list is not empty");
        let before = String::from_utf8_lossy(&self.bytes[start.saturating_sub(20)..end]).into_owned();
        self.bytes.splice(start..end, value.bytes());
        self.set_rows(self.bytes.len());
        format!("`{before}` ends in {value} now")
    }
}

const FLOATS_32: [u64; 8] = [
    0,
    0x8000_0000,
    0x7f80_0000, // infinity
    0xff80_0000,
    0x7fc0_0000, // not a number
    0x7f7f_ffff, // the largest
    0xff7f_ffff,
    1, // the smallest denormal
];

const FLOATS_64: [u64; 8] = [
    0,
    1 << 63,
    0x7ff0_0000_0000_0000,
    0xfff0_0000_0000_0000,
    0x7ff8_0000_0000_0000,
    0x7fef_ffff_ffff_ffff,
    0xffef_ffff_ffff_ffff,
    1,
];

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::samples;

    #[test]
    fn what_is_taken_apart_is_put_together_again() {
        for (name, file) in samples::files() {
            let forgery = Forgery::open(file).unwrap_or_else(|| panic!("{name} is a model file"));
            assert!(forgery.seal() == *file, "{name}");
        }
    }

    #[test]
    fn changes_change_the_file_and_keep_its_checksums_right() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (_, file) = samples::files()[0];
        let mut changed = 0;
        for _ in 0..100 {
            let mut forgery = Forgery::open(file).expect("a model file");
            forgery.change(&mut rng);
            let sealed = forgery.seal();
            changed += usize::from(sealed != *file);
            let error = eigentree::Model::from_bytes(sealed, "forged").err().map(|error| error.to_string());
            assert!(!error.as_ref().is_some_and(|error| error.contains("damaged")), "{error:?}");
        }
        assert!(changed > 80, "{changed}");
    }
}
