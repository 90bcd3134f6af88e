//! Runs the targets of `fuzz/` under libFuzzer.
//!
//! Coverage and AddressSanitizer are options of unstable compilers; `RUSTC_BOOTSTRAP` makes the stable one accept them. The
//! layout of `fuzz/` is that of cargo-fuzz, which works too.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::program;
use crate::steps::cargo_command;
use crate::tree::Checkout;

/// The targets, each with the share of the time that it gets.
const TARGETS: [(&str, u64); 3] = [("readers", 3), ("models", 6), ("containers", 1)];

/// What makes the compiler count edges for libFuzzer and check memory.
const FLAGS: &str = "--cfg fuzzing -Zsanitizer=address -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
                     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
                     -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1";

/// Most memory of a target, in megabytes: an input of a few kilobytes must not ask for more.
const MEMORY: u32 = 1024;
/// Longest time for one input, in seconds.
const TIMEOUT: u32 = 20;

/// Builds the targets and runs all of them, one after the other, for `minutes` in all.
pub(crate) fn run(checkout: &Checkout, minutes: u64) -> Result<()> {
    let folder = checkout.root().join("fuzz");
    let host = host(checkout)?;
    // The versions that the tests use; cargo adds those of libFuzzer.
    let (versions, own) = (checkout.root().join("Cargo.lock"), folder.join("Cargo.lock"));
    fs::copy(&versions, &own).with_context(|| format!("cannot copy {}", versions.display()))?;
    let mut build = cargo_command(checkout);
    build.args(["build", "--release", "--manifest-path"]).arg(folder.join("Cargo.toml"));
    // With a target given, build scripts and macros are compiled without the flags.
    build.args(["--target", &host]).env("RUSTFLAGS", FLAGS).env("RUSTC_BOOTSTRAP", "1");
    program::succeed(&mut build)?;
    let programs = folder.join("target").join(&host).join("release");
    let shares: u64 = TARGETS.iter().map(|(_, share)| share).sum();
    for (target, share) in TARGETS {
        fuzz(&folder, &programs, target, (minutes * 60 * share / shares).max(1))?;
    }
    Ok(())
}

fn fuzz(folder: &Path, programs: &Path, target: &str, seconds: u64) -> Result<()> {
    let [corpus, artifacts] = ["corpus", "artifacts"].map(|name| folder.join(name).join(target));
    for made in [&corpus, &artifacts] {
        fs::create_dir_all(made).with_context(|| format!("cannot create {}", made.display()))?;
    }
    println!("{target}: {seconds} s");
    let mut command = Command::new(programs.join(target));
    command
        .arg(&corpus)
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-rss_limit_mb={MEMORY}"))
        .arg(format!("-timeout={TIMEOUT}"))
        .args(["-print_final_stats=1", "-verbosity=0", "-print_funcs=0", "-max_len=4096"]);
    let dictionary = folder.join("readers.dict");
    if target == "readers" {
        command.arg(format!("-dict={}", dictionary.display()));
    }
    program::succeed(&mut command)
        .with_context(|| format!("{target} found a defect; the input is in {}", artifacts.display()))
}

fn host(checkout: &Checkout) -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let said = program::output_of(Command::new(rustc).arg("-vV").current_dir(checkout.root()))?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc does not name its host")?.to_owned())
}
