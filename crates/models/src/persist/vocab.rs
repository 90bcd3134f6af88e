//! Vocabularies as sections: one string table, in the order of the ids.

use corpus::ids::Id;
use corpus::vocab::Vocab;

use super::{Container, ContainerWriter, LoadError};

impl Container {
    /// Reads the vocabulary written by [`ContainerWriter::vocab`] as `name`. Fails if a string occurs twice.
    pub fn vocab<I: Id>(&self, name: &str) -> Result<Vocab<I>, LoadError> {
        let table = self.strings(name)?;
        let vocab: Vocab<I> = table.iter().collect();
        if vocab.len() == table.len() {
            Ok(vocab)
        } else {
            Err(LoadError::invalid(name, "a string occurs twice"))
        }
    }
}

impl ContainerWriter<'_> {
    /// Writes a vocabulary as the section `name`.
    pub fn vocab<I: Id>(&mut self, name: &str, vocab: &Vocab<I>) {
        self.strings(name, vocab.iter().map(|(_, string)| string));
    }
}
