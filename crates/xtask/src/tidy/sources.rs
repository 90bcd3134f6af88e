//! Rules for single files: size, structure, name, forbidden contents.

use crate::tree::SourceFile;

/// Maximum length of a source file. Tables are data files and are exempt.
const MOST_LINES: usize = 800;
/// Maximum length of `mod.rs` without comments: only documentation, declarations and re-exports.
const MOST_LINES_OF_MOD: usize = 80;
/// Maximum size of any file. Data belongs elsewhere.
const MOST_BYTES: u64 = 1_500_000;

/// File names that name no concept, or that are synonyms of an established name.
const REFUSED_NAMES: [&str; 8] =
    ["utils.rs", "util.rs", "common.rs", "helpers.rs", "misc.rs", "errors.rs", "params.rs", "hyperparams.rs"];

/// Top-level directories specific to one machine; a path that begins with one works nowhere else.
const MACHINE_DIRECTORIES: [&str; 4] = ["work", "root", "home", "Users"];

/// Checks one file.
pub(super) fn check(file: &SourceFile, breaches: &mut Vec<String>) {
    let path = &file.path;
    if file.bytes > MOST_BYTES {
        breaches.push(format!("{path}: {} bytes; the maximum is {MOST_BYTES}", file.bytes));
    }
    let Some(text) = &file.text else { return };
    for (index, line) in text.lines().enumerate() {
        if let Some(found) = machine_path(line) {
            breaches.push(format!("{path}:{}: the path {found} exists on only one machine", index + 1));
        }
    }
    if path == "Cargo.lock" {
        check_lock(text, breaches);
    } else if path.ends_with("Cargo.toml") || path.starts_with(".cargo/") {
        check_manifest(path, text, breaches);
    } else if path.ends_with(".rs") || path.ends_with(".py") || path.ends_with(".sh") {
        check_code(path, text, breaches);
    }
}

fn check_code(path: &str, text: &str, breaches: &mut Vec<String>) {
    let lines = text.lines().count();
    if lines > MOST_LINES {
        breaches.push(format!("{path}: {lines} lines; split the file, the maximum is {MOST_LINES}"));
    }
    // Split in two, so that this file does not match itself.
    let unfinished = concat!("todo", "!(");
    if text.contains(unfinished) {
        breaches.push(format!("{path}: remove {unfinished}…)"));
    }
    if !path.ends_with(".rs") || !path.contains("/src/") {
        return;
    }
    if !text.starts_with("//!") {
        breaches.push(format!("{path}: begin with a `//!` that says what the file is for"));
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    if REFUSED_NAMES.contains(&name) {
        breaches.push(format!("{path}: name the file after what is in it"));
    }
    if name == "mod.rs" {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//")).count();
        if lines > MOST_LINES_OF_MOD {
            breaches.push(format!(
                "{path}: {lines} lines without comments; keep only documentation, declarations and re-exports, at most \
                 {MOST_LINES_OF_MOD}"
            ));
        }
    }
}

/// All packages must come from the public index: a mirror used on one machine must not get into the lock file.
fn check_lock(text: &str, breaches: &mut Vec<String>) {
    const INDEX: &str = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
    for (index, line) in text.lines().enumerate() {
        if line.starts_with("source = ") && line != INDEX {
            breaches.push(format!("Cargo.lock:{}: a package not from crates.io: {line}", index + 1));
        }
    }
}

fn check_manifest(path: &str, text: &str, breaches: &mut Vec<String>) {
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        let redirected = ["[source", "[registries", "replace-with", "registry ="]
            .iter()
            .any(|beginning| line.starts_with(beginning));
        if redirected {
            breaches.push(format!("{path}:{}: configure registries on the machine, not here", index + 1));
        }
    }
}

/// The first absolute path in a line that begins with a machine-specific directory.
fn machine_path(line: &str) -> Option<&str> {
    line.match_indices('/').find_map(|(at, _)| {
        // Inside a relative path or URL, the preceding character is part of a name.
        let before = line[..at].chars().next_back();
        if before.is_some_and(|sign| sign.is_alphanumeric() || "./_-~$})*".contains(sign)) {
            return None;
        }
        let rest = &line[at + 1..];
        let end = rest.find(|sign: char| !sign.is_alphanumeric()).unwrap_or(rest.len());
        MACHINE_DIRECTORIES.contains(&&rest[..end]).then(|| &line[at..=at + end])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breaches_of(path: &str, text: &str) -> Vec<String> {
        let file = SourceFile { path: path.into(), bytes: text.len() as u64, text: Some(text.into()) };
        let mut breaches = Vec::new();
        check(&file, &mut breaches);
        breaches
    }

    #[test]
    fn paths_of_one_machine_are_found() {
        for directory in MACHINE_DIRECTORIES {
            let path = format!("/{directory}");
            for line in [
                format!("{path}/a"),
                format!("see `{path}`"),
                format!("open(\"{path}/x\")"),
                format!("--out={path}/x"),
            ] {
                assert_eq!(machine_path(&line), Some(path.as_str()), "{line}");
            }
            for line in
                [format!("~{path}/a"), format!("some{path}"), format!("..{path}"), format!("{path}able")]
            {
                assert_eq!(machine_path(&line), None, "{line}");
            }
        }
    }

    #[test]
    fn each_rule_refuses_its_breach() {
        let long = "//! Long.\n".repeat(MOST_LINES + 1);
        let module = format!("//! A module.\n{}", "mod a;\n".repeat(MOST_LINES_OF_MOD + 1));
        let other_source = "source = \"registry+https://example.org/index\"\n";
        for (path, text) in [
            ("crates/a/src/b.rs", long.as_str()),
            ("crates/a/src/b/mod.rs", &module),
            ("crates/a/src/b.rs", "fn f() {}\n"),
            ("crates/a/src/utils.rs", "//! Things.\n"),
            ("crates/a/tests/b.rs", concat!("fn f() { todo", "!() }\n")),
            ("Cargo.lock", other_source),
            (".cargo/config.toml", "[source.mirror]\n"),
        ] {
            assert_eq!(breaches_of(path, text).len(), 1, "{path}: {:?}", breaches_of(path, text));
        }
        let documented = format!("{}{}", "//! Words.\n".repeat(100), "mod a;\n");
        assert!(breaches_of("crates/a/src/b/mod.rs", &documented).is_empty());
    }
}
