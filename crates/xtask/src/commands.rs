//! Checks the commands shown in documents against the program itself.
//!
//! A command is a line of a code block, or a code span, that begins with `eigentree` or `cargo run --release --`.
//! Indented lines below it belong to it, so that synopses are covered too. Its subcommand must exist, and each long
//! option must occur in the help of that subcommand. Examples that documents run (`--example NAME`) must exist in a
//! crate.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::program;
use crate::tree::{Checkout, SourceFile};

/// A command shown in a document.
#[derive(PartialEq, Eq, Debug)]
struct Shown {
    /// File and line.
    place: String,
    /// The words after the name of the program, such as `train pcfg`.
    subcommand: Vec<String>,
    /// Long options, `--dev`.
    options: BTreeSet<String>,
}

/// Checks all documents.
pub(crate) fn run(checkout: &Checkout) -> Result<()> {
    let documents = checkout.documents()?;
    let shown: Vec<Shown> = documents.iter().flat_map(commands_of).collect();
    let mut breaches = missing_examples(checkout, &documents);
    let program = program::build(checkout)?;
    let mut helps = BTreeMap::new();
    for command in &shown {
        if !helps.contains_key(&command.subcommand) {
            helps.insert(command.subcommand.clone(), help(&program, &command.subcommand)?);
        }
        let name = command.subcommand.join(" ");
        match &helps[&command.subcommand] {
            None => breaches.push(format!("{}: unknown command `eigentree {name}`", command.place)),
            Some(text) => {
                let known = long_options(text);
                breaches.extend(
                    command
                        .options
                        .difference(&known)
                        .map(|option| format!("{}: `eigentree {name}` has no {option}", command.place)),
                );
            }
        }
    }
    for breach in &breaches {
        println!("{breach}");
    }
    println!("checked {} commands of {} subcommands", shown.len(), helps.len());
    if !breaches.is_empty() {
        bail!("{} errors in the commands of documents", breaches.len());
    }
    if shown.is_empty() {
        bail!("no document shows a command");
    }
    Ok(())
}

/// The help of a subcommand, or `None` if the program does not have it.
fn help(program: &Path, subcommand: &[String]) -> Result<Option<String>> {
    let mut command = Command::new(program);
    let output = command.args(subcommand).arg("--help").output().context("cannot run eigentree")?;
    match output.status.code() {
        Some(0) => Ok(Some(String::from_utf8_lossy(&output.stdout).into_owned())),
        Some(2) => Ok(None),
        _ => bail!(
            "eigentree {} --help ended with {}: {}",
            subcommand.join(" "),
            output.status,
            String::from_utf8_lossy(&output.stderr)
        ),
    }
}

/// The commands of a document.
fn commands_of(document: &SourceFile) -> Vec<Shown> {
    let mut shown: Vec<Shown> = Vec::new();
    let mut fenced = false;
    let mut continued = false;
    for (index, line) in document.text.as_deref().unwrap_or_default().lines().enumerate() {
        let place = || format!("{}:{}", document.path, index + 1);
        if line.trim_start().starts_with("```") {
            (fenced, continued) = (!fenced, false);
        } else if fenced {
            let before = shown.len();
            for part in line.split(['|', '>', ';']) {
                shown.extend(command(part.trim_start_matches("$ "), place()));
            }
            if shown.len() > before {
                continued = true;
            } else if continued && line.starts_with(' ') {
                if let Some(last) = shown.last_mut() {
                    last.options.extend(long_options(line));
                }
            } else {
                continued = false;
            }
        } else {
            shown.extend(line.split('`').skip(1).step_by(2).filter_map(|span| command(span, place())));
        }
    }
    shown
}

/// Parses one command. `None` if the text is not a command or leaves the subcommand open (`eigentree COMMAND --help`).
fn command(text: &str, place: String) -> Option<Shown> {
    let text = text.trim();
    let rest = text.strip_prefix("eigentree ").or_else(|| text.strip_prefix("cargo run --release -- "))?;
    // Text after `#` is a comment.
    let rest = rest.split(" #").next().unwrap_or(rest);
    let mut words = rest.split_whitespace().filter(|word| !word.starts_with('-'));
    let first = words.next().filter(|word| word.chars().all(|sign| sign.is_ascii_lowercase()))?;
    let mut subcommand = vec![first.to_owned()];
    if matches!(first, "train" | "compare") {
        // `compare FAMILY` leaves the family open.
        let lower = |word: &&str| !word.starts_with(|sign: char| sign.is_ascii_uppercase());
        subcommand.extend(words.next().filter(lower).map(str::to_owned));
    }
    Some(Shown { place, subcommand, options: long_options(rest) })
}

/// All `--name` options in a text.
fn long_options(text: &str) -> BTreeSet<String> {
    let letters = |sign: char| sign.is_ascii_lowercase() || sign == '-';
    text.match_indices("--")
        .filter(|(at, _)| !text[..*at].ends_with(|sign: char| sign.is_alphanumeric() || sign == '-'))
        .map(|(at, _)| {
            let rest = &text[at..];
            rest[..rest.find(|sign| !letters(sign)).unwrap_or(rest.len())].to_owned()
        })
        .filter(|option| option.len() > 2)
        .collect()
}

/// Examples that documents run but no crate has.
fn missing_examples(checkout: &Checkout, documents: &[SourceFile]) -> Vec<String> {
    let mut breaches = Vec::new();
    for document in documents {
        for (index, line) in document.text.as_deref().unwrap_or_default().lines().enumerate() {
            for rest in line.split("--example ").skip(1) {
                let end =
                    rest.find(|sign: char| !sign.is_alphanumeric() && sign != '_').unwrap_or(rest.len());
                let name = &rest[..end];
                let crates =
                    std::fs::read_dir(checkout.root().join("crates")).into_iter().flatten().flatten();
                let found = crates
                    .map(|entry| entry.path().join("examples").join(format!("{name}.rs")))
                    .any(|path| path.is_file());
                if !found && !name.chars().all(|sign| sign.is_ascii_uppercase()) {
                    breaches.push(format!("{}:{}: unknown example {name}", document.path, index + 1));
                }
            }
        }
    }
    breaches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found_with_their_options() {
        let text = "Run `eigentree demo` or `eigentree COMMAND --help`, not `eigentree-eval`.\n\
                    ```\n\
                    $ echo a--b | eigentree parse --quiet m.eig --nbest 3 > out\n\
                    eigentree train pcfg A -o M [--dev D]\n     \
                         [--markov]\n\
                    output --no-option\n\
                    cargo run --release -- eval a b   # --not-this\n\
                    ```\n";
        let document = SourceFile { path: "a.md".into(), bytes: 0, text: Some(text.into()) };
        let found: Vec<(String, String)> = commands_of(&document)
            .into_iter()
            .map(|shown| {
                (shown.subcommand.join(" "), shown.options.into_iter().collect::<Vec<_>>().join(" "))
            })
            .collect();
        let expected =
            [("demo", ""), ("parse", "--nbest --quiet"), ("train pcfg", "--dev --markov"), ("eval", "")];
        assert_eq!(found, expected.map(|(name, options)| (name.to_owned(), options.to_owned())));
    }
}
