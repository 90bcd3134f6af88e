//! Release artefacts: an archive for every platform, a Debian package, and the bill of materials.
//!
//! The first two contain the program with manual pages, completions and licences, in the layout of a Unix prefix. The formats
//! are simple enough to write here: cargo-deb would have to be built first, and works only where Debian's tools are
//! installed. The same sources and compiler give the same bytes, wherever they lie: paths in the program start at the checkout or
//! at cargo's folder. [`mod@twice`] shows it.

mod ar;
mod bill;
mod built;
mod contents;
mod debian;
mod tar;
mod trial;
mod twice;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

pub(crate) use twice::run as twice;

use crate::tree::Checkout;

/// The version of the workspace, which this crate shares.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What names of archives and packages end with.
const ARCHIVE: &str = ".tar.gz";
const DEBIAN: &str = ".deb";

/// The profile that published programs are built with.
pub(crate) const PROFILE: &str = "dist";

/// Builds the program, packages it, and tests the packages.
pub(crate) fn run(checkout: &Checkout, profile: &str) -> Result<()> {
    let files =
        built::artefacts(checkout, &built::program(checkout, profile, &built::shared_target(checkout))?)?;
    let folder = checkout.root().join("target/dist-packages");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for (name, bytes) in &files {
        write(&folder.join(name), bytes)?;
    }
    for (name, _) in &files {
        if let Some(prefix) = name.strip_suffix(ARCHIVE) {
            trial::archive(&folder.join(name), prefix)?;
        } else if name.ends_with(DEBIAN) {
            trial::package(&folder.join(name))?;
        }
    }
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
    println!("{} ({:.1} MB)", path.display(), bytes.len() as f64 / 1e6);
    Ok(())
}
