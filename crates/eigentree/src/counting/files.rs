//! Opens, saves and merges count files.

use std::path::Path;

use corpus::cooccurrence::{CountError, CountedText};
use models::learn::Observer;
use models::persist::ContainerWriter;
use words::clusters;

use crate::Error;
use crate::files::{FileError, Output, can_be_read_again, is_model, open_model};

/// Loads the counts at `path`.
pub fn open_counts(path: impl AsRef<Path>) -> Result<CountedText, Error> {
    open_counts_at(path.as_ref())
}

fn open_counts_at(path: &Path) -> Result<CountedText, Error> {
    if can_be_read_again(path) && !is_model(path)? {
        return Err(Error::Data(format!(
            "`{}` is not a count file; create one from texts with `eigentree count TEXT -o COUNTS`",
            path.display()
        )));
    }
    let container = open_model(path)?;
    clusters::load_counts(&container)
        .map_err(|error| Error::Data(format!("cannot load counts from `{}`: {error}", path.display())))
}

/// Saves counts and finishes the output; returns the size in bytes.
pub fn save_counts(counted: &CountedText, output: Output) -> Result<u64, FileError> {
    let metadata = clusters::counts_metadata(counted);
    let mut writer = ContainerWriter::new(&metadata);
    clusters::save_counts(counted, &mut writer);
    output.write_model(writer)
}

/// Adds up the counts at `paths`. Errors name the file that cannot be added.
pub fn merge_counts(paths: &[impl AsRef<Path>], observer: &mut dyn Observer) -> Result<CountedText, Error> {
    observer.stage("add", Some(paths.len() as u64));
    let mut sum: Option<CountedText> = None;
    for path in paths {
        let next = open_counts(path)?;
        sum = Some(match sum {
            None => next,
            Some(sum) => sum.plus(&next).map_err(|error| {
                Error::Data(format!(
                    "cannot add `{}` to the files before it: {error}",
                    path.as_ref().display()
                ))
            })?,
        });
        observer.advance(1);
        if observer.cancelled() {
            return Err(Error::Cancelled);
        }
    }
    sum.ok_or_else(|| CountError::Nothing.into())
}
