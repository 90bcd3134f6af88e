//! Corpora as folders with train, dev and test.

use std::path::{Path, PathBuf};

use corpus::format::conllu::Sentence;
use eigentree::Error;
use eigentree::reading::BadItems;

use crate::experiment::Host;

/// The part of a corpus that is scored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The development part.
    Dev,
    /// The test part.
    Test,
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Part::Dev => "dev",
            Part::Test => "test",
        }
    }
}

/// A folder in which both parts were found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folder {
    /// The name of the corpus in tables.
    pub name: String,
    /// The file to learn from.
    pub train: PathBuf,
    /// The file to score on.
    pub test: PathBuf,
}

/// A dependency treebank in memory, cut into what is learnt from and what is scored.
#[derive(Clone, Debug)]
pub struct TreebankSplit {
    /// Its name in tables.
    pub name: String,
    /// Sentences to learn from.
    pub train: Vec<Sentence>,
    /// Sentences to score on.
    pub test: Vec<Sentence>,
}

impl Folder {
    /// Endings of dependency treebanks, packed or not.
    pub const TREEBANKS: [&'static str; 3] = ["conllu", "conllu.gz", "conllu.zst"];

    /// Looks for the parts of a corpus under the first of the endings that exists.
    ///
    /// Call it before any learning starts, so that a missing file is reported at once.
    pub fn find(folder: &Path, part: Part, endings: &[&str]) -> Result<Self, Error> {
        let name = folder.file_name();
        let name =
            name.map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned());
        Ok(Self { name, train: file(folder, "train", endings)?, test: file(folder, part.name(), endings)? })
    }

    /// Reads a treebank. Sentences that cannot be read are skipped and reported.
    pub(crate) fn treebank(&self, host: &mut dyn Host) -> Result<TreebankSplit, Error> {
        let mut read = |path: &PathBuf| host.sentences(&[path], BadItems::Skip);
        Ok(TreebankSplit { name: self.name.clone(), train: read(&self.train)?, test: read(&self.test)? })
    }
}

fn file(folder: &Path, name: &str, endings: &[&str]) -> Result<PathBuf, Error> {
    let mut files = endings.iter().map(|ending| folder.join(format!("{name}.{ending}")));
    files.find(|file| file.is_file()).ok_or_else(|| {
        let unpacked: Vec<String> = endings
            .iter()
            .filter(|ending| !ending.contains('.'))
            .map(|ending| format!("{name}.{ending}"))
            .collect();
        Error::Data(format!(
            "{} has no {}, packed or not; give a folder with train, dev and test",
            folder.display(),
            unpacked.join(" or ")
        ))
    })
}
