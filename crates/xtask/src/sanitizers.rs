//! Tests under Miri and ThreadSanitizer, which need a nightly compiler.
//!
//! Miri interprets the tests of unsafe code and of what turns bytes into numbers, and notices undefined behaviour. It
//! interprets AVX2 but not AVX-512. ThreadSanitizer runs the tests of the service and of streams, and notices threads
//! that access the same memory without an order. AddressSanitizer is part of `cargo xtask fuzz`.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::program;
use crate::steps::Outcome;
use crate::tree::Checkout;

/// What Miri runs: a package, and the beginning of the names of its unit tests.
const INTERPRETED: [(&str, &str); 6] = [
    ("eigentree-models", "persist::storage"),
    ("eigentree-models", "persist::section"),
    ("eigentree-models", "persist::strings"),
    ("eigentree-models", "network::rounded"),
    ("eigentree-dependency", "mst::prefetch"),
    ("eigentree-dependency", "head_automata::pack"),
];

/// Makes Miri take the code for processors with these instructions, which it knows; without them it would interpret portable code.
const INSTRUCTIONS: &str = "-Ctarget-feature=+avx2,+fma";

/// What runs under ThreadSanitizer: a package, and the beginning of the names of its tests from outside.
const THREADED: [(&str, &str); 3] =
    [("eigentree-serve", "load"), ("eigentree-serve", "reload"), ("eigentree", "streams")];

/// What ThreadSanitizer reports and is no race.
///
/// tokio tells the kernel where its state of a connection lies, by one descriptor of an epoll, and the thread of input and output is told by
/// another that `fcntl` made of it. ThreadSanitizer knows that descriptors made by `dup` belong together, not those made by `fcntl`: in a program of
/// twenty lines it finds this race with `fcntl`, and none with `dup` or with one descriptor.
const NO_RACES: &str = "race:<tokio::runtime::io::driver::Driver>::turn\n";

/// Runs tests under Miri.
pub(crate) fn miri(checkout: &Checkout) -> Result<Outcome> {
    if let Some(missing) = missing(&["miri", "rust-src"]) {
        return Ok(Outcome::Skipped(missing));
    }
    for (package, tests) in INTERPRETED {
        println!("{package}: {tests}");
        let mut command = nightly(checkout, "target/miri");
        command.args(["miri", "test", "--locked", "--package", package, "--lib", tests]);
        // Property tests look for files of failures; a few cases are enough for an interpreter.
        command
            .env("MIRIFLAGS", "-Zmiri-disable-isolation")
            .env("PROPTEST_CASES", "4")
            .env("RUSTFLAGS", INSTRUCTIONS);
        run_tests(&mut command, tests)?;
    }
    Ok(Outcome::Passed)
}

/// Runs tests under ThreadSanitizer.
pub(crate) fn threads(checkout: &Checkout) -> Result<Outcome> {
    if let Some(missing) = missing(&["rust-src"]) {
        return Ok(Outcome::Skipped(missing));
    }
    let host = program::host(checkout)?;
    if !host.contains("linux") {
        return Ok(Outcome::Skipped(format!("ThreadSanitizer is used on Linux only, not on {host}")));
    }
    let folder = checkout.root().join("target/tsan");
    let no_races = folder.join("no-races.txt");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    fs::write(&no_races, NO_RACES).with_context(|| format!("cannot write {}", no_races.display()))?;
    let options = format!("halt_on_error=1 suppressions={}", no_races.display());
    for (package, tests) in THREADED {
        println!("{package}: {tests}");
        let mut command = nightly(checkout, "target/tsan");
        // The standard library must be compiled with the sanitizer, too.
        command.args(["test", "--locked", "-Zbuild-std", "--target", &host]);
        command.args(["--package", package, "--test", "suite", tests]);
        command.env("RUSTFLAGS", "-Zsanitizer=thread").env("TSAN_OPTIONS", &options);
        run_tests(&mut command, tests)?;
    }
    Ok(Outcome::Passed)
}

/// Runs tests; that there are none of this name is an error.
fn run_tests(command: &mut Command, tests: &str) -> Result<()> {
    let output = command.stderr(Stdio::inherit()).output().context("cannot run rustup")?;
    let told = String::from_utf8_lossy(&output.stdout);
    print!("{told}");
    if !output.status.success() {
        bail!("{command:?} ended with {}", output.status);
    }
    if told.lines().any(|line| line.starts_with("test result: ok.") && !line.contains(" 0 passed")) {
        return Ok(());
    }
    bail!("no test is called `{tests}`");
}

/// Cargo of the nightly compiler.
fn nightly(checkout: &Checkout, target: &str) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo"]).current_dir(checkout.root());
    command.env("CARGO_TARGET_DIR", checkout.root().join(target));
    // Cargo passes its own toolchain to child processes; rustup must choose another.
    for variable in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN"] {
        command.env_remove(variable);
    }
    command
}

/// Why the nightly compiler cannot be used, if so.
fn missing(components: &[&str]) -> Option<String> {
    let listed = Command::new("rustup")
        .args(["component", "list", "--toolchain", "nightly", "--installed"])
        .current_dir(Path::new("."))
        .env_remove("RUSTUP_TOOLCHAIN")
        .output();
    let installed = listed.ok().filter(|output| output.status.success());
    let list =
        installed.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let lacks = |name: &&&str| !list.lines().any(|line| line.starts_with(**name));
    let missing: Vec<&str> = components.iter().filter(lacks).copied().collect();
    (!missing.is_empty()).then(|| {
        format!("run `rustup toolchain install nightly --component {}` first", missing.join(" --component "))
    })
}
