//! Development tasks of the project. `cargo xtask check` runs all checks.
//!
//! | step | what it checks |
//! |---|---|
//! | `fmt` | the code is formatted |
//! | `tidy` | the house rules hold: sizes, names, layers, documents whose links and paths exist |
//! | `deny` | `deny.toml` allows the licences, duplicates and sources of all dependencies |
//! | `package` | every crate can be packaged for publication |
//! | `clippy` | no warnings in any target |
//! | `test` | all tests pass, including documentation examples |
//! | `doc` | the documentation builds, and every link in it resolves |
//! | `commands` | every `eigentree` command shown in a document is valid |
//! | `reference` | the command reference in the book matches the program |
//! | `book` | `docs/` builds as a book that lists every page, and no link in it is broken |
//! | `python` | the Python package builds as a wheel, installs and passes its tests, if there is a Python |
//! | `spark` | the Python package counts and annotates on a cluster of two executors, if there is a Java |
//! | `site` | the playground and the book build as static files, if the compiler knows WebAssembly |
//! | `browser` | the playground works in Chromium, if there is one |
//! | `serve` | clients of other servers, from PyPI, get their answers from `eigentree serve` |
//! | `msrv` | the crates build with the oldest supported compiler, if rustup has it |
//!
//! All steps run even if one fails, some of them side by side, and the last line counts passes and failures. `cargo
//! xtask check fmt clippy` runs only these steps, in this order.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

mod api;
mod book;
mod commands;
mod coverage;
mod deny;
mod dist;
mod faults;
mod features;
mod fuzz;
mod lanes;
mod msrv;
mod program;
mod python;
mod reference;
mod sanitizers;
mod serve;
mod spark;
mod steps;
mod tidy;
mod tree;
mod web;
mod wheels;

use std::process::ExitCode;

use steps::{Outcome, Step};
use tree::Checkout;

const USAGE: &str = "\
Usage: cargo xtask check [STEP...]
       cargo xtask book
       cargo xtask site
       cargo xtask reference
       cargo xtask api
       cargo xtask dist [PROFILE]
       cargo xtask dist-twice
       cargo xtask wheels [TARGET...]
       cargo xtask fuzz [--minutes N] [TARGET...]
       cargo xtask faults [--program FILE] [JOB...]
       cargo xtask numbers [--program FILE] [JOB...]
       cargo xtask miri
       cargo xtask threads
       cargo xtask coverage

check      runs the steps fmt, tidy, deny, package, clippy, test, doc, commands, reference, book, python, spark, site, browser, serve and msrv, or only the given ones
book       builds the book in target/book, like the step of that name
site       builds the playground and the book as static files in target/site, like the step of that name
reference  writes the command reference of the book
api        counts the public items of the library `eigentree`
dist       builds the archive and the Debian package in target/dist-packages, and tests both
dist-twice builds what `dist` publishes from two copies of the sources in different folders, and compares the bytes
wheels     builds the wheels of the Python package for Linux, macOS and Windows, and its source distribution, in target/wheels
fuzz       runs the targets of fuzz/ under libFuzzer, for 10 minutes in all if not told otherwise
faults     lets system calls fail, one at a time, and files and memory end, in small jobs of all families, under strace
numbers    gives every option of the same jobs numbers that make no sense
miri       runs the tests of unsafe code under Miri, if there is a nightly compiler
threads    runs the tests of the service and of streams under ThreadSanitizer, if there is a nightly compiler
coverage   tells how many lines of the readers and loaders their tests and attacks reach, if there are the compiler's tools";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((task, [])) if task == "check" => lanes::run(&Checkout::here()),
        Some((task, names)) if task == "check" => match chosen(names) {
            Ok(steps) => steps::run_all(&Checkout::here(), &steps),
            Err(unknown) => wrong_usage(&format!("unknown step `{unknown}`")),
        },
        Some((task, [])) if task == "book" => steps::run_all(&Checkout::here(), &[Step::Book]),
        Some((task, [])) if task == "site" => steps::run_all(&Checkout::here(), &[Step::Site]),
        Some((task, [])) if task == "reference" => finished(reference::write(&Checkout::here())),
        Some((task, [])) if task == "api" => finished(api::run(&Checkout::here())),
        Some((task, [])) if task == "dist" => finished(dist::run(&Checkout::here(), dist::PROFILE)),
        Some((task, [profile])) if task == "dist" => finished(dist::run(&Checkout::here(), profile)),
        Some((task, [])) if task == "dist-twice" => finished(dist::twice(&Checkout::here())),
        Some((task, targets)) if task == "wheels" => finished(wheels::run(&Checkout::here(), targets)),
        Some((task, names)) if task == "faults" => {
            finished(faults::run(&Checkout::here(), faults::Attack::Faults, names))
        }
        Some((task, names)) if task == "numbers" => {
            finished(faults::run(&Checkout::here(), faults::Attack::Numbers, names))
        }
        Some((task, arguments)) if task == "fuzz" => match fuzz::Plan::of(arguments) {
            Ok(plan) => finished(fuzz::run(&Checkout::here(), &plan)),
            Err(problem) => wrong_usage(&format!("{problem:#}")),
        },
        Some((task, [])) if task == "miri" => ended(task, sanitizers::miri(&Checkout::here())),
        Some((task, [])) if task == "threads" => ended(task, sanitizers::threads(&Checkout::here())),
        Some((task, [])) if task == "coverage" => ended(task, coverage::run(&Checkout::here())),
        Some((help, _)) if ["help", "--help", "-h"].contains(&help.as_str()) => {
            println!("{USAGE}");
            ExitCode::SUCCESS
        }
        Some((unknown, _)) => wrong_usage(&format!("unknown task `{unknown}`")),
        None => wrong_usage("no task given"),
    }
}

/// The steps with these names.
fn chosen(names: &[String]) -> Result<Vec<Step>, &str> {
    names.iter().map(|name| Step::from_name(name).ok_or(name.as_str())).collect()
}

/// Says that a task was skipped, if so.
fn ended(task: &str, result: anyhow::Result<Outcome>) -> ExitCode {
    finished(result.map(|outcome| match outcome {
        Outcome::Passed => println!("{task}: passed"),
        Outcome::Skipped(reason) => println!("{task}: SKIPPED: {reason}"),
    }))
}

fn finished(result: anyhow::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn wrong_usage(problem: &str) -> ExitCode {
    eprintln!("{problem}\n\n{USAGE}");
    ExitCode::from(2)
}
