//! Runs the targets of `fuzz/` under libFuzzer.
//!
//! Coverage and AddressSanitizer are options of unstable compilers; `RUSTC_BOOTSTRAP` makes the stable one accept them. The
//! layout of `fuzz/` is that of cargo-fuzz, which works too.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::program;
use crate::python::{self, Package};
use crate::steps::cargo_command;
use crate::tree::Checkout;

/// The targets, each with the share of the time that it gets.
const TARGETS: [(&str, u64); 6] =
    [("readers", 3), ("models", 5), ("containers", 1), ("options", 1), ("requests", 2), (PYTHON, 1)];

/// The target that is a program in Python.
const PYTHON: &str = "python";

/// What makes the compiler count edges for libFuzzer and check memory.
const FLAGS: &str = "--cfg fuzzing -Zsanitizer=address -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
                     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
                     -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1";

/// Most memory of a target, in megabytes: an input of a few kilobytes must not ask for more.
const MEMORY: u32 = 1024;
/// Longest time for one input, in seconds.
const TIMEOUT: u32 = 20;

/// Builds the targets and runs those with the given names, or all, one after the other, for `minutes` in all.
pub(crate) fn run(checkout: &Checkout, minutes: u64, names: &[String]) -> Result<()> {
    if let Some(unknown) = names.iter().find(|name| TARGETS.iter().all(|(target, _)| target != name)) {
        let known: Vec<&str> = TARGETS.iter().map(|(target, _)| *target).collect();
        bail!("there is no target `{unknown}`; choose from {}", known.join(", "));
    }
    let chosen: Vec<(&str, u64)> = TARGETS
        .into_iter()
        .filter(|(target, _)| names.is_empty() || names.iter().any(|name| name == target))
        .collect();
    let shares: u64 = chosen.iter().map(|(_, share)| share).sum();
    let seconds = |share: u64| (minutes * 60 * share / shares).max(1);
    if chosen.iter().any(|(target, _)| *target != PYTHON) {
        build_and_run(checkout, &chosen, seconds)?;
    }
    match chosen.iter().find(|(target, _)| *target == PYTHON) {
        Some((_, share)) => fuzz_python(checkout, seconds(*share)),
        None => Ok(()),
    }
}

fn build_and_run(checkout: &Checkout, chosen: &[(&str, u64)], seconds: impl Fn(u64) -> u64) -> Result<()> {
    let folder = checkout.root().join("fuzz");
    let host = program::host(checkout)?;
    // The versions that the tests use; cargo adds those of libFuzzer.
    let (versions, own) = (checkout.root().join("Cargo.lock"), folder.join("Cargo.lock"));
    fs::copy(&versions, &own).with_context(|| format!("cannot copy {}", versions.display()))?;
    let mut build = cargo_command(checkout);
    build.args(["build", "--release", "--manifest-path"]).arg(folder.join("Cargo.toml"));
    // With a target given, build scripts and macros are compiled without the flags.
    build.args(["--target", &host]).env("RUSTFLAGS", FLAGS).env("RUSTC_BOOTSTRAP", "1");
    program::succeed(&mut build)?;
    let programs = folder.join("target").join(&host).join("release");
    for (target, share) in chosen.iter().filter(|(target, _)| *target != PYTHON) {
        fuzz(&folder, &programs, target, seconds(*share))?;
    }
    Ok(())
}

/// Runs the attack on the Python package under atheris, if that can be installed.
fn fuzz_python(checkout: &Checkout, seconds: u64) -> Result<()> {
    let Some(python) = python::interpreter() else {
        println!("{PYTHON}: SKIPPED: there is no Python");
        return Ok(());
    };
    let package = Package::new(checkout, "fuzz-python", "requirements-fuzz.txt");
    if let Err(error) = package.environment(&python) {
        println!("{PYTHON}: SKIPPED: atheris cannot be installed: {error:#}");
        return Ok(());
    }
    package.install_wheel(checkout)?;
    let artifacts = checkout.root().join("fuzz/artifacts").join(PYTHON);
    fs::create_dir_all(&artifacts).with_context(|| format!("cannot create {}", artifacts.display()))?;
    println!("{PYTHON}: {seconds} s");
    package.run(&format!(
        "tests/attack.py -max_total_time={seconds} -rss_limit_mb={MEMORY} -timeout={TIMEOUT} -print_final_stats=1 \
         -artifact_prefix={}/",
        artifacts.display()
    ))
}

fn fuzz(folder: &Path, programs: &Path, target: &str, seconds: u64) -> Result<()> {
    let [corpus, artifacts] = ["corpus", "artifacts"].map(|name| folder.join(name).join(target));
    for made in [&corpus, &artifacts] {
        fs::create_dir_all(made).with_context(|| format!("cannot create {}", made.display()))?;
    }
    println!("{target}: {seconds} s");
    let mut command = Command::new(programs.join(target));
    command.arg(&corpus);
    // Small files made by hand, to begin with.
    let seeds = folder.join("seeds").join(target);
    if seeds.is_dir() {
        command.arg(seeds);
    }
    command
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-rss_limit_mb={MEMORY}"))
        .arg(format!("-timeout={TIMEOUT}"))
        .args(["-print_final_stats=1", "-verbosity=0", "-print_funcs=0", "-max_len=4096"]);
    // The words of the formats, for the targets that take text.
    let dictionary = folder.join(format!("{target}.dict"));
    if dictionary.is_file() {
        command.arg(format!("-dict={}", dictionary.display()));
    }
    program::succeed(&mut command)
        .with_context(|| format!("{target} found a defect; the input is in {}", artifacts.display()))
}
