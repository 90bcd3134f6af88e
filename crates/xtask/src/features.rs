//! Whether the Python package and the tests compile the same crates with the same features.
//!
//! Cargo compiles a crate again for every other set of features, and the tests of the whole workspace switch on more than
//! the package alone asks for. The feature `like-tests` of the package makes up for it: what the tests have compiled, the
//! wheel of the step `python` takes.

use std::collections::BTreeSet;

use anyhow::{Result, bail};

use crate::program;
use crate::steps::cargo_command;
use crate::tree::Checkout;

/// The feature of the package `eigentree-python`.
pub(crate) const LIKE_TESTS: &str = "like-tests";

/// Compares both sets of crates with their features.
pub(crate) fn check(checkout: &Checkout) -> Result<()> {
    let tree = |selection: &[&str]| -> Result<BTreeSet<String>> {
        let mut command = cargo_command(checkout);
        command.args(["tree", "--locked", "--prefix", "none", "--format", "{p} {f}"]).args(selection);
        Ok(crates(&program::output_of(&mut command)?))
    };
    let tests = tree(&["--workspace", "--all-features"])?;
    let package =
        tree(&["--package", "eigentree-python", "--features", LIKE_TESTS, "--edges", "normal,build"])?;
    let other: Vec<&str> = package.difference(&tests).map(String::as_str).collect();
    if !other.is_empty() {
        bail!(
            "the tests compile these crates with other features; extend `{LIKE_TESTS}` in bindings/python/Cargo.toml:\n{}",
            other.join("\n")
        );
    }
    Ok(())
}

/// The lines of `cargo tree`, without the mark of those that it has shown before.
fn crates(tree: &str) -> BTreeSet<String> {
    tree.lines()
        .map(|line| line.trim_end().trim_end_matches(" (*)").trim_end().to_owned())
        .filter(|line| !line.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::crates;

    #[test]
    fn a_crate_is_its_version_and_features() {
        let tree = "a v1.0.0 std\nb v2.0.0 \n\na v1.0.0 std (*)\na v1.0.0 alloc,std\n";
        assert_eq!(Vec::from_iter(crates(tree)), ["a v1.0.0 alloc,std", "a v1.0.0 std", "b v2.0.0"]);
    }
}
