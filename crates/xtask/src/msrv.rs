//! The build with the oldest supported compiler.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::steps::Outcome;
use crate::tree::Checkout;

/// Checks the libraries and the program with the compiler given by `rust-version`. Tests may need a newer one.
pub(crate) fn run(checkout: &Checkout) -> Result<Outcome> {
    let manifest = checkout.root().join("Cargo.toml");
    let text =
        fs::read_to_string(&manifest).with_context(|| format!("cannot read {}", manifest.display()))?;
    let version = rust_version(&text).context("Cargo.toml has no rust-version")?;
    let Some(toolchain) = installed(version) else {
        return Ok(Outcome::Skipped(format!(
            "rustup has no toolchain {version}; run `rustup toolchain install {version}`"
        )));
    };
    let mut command = Command::new("rustup");
    command
        .args(["run", &toolchain, "cargo", "check", "--locked", "--workspace", "--exclude", "xtask"])
        .args(["--target-dir", "target/msrv"])
        .current_dir(checkout.root());
    // Cargo passes its own toolchain to child processes; rustup must choose another.
    for variable in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN"] {
        command.env_remove(variable);
    }
    let status = command.status().context("cannot run rustup")?;
    if !status.success() {
        bail!("the check with Rust {version} ended with {status}");
    }
    println!("checked with {toolchain}");
    Ok(Outcome::Passed)
}

/// The value of `rust-version` in the workspace's manifest.
fn rust_version(manifest: &str) -> Option<&str> {
    manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'))
}

/// The name of an installed toolchain of this version; any patch release will do.
fn installed(version: &str) -> Option<String> {
    let output = Command::new("rustup").args(["toolchain", "list"]).output().ok()?;
    named(&String::from_utf8_lossy(&output.stdout), version)
}

fn named(list: &str, version: &str) -> Option<String> {
    list.lines()
        .filter_map(|line| line.split_whitespace().next())
        .find(|name| {
            name.strip_prefix(version).is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '.']))
        })
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn toolchains_are_found_by_version() {
        let list = "stable-x86_64-unknown-linux-gnu (active, default)\n1.8-x86_64-unknown-linux-gnu\n\
                    1.88.0-x86_64-unknown-linux-gnu\n";
        assert_eq!(named(list, "1.88").as_deref(), Some("1.88.0-x86_64-unknown-linux-gnu"));
        assert_eq!(named(list, "1.89"), None);
        assert_eq!(rust_version("[workspace.package]\nrust-version = \"1.88\"\n"), Some("1.88"));
    }
}
