//! Protection of inputs from being overwritten.

use std::fs;
use std::path::Path;

use eigentree::files::STANDARD_STREAM;

use crate::failure::UsageError;

/// Refuses an output that is the same file as one of `inputs`, under whatever name: nobody means to replace a treebank
/// by its model.
pub(super) fn refuse_overwriting<'a>(
    output: &Path,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> Result<(), UsageError> {
    // A file that does not exist yet replaces nothing. Devices and pipes may be both read and written.
    let place = |path: &Path| {
        let regular =
            path.as_os_str() != STANDARD_STREAM && fs::metadata(path).is_ok_and(|data| data.is_file());
        if regular { fs::canonicalize(path).ok() } else { None }
    };
    let Some(taken) = place(output) else { return Ok(()) };
    match inputs.into_iter().find(|input| place(input).as_ref() == Some(&taken)) {
        Some(input) => Err(UsageError(format!(
            "the output `{}` would replace the input `{}`; give the output another name",
            output.display(),
            input.display()
        ))),
        None => Ok(()),
    }
}
