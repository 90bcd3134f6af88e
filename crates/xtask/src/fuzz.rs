//! Runs the targets of `fuzz/` under libFuzzer.
//!
//! Coverage and AddressSanitizer are options of unstable compilers; `RUSTC_BOOTSTRAP` makes the stable one accept them. The
//! layout of `fuzz/` is that of cargo-fuzz, which works too.
//!
//! There are two builds. Readers and containers are safe code and are attacked by small programs without AddressSanitizer: after
//! each input libFuzzer looks at all edges of a program, of which the whole of Eigentree has 600,000 and the readers 10,000.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::program;
use crate::python::{self, Package};
use crate::steps::cargo_command;
use crate::tree::Checkout;

/// A target, and the share of the time that it gets.
#[derive(Clone, Copy)]
struct Target {
    name: &'static str,
    share: u64,
    build: Build,
}

/// What a target is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Build {
    /// A program with nothing but readers or containers.
    Small,
    /// A program with all of Eigentree, under AddressSanitizer.
    Whole,
    /// A program in Python.
    Python,
}

const TARGETS: [Target; 7] = [
    Target { name: "readers", share: 3, build: Build::Small },
    Target { name: "containers", share: 1, build: Build::Small },
    Target { name: "loaders", share: 2, build: Build::Whole },
    Target { name: "models", share: 3, build: Build::Whole },
    Target { name: "options", share: 1, build: Build::Whole },
    Target { name: "requests", share: 2, build: Build::Whole },
    Target { name: "python", share: 1, build: Build::Python },
];

/// What makes the compiler count edges for libFuzzer.
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
                     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
                     -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1";

/// What makes it check memory.
const SANITIZER: &str = "-Zsanitizer=address";

/// Most memory of a target, in megabytes: an input of a few kilobytes must not ask for more.
const MEMORY: u32 = 1024;
/// Longest time for one input, in seconds.
const TIMEOUT: u32 = 20;

/// Minutes for all targets together, if not told otherwise.
const MINUTES: u64 = 10;
/// A week.
const MOST_MINUTES: u64 = 7 * 24 * 60;

/// What to run, and for how long in all.
pub(crate) struct Plan {
    minutes: u64,
    targets: Vec<Target>,
}

impl Plan {
    /// Reads `[--minutes N] [TARGET...]`; the minutes may also be a bare number before the targets.
    pub(crate) fn of(arguments: &[String]) -> Result<Self> {
        let (mut minutes, mut names) = (MINUTES, Vec::new());
        let mut rest = arguments.iter().map(String::as_str).enumerate();
        while let Some((at, argument)) = rest.next() {
            let told = match argument.strip_prefix("--minutes") {
                Some("") => Some(rest.next().context("`--minutes` needs a number")?.1),
                Some(value) => Some(value.trim_start_matches('=')),
                None => {
                    Some(argument).filter(|text| at == 0 && text.starts_with(|c: char| c.is_ascii_digit()))
                }
            };
            match told {
                Some(number) => {
                    let in_range = number.parse().ok().filter(|count| (1..=MOST_MINUTES).contains(count));
                    minutes = in_range.with_context(|| {
                        format!("`{number}` is no number of minutes from 1 to {MOST_MINUTES}")
                    })?;
                }
                None => names.push(argument),
            }
        }
        if let Some(unknown) = names.iter().find(|name| TARGETS.iter().all(|target| target.name != **name)) {
            bail!(
                "there is no target `{unknown}`; choose from {}",
                TARGETS.map(|target| target.name).join(", ")
            );
        }
        let is_chosen = |target: &Target| names.is_empty() || names.contains(&target.name);
        Ok(Self { minutes, targets: TARGETS.into_iter().filter(is_chosen).collect() })
    }
}

/// Builds the targets and runs those of the plan, one after the other.
pub(crate) fn run(checkout: &Checkout, plan: &Plan) -> Result<()> {
    let Plan { minutes, targets: chosen } = plan;
    let shares: u64 = chosen.iter().map(|target| target.share).sum();
    let seconds = |target: &Target| (minutes * 60 * target.share / shares).max(1);
    let folder = checkout.root().join("fuzz");
    for kind in [Build::Small, Build::Whole, Build::Python] {
        let of_kind: Vec<&Target> = chosen.iter().filter(|target| target.build == kind).collect();
        if of_kind.is_empty() {
            continue;
        }
        if kind == Build::Python {
            of_kind.into_iter().try_for_each(|target| fuzz_python(checkout, target.name, seconds(target)))?;
            continue;
        }
        let programs = build(checkout, &folder, kind)?;
        for target in of_kind {
            fuzz(&folder, &programs, target.name, seconds(target))?;
        }
    }
    Ok(())
}

/// Builds the targets of a kind; returns the folder with them.
fn build(checkout: &Checkout, folder: &Path, kind: Build) -> Result<PathBuf> {
    let host = program::host(checkout)?;
    // The versions that the tests use; cargo adds those of libFuzzer.
    let (versions, own) = (checkout.root().join("Cargo.lock"), folder.join("Cargo.lock"));
    fs::copy(&versions, &own).with_context(|| format!("cannot copy {}", versions.display()))?;
    let mut command = cargo_command(checkout);
    command.args(["build", "--release", "--manifest-path"]).arg(folder.join("Cargo.toml"));
    // With a target given, build scripts and macros are compiled without the flags.
    command.args(["--target", &host]).env("RUSTC_BOOTSTRAP", "1");
    let target = match kind {
        Build::Small => {
            command.arg("--no-default-features").env("RUSTFLAGS", FLAGS);
            folder.join("target/small")
        }
        Build::Whole | Build::Python => {
            command.env("RUSTFLAGS", format!("{SANITIZER} {FLAGS}"));
            folder.join("target")
        }
    };
    program::succeed(command.env("CARGO_TARGET_DIR", &target))?;
    Ok(target.join(host).join("release"))
}

/// Runs the attack on the Python package under atheris, if that can be installed.
fn fuzz_python(checkout: &Checkout, name: &str, seconds: u64) -> Result<()> {
    let Some(python) = python::interpreter() else {
        println!("{name}: SKIPPED: there is no Python");
        return Ok(());
    };
    let package = Package::new(checkout, "fuzz-python", "requirements-fuzz.txt");
    if let Err(error) = package.environment(&python) {
        println!("{name}: SKIPPED: atheris cannot be installed: {error:#}");
        return Ok(());
    }
    package.install_wheel(checkout)?;
    let artifacts = checkout.root().join("fuzz/artifacts").join(name);
    fs::create_dir_all(&artifacts).with_context(|| format!("cannot create {}", artifacts.display()))?;
    println!("{name}: {seconds} s");
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
        .args(["-print_final_stats=1", "-verbosity=0", "-print_funcs=0", "-max_len=2048"]);
    // The words of the formats, for the targets that take text.
    let dictionary = folder.join(format!("{target}.dict"));
    if dictionary.is_file() {
        command.arg(format!("-dict={}", dictionary.display()));
    }
    program::succeed(&mut command)
        .with_context(|| format!("{target} found a defect; the input is in {}", artifacts.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(arguments: &str) -> Result<(u64, Vec<&'static str>)> {
        let arguments: Vec<String> = arguments.split_whitespace().map(str::to_owned).collect();
        let plan = Plan::of(&arguments)?;
        Ok((plan.minutes, plan.targets.iter().map(|target| target.name).collect()))
    }

    #[test]
    fn minutes_are_an_option_or_come_first() {
        assert_eq!(plan("").unwrap(), (MINUTES, TARGETS.map(|target| target.name).to_vec()));
        for told in ["--minutes 3 readers models", "readers --minutes=3 models", "3 models readers"] {
            assert_eq!(plan(told).unwrap(), (3, vec!["readers", "models"]), "{told}");
        }
        for wrong in
            ["--minutes", "--minutes x", "--minutes 0", "3x", "readers 3", "--minutes 99999999999", "nobody"]
        {
            assert!(plan(wrong).is_err(), "{wrong}");
        }
    }
}
