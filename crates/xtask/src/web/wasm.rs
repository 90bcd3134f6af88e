//! The library compiled to WebAssembly.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::steps::cargo_command;
use crate::tree::Checkout;

pub(super) const TARGET: &str = "wasm32-unknown-unknown";

/// Whether the compiler has the standard library of the target: `rustup target add` fetches it.
pub(super) fn has_target(checkout: &Checkout) -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(rustc);
    command.args(["--print", "target-libdir", "--target", TARGET]).current_dir(checkout.root());
    let Ok(output) = command.output() else {
        return false;
    };
    let folder = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    let mut files = fs::read_dir(folder).into_iter().flatten().flatten();
    output.status.success() && files.any(|file| file.file_name().to_string_lossy().starts_with("libstd"))
}

/// Compiles the library and returns the path of the module.
pub(super) fn build(checkout: &Checkout) -> Result<PathBuf> {
    let mut command = cargo_command(checkout);
    // As a module only here: a shared library would be linked in every build of the workspace.
    command.args(["rustc", "--locked", "--release", "--package", "eigentree-wasm", "--crate-type", "cdylib"]);
    command.args(["--target", TARGET]);
    let status = command.status().context("cannot run cargo")?;
    if !status.success() {
        bail!("cannot build the library for {TARGET}: cargo ended with {status}");
    }
    let module = checkout.root().join("target").join(TARGET).join("release/eigentree_wasm.wasm");
    if !module.is_file() {
        bail!("cargo did not write {}", module.display());
    }
    Ok(module)
}
