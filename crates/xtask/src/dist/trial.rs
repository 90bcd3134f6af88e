//! Tests of finished packages: unpacked into an empty folder, the program must work without the checkout.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::program::output_of;

/// Unpacks an archive with the system's `tar` and runs the program in it.
pub(super) fn archive(path: &Path, name: &str) -> Result<()> {
    let folder = empty_folder(path, "trial-archive")?;
    output_of(Command::new("tar").arg("-xzf").arg(path).arg("-C").arg(&folder))?;
    run(&folder.join(name), &folder)
}

/// Unpacks a package with Debian's tools, if they are installed, and runs the program in it.
pub(super) fn package(path: &Path) -> Result<()> {
    if Command::new("dpkg-deb").arg("--version").output().is_err() {
        println!("SKIPPED: the test of {}, since dpkg-deb is not installed", path.display());
        return Ok(());
    }
    println!("{}", output_of(Command::new("dpkg-deb").arg("--info").arg(path))?.trim_end());
    let folder = empty_folder(path, "trial-package")?;
    output_of(Command::new("dpkg-deb").arg("--extract").arg(path).arg(&folder))?;
    run(&folder.join("usr"), &folder)
}

fn empty_folder(package: &Path, name: &str) -> Result<PathBuf> {
    let folder = package.with_file_name(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    Ok(folder)
}

/// Runs the demo from below a prefix, in an empty environment.
fn run(prefix: &Path, folder: &Path) -> Result<()> {
    let program = prefix.join("bin").join(format!("eigentree{}", std::env::consts::EXE_SUFFIX));
    let mut command = Command::new(&program);
    command.current_dir(folder).env_clear();
    let version = output_of(command.arg("--version"))?;
    if version.trim() != format!("eigentree {}", super::VERSION) {
        bail!("{} reports the version {version}", program.display());
    }
    let mut command = Command::new(&program);
    command.current_dir(folder).env_clear().args(["demo", "--quiet", "--json"]);
    let output = output_of(&mut command)?;
    let summary: serde_json::Value = serde_json::from_str(output.lines().last().unwrap_or_default())
        .context("the demo printed no summary")?;
    println!("{} runs the demo in {} s of CPU time", program.display(), summary["cpu_seconds"]);
    Ok(())
}
