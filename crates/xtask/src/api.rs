//! The public interface of the facade, counted: what a library user sees in its documentation.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::steps::cargo_command;
use crate::tree::Checkout;

/// Builds the documentation of the facade and counts the items that it lists, by kind. Hidden items do not count.
pub(crate) fn run(checkout: &Checkout) -> Result<()> {
    let status = cargo_command(checkout)
        .args(["doc", "--locked", "--quiet", "--no-deps", "--package", "eigentree", "--lib"])
        .status()
        .context("cannot run cargo doc")?;
    if !status.success() {
        bail!("cargo doc ended with {status}");
    }
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| checkout.root().join("target"), PathBuf::from);
    let page = target.join("doc/eigentree/all.html");
    let text = fs::read_to_string(&page).with_context(|| format!("cannot read {}", page.display()))?;
    let kinds = count(&text);
    if kinds.is_empty() {
        bail!("{} lists no items; has rustdoc changed the page?", page.display());
    }
    for (kind, items) in &kinds {
        println!("{items:5}  {kind}");
    }
    println!("{:5}  in all", kinds.iter().map(|(_, items)| items).sum::<usize>());
    Ok(())
}

/// The sections of rustdoc's list of all items, with the number of their entries.
fn count(page: &str) -> Vec<(String, usize)> {
    let mut sections = page.split("<h3 id=\"");
    sections.next();
    sections
        .filter_map(|section| {
            let kind = section.split('"').next()?;
            Some((kind.to_owned(), section.matches("<li><a ").count()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_counted_by_section() {
        let page = "<li><a href=\"#x\">navigation</a></li><h3 id=\"structs\">Structs</h3><ul><li><a href=\"A\">A</a></li>\
                    <li><a href=\"B\">B</a></li></ul><h3 id=\"enums\">Enums</h3><ul><li><a href=\"C\">C</a></li></ul>";
        assert_eq!(count(page), [("structs".to_owned(), 2), ("enums".to_owned(), 1)]);
    }
}
