//! Lets the disk or the memory come to an end, at many sizes.
//!
//! `prlimit` bounds files to N bytes. Since the signal that would end the program is ignored, the write that crosses the bound
//! is short and the next one fails, as on a disk that is full after N bytes. Or it bounds the memory of the process: then an
//! allocation fails, which ends a program in Rust with a message; a thread cannot be started; a file cannot be mapped.

use std::process::{Command, Output};

use anyhow::{Result, bail};

use super::job::{Fault, Files, Job, TIMEOUT};

/// Most sizes of files that are tried in a job; all of them if its files are shorter than this.
const SIZES: usize = 200;
/// Bytes from one size of memory to the next.
const STEP: usize = 2 << 20;
/// After as many runs that succeed one after the other there is enough memory.
const ENOUGH: usize = 3;
/// More memory than any job needs.
const MOST: usize = 4 << 30;

impl Job<'_> {
    /// Lets every file end after N bytes, up to the longest; returns the number of runs and the defects.
    pub(super) fn end_files(&self, expected: &Files) -> Result<(usize, Vec<String>)> {
        let longest = self.written(expected).max().unwrap_or(0);
        let mut defects = Vec::new();
        let mut tried = 0;
        for size in (0..=longest).step_by(longest.div_ceil(SIZES).max(1)) {
            let output = self.limited(&format!("--fsize={size}"))?;
            tried += 1;
            if let Err(defect) = self.judge(&output, expected, Fault::FileSize) {
                defects.push(format!("files of at most {size} bytes: {defect:#}"));
            }
        }
        Ok((tried, defects))
    }

    /// The memory without which the system cannot start the program at all.
    fn least_memory(&self) -> Result<usize> {
        for size in (STEP..MOST).step_by(STEP) {
            let mut command = Command::new("prlimit");
            let output = command.arg(format!("--as={size}")).arg(self.program).arg("--version").output()?;
            if output.status.success() {
                return Ok(size);
            }
        }
        bail!("the program does not start");
    }

    /// Lets the memory end, at every size up to what is enough; returns the number of runs and the defects.
    pub(super) fn end_memory(&self, expected: &Files) -> Result<(usize, Vec<String>)> {
        let mut defects = Vec::new();
        let (mut tried, mut succeeded) = (0, 0);
        for size in (self.least_memory()?..MOST).step_by(STEP) {
            let output = self.limited(&format!("--as={size}"))?;
            tried += 1;
            if let Err(defect) = self.judge(&output, expected, Fault::Memory) {
                defects.push(format!("{} MB of memory: {defect:#}", size >> 20));
            }
            succeeded = if output.status.success() { succeeded + 1 } else { 0 };
            if succeeded == ENOUGH {
                return Ok((tried, defects));
            }
        }
        defects.push(format!("{} MB of memory are not enough", MOST >> 20));
        Ok((tried, defects))
    }

    /// The lengths of the files that a run leaves beside its inputs.
    fn written(&self, left: &Files) -> impl Iterator<Item = usize> {
        left.iter().filter(|(name, _)| !self.inputs.join(name).exists()).map(|(_, bytes)| bytes.len())
    }

    /// Runs the job in a fresh place with a limit, as `prlimit` takes it.
    fn limited(&self, limit: &str) -> Result<Output> {
        let mut command = Command::new("timeout");
        command.args([TIMEOUT, "sh", "-c", "trap '' XFSZ; ulimit -c 0; exec prlimit \"$@\"", "sh", limit]);
        self.run(command, &[])
    }
}
