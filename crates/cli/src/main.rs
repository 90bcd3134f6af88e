//! The `eigentree` program. The library of this crate implements its command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    eigentree_cli::run()
}
