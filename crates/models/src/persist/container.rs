//! Reading of containers.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read;
use std::ops::Range;
use std::sync::Arc;

use memmap2::Mmap;
use serde::de::DeserializeOwned;

use super::error::{LoadError, Place};
use super::header::{HEADER_LEN, Header};
use super::kind::{Element, Kind};
use super::metadata::{METADATA, Metadata};
use super::section::{Section, decode_table};
use super::storage::{Bytes, Storage};
use super::strings::{ENDS_SUFFIX, StringTable, TEXT_SUFFIX};

/// A fully checked model file, or the part of one under a [`scope`](Self::scope).
///
/// Cloning and all getters are cheap: they return views that keep the file alive.
#[derive(Clone)]
pub struct Container {
    file: Arc<File>,
    /// Ends with `/` unless empty.
    prefix: String,
}

struct File {
    bytes: Arc<Bytes>,
    sections: Vec<Section>,
    /// Index into `sections`.
    by_name: BTreeMap<String, usize>,
    /// By prefix; there is always an entry for the empty prefix.
    metadata: BTreeMap<String, Metadata>,
}

impl Container {
    /// Opens a container in memory.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, LoadError> {
        Self::open(Bytes::from_vec(bytes))
    }

    /// Opens a container from a copy of `bytes`.
    pub fn from_slice(bytes: &[u8]) -> Result<Self, LoadError> {
        Self::open(Bytes::from_slice(bytes))
    }

    /// Opens a memory-mapped container. Nothing is copied; processes that map the same file share its memory.
    ///
    /// The file is checked now and not again: the caller must ensure that nobody rewrites the mapped file in place.
    /// Replacing it by renaming another file over it is safe.
    pub fn from_mmap(map: Mmap) -> Result<Self, LoadError> {
        Self::open(Bytes::Map(map))
    }

    /// Reads a container to the end. For standard input and compressed files, which cannot be mapped.
    pub fn from_reader(mut reader: impl Read) -> Result<Self, LoadError> {
        let mut bytes = Vec::new();
        // Check the header first, so that a large foreign file is rejected at once.
        reader.by_ref().take(HEADER_LEN as u64).read_to_end(&mut bytes)?;
        Header::decode(&bytes)?;
        reader.read_to_end(&mut bytes)?;
        Self::from_bytes(bytes)
    }

    fn open(bytes: Bytes) -> Result<Self, LoadError> {
        let all = bytes.as_slice();
        let header = Header::decode(all)?;
        let found = all.len() as u64;
        if found < header.file_len {
            return Err(LoadError::truncated(header.file_len, found));
        }
        if found > header.file_len {
            return Err(LoadError::trailing(found - header.file_len));
        }
        let table = table_range(&header).and_then(|range| all.get(range)).ok_or_else(table_too_long)?;
        let sections = decode_table(&header, table)?;
        let mut end = HEADER_LEN + table.len();
        for section in &sections {
            let padding = all.get(end..section.offset).ok_or_else(section_outside)?;
            if padding.iter().any(|&byte| byte != 0) {
                let before = section.name.clone();
                return Err(LoadError::damaged(Place::Padding { before }));
            }
            check_crc(section, contents(all, section)?)?;
            end = section.offset + section.byte_len;
        }
        let by_name: BTreeMap<String, usize> =
            sections.iter().enumerate().map(|(index, section)| (section.name.clone(), index)).collect();
        if by_name.len() != sections.len() {
            return Err(LoadError::malformed("two of its sections have the same name"));
        }
        expect_metadata_first(&sections)?;
        let mut metadata = BTreeMap::new();
        for section in sections.iter().filter(|section| section.kind == Kind::Json) {
            if let Some(prefix) = section.name.strip_suffix(METADATA)
                && (prefix.is_empty() || prefix.ends_with('/'))
            {
                metadata.insert(prefix.to_owned(), Metadata::parse(&section.name, contents(all, section)?)?);
            }
        }
        let file = File { bytes: Arc::new(bytes), sections, by_name, metadata };
        Ok(Self { file: Arc::new(file), prefix: String::new() })
    }

    /// The part whose section names begin with `name/`; the inverse of
    /// [`ContainerWriter::scope`](super::ContainerWriter::scope). It may be empty.
    pub fn scope(&self, name: &str) -> Self {
        Self { file: Arc::clone(&self.file), prefix: format!("{}{name}/", self.prefix) }
    }

    /// The metadata of the innermost model that contains this scope.
    pub fn metadata(&self) -> &Metadata {
        let mut prefix = self.prefix.as_str();
        loop {
            if let Some(metadata) = self.file.metadata.get(prefix) {
                return metadata;
            }
            let outer = prefix.trim_end_matches('/').rfind('/');
            prefix = outer.map_or("", |slash| &prefix[..=slash]);
        }
    }

    /// The sections of this scope, in the order of the file.
    pub fn sections(&self) -> impl Iterator<Item = &Section> {
        self.file.sections.iter().filter(|section| section.name.starts_with(&self.prefix))
    }

    /// Length of the whole file.
    pub fn byte_len(&self) -> usize {
        self.file.bytes.as_slice().len()
    }

    /// The bytes of the whole file.
    pub fn as_bytes(&self) -> &[u8] {
        self.file.bytes.as_slice()
    }

    /// A checksum of the whole file: that of its section table, which has the checksums of all sections.
    pub fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&(self.byte_len() as u64).to_le_bytes());
        for section in &self.file.sections {
            hasher.update(section.name.as_bytes());
            hasher.update(&section.crc.to_le_bytes());
        }
        hasher.finalize()
    }

    /// Whether there is a section `name` in this scope.
    pub fn contains(&self, name: &str) -> bool {
        self.file.by_name.contains_key(&self.full_name(name))
    }

    /// Describes section `name`; for tensors whose shape carries information.
    pub fn section(&self, name: &str) -> Result<&Section, LoadError> {
        let name = self.full_name(name);
        match self.file.by_name.get(&name) {
            Some(&index) => Ok(&self.file.sections[index]),
            None => Err(LoadError::missing_section(name)),
        }
    }

    /// The numbers of section `name`, which must have this shape.
    pub fn tensor<T: Element>(&self, name: &str, shape: &[usize]) -> Result<Storage<T>, LoadError> {
        let section = self.typed(name, T::KIND)?;
        if section.shape != shape {
            return Err(LoadError::wrong_shape(&section.name, shape, &section.shape));
        }
        self.view(section)
    }

    /// The numbers of section `name`, in any shape.
    pub fn array<T: Element>(&self, name: &str) -> Result<Storage<T>, LoadError> {
        self.view(self.typed(name, T::KIND)?)
    }

    /// The string table `name`.
    pub fn strings(&self, name: &str) -> Result<StringTable, LoadError> {
        let text = self.view(self.typed(&format!("{name}{TEXT_SUFFIX}"), Kind::Text)?)?;
        let ends = self.array(&format!("{name}{ENDS_SUFFIX}"))?;
        StringTable::new(&self.full_name(name), text, ends)
    }

    /// The value of the JSON section `name`.
    pub fn json<D: DeserializeOwned>(&self, name: &str) -> Result<D, LoadError> {
        let section = self.typed(name, Kind::Json)?;
        let json = contents(self.file.bytes.as_slice(), section)?;
        serde_json::from_slice(json).map_err(|error| LoadError::invalid(&section.name, error.to_string()))
    }

    fn full_name(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    fn typed(&self, name: &str, kind: Kind) -> Result<&Section, LoadError> {
        let section = self.section(name)?;
        if section.kind == kind {
            Ok(section)
        } else {
            Err(LoadError::wrong_kind(&section.name, kind, section.kind))
        }
    }

    fn view<T: Element>(&self, section: &Section) -> Result<Storage<T>, LoadError> {
        Storage::view(Arc::clone(&self.file.bytes), range(section))
            .ok_or_else(|| LoadError::malformed(format!("section `{}` is not aligned", section.name)))
    }
}

impl fmt::Debug for Container {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Container")
            .field("prefix", &self.prefix)
            .field("metadata", self.metadata())
            .field("sections", &self.sections().map(Section::name).collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

/// Reads only the metadata and the table of contents from the start of a container.
///
/// The parts that are read are checked; the rest may still be damaged.
pub fn read_metadata(mut reader: impl Read) -> Result<(Metadata, Vec<Section>), LoadError> {
    let mut start = Vec::new();
    let mut read_up_to = |end: usize, start: &mut Vec<u8>| -> Result<(), LoadError> {
        // `take` instead of a buffer of the announced size: a wrong size must not allocate more than the file holds.
        reader.by_ref().take((end - start.len()) as u64).read_to_end(start)?;
        Ok(())
    };
    read_up_to(HEADER_LEN, &mut start)?;
    let header = Header::decode(&start)?;
    let table = table_range(&header).ok_or_else(table_too_long)?;
    read_up_to(table.end, &mut start)?;
    let cut = |start: &[u8]| LoadError::truncated(header.file_len, start.len() as u64);
    let sections = decode_table(&header, start.get(table).ok_or_else(|| cut(&start))?)?;
    let section = expect_metadata_first(&sections)?;
    read_up_to(range(section).end, &mut start)?;
    let json = start.get(range(section)).ok_or_else(|| cut(&start))?;
    check_crc(section, json)?;
    Ok((Metadata::parse(METADATA, json)?, sections))
}

fn table_range(header: &Header) -> Option<Range<usize>> {
    let length = usize::try_from(header.table_len).ok()?;
    Some(HEADER_LEN..HEADER_LEN.checked_add(length)?)
}

fn range(section: &Section) -> Range<usize> {
    section.offset..section.offset + section.byte_len
}

fn contents<'b>(all: &'b [u8], section: &Section) -> Result<&'b [u8], LoadError> {
    all.get(range(section)).ok_or_else(section_outside)
}

fn check_crc(section: &Section, contents: &[u8]) -> Result<(), LoadError> {
    if crc32fast::hash(contents) == section.crc {
        Ok(())
    } else {
        Err(LoadError::damaged(Place::Section { name: section.name.clone() }))
    }
}

fn expect_metadata_first(sections: &[Section]) -> Result<&Section, LoadError> {
    sections
        .first()
        .filter(|section| section.name == METADATA && section.kind == Kind::Json)
        .ok_or_else(|| LoadError::malformed("its first section is not the metadata"))
}

fn table_too_long() -> LoadError {
    LoadError::malformed("its section table is longer than the file")
}

fn section_outside() -> LoadError {
    LoadError::malformed("one of its sections is outside the file")
}
