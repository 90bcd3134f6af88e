//! The Python package: built as a wheel, installed into a virtual environment without the sources on the path, tested.
//!
//! The wheel is built in the profile and with the features of the tests, so that it takes what they have compiled. The
//! environment and the wheel live below `target/python`.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::features::{self, LIKE_TESTS};
use crate::program;
use crate::steps::Outcome;
use crate::tree::Checkout;

/// Folder of the package.
const PACKAGE: &str = "bindings/python";
/// The oldest supported minor version of Python 3.
const OLDEST: u32 = 10;
/// Largest size of a wheel of the tests, in bytes. It has more in it than one of the release profile, which must stay below
/// 12 MB.
const LARGEST_WHEEL: u64 = 15_000_000;

/// Builds the package and runs its checks.
pub(crate) fn run(checkout: &Checkout) -> Result<Outcome> {
    let Some(python) = interpreter() else { return Ok(no_python()) };
    let package = Package::new(checkout, "python", "requirements-test.txt");
    features::check(checkout)?;
    package.environment(&python)?;
    let wheel = package.install_wheel(checkout)?;
    package.test(&program::build(checkout)?)?;
    package.run_readmes(&python, &wheel, checkout)?;
    Ok(Outcome::Passed)
}

/// Why a step cannot run without Python.
pub(crate) fn no_python() -> Outcome {
    Outcome::Skipped(format!("there is no Python 3.{OLDEST} or later; install python3"))
}

/// A Python that is new enough.
pub(crate) fn interpreter() -> Option<PathBuf> {
    let fits = |name: &str| {
        let test = format!("import sys, venv; sys.exit(sys.version_info < (3, {OLDEST}))");
        Command::new(name).args(["-c", &test]).output().is_ok_and(|output| output.status.success())
    };
    ["python3", "python"].into_iter().find(|name| fits(name)).map(PathBuf::from)
}

/// The package, and a virtual environment to install it into.
pub(crate) struct Package {
    root: PathBuf,
    target: PathBuf,
    /// The file that lists what the tests use.
    requirements: &'static str,
}

impl Package {
    /// The package with an environment below `target/NAME`.
    pub(crate) fn new(checkout: &Checkout, name: &str, requirements: &'static str) -> Self {
        let root = checkout.root();
        Self { root: root.join(PACKAGE), target: root.join("target").join(name), requirements }
    }

    /// The environment with everything that the tests use; made anew when the list of requirements changes.
    pub(crate) fn environment(&self, python: &Path) -> Result<()> {
        let folder = self.target.join("venv");
        let requirements = self.root.join(self.requirements);
        let wanted = fs::read_to_string(&requirements)
            .with_context(|| format!("cannot read {}", requirements.display()))?;
        let mark = folder.join(self.requirements);
        if fs::read_to_string(&mark).is_ok_and(|installed| installed == wanted) {
            return Ok(());
        }
        program::succeed(Command::new(python).args(["-m", "venv", "--clear"]).arg(&folder))?;
        program::succeed(self.python().args(["-m", "pip", "install", "--quiet", "-r"]).arg(&requirements))?;
        fs::write(&mark, wanted).with_context(|| format!("cannot write {}", mark.display()))
    }

    /// Builds a wheel, which is larger than one of the release profile, and installs it.
    pub(crate) fn install_wheel(&self, checkout: &Checkout) -> Result<PathBuf> {
        let wheels = self.target.join("wheels");
        if wheels.exists() {
            fs::remove_dir_all(&wheels).with_context(|| format!("cannot remove {}", wheels.display()))?;
        }
        let mut build = self.python();
        build
            .args(["-m", "maturin", "build", "--profile", "dev", "--features", LIKE_TESTS])
            .args(["--locked", "--quiet", "--out"])
            .arg(&wheels);
        program::succeed(
            build.current_dir(&self.root).env("CARGO_TARGET_DIR", checkout.root().join("target")),
        )?;
        let wheel = fs::read_dir(&wheels)
            .ok()
            .and_then(|mut entries| entries.next())
            .context("maturin wrote no wheel")??;
        let bytes = wheel.metadata()?.len();
        println!("{}: {:.1} MB", wheel.file_name().to_string_lossy(), bytes as f64 / 1e6);
        if bytes > LARGEST_WHEEL {
            bail!("the wheel has {bytes} bytes; the maximum is {LARGEST_WHEEL}");
        }
        let mut install = self.python();
        install.args(["-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps"]);
        program::succeed(install.arg(wheel.path()))?;
        Ok(wheel.path())
    }

    /// Runs from the folder of the package, in which `python/eigentree` is not on the path. `compared` is the program that must agree with it.
    fn test(&self, compared: &Path) -> Result<()> {
        for arguments in [
            "generate.py --check",
            "-m mypy --strict -p eigentree",
            "-m mypy --strict tests examples generate.py notebooks.py",
            "-m mypy.stubtest eigentree._native",
            "-m pytest -q -p no:cacheprovider tests",
            "tests/documentation.py",
            "notebooks.py",
        ] {
            println!("python {arguments}");
            let mut command = self.python();
            command.args(arguments.split(' ')).current_dir(&self.root).env("EIGENTREE_PROGRAM", compared);
            program::succeed(&mut command)?;
        }
        Ok(())
    }

    /// Runs the examples of the READMEs in an environment that has the wheel and nothing else, far from the sources.
    fn run_readmes(&self, python: &Path, wheel: &Path, checkout: &Checkout) -> Result<()> {
        let empty = self.target.join("empty");
        program::succeed(Command::new(python).args(["-m", "venv", "--clear"]).arg(&empty))?;
        program::succeed(self.python_of("empty").args(["-m", "pip", "install", "--quiet"]).arg(wheel))?;
        let runner = fs::read_to_string(self.root.join("examples/readme.py"))?;
        for readme in [self.root.join("README.md"), checkout.root().join("README.md")] {
            println!("the Python examples of {}", readme.display());
            let mut command = self.python_of("empty");
            program::succeed(command.args(["-I", "-c", &runner]).arg(readme).current_dir(&empty))?;
        }
        Ok(())
    }

    /// Runs Python in the folder of the package.
    pub(crate) fn run(&self, arguments: &str) -> Result<()> {
        println!("python {arguments}");
        program::succeed(self.python().args(arguments.split(' ')).current_dir(&self.root))
    }

    fn python(&self) -> Command {
        self.python_of("venv")
    }

    fn python_of(&self, environment: &str) -> Command {
        let folder = if cfg!(windows) { "Scripts" } else { "bin" };
        let name: OsString = format!("python{}", std::env::consts::EXE_SUFFIX).into();
        let mut command = Command::new(self.target.join(environment).join(folder).join(name));
        command.env_remove("PYTHONPATH").env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }
}
