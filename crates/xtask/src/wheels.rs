//! Wheels of the Python package for Linux, macOS and Windows, all built on one machine.
//!
//! maturin compiles for other systems with zig as their linker and C compiler. Wheels for Linux are linked against the
//! oldest glibc that manylinux2014 allows. Windows needs mingw-w64 (`apt-get install gcc-mingw-w64-x86-64`): for zig's linker
//! maturin asks to export `PyInit_eigentree._native`, which no function can be called. Only the wheel of this machine can be
//! tried here; `python` checks it.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::program;
use crate::python::interpreter;
use crate::tree::Checkout;

/// The targets, each with the options of maturin that it needs: the platform that its wheel names, and the linker.
const TARGETS: [(&str, &[&str]); 5] = [
    ("x86_64-unknown-linux-gnu", &["--zig", "--compatibility", "manylinux2014"]),
    ("aarch64-unknown-linux-gnu", &["--zig", "--compatibility", "manylinux2014"]),
    ("x86_64-apple-darwin", &["--zig", "--compatibility", "pypi"]),
    ("aarch64-apple-darwin", &["--zig", "--compatibility", "pypi"]),
    ("x86_64-pc-windows-gnu", &["--compatibility", "pypi"]),
];

/// Builds the wheels for the given targets, or for all, and the source distribution, in `target/wheels`.
pub(crate) fn run(checkout: &Checkout, chosen: &[String]) -> Result<()> {
    if let Some(unknown) = chosen.iter().find(|name| TARGETS.iter().all(|(target, _)| target != name)) {
        let known: Vec<&str> = TARGETS.iter().map(|(target, _)| *target).collect();
        bail!("there are no wheels for `{unknown}`; choose from {}", known.join(", "));
    }
    let python = interpreter().context("there is no Python that is new enough; install python3")?;
    let folder = checkout.root().join("target/wheels");
    let environment = folder.join("venv");
    program::succeed(Command::new(python).args(["-m", "venv", "--clear"]).arg(&environment))?;
    let own = environment.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    program::succeed(Command::new(&own).args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "maturin>=1.9,<2",
        "ziglang",
    ]))?;
    // maturin looks for zig as a module of the first Python in the path.
    let inherited = std::env::var_os("PATH").unwrap_or_default();
    let folders = own.parent().map(Path::to_owned).into_iter().chain(std::env::split_paths(&inherited));
    let path = std::env::join_paths(folders).context("a folder in PATH has a colon in its name")?;
    let maturin = |arguments: &[&str]| {
        let mut command = Command::new(&own);
        command.env("PATH", &path);
        command.args(["-m", "maturin"]).args(arguments).arg("--out").arg(&folder);
        program::succeed(command.current_dir(checkout.root().join("bindings/python")))
    };
    for (target, options) in TARGETS {
        if chosen.is_empty() || chosen.iter().any(|name| name == target) {
            program::succeed(Command::new("rustup").args(["target", "add", target]))?;
            maturin(&[&["build", "--release", "--locked", "--target", target], options].concat())?;
        }
    }
    maturin(&["sdist"])?;
    list(&folder)
}

fn list(folder: &Path) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            println!("{}: {:.1} MB", entry.file_name().display(), entry.metadata()?.len() as f64 / 1e6);
        }
    }
    Ok(())
}
