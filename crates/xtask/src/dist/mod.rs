//! Release artefacts: an archive for every platform, a Debian package, and the bill of materials.
//!
//! The first two contain the program with manual pages, completions and licences, in the layout of a Unix prefix. The formats
//! are simple enough to write here: cargo-deb would have to be built first, and works only where Debian's tools are
//! installed. The same sources and compiler give the same bytes, wherever they lie: paths in the program start at the checkout or
//! at cargo's folder.

mod ar;
mod bill;
mod contents;
mod debian;
mod tar;
mod trial;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::steps::cargo_command;
use crate::tree::Checkout;

/// The version of the workspace, which this crate shares.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The profile that published programs are built with.
pub(crate) const PROFILE: &str = "dist";

/// Builds the program, packages it, and tests the packages.
pub(crate) fn run(checkout: &Checkout, profile: &str) -> Result<()> {
    let program = build(checkout, profile)?;
    let folder = checkout.root().join("target/dist-packages");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let files = contents::collect(checkout, &program)?;

    let target = target()?;
    let name = format!("eigentree-{VERSION}-{target}");
    write(&folder.join(format!("{name}.cdx.json")), bill::of_materials(checkout, &target)?.as_bytes())?;
    let archive = folder.join(format!("{name}.tar.gz"));
    write(&archive, &tar::gzipped(&files, &format!("{name}/"))?)?;
    trial::archive(&archive, &name)?;

    if cfg!(target_os = "linux") {
        let package = folder.join(format!("eigentree_{VERSION}_{}.deb", debian::architecture()?));
        write(&package, &debian::package(&files)?)?;
        trial::package(&package)?;
    }
    Ok(())
}

fn build(checkout: &Checkout, profile: &str) -> Result<PathBuf> {
    let mut command = cargo_command(checkout);
    command.args(["build", "--locked", "--profile", profile, "--package", "eigentree-cli"]);
    // Panics name source files. With the folders of this machine in them, every machine would build other bytes.
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let mut flags = format!("--remap-path-prefix={}=eigentree", checkout.root().display());
    if let Some(home) = home {
        let _ = write!(flags, "\u{1f}--remap-path-prefix={}=cargo", home.display());
    }
    command.env("CARGO_ENCODED_RUSTFLAGS", flags);
    let status = command.status().context("cannot run cargo")?;
    if !status.success() {
        bail!("cannot build eigentree: cargo ended with {status}");
    }
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| checkout.root().join("target"), PathBuf::from);
    Ok(target.join(profile).join(format!("eigentree{}", std::env::consts::EXE_SUFFIX)))
}

/// The target triple, as the compiler names it.
fn target() -> Result<String> {
    let text = crate::program::output_of(std::process::Command::new("rustc").arg("-vV"))?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc does not report its host")?.to_owned())
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
    println!("{} ({:.1} MB)", path.display(), bytes.len() as f64 / 1e6);
    Ok(())
}
