//! Reads and writes word vectors in the formats of other tools.

use std::io;
use std::path::{Path, PathBuf};

use corpus::format::word_vectors::{
    WordVectors, read_binary, read_npy, read_text, write_binary, write_npy, write_text, write_words,
};
use models::representations::VectorTable;
use words::clusters::{BrownModel, Embedding};

use crate::Error;
use crate::files::{Input, Output, SealedOutput};

/// The file format of vectors.
#[derive(Clone, PartialEq, Eq, Debug)]
enum VectorFormat {
    /// The text format of word2vec: a word and its values per line.
    Text,
    /// The binary format of word2vec.
    Binary,
    /// A NumPy array; the words are in this file.
    Npy(PathBuf),
}

impl VectorFormat {
    /// Infers the format from the extension: `.bin` and `.npy`, otherwise text. The words of `x.npy` are in `x.words`.
    fn of(path: &Path) -> Self {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("bin") => VectorFormat::Binary,
            Some("npy") => VectorFormat::Npy(path.with_extension("words")),
            _ => VectorFormat::Text,
        }
    }
}

/// The vectors of the spectral methods with their words, by decreasing frequency.
pub fn word_vectors(model: &BrownModel, embedding: &Embedding) -> io::Result<WordVectors> {
    let words = model.vocab().iter().map(|(_, word)| word.to_owned()).collect();
    let values = (0..embedding.words()).flat_map(|word| embedding.row(word)).copied().collect();
    WordVectors::new(words, embedding.dimension(), values)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error.to_string()))
}

/// Where vectors go: one file, or two for NumPy.
#[derive(Debug)]
pub struct VectorOutput {
    vectors: Output,
    format: VectorFormat,
    words: Option<Output>,
}

impl VectorOutput {
    /// Begins the file at `path`, in the format inferred from its extension, and the file of words beside it if the format has one.
    pub fn create(path: &Path) -> Result<Self, Error> {
        let format = VectorFormat::of(path);
        let words = match &format {
            VectorFormat::Npy(words) => Some(Output::create(words)?),
            VectorFormat::Text | VectorFormat::Binary => None,
        };
        Ok(Self { vectors: Output::create(path)?, format, words })
    }

    /// Writes the vectors of a model; the files wait to be published.
    pub fn write(mut self, model: &BrownModel, embedding: &Embedding) -> Result<Vec<SealedOutput>, Error> {
        let vectors = word_vectors(model, embedding)
            .map_err(|error| Error::Data(format!("cannot write vectors: {error}")))?;
        let output = &mut self.vectors;
        let written = match self.format {
            VectorFormat::Text => write_text(&vectors, output),
            VectorFormat::Binary => write_binary(&vectors, output),
            VectorFormat::Npy(_) => write_npy(&vectors, output),
        };
        written.map_err(|error| self.vectors.error(error))?;
        let mut sealed = vec![self.vectors.seal()?];
        if let Some(mut words) = self.words {
            write_words(&vectors, &mut words).map_err(|error| words.error(error))?;
            sealed.push(words.seal()?);
        }
        Ok(sealed)
    }
}

/// Reads vectors, in the format inferred from the extension, for the features of taggers.
pub fn read_vectors(path: impl AsRef<Path>) -> Result<VectorTable, Error> {
    read_vectors_at(path.as_ref())
}

fn read_vectors_at(path: &Path) -> Result<VectorTable, Error> {
    let input = Input::open(path)?;
    let name = input.name().to_owned();
    let vectors = match VectorFormat::of(path) {
        VectorFormat::Text => read_text(input, &name),
        VectorFormat::Binary => read_binary(input, &name),
        VectorFormat::Npy(words) => {
            let words = Input::open(words)?;
            let words_name = words.name().to_owned();
            read_npy((input, &name), (words, &words_name))
        }
    }
    .map_err(Error::Table)?;
    VectorTable::new(&vectors).map_err(|error| Error::Data(format!("{name} cannot be used: {error}")))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn bad_files_are_told_by_name_and_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let told = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).expect("it is written");
            read_vectors(&path).expect_err("it is no file of vectors").to_string()
        };
        assert!(told("v.txt", "dog 1 2\ncat 1 x\n").contains("v.txt:2:7"), "a place");
        assert!(told("v.txt", "dog 1 2\ncat 1\n").contains("v.txt:2"), "a line");
        let nan = told("v.txt", "dog 1 2\ncat 1 nan\n");
        assert!(nan.contains("v.txt") && nan.contains("cat"), "{nan}");
        assert!(told("v.txt", "").contains("v.txt"));
        assert!(told("v.npy", "no array").contains("v.words"), "the list of words is missing");
        fs::write(folder.path().join("v.words"), "dog\n").expect("it is written");
        assert!(told("v.npy", "no array").contains("v.npy"));
        assert!(told("v.bin", "2 2\n").contains("v.bin"));
    }
}
