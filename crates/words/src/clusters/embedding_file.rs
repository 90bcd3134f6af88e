//! Word vectors in a file: the result of the longest step of the spectral methods.
//!
//! | section | content |
//! |---|---|
//! | `vectors` | one row of 32-bit floats per word, in the order of the counts |

use super::Embedding;
use models::persist::{Container, ContainerWriter, LoadError, Metadata};

/// The family name of vector files.
pub const EMBEDDING_FAMILY: &str = "embedding";
/// The version of the sections.
const FORMAT: u32 = 1;

/// The metadata of a vector file.
pub fn embedding_metadata(embedding: &Embedding) -> Metadata {
    Metadata::new(EMBEDDING_FAMILY, FORMAT)
        .with_note("words", embedding.words())
        .with_note("dimension", embedding.dimension())
}

/// Writes the section.
pub fn save_embedding(embedding: &Embedding, writer: &mut ContainerWriter<'_>) {
    let rows: Vec<f32> = (0..embedding.words()).flat_map(|word| embedding.row(word)).copied().collect();
    writer.tensor("vectors", &[embedding.words(), embedding.dimension()], rows);
}

/// Reads the section.
pub fn load_embedding(container: &Container) -> Result<Embedding, LoadError> {
    container.metadata().expect_family(EMBEDDING_FAMILY, FORMAT)?;
    let shape = container.section("vectors")?.shape().to_vec();
    let bad = |what: &str| LoadError::invalid("vectors", what);
    let &[words, dimension] = shape.as_slice() else { return Err(bad("the vectors do not form a table")) };
    let rows = container.tensor::<f32>("vectors", &shape)?;
    if rows.iter().any(|value| !value.is_finite()) {
        return Err(bad("a value is not finite"));
    }
    Embedding::from_unit_rows(words, dimension, &rows).ok_or_else(|| bad("the vectors do not form a table"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_saved_is_loaded_bit_by_bit() {
        let embedding = Embedding::from_rows(7, 5, |word, at| ((word * 5 + at) as f64).sin());
        let mut writer = ContainerWriter::new(&embedding_metadata(&embedding));
        save_embedding(&embedding, &mut writer);
        let mut bytes = Vec::new();
        writer.write_to(&mut bytes).unwrap();
        assert_eq!(load_embedding(&Container::from_bytes(bytes).unwrap()).unwrap(), embedding);
    }
}
