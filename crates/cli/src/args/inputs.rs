//! Files and folders to annotate, and where their annotation goes.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use clap::Args;
use eigentree::annotation::DocumentFile;
use eigentree::conversion::Target;
use eigentree::files::{FileError, FoundFile, STANDARD_STREAM, find_files};
use eigentree::reading::Format;

use super::overwrite;
use crate::failure::UsageError;

/// Options of commands that annotate files.
#[derive(Debug, Args)]
pub(super) struct InputArgs {
    /// Files to annotate, and folders whose files are; `-` is standard input
    #[arg(value_name = "FILE", default_value = STANDARD_STREAM)]
    files: Vec<PathBuf>,
    /// Output file; or a folder, existing or with `/` at the end, for one output per input under the same name
    #[arg(long, short, value_name = "FILE", default_value = STANDARD_STREAM)]
    output: PathBuf,
    /// Leave out files whose output is already in the folder, as after an interrupt
    #[arg(long)]
    resume: bool,
}

/// The files of a run.
#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    found: Vec<FoundFile>,
    model: PathBuf,
    pub(crate) output: PathBuf,
    layout: Layout,
    resume: Resume,
}

/// How outputs correspond to inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Layout {
    /// All inputs go to one output.
    One,
    /// Each input has an output of its own in a folder.
    Folder,
}

/// What happens to inputs whose output exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Resume {
    LeaveOut,
    Replace,
}

/// The inputs that remain, and the number of those annotated already.
pub(crate) struct Documents {
    pub(crate) files: Vec<DocumentFile>,
    pub(crate) done: usize,
}

impl InputArgs {
    pub(super) fn build(self, model: &Path) -> Result<Inputs, UsageError> {
        let ends_as_folder = self.output.to_string_lossy().ends_with(std::path::is_separator);
        let layout = if ends_as_folder || self.output.is_dir() { Layout::Folder } else { Layout::One };
        let standard = |path: &Path| path.as_os_str() == STANDARD_STREAM;
        if self.files.len() > 1 && self.files.iter().any(|file| standard(file)) {
            return Err(UsageError("standard input (`-`) cannot be one of several inputs".to_owned()));
        }
        if standard(model) && self.files.iter().any(|file| standard(file)) {
            return Err(UsageError(
                "the model and the sentences cannot both come from standard input; give one of them as a file".to_owned(),
            ));
        }
        if self.resume && layout == Layout::One {
            return Err(UsageError(
                "--resume leaves out files whose output exists and needs a folder for the outputs: -o FOLDER/"
                    .to_owned(),
            ));
        }
        if layout == Layout::Folder && self.files.iter().any(|file| standard(file)) {
            return Err(UsageError(
                "standard input has no name for an output in a folder; give -o a file".to_owned(),
            ));
        }
        let found = find_files(&self.files).map_err(|error: FileError| UsageError(error.to_string()))?;
        if found.is_empty() {
            return Err(UsageError("the folder has no files to annotate".to_owned()));
        }
        if layout == Layout::One {
            let inputs = found.iter().map(|file| file.path.as_path());
            overwrite::refuse_overwriting(&self.output, inputs.chain([model]))?;
        }
        let resume = if self.resume { Resume::LeaveOut } else { Resume::Replace };
        Ok(Inputs { found, model: model.to_path_buf(), output: self.output, layout, resume })
    }
}

impl Inputs {
    /// The first file, for what must be known of all.
    pub(crate) fn first(&self) -> &Path {
        self.found.first().map_or(Path::new(STANDARD_STREAM), |file| &file.path)
    }

    /// Whether all outputs go to one file or stream.
    pub(crate) fn is_one_output(&self) -> bool {
        self.layout == Layout::One
    }

    /// The format by the names of the files. Names that say different things are an error.
    pub(crate) fn format_by_name(&self) -> Result<Option<Format>, UsageError> {
        let first = Format::of_path(self.first());
        match self.found.iter().find(|file| Format::of_path(&file.path) != first) {
            None => Ok(first),
            Some(other) => Err(UsageError(format!(
                "{} and {} have different formats by their names; give the format of all with --input",
                self.first().display(),
                other.path.display()
            ))),
        }
    }

    /// The files, with the places of their outputs if these go to a folder.
    pub(crate) fn documents(&self, format: Target) -> Result<Documents, UsageError> {
        let mut taken: HashMap<PathBuf, &Path> = HashMap::new();
        // The output of one input may lie where another input is.
        let inputs = self.found.iter().map(|file| file.path.as_path());
        let kept = overwrite::Inputs::new(inputs.chain([self.model.as_path()]));
        let mut documents = Documents { files: Vec::with_capacity(self.found.len()), done: 0 };
        for FoundFile { path, relative } in &self.found {
            let output = match self.layout {
                Layout::One => None,
                Layout::Folder => Some(self.output.join(renamed(relative, format))),
            };
            if let Some(output) = &output {
                kept.refuse(output)?;
                if let Some(other) = taken.insert(output.clone(), path) {
                    return Err(UsageError(format!(
                        "{} and {} would both become {}; annotate them into different folders",
                        other.display(),
                        path.display(),
                        output.display()
                    )));
                }
                if self.resume == Resume::LeaveOut && output.is_file() {
                    documents.done += 1;
                    continue;
                }
            }
            documents.files.push(DocumentFile { path: path.clone(), output });
        }
        Ok(documents)
    }
}

/// The name of the output for a file: without the endings of compression and format, with that of the output.
fn renamed(relative: &Path, format: Target) -> PathBuf {
    let mut name = relative.to_path_buf();
    let packed = name.extension().is_some_and(|ending| ending == "gz" || ending == "zst");
    if packed {
        name.set_extension("");
    }
    name.set_extension(format.extension());
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_named_after_inputs() {
        for (input, output) in [
            ("a/b.txt.gz", "a/b.conllu"),
            ("a", "a.conllu"),
            ("a.b.txt", "a.b.conllu"),
            ("c.zst", "c.conllu"),
        ] {
            assert_eq!(renamed(Path::new(input), Target::Conllu), Path::new(output));
        }
    }
}
