//! The library compiled to WebAssembly.
//!
//! The compiler must have the standard library for `wasm32-unknown-unknown`: `rustup target add wasm32-unknown-unknown`.
//! Where rustup cannot fetch it, `scripts/wasm_toolchain.sh` makes a compiler from packages of Debian in
//! `target/wasm-toolchain`, which is used if it is there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::steps::cargo_command;
use crate::tree::Checkout;

const TARGET: &str = "wasm32-unknown-unknown";

/// A compiler with the target.
pub(super) struct Compiler {
    /// Compiler and linker of Debian; `None` for those of rustup.
    debian: Option<(PathBuf, PathBuf)>,
}

impl Compiler {
    /// The compiler that has the target, if there is one.
    pub(super) fn find(checkout: &Checkout) -> Option<Self> {
        if has_target(Path::new("rustc")) {
            return Some(Self { debian: None });
        }
        let folder = checkout.root().join("target/wasm-toolchain");
        let (compiler, linker) = (folder.join("rustc"), folder.join("wasm-ld"));
        has_target(&compiler).then_some(Self { debian: Some((compiler, linker)) })
    }

    /// Compiles the library and returns the path of the module.
    pub(super) fn build(&self, checkout: &Checkout) -> Result<PathBuf> {
        let mut command = cargo_command(checkout);
        command.args(["build", "--locked", "--release", "--package", "eigentree-wasm", "--target", TARGET]);
        if let Some((compiler, linker)) = &self.debian {
            command.env("RUSTC", compiler).env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
            // Another compiler than usual: its products must not replace those of the usual one.
            command.args(["--target-dir", "target/wasm"]);
        }
        let status = command.status().context("cannot run cargo")?;
        if !status.success() {
            bail!("cannot build the library for {TARGET}: cargo ended with {status}");
        }
        let folder = if self.debian.is_some() { "target/wasm" } else { "target" };
        let module = checkout.root().join(folder).join(TARGET).join("release/eigentree_wasm.wasm");
        if !module.is_file() {
            bail!("cargo did not write {}", module.display());
        }
        Ok(module)
    }
}

/// Whether a compiler has the standard library of the target.
fn has_target(compiler: &Path) -> bool {
    let Ok(output) = Command::new(compiler).args(["--print", "target-libdir", "--target", TARGET]).output()
    else {
        return false;
    };
    let folder = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    output.status.success()
        && files.into_iter().any(|file| file.file_name().to_string_lossy().starts_with("libstd"))
}
