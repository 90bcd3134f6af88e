//! Writing of containers.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::Write;

use serde::Serialize;

use super::error::SaveError;
use super::header::{ALIGNMENT, HEADER_LEN, Header, align};
use super::kind::{Element, Kind};
use super::metadata::{METADATA, Metadata};
use super::section::{MAX_DIMENSIONS, Section, byte_len, encode_table, encoded_len, name_fault};
use super::strings::{ENDS_SUFFIX, TEXT_SUFFIX};

/// Collects the sections of a model, then writes them.
///
/// Tensors are borrowed where possible, so nothing large is copied. The output depends only on what was added and in
/// which order. A section that cannot be saved (duplicate name, shape that does not match the data) is remembered and
/// reported by [`write_to`](Self::write_to), which keeps the code that adds sections free of error handling.
pub struct ContainerWriter<'a> {
    /// Ends with `/` unless empty.
    prefix: String,
    parts: Vec<Part<'a>>,
    names: BTreeSet<String>,
    fault: Option<SaveError>,
}

struct Part<'a> {
    name: String,
    kind: Kind,
    shape: Vec<usize>,
    data: Data<'a>,
}

/// Numbers as they are in memory, or bytes prepared for the file.
enum Data<'a> {
    Borrowed(&'a [u8]),
    Bytes(Vec<u8>),
}

impl Data<'_> {
    fn as_slice(&self) -> &[u8] {
        match self {
            Data::Borrowed(bytes) => bytes,
            Data::Bytes(bytes) => bytes,
        }
    }
}

impl<'a> ContainerWriter<'a> {
    /// Creates a writer with only `metadata`.
    pub fn new(metadata: &Metadata) -> Self {
        let mut writer =
            Self { prefix: String::new(), parts: Vec::new(), names: BTreeSet::new(), fault: None };
        writer.metadata(metadata);
        writer
    }

    /// Adds the metadata of a nested model; call it within the [`scope`](Self::scope) of that model.
    pub fn metadata(&mut self, metadata: &Metadata) {
        self.json(METADATA, metadata);
    }

    /// Runs `write`, which adds sections whose names all begin with `name/`.
    ///
    /// [`Container::scope`](super::Container::scope) is the inverse. This way the same code writes a model alone or as
    /// part of another.
    pub fn scope<R>(&mut self, name: &str, write: impl FnOnce(&mut Self) -> R) -> R {
        let outer = self.prefix.len();
        self.prefix.push_str(name);
        self.prefix.push('/');
        let result = write(self);
        self.prefix.truncate(outer);
        result
    }

    /// Adds numbers of the given shape, outermost dimension first. Takes a slice, which it borrows, or a vector.
    pub fn tensor<T: Element>(&mut self, name: &str, shape: &[usize], data: impl Into<Cow<'a, [T]>>) {
        let data = match data.into() {
            Cow::Borrowed(slice) => Data::Borrowed(bytemuck::cast_slice(slice)),
            Cow::Owned(vec) => Data::Bytes(bytemuck::cast_slice(&vec).to_vec()),
        };
        self.add(name, T::KIND, shape, data);
    }

    /// Adds a one-dimensional array.
    pub fn array<T: Element>(&mut self, name: &str, data: impl Into<Cow<'a, [T]>>) {
        let data = data.into();
        self.tensor(name, &[data.len()], data);
    }

    /// Adds a string table, as the two sections `name.text` and `name.ends`.
    pub fn strings<S: AsRef<str>>(&mut self, name: &str, strings: impl IntoIterator<Item = S>) {
        let mut text = Vec::new();
        let mut ends = Vec::new();
        for string in strings {
            text.extend(string.as_ref().as_bytes());
            ends.push(text.len() as u64);
        }
        self.add(&format!("{name}{TEXT_SUFFIX}"), Kind::Text, &[text.len()], Data::Bytes(text));
        self.array(&format!("{name}{ENDS_SUFFIX}"), ends);
    }

    /// Adds a small structure as JSON; for options and names, not for bulk numbers.
    pub fn json(&mut self, name: &str, value: &impl Serialize) {
        match serde_json::to_vec(value) {
            Ok(json) => self.add(name, Kind::Json, &[json.len()], Data::Bytes(json)),
            Err(error) => {
                let name = format!("{}{name}", self.prefix);
                self.fault.get_or_insert(SaveError::bad_section(name, format!("it is not JSON: {error}")));
            }
        }
    }

    fn add(&mut self, name: &str, kind: Kind, shape: &[usize], data: Data<'a>) {
        let name = format!("{}{name}", self.prefix);
        let fault = if let Some(fault) = name_fault(&name) {
            fault.to_owned()
        } else if !(1..=MAX_DIMENSIONS).contains(&shape.len()) {
            format!("a tensor has 1 to {MAX_DIMENSIONS} dimensions, not {}", shape.len())
        } else if byte_len(kind, shape) != Some(data.as_slice().len()) {
            let items = data.as_slice().len() / kind.item_size();
            format!("{items} numbers do not fill the shape {shape:?}")
        } else if !self.names.insert(name.clone()) {
            "the name is already used".to_owned()
        } else {
            self.parts.push(Part { name, kind, shape: shape.to_vec(), data });
            return;
        };
        self.fault.get_or_insert(SaveError::bad_section(name, fault));
    }

    /// Writes the container and returns its length in bytes.
    ///
    /// The output should be buffered or a file; it is written in a few large pieces. It is not flushed.
    pub fn write_to(self, mut out: impl Write) -> Result<u64, SaveError> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let too_large =
            |name: &str| SaveError::bad_section(name, "the container would exceed the address space");
        let count = u32::try_from(self.parts.len()).map_err(|_| too_large("metadata"))?;
        let table_len: usize = self.parts.iter().map(|part| encoded_len(&part.name, part.shape.len())).sum();
        let mut end = HEADER_LEN + table_len;
        let mut sections = Vec::with_capacity(self.parts.len());
        for Part { name, kind, shape, data } in &self.parts {
            let data = data.as_slice();
            let offset = align(end).ok_or_else(|| too_large(name))?;
            end = offset.checked_add(data.len()).ok_or_else(|| too_large(name))?;
            sections.push(Section {
                name: name.clone(),
                kind: *kind,
                shape: shape.clone(),
                offset,
                byte_len: data.len(),
                crc: crc32fast::hash(data),
            });
        }
        let table = encode_table(&sections);
        let header = Header {
            sections: count,
            file_len: end as u64,
            table_len: table.len() as u64,
            table_crc: crc32fast::hash(&table),
        };
        out.write_all(&header.encode())?;
        out.write_all(&table)?;
        let mut written = HEADER_LEN + table.len();
        for (section, part) in sections.iter().zip(&self.parts) {
            out.write_all(&[0; ALIGNMENT][..section.offset - written])?;
            out.write_all(part.data.as_slice())?;
            written = section.offset + section.byte_len;
        }
        Ok(header.file_len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(add: impl FnOnce(&mut ContainerWriter<'_>)) -> String {
        let mut writer = ContainerWriter::new(&Metadata::new("test", 1));
        add(&mut writer);
        let error = writer.write_to(std::io::sink()).unwrap_err();
        assert!(!error.is_io());
        error.to_string()
    }

    #[test]
    fn sections_that_cannot_be_saved_are_reported_by_name() {
        assert!(message(|w| w.tensor("a", &[2, 2], vec![1_u8; 3])).contains("3 numbers do not fill"));
        assert!(message(|w| w.tensor("a", &[], vec![1_u8])).contains("dimensions"));
        assert!(message(|w| w.tensor("a", &[1; 9], vec![1_u8])).contains("dimensions"));
        assert!(message(|w| w.array("a b", vec![1_u8])).contains("`a b`"));
        assert!(message(|w| w.metadata(&Metadata::new("again", 1))).contains("already used"));
        let twice = message(|w| {
            w.scope("deep/er", |w| {
                w.array("x", vec![1_u8]);
                w.array("x", vec![2_u8]);
            });
        });
        assert!(twice.contains("`deep/er/x`"), "{twice}");
    }

    #[test]
    fn a_failing_sink_is_an_io_error() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
                Err(std::io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let writer = ContainerWriter::new(&Metadata::new("test", 1));
        assert!(writer.write_to(Full).unwrap_err().is_io());
    }
}
