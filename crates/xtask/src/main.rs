//! The project's own tasks: `cargo xtask check` is the one command that says whether the tree is in order.
//!
//! | step | what it asks |
//! |---|---|
//! | `fmt` | the code is formatted |
//! | `tidy` | the house rules hold: sizes, names, layers, documents whose links and paths exist |
//! | `clippy` | no warning, in any target |
//! | `test` | all tests pass, documentation examples included |
//! | `doc` | the documentation builds, and every link in it resolves |
//! | `commands` | every `eigentree` command that the documents show is one that the program knows |
//! | `book` | `docs/` builds as a book that lists every page, and no link in it is broken |
//!
//! All steps run even if one fails, and the last line counts both. `cargo xtask check fmt clippy` runs some of them.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

mod book;
mod commands;
mod steps;
mod tidy;
mod tree;

use std::process::ExitCode;

use steps::Step;
use tree::Checkout;

const USAGE: &str = "\
Usage: cargo xtask check [STEP...]
       cargo xtask book

check runs the steps fmt, tidy, clippy, test, doc, commands and book, or those that are named.
book builds the book into target/book, as the step of that name does.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((task, names)) if task == "check" => match chosen(names) {
            Ok(steps) => steps::run_all(&Checkout::here(), &steps),
            Err(unknown) => wrong_usage(&format!("there is no step `{unknown}`")),
        },
        Some((task, [])) if task == "book" => steps::run_all(&Checkout::here(), &[Step::Book]),
        Some((help, _)) if ["help", "--help", "-h"].contains(&help.as_str()) => {
            println!("{USAGE}");
            ExitCode::SUCCESS
        }
        Some((unknown, _)) => wrong_usage(&format!("there is no task `{unknown}`")),
        None => wrong_usage("no task given"),
    }
}

/// The steps of these names; all if there are none.
fn chosen(names: &[String]) -> Result<Vec<Step>, &str> {
    if names.is_empty() {
        return Ok(Step::ALL.to_vec());
    }
    names.iter().map(|name| Step::from_name(name).ok_or(name.as_str())).collect()
}

fn wrong_usage(problem: &str) -> ExitCode {
    eprintln!("{problem}\n\n{USAGE}");
    ExitCode::from(2)
}
