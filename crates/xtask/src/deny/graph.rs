//! The packages of `cargo metadata`.

use anyhow::{Context, Result};
use serde::Deserialize;

/// A package that the workspace needs on some platform, or one of its own.
#[derive(Deserialize, Debug)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    /// An SPDX expression.
    #[serde(rename = "license")]
    pub(super) licence: Option<String>,
    /// The registry; none for packages of the workspace.
    pub(super) source: Option<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

/// Reads the packages, sorted by name and version.
pub(super) fn packages(metadata: &str) -> Result<Vec<Package>> {
    let Metadata { mut packages } =
        serde_json::from_str(metadata).context("cannot parse the output of cargo metadata")?;
    packages.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Ok(packages)
}
