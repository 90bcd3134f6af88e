//! Lets system calls fail, one at a time, in small jobs of all families.
//!
//! `strace` makes the N-th call of a kind return an error, for every N up to the number of such calls in the whole job: a full
//! disk, a file that cannot be opened, a rename that is refused, an interrupted read. Whatever fails, the program must end by
//! itself: with success and the files of an undisturbed run, or with a message, and then each output is complete or absent.
//!
//! Calls before the program's own code, those of the loader, are counted too; it may fail in its own words there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};

use crate::program;
use crate::tree::Checkout;

/// What the jobs read, made by the program itself.
const INPUTS: [&str; 6] = [
    "sample english -n 30 -o t.mrg",
    "convert t.mrg --to conllu -o t.conllu",
    "convert t.mrg --to words -o t.txt",
    "train pcfg t.mrg -o pcfg.eig",
    "train tagger t.conllu -o tagger.eig",
    "count t.txt -o a.eigc",
];

/// The jobs, by name.
const JOBS: [(&str, &str); 17] = [
    ("sample", "sample english -n 20 -o out"),
    ("convert", "convert t.mrg --to svg -o out.svg"),
    ("pcfg", "train pcfg t.mrg -o out"),
    ("lpcfg", "train lpcfg t.mrg --quality fast -o out"),
    ("mst", "train mst t.conllu --quality fast -o out"),
    ("tagger", "train tagger t.conllu -o out"),
    ("pipeline", "train pipeline t.conllu --parser fast -o out"),
    ("head-automata", "train head-automata t.conllu -o out"),
    ("deptree", "train deptree t.conllu -o out"),
    ("hmm", "train hmm t.txt --rank 3 -o out"),
    ("cluster", "cluster t.txt --clusters 5 -o out --model out.eig --vectors out.vec"),
    ("count", "count t.txt -o out"),
    ("merge", "merge a.eigc a.eigc -o out"),
    ("parse", "parse pcfg.eig t.txt -o out"),
    ("compressed", "parse pcfg.eig t.txt -o out.gz"),
    ("tag", "tag tagger.eig t.txt -o out"),
    ("eval", "eval t.mrg t.mrg --html out.html"),
];

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

/// Seconds after which a job hangs. Undisturbed, each takes less than one.
const TIMEOUT: &str = "60";
/// What `timeout` returns then.
const TIMED_OUT: i32 = 124;

/// Runs the jobs with the given names, or all.
pub(crate) fn run(checkout: &Checkout, names: &[String]) -> Result<()> {
    if Command::new("strace").arg("-V").output().is_err() {
        bail!("there is no strace; install it, for example with `apt-get install strace`");
    }
    if let Some(unknown) = names.iter().find(|name| JOBS.iter().all(|(job, _)| job != name)) {
        let known: Vec<&str> = JOBS.iter().map(|(job, _)| *job).collect();
        bail!("there is no job `{unknown}`; choose from {}", known.join(", "));
    }
    let folder = checkout.root().join("target/faults");
    let inputs = folder.join("inputs");
    fresh(&inputs)?;
    // A copy, which no other build changes meanwhile.
    let program = folder.join("eigentree");
    let built = program::build(checkout)?;
    fs::copy(&built, &program).with_context(|| format!("cannot copy {}", built.display()))?;
    for arguments in INPUTS {
        let mut command = Command::new(&program);
        program::succeed(command.args(arguments.split(' ')).arg("--quiet").current_dir(&inputs))?;
    }
    let (mut runs, mut defects) = (0, 0);
    for (name, arguments) in JOBS {
        if names.is_empty() || names.iter().any(|chosen| chosen == name) {
            let mut job = Job { program: &program, inputs: &inputs, place: folder.join("place"), arguments };
            let (tried, found) = job.attack(name)?;
            println!("{name}: {tried} runs, {found} defects");
            runs += tried;
            defects += found;
        }
    }
    println!("{runs} runs, {defects} defects");
    if defects > 0 {
        bail!("a system call that fails shows a defect");
    }
    Ok(())
}

/// A job in a place of its own.
struct Job<'a> {
    program: &'a Path,
    inputs: &'a Path,
    place: PathBuf,
    arguments: &'a str,
}

impl Job<'_> {
    /// Lets every call fail in turn; returns the number of runs and of defects.
    fn attack(&mut self, name: &str) -> Result<(usize, usize)> {
        let (calls, expected) = self.undisturbed()?;
        let (mut tried, mut found) = (0, 0);
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
                    if let Err(defect) = self.judge(&output, &expected, call) {
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

    /// Runs the job in a fresh place.
    fn traced(&self, options: &[&str]) -> Result<Output> {
        fresh(&self.place)?;
        for (name, bytes) in files(self.inputs)? {
            fs::write(self.place.join(name), bytes)?;
        }
        let mut command = Command::new("timeout");
        command.args([TIMEOUT, "strace", "-f", "-qq"]).args(options).arg(self.program);
        command.args(self.arguments.split(' ')).args(["--quiet", "--threads", "1"]);
        // cargo sets it; the loader would look for every library in each of its folders.
        command.env_remove("LD_LIBRARY_PATH");
        command.current_dir(&self.place).output().context("cannot run strace")
    }

    fn judge(&self, output: &Output, expected: &Files, call: &str) -> Result<()> {
        let told = String::from_utf8_lossy(&output.stderr);
        let left = files(&self.place)?;
        match output.status.code() {
            Some(TIMED_OUT) => bail!("it hangs"),
            None => bail!("it is ended by a signal: {told}"),
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
                None if call == "unlink" && is_part(name) => {}
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
type Files = BTreeMap<String, Vec<u8>>;

fn files(folder: &Path) -> Result<Files> {
    let mut found = Files::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let entry = entry?;
        found.insert(entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path())?);
    }
    Ok(found)
}

fn fresh(folder: &Path) -> Result<()> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))
}
