//! Folders of the playground, and copies of folders.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// The page.
pub(super) const PAGE: &str = "crates/serve/assets";
/// What the page needs beside it where there is no server.
pub(super) const LIBRARY: &str = "crates/wasm/assets";

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
