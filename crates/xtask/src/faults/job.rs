//! A job in a place of its own, and what must hold however it ends.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};

/// Seconds after which a job hangs. Undisturbed, each takes less than one.
pub(super) const TIMEOUT: &str = "60";
/// What `timeout` returns then.
const TIMED_OUT: i32 = 124;

/// What the standard library says before it ends a program without memory.
const NO_MEMORY: &str = "memory allocation of ";

/// What is made to fail.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault<'a> {
    /// A system call.
    Call(&'a str),
    /// Files that grow beyond a size.
    FileSize,
    /// Memory beyond a size.
    Memory,
}

impl Fault<'_> {
    /// Whether unfinished files may stay, under names that the next run removes.
    fn leaves_parts(self) -> bool {
        matches!(self, Fault::Call("unlink") | Fault::Memory)
    }
}

/// A job in a place of its own.
pub(super) struct Job<'a> {
    pub(super) program: &'a Path,
    pub(super) inputs: &'a Path,
    pub(super) place: PathBuf,
    pub(super) arguments: &'a str,
}

impl Job<'_> {
    /// Runs the job in a fresh place, with more arguments.
    pub(super) fn run(&self, mut command: Command, more: &[&str]) -> Result<Output> {
        fresh(&self.place)?;
        for (name, bytes) in files(self.inputs)? {
            fs::write(self.place.join(name), bytes)?;
        }
        command.arg(self.program).args(self.arguments.split(' ')).args(more).args([
            "--quiet",
            "--threads",
            "1",
        ]);
        // cargo sets it; the loader would look for every library in each of its folders.
        command.env_remove("LD_LIBRARY_PATH");
        command.current_dir(&self.place).output().with_context(|| format!("cannot run {command:?}"))
    }

    pub(super) fn judge(&self, output: &Output, expected: &Files, fault: Fault<'_>) -> Result<()> {
        let told = String::from_utf8_lossy(&output.stderr);
        let left = files(&self.place)?;
        match output.status.code() {
            Some(TIMED_OUT) => bail!("it hangs"),
            // `timeout` adds 128 to the number of the signal.
            None | Some(128..) if fault == Fault::Memory && told.contains(NO_MEMORY) => {}
            None | Some(128..) => bail!("it is ended by a signal: {told}"),
            Some(0) if left != *expected => bail!("success, but other files than undisturbed"),
            Some(0) => return Ok(()),
            Some(_) if told.contains("panicked") => bail!("a panic: {told}"),
            Some(_) if told.trim().is_empty() => bail!("it fails without a message"),
            Some(_) => {}
        }
        for (name, bytes) in &left {
            match expected.get(name) {
                Some(complete) if complete == bytes => {}
                // A file that could not be removed is removed by the next run.
                None if fault.leaves_parts() && is_part(name) => {}
                _ => bail!("{name} is left behind, and is not what an undisturbed run writes: {told}"),
            }
        }
        Ok(())
    }
}

/// Whether the program writes under this name until a file is complete.
fn is_part(name: &str) -> bool {
    name.starts_with(".eigentree-") && name.ends_with(".part")
}

/// The contents of files by name.
pub(super) type Files = BTreeMap<String, Vec<u8>>;

pub(super) fn files(folder: &Path) -> Result<Files> {
    let mut found = Files::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let entry = entry?;
        found.insert(entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path())?);
    }
    Ok(found)
}

pub(super) fn fresh(folder: &Path) -> Result<()> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))
}
