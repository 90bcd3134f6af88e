//! Builds the playground and the book as static files, in `target/site`: what a server would do happens in the page.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::folders::{LIBRARY, PAGE, copy};
use super::wasm;
use crate::book;
use crate::steps::Outcome;
use crate::tree::Checkout;

/// The lines of the page that say where the work is done and where the book is: for a server, and for static files, which
/// bring the policy along that the server sends as a header.
const REPLACED: [(&str, &str); 2] = [
    (
        r#"<meta name="eigentree-engine" content="http">"#,
        r#"<meta name="eigentree-engine" content="wasm">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'">"#,
    ),
    (
        r#"<meta name="eigentree-book" content="https://eigentree.github.io/">"#,
        r#"<meta name="eigentree-book" content="book/">"#,
    ),
];
/// The module in the site.
const MODULE: &str = "eigentree.wasm";

fn folder(checkout: &Checkout) -> PathBuf {
    checkout.root().join("target/site")
}

/// The site with the playground, if it has been built.
pub(super) fn built(checkout: &Checkout) -> Option<PathBuf> {
    Some(folder(checkout)).filter(|site| site.join(MODULE).is_file())
}

/// Builds the site. Without a compiler for WebAssembly it has only the book, and the outcome says so.
pub(crate) fn run(checkout: &Checkout) -> Result<Outcome> {
    book::run(checkout)?;
    let site = folder(checkout);
    if site.exists() {
        fs::remove_dir_all(&site).with_context(|| format!("cannot remove {}", site.display()))?;
    }
    copy(&checkout.root().join("target/book"), &site.join("book"))?;
    if !wasm::has_target(checkout) {
        return Ok(Outcome::Skipped(format!(
            "{} has the book but no playground, since the compiler lacks the target {target}; run `rustup target add \
             {target}`",
            site.display(),
            target = wasm::TARGET
        )));
    }
    let module = wasm::build(checkout)?;
    for assets in [PAGE, LIBRARY] {
        copy(&checkout.root().join(assets), &site)?;
    }
    let bytes = fs::copy(&module, site.join(MODULE)).context("cannot copy the module")?;
    let index = site.join("index.html");
    let page = fs::read_to_string(&index).with_context(|| format!("cannot read {}", index.display()))?;
    fs::write(&index, static_page(&page)?).with_context(|| format!("cannot write {}", index.display()))?;
    println!("{MODULE}: {bytes} bytes; {}", index.display());
    Ok(Outcome::Passed)
}

/// The page for static files.
fn static_page(page: &str) -> Result<String> {
    let mut page = page.to_owned();
    for (served, stored) in REPLACED {
        if page.matches(served).count() != 1 {
            bail!("{PAGE}/index.html does not have the line {served} once");
        }
        page = page.replace(served, stored);
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_the_server_becomes_one_without() {
        let index = Checkout::here().root().join(PAGE).join("index.html");
        let page = static_page(&fs::read_to_string(index).unwrap()).unwrap();
        assert!(page.contains(r#"content="wasm""#) && page.contains(r#"content="book/""#));
        assert!(static_page(&page).is_err());
    }
}
