//! Tests the playground in Chromium, against the real server.
//!
//! The tests are in `crates/serve/tests/browser`. npm installs their dependencies in `target/browser`, from a lock file
//! with checksums.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::program;
use crate::steps::Outcome;
use crate::tree::Checkout;

const TESTS: &str = "crates/serve/tests/browser";
const ASSETS: &str = "crates/serve/assets";
/// Chromium of Debian.
const CHROMIUM: &str = "/usr/bin/chromium";

/// Checks the types of the page's modules and runs the tests.
pub(crate) fn run(checkout: &Checkout) -> Result<Outcome> {
    let chromium = std::env::var_os("CHROMIUM").unwrap_or_else(|| CHROMIUM.into());
    for (program, advice) in [
        (OsStr::new("node"), "install Node.js 20 or later"),
        (OsStr::new("npm"), "install npm"),
        (&*chromium, "install Chromium, or set CHROMIUM to its path"),
    ] {
        if !runs(program) {
            return Ok(Outcome::Skipped(format!("{} does not run; {advice}", program.display())));
        }
    }
    let folder = checkout.root().join("target/browser");
    // Only what the checkout has: a test that was removed must not run.
    for old in
        fs::read_dir(&folder).into_iter().flatten().flatten().filter(|old| old.file_name() != "node_modules")
    {
        let path = old.path();
        let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.with_context(|| format!("cannot remove {}", path.display()))?;
    }
    copy(&checkout.root().join(TESTS), &folder)?;
    copy(&checkout.root().join(ASSETS), &folder.join("assets"))?;
    npm(&folder, &["ci", "--ignore-scripts", "--no-audit", "--no-fund"])?;
    npm(&folder, &["run", "--silent", "types"])?;
    let mut tests = Command::new("node");
    tests.args(["--test", "--test-reporter", "spec"]).current_dir(&folder);
    tests.env("EIGENTREE_PROGRAM", program::build(checkout)?).env("CHROMIUM", &chromium);
    let status = tests.status().context("cannot run node")?;
    if !status.success() {
        bail!("the tests ended with {status}");
    }
    Ok(Outcome::Passed)
}

/// Copies a folder with all below it.
fn copy(from: &Path, to: &Path) -> Result<()> {
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

fn runs(program: &OsStr) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn npm(folder: &Path, arguments: &[&str]) -> Result<()> {
    let status =
        Command::new("npm").args(arguments).current_dir(folder).status().context("cannot run npm")?;
    if !status.success() {
        bail!("npm {} ended with {status}", arguments.join(" "));
    }
    Ok(())
}
