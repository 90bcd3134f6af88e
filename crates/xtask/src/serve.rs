//! The service with the real clients of other servers, from PyPI.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::program;
use crate::steps::Outcome;
use crate::tree::Checkout;

/// What `scripts/check_serve.py` imports.
const PACKAGES: [&str; 4] = ["nltk", "requests", "openapi-spec-validator", "protobuf"];

/// Only its client, which needs none of the packages that stanza as a whole needs.
const CLIENT: &str = "stanza";

/// Installs the clients into a folder of their own and runs them against the program.
pub(crate) fn run(checkout: &Checkout) -> Result<Outcome> {
    if !succeeds(Command::new("python3").args(["-c", "import venv, ensurepip"])) {
        return Ok(Outcome::Skipped("there is no python3 with the module venv".to_owned()));
    }
    let folder = checkout.root().join("target/serve-clients");
    let python = folder.join("bin/python");
    let script = checkout.root().join("scripts/check_serve.py");
    if !succeeds(Command::new(&python).args(["-c", "import nltk, requests, openapi_spec_validator"])) {
        let made = succeeds(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder));
        let pip = |arguments: &[&str]| {
            succeeds(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(arguments))
        };
        if !made || !pip(&PACKAGES) || !pip(&["--no-deps", CLIENT]) {
            return Ok(Outcome::Skipped("the clients cannot be installed; the step needs PyPI".to_owned()));
        }
    }
    let program = program::build(checkout)?;
    let status = Command::new(&python).arg(script).arg(program).status().context("cannot run Python")?;
    if !status.success() {
        bail!("the clients ended with {status}");
    }
    Ok(Outcome::Passed)
}

fn succeeds(command: &mut Command) -> bool {
    command.status().is_ok_and(|status| status.success())
}
