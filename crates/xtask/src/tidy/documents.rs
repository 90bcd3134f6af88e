//! Rules for documents: links and paths must exist.

use std::collections::HashSet;

use crate::tree::SourceFile;

/// Prefixes of project paths in backticks.
const TOP_DIRECTORIES: [&str; 5] = ["bindings/", "crates/", "docs/", "scripts/", "testdata/"];

/// Checks the links and paths of a Markdown file against all files.
pub(super) fn check(file: &SourceFile, files: &[SourceFile], breaches: &mut Vec<String>) {
    if !file.path.ends_with(".md") {
        return;
    }
    let known: HashSet<&str> = files.iter().flat_map(|file| with_parents(&file.path)).collect();
    for (index, line) in file.text.as_deref().unwrap_or_default().lines().enumerate() {
        let place = format!("{}:{}", file.path, index + 1);
        for link in links(line) {
            let target = link.split('#').next().unwrap_or(link);
            let elsewhere = target.is_empty() || target.contains("://") || target.starts_with("mailto:");
            if !elsewhere && !known.contains(resolve(&file.path, target).as_str()) {
                breaches.push(format!("{place}: the link {link} is broken"));
            }
        }
        for path in paths(line) {
            if !known.contains(path.trim_end_matches('/')) {
                breaches.push(format!("{place}: {path} does not exist"));
            }
        }
    }
}

/// A path and the directories above it.
fn with_parents(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| path.rsplit_once('/').map(|(parent, _)| parent))
}

/// The targets of `[text](target)`.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(target, _)| target))
}

/// Words of code spans that look like paths of the project.
fn paths(line: &str) -> impl Iterator<Item = &str> {
    let spans = line.split('`').skip(1).step_by(2);
    spans.flat_map(str::split_whitespace).filter(|word| {
        let plain = word.chars().all(|sign| sign.is_ascii_alphanumeric() || "_-./".contains(sign));
        plain && TOP_DIRECTORIES.iter().any(|top| word.starts_with(top))
    })
}

/// `target` seen from the directory of `document`, as a path from the root.
fn resolve(document: &str, target: &str) -> String {
    let mut parts: Vec<&str> = document.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dead_links_and_paths_are_found() {
        let of = |path: &str, text: &str| SourceFile { path: path.into(), bytes: 0, text: Some(text.into()) };
        let document = of(
            "docs/math/a.md",
            "[up](../b.md#part), [root](../../README.md), [web](https://example.org/x), [dead](c.md)\n\
             `crates/corpus/src` and `crates/corpus/src/gone.rs`, `cargo run scripts/x.py`, `crates/<x>/tests`\n",
        );
        let files = [of("docs/b.md", ""), of("README.md", ""), of("crates/corpus/src/lib.rs", "")];
        let mut breaches = Vec::new();
        check(&document, &files, &mut breaches);
        assert_eq!(
            breaches,
            [
                "docs/math/a.md:1: the link c.md is broken",
                "docs/math/a.md:2: crates/corpus/src/gone.rs does not exist",
                "docs/math/a.md:2: scripts/x.py does not exist"
            ]
        );
    }
}
