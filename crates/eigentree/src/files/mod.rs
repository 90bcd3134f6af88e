//! Files by name: the one place where the toolkit meets paths, for the command line and the bindings alike.
//!
//! - [`Input`] reads a file or standard input (`-`), through gzip or zstd if its first bytes say so.
//! - [`Output`] writes a file or standard output (`-`), packed if the name ends in `.gz` or `.zst`. A file appears under its name
//!   only when it is complete: until [`Output::finish`] the old one stands.
//! - [`open_model`] maps a model into memory; [`Output::write_model`] saves one.
//!
//! A program that is interrupted calls [`remove_unfinished`] before it exits, and leaves nothing behind.
//!
//! ```
//! use std::io::{Read, Write};
//! use eigentree::files::{Input, Output};
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("text.gz");
//! let mut output = Output::create(&path)?;
//! writeln!(output, "a line")?;
//! output.finish()?;
//!
//! let mut text = String::new();
//! Input::open(&path)?.read_to_string(&mut text)?;
//! assert_eq!(text, "a line\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod atomic;
mod error;
mod folder;
mod input;
mod model;
mod output;

pub use atomic::{AtomicFile, remove_unfinished};
pub use error::FileError;
pub use folder::create_folder;
pub use input::Input;
pub use model::{is_model, open_model};
pub use output::Output;

/// The path that stands for standard input or output.
pub const STANDARD_STREAM: &str = "-";
