//! The Python package on Apache Spark: a cluster of two executors on this machine, which the tests start and stop.

use std::process::Command;

use anyhow::Result;

use crate::python::{Package, interpreter, no_python};
use crate::steps::Outcome;
use crate::tree::Checkout;

/// The oldest Java that Spark runs on.
const OLDEST: u32 = 17;

/// Installs the package and Spark into an environment of their own and runs the tests that need them.
pub(crate) fn run(checkout: &Checkout) -> Result<Outcome> {
    let Some(python) = interpreter() else { return Ok(no_python()) };
    if java().is_none_or(|version| version < OLDEST) {
        return Ok(Outcome::Skipped(format!(
            "there is no Java {OLDEST} or later; install openjdk-{OLDEST}-jre-headless"
        )));
    }
    let package = Package::new(checkout, "spark", "requirements-spark.txt");
    if let Err(error) = package.environment(&python) {
        return Ok(Outcome::Skipped(format!("Spark cannot be installed; the step needs PyPI: {error:#}")));
    }
    package.install_wheel(checkout)?;
    package.run(
        "-m pytest -q -p no:cacheprovider tests/test_spark.py tests/test_spark_guide.py tests/test_counts.py",
    )?;
    Ok(Outcome::Passed)
}

/// The major version of Java, if it is installed.
fn java() -> Option<u32> {
    let output = Command::new("java").arg("-version").output().ok()?;
    major(&String::from_utf8_lossy(&output.stderr))
}

/// The major version in what `java -version` says.
fn major(text: &str) -> Option<u32> {
    let version = text.split('"').nth(1)?;
    let mut parts = version.split(['.', '-', '+']);
    match parts.next()?.parse().ok()? {
        // Java 8 calls itself 1.8.
        1 => parts.next()?.parse().ok(),
        major => Some(major),
    }
}

#[cfg(test)]
mod tests {
    use super::major;

    #[test]
    fn versions_of_java() {
        assert_eq!(major("openjdk version \"17.0.15\" 2025-04-15\nOpenJDK"), Some(17));
        assert_eq!(major("java version \"1.8.0_202\""), Some(8));
        assert_eq!(major("openjdk version \"21-ea\" 2023"), Some(21));
        assert_eq!(major("command not found"), None);
    }
}
