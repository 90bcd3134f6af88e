//! Tests the playground in Chromium, with the real server and, if it has been built, as static files.
//!
//! The tests are in `crates/serve/tests/browser`. npm installs their dependencies in `target/browser`, from a lock file
//! with checksums.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::folders::{LIBRARY, PAGE, copy};
use super::site;
use crate::program;
use crate::steps::Outcome;
use crate::tree::Checkout;

const TESTS: &str = "crates/serve/tests/browser";
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
    for assets in [PAGE, LIBRARY] {
        copy(&checkout.root().join(assets), &folder.join("assets"))?;
    }
    npm(&folder, &["ci", "--ignore-scripts", "--no-audit", "--no-fund"])?;
    npm(&folder, &["run", "--silent", "types"])?;
    let mut tests = Command::new("node");
    tests.args(["--test", "--test-reporter", "spec"]).current_dir(&folder);
    tests.env("EIGENTREE_PROGRAM", program::build(checkout)?).env("CHROMIUM", &chromium);
    match site::built(checkout) {
        Some(site) => drop(tests.env("EIGENTREE_SITE", site)),
        None => println!("SKIPPED: the tests of the static page, as `cargo xtask site` has built none"),
    }
    let status = tests.status().context("cannot run node")?;
    if !status.success() {
        bail!("the tests ended with {status}");
    }
    Ok(Outcome::Passed)
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
