//! Builds `docs/` as a book with mdBook, and checks every link in the finished pages.
//!
//! mdBook itself rejects a page in `SUMMARY.md` that does not exist. It accepts two other mistakes, which are rejected
//! here: a page that `SUMMARY.md` does not list, and a link whose target or anchor does not exist. Links are checked in
//! the HTML, so that anchors follow the rules of mdBook rather than a second copy of them. A link to a file outside
//! `docs/` fails as well, since readers of the book do not have that file.
//!
//! mdBook is built from source once, without optimisation and without its web server, in `target/tools`; this takes 64
//! seconds of CPU time. Debian 12 has no package, and the npm package of that name is another program.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::steps::cargo_command;
use crate::tree::{Checkout, SourceFile};

/// The version of mdBook. Its page layout and anchors may differ between versions.
const MDBOOK: &str = "0.5.4";
/// The list of pages, which is not a page itself.
const SUMMARY: &str = "docs/SUMMARY.md";
/// mdBook's page for unknown addresses. Its links start at the root of the web site.
const NOT_FOUND: &str = "404.html";

/// Builds the book and checks it.
pub(crate) fn run(checkout: &Checkout) -> Result<()> {
    let mut breaches = check_summary(&checkout.documents()?)?;
    let output = checkout.root().join("target/book");
    if output.exists() {
        // A page of an earlier build would hide a broken link.
        fs::remove_dir_all(&output).with_context(|| format!("cannot remove {}", output.display()))?;
    }
    let mut command = Command::new(mdbook(checkout)?);
    command.arg("build").current_dir(checkout.root().join("docs"));
    let status = command.status().context("cannot run mdbook")?;
    if !status.success() {
        bail!("mdbook ended with {status}");
    }
    let site = Site::read(&output)?;
    breaches.extend(site.broken_links());
    for breach in &breaches {
        println!("{breach}");
    }
    println!("{} pages, {} links: {}", site.pages.len(), site.links(), output.join("index.html").display());
    if !breaches.is_empty() {
        bail!("{} errors in the book", breaches.len());
    }
    if site.links() == 0 {
        bail!("the book has no links, so the search for them must have failed");
    }
    Ok(())
}

/// Pages below `docs/` that `SUMMARY.md` does not list, or lists twice.
fn check_summary(documents: &[SourceFile]) -> Result<Vec<String>> {
    let summary =
        documents.iter().find(|file| file.path == SUMMARY).context("there is no docs/SUMMARY.md")?;
    let mut listed = BTreeSet::new();
    let mut breaches = Vec::new();
    for rest in summary.text.as_deref().unwrap_or_default().split("](").skip(1) {
        let page = rest.split(')').next().unwrap_or(rest);
        if !listed.insert(format!("docs/{page}")) {
            breaches.push(format!("{SUMMARY}: {page} is listed twice"));
        }
    }
    let pages = documents.iter().filter(|file| file.path.starts_with("docs/") && file.path != SUMMARY);
    breaches.extend(
        pages
            .filter(|page| !listed.contains(&page.path))
            .map(|page| format!("{}: {SUMMARY} does not list this page", page.path)),
    );
    Ok(breaches)
}

/// The program: the one built earlier, one of the same version on the path, or one that is built now.
fn mdbook(checkout: &Checkout) -> Result<PathBuf> {
    let root = checkout.root().join("target/tools");
    let ours = root.join("bin").join(format!("mdbook{}", std::env::consts::EXE_SUFFIX));
    for program in [ours.clone(), PathBuf::from("mdbook")] {
        if version(&program).as_deref() == Some(MDBOOK) {
            return Ok(program);
        }
    }
    println!("building mdbook {MDBOOK} into {}; this is done once", root.display());
    let mut command = cargo_command(checkout);
    command.args(["install", "mdbook", "--version", MDBOOK, "--locked", "--force", "--debug"]);
    command.args(["--no-default-features", "--features", "search", "--root"]).arg(&root);
    command.env("CARGO_PROFILE_DEV_DEBUG", "0");
    if !command.status().context("cannot run cargo install")?.success() {
        bail!("cannot build mdbook {MDBOOK}; install that version by other means and add it to the path");
    }
    Ok(ours)
}

/// The version of a program, `0.5.4`, if it runs.
fn version(program: &Path) -> Option<String> {
    let output = Command::new(program).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().strip_prefix("mdbook v")?.to_owned())
}

/// The finished files by their paths from the root of the book; pages with their text.
#[derive(Default)]
struct Site {
    pages: BTreeMap<String, String>,
    others: BTreeSet<String>,
}

impl Site {
    fn read(root: &Path) -> Result<Self> {
        let mut site = Self::default();
        let mut pending = vec![root.to_path_buf()];
        while let Some(folder) = pending.pop() {
            for entry in fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))? {
                let path = entry?.path();
                let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
                if path.is_dir() {
                    pending.push(path);
                } else if name.ends_with(".html") && name != NOT_FOUND {
                    let text = fs::read_to_string(&path);
                    site.pages.insert(name, text.with_context(|| format!("cannot read {}", path.display()))?);
                } else {
                    site.others.insert(name);
                }
            }
        }
        Ok(site)
    }

    /// Number of links and images on the pages.
    fn links(&self) -> usize {
        self.pages.values().map(|text| links_of(text).count()).sum()
    }

    /// Every broken link inside the book, once per page.
    fn broken_links(&self) -> BTreeSet<String> {
        let mut broken = BTreeSet::new();
        for (page, text) in &self.pages {
            for link in links_of(text).filter(|link| !leaves_the_book(link)) {
                if !self.resolves(page, link) {
                    broken.insert(format!("{page}: the link {link} is broken"));
                }
            }
        }
        broken
    }

    fn resolves(&self, page: &str, link: &str) -> bool {
        let link = decoded(link);
        let (target, anchor) = link.split_once('#').unwrap_or((&link, ""));
        let target = match target.split('?').next().unwrap_or(target) {
            "" => Some(page.to_owned()),
            relative => resolved(page, relative),
        };
        let Some(target) = target else { return false };
        match self.pages.get(&target) {
            Some(text) => anchor.is_empty() || text.contains(&format!("id=\"{anchor}\"")),
            None => anchor.is_empty() && self.others.contains(&target),
        }
    }
}

/// The values of `href` and `src` in a page.
fn links_of(html: &str) -> impl Iterator<Item = &str> {
    ["href=\"", "src=\""].into_iter().flat_map(|attribute| {
        html.split(attribute)
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .filter(|link| !link.is_empty())
    })
}

/// Whether a link is a web address.
fn leaves_the_book(link: &str) -> bool {
    ["http://", "https://", "mailto:", "data:", "javascript:"].iter().any(|scheme| link.starts_with(scheme))
}

/// Decodes `%CF%80` and `&amp;` in a link.
fn decoded(link: &str) -> String {
    let mut bytes = Vec::with_capacity(link.len());
    let mut rest = link.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let code =
            tail.get(..2).filter(|_| first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).replace("&amp;", "&")
}

/// `target` relative to the folder of `page`; `None` if it is outside the book.
fn resolved(page: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(path: &str, text: &str) -> SourceFile {
        SourceFile { path: path.into(), bytes: 0, text: Some(text.into()) }
    }

    #[test]
    fn pages_that_are_not_listed_or_listed_twice_are_found() {
        let documents = [
            document(SUMMARY, "[A](a.md)\n- [B](guides/b.md)\n- [B again](guides/b.md)\n"),
            document("docs/a.md", ""),
            document("docs/guides/b.md", ""),
            document("docs/guides/forgotten.md", ""),
            document("README.md", ""),
        ];
        assert_eq!(
            check_summary(&documents).unwrap(),
            [
                "docs/SUMMARY.md: guides/b.md is listed twice",
                "docs/guides/forgotten.md: docs/SUMMARY.md does not list this page"
            ]
        );
        assert!(check_summary(&documents[1..]).is_err());
    }

    #[test]
    fn links_to_missing_pages_anchors_and_images_are_found() {
        let page = |text: &str| text.to_owned();
        let site = Site {
            pages: BTreeMap::from([
                ("index.html".to_owned(), page("<h1 id=\"top\">")),
                (
                    "guides/a.html".to_owned(),
                    page(
                        "<h2 id=\"für-alle\"><a href=\"#f%C3%BCr-alle\"><a href=\"../index.html#top\">\
                         <a href=\"https://example.org/x\"><img src=\"../images/tree.svg\">\
                         <a href=\"../index.html#gone\"><a href=\"b.html\"><a href=\"../../README.html\">\
                         <img src=\"../images/gone.svg\">",
                    ),
                ),
            ]),
            others: BTreeSet::from(["images/tree.svg".to_owned()]),
        };
        let expected = ["../../README.html", "../images/gone.svg", "../index.html#gone", "b.html"]
            .map(|link| format!("guides/a.html: the link {link} is broken"));
        assert_eq!(site.broken_links().into_iter().collect::<Vec<_>>(), expected);
        assert_eq!(site.links(), 8);
    }
}
