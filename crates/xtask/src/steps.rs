//! The steps of a check: commands, timing and the final count.

use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::tree::Checkout;
use crate::{book, commands, deny, msrv, python, reference, serve, spark, tidy, web};

/// One step of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    Fmt,
    Tidy,
    Deny,
    Package,
    Clippy,
    Test,
    Doc,
    Commands,
    Reference,
    Book,
    Python,
    Spark,
    Site,
    Browser,
    Serve,
    Msrv,
}

/// How a step ended that did not fail.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Passed,
    /// It could not run here, for this reason.
    Skipped(String),
}

impl Step {
    /// All steps, the fast ones first.
    pub(crate) const ALL: [Self; 16] = [
        Self::Fmt,
        Self::Tidy,
        Self::Deny,
        Self::Package,
        Self::Clippy,
        Self::Test,
        Self::Doc,
        Self::Commands,
        Self::Reference,
        Self::Book,
        Self::Python,
        Self::Spark,
        Self::Site,
        Self::Browser,
        Self::Serve,
        Self::Msrv,
    ];

    /// The step called `name`.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.name() == name)
    }

    /// Its name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Fmt => "fmt",
            Self::Tidy => "tidy",
            Self::Deny => "deny",
            Self::Package => "package",
            Self::Clippy => "clippy",
            Self::Test => "test",
            Self::Doc => "doc",
            Self::Commands => "commands",
            Self::Reference => "reference",
            Self::Book => "book",
            Self::Python => "python",
            Self::Spark => "spark",
            Self::Site => "site",
            Self::Browser => "browser",
            Self::Serve => "serve",
            Self::Msrv => "msrv",
        }
    }

    fn run(self, checkout: &Checkout) -> Result<Outcome> {
        match self {
            Self::Fmt => cargo(checkout, "fmt --all -- --check", &[]),
            Self::Tidy => tidy::run(checkout),
            Self::Deny => deny::run(checkout),
            // Offline: `deny` has downloaded what is needed, and cargo would look for our own crates in the registry.
            Self::Package => cargo(
                checkout,
                "package --locked --offline --workspace --exclude xtask --exclude eigentree-python --no-verify --allow-dirty --quiet",
                &[],
            ),
            Self::Clippy => cargo(
                checkout,
                "clippy --locked --workspace --all-targets --all-features -- -D warnings",
                &[],
            ),
            Self::Test => {
                tell_of_data(checkout);
                cargo(checkout, "test --locked --workspace --all-features --no-fail-fast", &[])
            }
            Self::Doc => cargo(
                checkout,
                "doc --locked --workspace --all-features --no-deps",
                &[("RUSTDOCFLAGS", "-D warnings")],
            ),
            Self::Commands => commands::run(checkout),
            Self::Reference => reference::check(checkout),
            Self::Book => book::run(checkout),
            Self::Python => return python::run(checkout),
            Self::Spark => return spark::run(checkout),
            Self::Site => return web::build_site(checkout),
            Self::Browser => return web::test_in_browser(checkout),
            Self::Serve => return serve::run(checkout),
            Self::Msrv => return msrv::run(checkout),
        }
        .map(|()| Outcome::Passed)
    }
}

/// How many steps passed, and which did not.
#[derive(Default)]
pub(crate) struct Tally {
    passed: usize,
    failed: Vec<Step>,
    skipped: Vec<Step>,
}

/// How a step ended, as a line of the output tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    Passed,
    Skipped,
    Failed,
}

impl Ending {
    /// What the line of a step has after the step's name.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Skipped => "SKIPPED",
            Self::Failed => "FAILED",
        }
    }
}

impl Tally {
    /// Notes how a step ended.
    pub(crate) fn add(&mut self, step: Step, ending: Ending) {
        match ending {
            Ending::Passed => self.passed += 1,
            Ending::Skipped => self.skipped.push(step),
            Ending::Failed => self.failed.push(step),
        }
    }

    /// Prints the count. A step that failed fails the check.
    pub(crate) fn conclude(&self, start: Instant) -> ExitCode {
        let which = |steps: &[Step]| {
            let names: Vec<&str> = steps.iter().map(|step| step.name()).collect();
            if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) }
        };
        let mut line = format!("{} passed, {} failed{}", self.passed, self.failed.len(), which(&self.failed));
        if !self.skipped.is_empty() {
            line.push_str(&format!(", {} skipped{}", self.skipped.len(), which(&self.skipped)));
        }
        println!("{line}; {:.0} s", start.elapsed().as_secs_f64());
        if self.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// Runs the given steps one after the other and counts passes and failures.
pub(crate) fn run_all(checkout: &Checkout, steps: &[Step]) -> ExitCode {
    let start = Instant::now();
    let mut tally = Tally::default();
    run_each(checkout, steps, &mut tally);
    tally.conclude(start)
}

/// Runs the given steps one after the other.
pub(crate) fn run_each(checkout: &Checkout, steps: &[Step], tally: &mut Tally) {
    for &step in steps {
        let name = step.name();
        println!("== {name}");
        let begun = Instant::now();
        let outcome = step.run(checkout);
        let seconds = begun.elapsed().as_secs_f64();
        let (ending, rest) = match outcome {
            Ok(Outcome::Passed) => (Ending::Passed, format!(" in {seconds:.1} s")),
            Ok(Outcome::Skipped(reason)) => (Ending::Skipped, format!(": {reason}")),
            Err(error) => (Ending::Failed, format!(" after {seconds:.1} s: {error:#}")),
        };
        println!("== {name}: {}{rest}\n", ending.word());
        tally.add(step, ending);
    }
}

/// An invocation of the cargo that runs this program, in the workspace root.
pub(crate) fn cargo_command(checkout: &Checkout) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(checkout.root());
    command
}

fn cargo(checkout: &Checkout, arguments: &str, variables: &[(&str, &str)]) -> Result<()> {
    let mut command = cargo_command(checkout);
    command.args(arguments.split(' ')).envs(variables.iter().copied());
    let status = command.status().with_context(|| format!("cannot run cargo {arguments}"))?;
    if !status.success() {
        bail!("cargo {arguments} ended with {status}");
    }
    Ok(())
}

/// Tests over whole treebanks skip themselves if there are no treebanks, and the test runner hides their message. So
/// report it here.
fn tell_of_data(checkout: &Checkout) {
    let folder = std::env::var_os("EIGENTREE_DATA")
        .map_or_else(|| checkout.root().join("../shared/data"), PathBuf::from);
    match folder.canonicalize() {
        Ok(found) => println!("tests over real treebanks read {}", found.display()),
        Err(_) => println!(
            "SKIPPED: the tests over real treebanks, since {} does not exist; set EIGENTREE_DATA to another folder",
            folder.display()
        ),
    }
}
