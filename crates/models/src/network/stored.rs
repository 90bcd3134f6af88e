//! The tables of a network in a model file, read without trust.

use crate::log_linear::RoundedWeights;
use crate::persist::{Container, LoadError, Storage};

/// Bounds far beyond any use, within which no score overflows.
const MOST_NUMBERS: usize = 1024;
const MOST_BITS: u32 = 24;
const MOST_MEMBERS: usize = 64;
/// Weights of layers are not larger.
pub const LARGEST: f32 = 1e4;
const LARGEST_STEP: f32 = 1.0;

/// The sizes that networks of all families have: numbers per embedding and per hidden layer, and the logarithm of the number
/// of embeddings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sizes {
    /// Numbers per embedding.
    pub embedded: usize,
    /// Numbers per hidden layer.
    pub hidden: usize,
    /// Embeddings are stored in a table of 2ᵇ rows.
    pub bits: u32,
}

/// Checks the sizes of a file's networks and that there is a network; `section` has named them.
pub fn check(section: &str, sizes: Sizes, members: usize) -> Result<(), LoadError> {
    let small = |numbers: usize| (1..=MOST_NUMBERS).contains(&numbers);
    if !small(sizes.embedded) || !small(sizes.hidden) || !(1..=MOST_BITS).contains(&sizes.bits) {
        return Err(LoadError::invalid(section, "the sizes of the network are out of range"));
    }
    if !(1..=MOST_MEMBERS).contains(&members) {
        return Err(LoadError::invalid(section, format!("{members} networks")));
    }
    Ok(())
}

/// The embeddings of the network with this number.
pub fn embeddings(
    container: &Container,
    number: usize,
    sizes: Sizes,
    step: f32,
) -> Result<RoundedWeights, LoadError> {
    rounded(container, &embeddings_section(number), sizes, step)
}

/// A table of rounded rows, as many and as wide as embeddings are by these sizes.
pub fn rounded(
    container: &Container,
    section: &str,
    sizes: Sizes,
    step: f32,
) -> Result<RoundedWeights, LoadError> {
    if !(step > 0.0 && step <= LARGEST_STEP) {
        return Err(LoadError::invalid(section, "the quantisation step is out of range"));
    }
    let values: Storage<i16> = container.array(section)?;
    if values.len() != sizes.embedded << sizes.bits {
        return Err(LoadError::invalid(section, "its length does not match the form"));
    }
    Ok(RoundedWeights { values, step })
}

/// Tables with these names and lengths of the network with this number.
pub fn tables<const N: usize>(
    container: &Container,
    number: usize,
    names: [&str; N],
    lengths: [usize; N],
) -> Result<[Vec<f32>; N], LoadError> {
    let mut tables = lengths.map(|_| Vec::new());
    for ((table, name), length) in tables.iter_mut().zip(names).zip(lengths) {
        let section = table_section(name, number);
        let read: Storage<f32> = container.array(&section)?;
        if read.len() != length || !read.iter().all(|value| value.abs() <= LARGEST) {
            return Err(LoadError::invalid(&section, "its length or a value is out of range"));
        }
        *table = read.into_vec();
    }
    Ok(tables)
}

/// The section of the embeddings of the network with this number.
pub fn embeddings_section(number: usize) -> String {
    table_section("embeddings", number)
}

/// The section of a table of the network with this number.
pub fn table_section(name: &str, number: usize) -> String {
    format!("{name}_{number}")
}
