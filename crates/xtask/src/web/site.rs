//! Builds the playground and the book as static files, in `target/site`: what a server would do happens in the page.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::wasm::Compiler;
use crate::book;
use crate::steps::Outcome;
use crate::tree::Checkout;

/// The files of the playground.
const ASSETS: &str = "crates/serve/assets";

/// The lines of the page that say where the work is done and where the book is: for a server, and for static files.
const REPLACED: [(&str, &str); 2] = [
    (r#"<meta name="eigentree-engine" content="http">"#, r#"<meta name="eigentree-engine" content="wasm">"#),
    (
        r#"<meta name="eigentree-book" content="https://eigentree.github.io/">"#,
        r#"<meta name="eigentree-book" content="book/">"#,
    ),
];

/// Where the site is.
pub(super) fn folder(checkout: &Checkout) -> PathBuf {
    checkout.root().join("target/site")
}

/// Builds the site. Without a compiler for WebAssembly it has only the book, and the outcome says so.
pub(crate) fn run(checkout: &Checkout) -> Result<Outcome> {
    book::run(checkout)?;
    let site = folder(checkout);
    if site.exists() {
        fs::remove_dir_all(&site).with_context(|| format!("cannot remove {}", site.display()))?;
    }
    copy(&checkout.root().join("target/book"), &site.join("book"))?;
    let Some(compiler) = Compiler::find(checkout) else {
        return Ok(Outcome::Skipped(format!(
            "{} has the book but no playground, since no compiler has the target wasm32-unknown-unknown; run \
             `rustup target add wasm32-unknown-unknown`, or scripts/wasm_toolchain.sh on Debian",
            site.display()
        )));
    };
    let module = compiler.build(checkout)?;
    copy(&checkout.root().join(ASSETS), &site)?;
    let bytes = fs::copy(&module, site.join("eigentree.wasm")).context("cannot copy the module")?;
    let index = site.join("index.html");
    let page = fs::read_to_string(&index).with_context(|| format!("cannot read {}", index.display()))?;
    fs::write(&index, static_page(&page)?).with_context(|| format!("cannot write {}", index.display()))?;
    println!("eigentree.wasm: {bytes} bytes; {}", index.display());
    Ok(Outcome::Passed)
}

/// The page for static files.
fn static_page(page: &str) -> Result<String> {
    let mut page = page.to_owned();
    for (served, stored) in REPLACED {
        if page.matches(served).count() != 1 {
            bail!("{ASSETS}/index.html does not have the line {served} once");
        }
        page = page.replace(served, stored);
    }
    Ok(page)
}

/// Copies a folder with all below it.
pub(super) fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot list {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target).with_context(|| format!("cannot write {}", target.display()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_the_server_becomes_one_without() {
        let index = Checkout::here().root().join(ASSETS).join("index.html");
        let page = static_page(&fs::read_to_string(index).unwrap()).unwrap();
        assert!(page.contains(r#"content="wasm""#) && page.contains(r#"content="book/""#));
        assert!(static_page(&page).is_err());
    }
}
