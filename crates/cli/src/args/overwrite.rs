//! Protection of inputs from being overwritten.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use eigentree::files::STANDARD_STREAM;

use crate::failure::UsageError;

/// Refuses an output that is the same file as one of `inputs`, under whatever name: nobody means to replace a treebank
/// by its model.
pub(super) fn refuse_overwriting<'a>(
    output: &Path,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> Result<(), UsageError> {
    Inputs::new(inputs).refuse(output)
}

/// Files that no output may replace, by their places.
pub(super) struct Inputs<'a>(HashMap<PathBuf, &'a Path>);

impl<'a> Inputs<'a> {
    pub(super) fn new(inputs: impl IntoIterator<Item = &'a Path>) -> Self {
        Self(inputs.into_iter().filter_map(|input| Some((place(input)?, input))).collect())
    }

    pub(super) fn refuse(&self, output: &Path) -> Result<(), UsageError> {
        match place(output).and_then(|taken| self.0.get(&taken)) {
            Some(input) => Err(UsageError(format!(
                "the output `{}` would replace the input `{}`; give the output another name",
                output.display(),
                input.display()
            ))),
            None => Ok(()),
        }
    }
}

/// Where a file is. One that does not exist yet replaces nothing. Devices and pipes may be both read and written.
fn place(path: &Path) -> Option<PathBuf> {
    let regular = path.as_os_str() != STANDARD_STREAM && fs::metadata(path).is_ok_and(|data| data.is_file());
    if regular { fs::canonicalize(path).ok() } else { None }
}
