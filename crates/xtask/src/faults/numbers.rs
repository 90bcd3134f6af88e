//! Gives every option numbers that make no sense, in jobs whose files exist.
//!
//! A test of `crates/fuzzing` calls commands with such options too, but stops them before the work; here they work. Each run
//! must end with success, or with a message. Work that takes long because it was asked for is counted, not refused.

use std::process::Command;

use anyhow::Result;

use super::job::{Job, TIMEOUT};
use crate::program;

const VALUES: [&str; 24] = [
    "0",
    "1",
    "-1",
    "2",
    "255",
    "256",
    "65536",
    "1000000",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "-1e308",
    "1e-320",
    "NaN",
    "inf",
    "0.5",
    "1.0000001",
    "0x10",
    "",
    "1,1",
    "1..2",
];

/// Seconds of CPU time after which a run counts as long.
const LONG: &str = "--cpu=20";
/// Memory that no job on a few sentences may need, in bytes.
const MEMORY: &str = "--as=4294967296";

/// The signal that the system sends after the CPU time, with what `timeout` adds.
const OUT_OF_TIME: i32 = 128 + 24;

/// What became of the runs of a job.
#[derive(Default)]
pub(super) struct Tried {
    pub(super) runs: usize,
    pub(super) long: usize,
    pub(super) defects: Vec<String>,
}

impl Job<'_> {
    /// Tries all values with all options of the job's command.
    pub(super) fn try_numbers(&self) -> Result<Tried> {
        let named = |word: &&str| !word.starts_with('-') && !word.contains('.');
        let command: Vec<&str> = self.arguments.split(' ').take_while(named).collect();
        let help = program::output_of(Command::new(self.program).args(&command).arg("--help"))?;
        let mut tried = Tried::default();
        for option in options(&help) {
            for value in VALUES {
                let argument = format!("--{option}={value}");
                let mut command = Command::new("timeout");
                command.args([TIMEOUT, "prlimit", "--core=0", LONG, MEMORY]);
                let output = self.run(command, &[&argument])?;
                let told = String::from_utf8_lossy(&output.stderr);
                tried.runs += 1;
                match output.status.code() {
                    Some(OUT_OF_TIME) => tried.long += 1,
                    Some(0) => {}
                    Some(1 | 2) if !told.trim().is_empty() && !told.contains("panicked") => {}
                    other => tried.defects.push(format!("{argument}: code {other:?}: {told}")),
                }
            }
        }
        Ok(tried)
    }
}

/// The options with a value that a help text names, in lines such as `  -n, --count <N>`.
fn options(help: &str) -> Vec<&str> {
    let of_line = |line| -> Option<&str> {
        let (before, after) = str::split_once(line, "--")?;
        let (name, value) = after.split_once([' ', '='])?;
        let is_option = before.trim().len() <= "-n,".len() && value.starts_with('<');
        is_option.then_some(name.trim_end_matches('['))
    };
    help.lines().filter_map(of_line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_with_values_are_found() {
        let help = "Options:\n  -n, --count <N>\n      --rank <N|auto>\n      --quiet\n      --plot[=<FILE>]\n      like --rank 3";
        assert_eq!(options(help), ["count", "rank", "plot"]);
    }
}
