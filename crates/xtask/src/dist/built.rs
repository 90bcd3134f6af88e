//! What is published: the program, built so that its bytes do not depend on where its sources lie, and the packages made of it.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::{ARCHIVE, DEBIAN, VERSION, bill, contents, debian, tar};
use crate::steps::cargo_command;
use crate::tree::Checkout;

/// The files that are published, with their names.
pub(super) fn artefacts(checkout: &Checkout, program: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let files = contents::collect(checkout, program)?;
    let target = target()?;
    let name = format!("eigentree-{VERSION}-{target}");
    let bill = bill::of_materials(checkout, &target)?.into_bytes();
    let archive = tar::gzipped(&files, &format!("{name}/"))?;
    let mut built = vec![(format!("{name}.cdx.json"), bill), (format!("{name}{ARCHIVE}"), archive)];
    if cfg!(target_os = "linux") {
        let package = format!("eigentree_{VERSION}_{}{DEBIAN}", debian::architecture()?);
        built.push((package, debian::package(&files)?));
    }
    Ok(built)
}

/// Where cargo builds if nobody says otherwise.
pub(super) fn shared_target(checkout: &Checkout) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| checkout.root().join("target"), PathBuf::from)
}

pub(super) fn program(checkout: &Checkout, profile: &str, target: &Path) -> Result<PathBuf> {
    let mut command = cargo_command(checkout);
    command.args(["build", "--locked", "--profile", profile, "--package", "eigentree-cli", "--target-dir"]);
    command.arg(target);
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
    Ok(target.join(profile).join(format!("eigentree{}", std::env::consts::EXE_SUFFIX)))
}

/// The target triple, as the compiler names it.
fn target() -> Result<String> {
    let text = crate::program::output_of(std::process::Command::new("rustc").arg("-vV"))?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc does not report its host")?.to_owned())
}
