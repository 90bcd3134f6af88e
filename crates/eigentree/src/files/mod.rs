//! Files by name: the only place where the toolkit handles paths, for the command line and the bindings alike.
//!
//! - [`Input`] reads a file or standard input (`-`), and decompresses gzip or zstd if its first bytes say so.
//! - [`Output`] writes a file or standard output (`-`), compressed if the name ends in `.gz` or `.zst`. A file appears
//!   under its name only when it is complete: until [`Output::finish`] an existing file stays. Several files appear together
//!   by [`Output::seal`] and [`SealedOutput::publish_all`].
//! - [`find_files`] lists the files in folders.
//! - [`open_model`] maps a model into memory; [`Output::write_model`] saves one.
//!
//! A program that is interrupted should call [`remove_unfinished`] before it exits, which leaves no temporary files. Those of a
//! killed process are removed by the next one that writes into the same folder.
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
mod extension;
mod folder;
mod input;
mod leftovers;
mod model;
mod output;

pub use atomic::{AtomicFile, Unfinished, remove_unfinished};
pub use error::FileError;
pub(crate) use extension::extension;
pub use folder::{FoundFile, create_folder, find_files};
pub(crate) use folder::{plain, total_size};
pub use input::{Input, can_be_read_again, check_input};
pub use model::{FileStamp, is_model, open_model, read_model, stamp_of};
pub use output::{Output, SealedOutput};

/// The path that means standard input or output.
pub const STANDARD_STREAM: &str = "-";
