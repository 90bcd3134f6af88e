//! Licences, duplicates and sources of all dependencies, by the rules of `deny.toml`.
//!
//! The file is that of cargo-deny, which also checks security advisories and runs in the GitHub workflow. Building
//! cargo-deny means building its 170 dependencies, so the rules that need no network are applied here as well, from
//! `cargo metadata`.

mod graph;
mod licence;
mod policy;
mod rules;

use std::fs;

use anyhow::{Context, Result, bail};

use crate::program;
use crate::steps::cargo_command;
use crate::tree::Checkout;
use policy::Policy;

/// Checks all packages that any target of the workspace needs.
pub(crate) fn run(checkout: &Checkout) -> Result<()> {
    let path = checkout.root().join("deny.toml");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let policy = Policy::read(&text)?;
    let metadata = program::output_of(cargo_command(checkout).args([
        "metadata",
        "--format-version=1",
        "--locked",
        "--all-features",
    ]))?;
    let packages = graph::packages(&metadata)?;
    let breaches = rules::breaches(&packages, &policy);
    for breach in &breaches {
        println!("{breach}");
    }
    println!("{} packages, {} licences allowed", packages.len(), policy.licences.len());
    match breaches.len() {
        0 => Ok(()),
        1 => bail!("1 violation of deny.toml"),
        many => bail!("{many} violations of deny.toml"),
    }
}
