//! The files of a package, by their path below a prefix such as `/usr`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::program::output_of;
use crate::tree::Checkout;

/// A file to be packed.
pub(super) struct Packed {
    /// Path below the prefix, with `/` as separator.
    pub(super) place: String,
    pub(super) bytes: Vec<u8>,
    pub(super) kind: Kind,
}

/// What a file is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Program,
    Data,
}

/// Documents included in every package.
const DOCUMENTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// Shells, and where each looks for completions.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/eigentree"),
    ("zsh", "share/zsh/site-functions/_eigentree"),
    ("fish", "share/fish/vendor_completions.d/eigentree.fish"),
];

/// All files, sorted by path. The program itself writes its manual pages and completions.
pub(super) fn collect(checkout: &Checkout, program: &Path) -> Result<Vec<Packed>> {
    let read = |path: &Path| fs::read(path).with_context(|| format!("cannot read {}", path.display()));
    let data = |place: String, bytes| Packed { place, bytes, kind: Kind::Data };
    let suffix = std::env::consts::EXE_SUFFIX;
    let mut files =
        vec![Packed { place: format!("bin/eigentree{suffix}"), bytes: read(program)?, kind: Kind::Program }];
    for (shell, place) in COMPLETIONS {
        let script = output_of(Command::new(program).args(["completions", shell]))?;
        files.push(data(place.to_owned(), script.into_bytes()));
    }
    for path in manual_pages(checkout, program)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        files.push(data(format!("share/man/man1/{name}"), read(&path)?));
    }
    for name in DOCUMENTS {
        files.push(data(format!("share/doc/eigentree/{name}"), read(&checkout.root().join(name))?));
    }
    files.sort_by(|a, b| a.place.cmp(&b.place));
    Ok(files)
}

fn manual_pages(checkout: &Checkout, program: &Path) -> Result<Vec<PathBuf>> {
    let folder = checkout.root().join("target/dist-packages/man1");
    if folder.exists() {
        // Pages of commands that no longer exist must not be packaged.
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    output_of(Command::new(program).arg("man").arg("--dir").arg(&folder))?;
    let entries = fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))?;
    entries.map(|entry| Ok(entry?.path())).collect()
}
