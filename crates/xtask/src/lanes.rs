//! The whole check in two lanes, which share the machine's cores.
//!
//! Many steps wait: for a browser, for a Java machine, for the last crate of a build. So the steps that compile in
//! folders of their own run beside the others, in a second process of this program. Its output goes to a file and is
//! printed when that process ends, since lines of two steps at once could not be read.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, ExitCode};
use std::time::Instant;

use anyhow::{Context, Result};

use crate::steps::{Ending, Step, Tally, run_each};
use crate::tree::Checkout;

/// The steps of the second lane. `browser` needs what `site` has built.
const BESIDE: [Step; 5] = [Step::Book, Step::Msrv, Step::Site, Step::Browser, Step::Serve];
/// What the second lane prints.
const OUTPUT: &str = "target/beside.log";

/// Runs all steps and counts passes and failures.
pub(crate) fn run(checkout: &Checkout) -> ExitCode {
    let start = Instant::now();
    let output = checkout.root().join(OUTPUT);
    let names = BESIDE.map(Step::name);
    let beside = spawn(&names, &output);
    if beside.is_ok() {
        println!("{} run beside the other steps; {OUTPUT} has their output\n", names.join(", "));
    }
    let mut tally = Tally::default();
    let here: Vec<Step> = Step::ALL.into_iter().filter(|step| !BESIDE.contains(step)).collect();
    run_each(checkout, &here, &mut tally);
    match beside.and_then(|child| finish(child, &output)) {
        Ok(printed) => {
            println!("{printed}");
            for step in BESIDE {
                tally.add(step, ending(&printed, step));
            }
        }
        Err(error) => {
            println!("the second lane cannot run, so its steps run now: {error:#}\n");
            run_each(checkout, &BESIDE, &mut tally);
        }
    }
    tally.conclude(start)
}

/// This program with the given steps, writing to a file.
fn spawn(steps: &[&str], output: &Path) -> Result<Child> {
    let own = std::env::current_exe().context("cannot find the path of this program")?;
    if let Some(folder) = output.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let file = File::create(output).with_context(|| format!("cannot write {}", output.display()))?;
    let errors = file.try_clone()?;
    let mut command = Command::new(own);
    command.arg("check").args(steps).stdout(file).stderr(errors);
    command.spawn().context("cannot start the second lane")
}

/// Waits for the second lane and returns what it printed.
fn finish(mut child: Child, output: &Path) -> Result<String> {
    child.wait().context("cannot wait for the second lane")?;
    let printed = fs::read(output).with_context(|| format!("cannot read {}", output.display()))?;
    Ok(String::from_utf8_lossy(&printed).into_owned())
}

/// How a step ended, by its line in the output. A step without a line was killed, and so failed.
fn ending(printed: &str, step: Step) -> Ending {
    let ended = |ending: &Ending| {
        let line = format!("== {}: {}", step.name(), ending.word());
        printed.lines().any(|printed| printed.starts_with(&line))
    };
    [Ending::Failed, Ending::Skipped, Ending::Passed].into_iter().find(ended).unwrap_or(Ending::Failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_read_from_the_output() {
        let printed = "== book\n== book: passed in 3.2 s\n\n== msrv: SKIPPED: no compiler\n== site: FAILED after 1.0 s: x\n";
        assert_eq!(ending(printed, Step::Book), Ending::Passed);
        assert_eq!(ending(printed, Step::Msrv), Ending::Skipped);
        assert_eq!(ending(printed, Step::Site), Ending::Failed);
        assert_eq!(ending(printed, Step::Browser), Ending::Failed, "it never ran");
    }
}
