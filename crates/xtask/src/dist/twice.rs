//! The same sources and compiler give the same bytes, wherever they lie: built twice and compared.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::PROFILE;
use super::built::{artefacts, program};
use crate::tree::Checkout;

/// Two folders whose paths have nothing in common but what is above them, not even their length.
const PLACES: [&str; 2] = ["one", "somewhere/else entirely"];

/// Builds everything that is published from two copies of the sources, each with a folder of its own for what cargo makes.
pub(crate) fn run(checkout: &Checkout) -> Result<()> {
    let folder = checkout.root().join("target/dist-twice");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    let [first, second] = PLACES.map(|place| built(checkout, &folder.join(place)));
    let (first, second) = (first?, second?);
    if first.len() != second.len() {
        bail!("{} files were built once, and {} the other time", first.len(), second.len());
    }
    for ((name, one), (other_name, other)) in first.iter().zip(&second) {
        if name != other_name {
            bail!("{name} was built once, and {other_name} the other time");
        }
        if let Some(at) = difference(one, other) {
            bail!(
                "{name} has {} bytes, and {} the other time; they differ from byte {at} on. Compare the folders {}",
                one.len(),
                other.len(),
                folder.display()
            );
        }
        println!("{name}: {} bytes, twice the same", one.len());
    }
    // What differs is of interest; what does not takes a gigabyte.
    fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))
}

fn built(checkout: &Checkout, root: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let copy = checkout.copied(root.join("sources"))?;
    let program = program(&copy, PROFILE, &root.join("target"))?;
    let bytes = fs::read(&program).with_context(|| format!("cannot read {}", program.display()))?;
    let mut files = vec![("eigentree".to_owned(), bytes)];
    files.extend(artefacts(&copy, &program)?);
    Ok(files)
}

/// The first place where two files differ, if any.
fn difference(one: &[u8], other: &[u8]) -> Option<usize> {
    let unequal = one.iter().zip(other).position(|(a, b)| a != b);
    unequal.or_else(|| (one.len() != other.len()).then_some(one.len().min(other.len())))
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn a_difference_may_be_the_length() {
        assert_eq!(difference(b"abc", b"abc"), None);
        assert_eq!(difference(b"abc", b"abd"), Some(2));
        assert_eq!(difference(b"abc", b"ab"), Some(2));
        assert_eq!(difference(b"", b"ab"), Some(0));
    }
}
