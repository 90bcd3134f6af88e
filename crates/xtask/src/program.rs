//! Builds the program `eigentree` for the steps that need it.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::steps::cargo_command;
use crate::tree::Checkout;

/// Builds the program as for its tests. A plain build would have dependencies with fewer features and compile them all
/// again.
pub(crate) fn build(checkout: &Checkout) -> Result<PathBuf> {
    let test = a_test(checkout)?;
    let mut command = cargo_command(checkout);
    command.args([
        "test",
        "--locked",
        "--workspace",
        "--all-features",
        "--no-run",
        "--quiet",
        "--test",
        &test,
    ]);
    let status = command.status().context("cannot run cargo")?;
    if !status.success() {
        bail!("cannot build eigentree: cargo ended with {status}");
    }
    let own = std::env::current_exe().context("cannot find the path of this program")?;
    Ok(own.with_file_name(format!("eigentree{}", std::env::consts::EXE_SUFFIX)))
}

/// Runs a program; that it fails is an error.
pub(crate) fn succeed(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot run {command:?}"))?;
    if !status.success() {
        bail!("{command:?} ended with {status}");
    }
    Ok(())
}

/// Runs a program and returns its output.
pub(crate) fn output_of(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot run {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?} ended with {}: {}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    String::from_utf8(output.stdout).with_context(|| format!("the output of {command:?} is not valid UTF-8"))
}

/// The machine for which the compiler makes programs, such as `x86_64-unknown-linux-gnu`.
pub(crate) fn host(checkout: &Checkout) -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let said = output_of(Command::new(rustc).arg("-vV").current_dir(checkout.root()))?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc does not name its host")?.to_owned())
}

/// An integration test of the command line: cargo builds the program for it.
fn a_test(checkout: &Checkout) -> Result<String> {
    let folder = checkout.root().join("crates/cli/tests");
    let mut names: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        if path.extension().is_some_and(|extension| extension == "rs") || path.join("main.rs").is_file() {
            names.extend(stem);
        }
    }
    names.into_iter().min().with_context(|| format!("{} has no tests", folder.display()))
}
