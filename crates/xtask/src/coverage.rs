//! How much of the readers and loaders their tests and attacks reach, by line.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::program;
use crate::steps::{Outcome, cargo_command};
use crate::tree::Checkout;

/// The packages whose tests are run: those that read and load, and the attacks on them.
const PACKAGES: [&str; 3] = ["eigentree-corpus", "eigentree-models", "eigentree-fuzzing"];

/// Files are counted whose path has one of these parts.
const COUNTED: [&str; 4] =
    ["crates/corpus/src/format/", "crates/corpus/src/compression", "/persist/", "/persist.rs"];

/// Runs the tests with counters and prints the share of lines that ran, by file and in all.
pub(crate) fn run(checkout: &Checkout) -> Result<Outcome> {
    let Some(tools) = tools(checkout)? else {
        return Ok(Outcome::Skipped("run `rustup component add llvm-tools` first".to_owned()));
    };
    let folder = checkout.root().join("target/coverage");
    let profiles = folder.join("profiles");
    let _ = fs::remove_dir_all(&profiles);
    fs::create_dir_all(&profiles).with_context(|| format!("cannot create {}", profiles.display()))?;
    let cargo = |arguments: &[&str]| {
        let mut command = cargo_command(checkout);
        command.arg("test").arg("--locked").args(PACKAGES.iter().flat_map(|name| ["--package", name]));
        command.args(arguments).env("CARGO_TARGET_DIR", &folder).env("RUSTFLAGS", "-Cinstrument-coverage");
        command.env("LLVM_PROFILE_FILE", profiles.join("%p-%m.profraw"));
        command
    };
    program::succeed(&mut cargo(&["--lib", "--tests"]))?;
    let built = program::output_of(&mut cargo(&["--lib", "--tests", "--no-run", "--message-format=json"]))?;
    let programs = executables(&built);
    let merged = folder.join("merged.profdata");
    let mut merge = Command::new(tools.join("llvm-profdata"));
    merge.args(["merge", "-sparse", "-o"]).arg(&merged).args(listed(&profiles)?);
    program::succeed(&mut merge)?;
    let mut report = Command::new(tools.join("llvm-cov"));
    report.args(["export", "-summary-only"]).arg(format!("-instr-profile={}", merged.display()));
    for (at, program) in programs.iter().enumerate() {
        if at > 0 {
            report.arg("-object");
        }
        report.arg(program);
    }
    let summary: serde_json::Value = serde_json::from_str(&program::output_of(&mut report)?)?;
    tell(checkout, &summary);
    Ok(Outcome::Passed)
}

fn tell(checkout: &Checkout, summary: &serde_json::Value) {
    let root = checkout.root().display().to_string();
    let (mut all, mut reached) = (0, 0);
    for file in summary["data"][0]["files"].as_array().into_iter().flatten() {
        let name = file["filename"].as_str().unwrap_or_default();
        let Some(name) = name.strip_prefix(&root).map(|name| name.trim_start_matches('/')) else { continue };
        if !COUNTED.iter().any(|part| name.contains(part)) {
            continue;
        }
        let lines = &file["summary"]["lines"];
        let (count, covered) = (lines["count"].as_u64().unwrap_or(0), lines["covered"].as_u64().unwrap_or(0));
        (all, reached) = (all + count, reached + covered);
        println!("{:>6} of {count:>6} lines  {:>5.1} %  {name}", covered, share(covered, count));
    }
    println!("{reached:>6} of {all:>6} lines  {:>5.1} %  in all", share(reached, all));
}

fn share(part: u64, of: u64) -> f64 {
    100.0 * part as f64 / of.max(1) as f64
}

/// The folder with the compiler's own tools, which read what it counts.
fn tools(checkout: &Checkout) -> Result<Option<PathBuf>> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let said = program::output_of(
        Command::new(rustc).args(["--print", "target-libdir"]).current_dir(checkout.root()),
    )?;
    let folder = Path::new(said.trim()).with_file_name("bin");
    Ok(folder.join("llvm-cov").is_file().then_some(folder))
}

/// The programs that cargo tells of.
fn executables(messages: &str) -> Vec<String> {
    let found = messages.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    found.filter_map(|message| message["executable"].as_str().map(str::to_owned)).collect()
}

fn listed(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    entries.map(|entry| Ok(entry?.path())).collect()
}
