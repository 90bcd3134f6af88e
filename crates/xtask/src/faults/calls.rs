//! Lets system calls fail, one at a time.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};

use super::job::{Fault, Files, Job, TIMEOUT, files};

/// A kind of call, and the errors that it is given.
const FAULTS: [(&str, &[&str]); 9] = [
    ("openat", &["EACCES", "EMFILE", "ENOENT"]),
    ("read", &["EIO", "EINTR"]),
    ("write", &["ENOSPC", "EIO", "EINTR"]),
    ("fsync", &["EIO", "ENOSPC"]),
    ("rename", &["EACCES", "EXDEV"]),
    ("unlink", &["EACCES"]),
    ("statx", &["EACCES"]),
    ("ftruncate", &["EIO"]),
    ("clone3", &["EAGAIN"]),
];

impl Job<'_> {
    /// Lets every call fail in turn, and files and memory end at every size; returns the number of runs and of defects.
    pub(super) fn attack(&self, name: &str) -> Result<(usize, usize)> {
        let (calls, expected) = self.undisturbed()?;
        let (mut tried, mut found) = (0, 0);
        for (runs, defects) in [self.end_files(&expected)?, self.end_memory(&expected)?] {
            tried += runs;
            found += defects.len();
            defects.iter().for_each(|defect| println!("{name}: {defect}"));
        }
        for (call, errors) in FAULTS {
            for number in 1..=calls.get(call).copied().unwrap_or(0) {
                for error in errors {
                    let output = self.traced(&[
                        "-o",
                        "/dev/null",
                        "-e",
                        &format!("trace={call}"),
                        "-e",
                        &format!("inject={call}:error={error}:when={number}"),
                    ])?;
                    tried += 1;
                    if let Err(defect) = self.judge(&output, &expected, Fault::Call(call)) {
                        found += 1;
                        println!("{name}: {error} of {call} {number}: {defect:#}");
                    }
                }
            }
        }
        Ok((tried, found))
    }

    /// How often an undisturbed run makes each call, and the files that it leaves.
    fn undisturbed(&self) -> Result<(BTreeMap<String, usize>, Files)> {
        let log = self.place.with_extension("log");
        let path = log.display().to_string();
        let output = self.traced(&["-o", &path])?;
        if !output.status.success() {
            bail!("{}: {}", self.arguments, String::from_utf8_lossy(&output.stderr));
        }
        let mut calls = BTreeMap::new();
        for line in fs::read_to_string(&log).with_context(|| format!("cannot read {path}"))?.lines() {
            // After the number of the thread. A call that another thread interrupts has a second line, which names it otherwise.
            if let Some(call) = line.split_whitespace().nth(1).and_then(|rest| rest.split_once('(')) {
                *calls.entry(call.0.to_owned()).or_insert(0) += 1;
            }
        }
        Ok((calls, files(&self.place)?))
    }

    /// Runs the job in a fresh place under strace with these options.
    fn traced(&self, options: &[&str]) -> Result<Output> {
        let mut command = Command::new("timeout");
        command.args([TIMEOUT, "strace", "-f", "-qq"]).args(options);
        self.run(command, &[])
    }
}
