//! The program `eigentree`; the library of this crate is its command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    eigentree_cli::run()
}
