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
    /// Its name, which is also that of its file.
    pub fn name(self) -> &'static str {
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

/// A folder with the parts that are scored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FolderParts {
    /// The name of the corpus in tables.
    pub name: String,
    /// The file to learn from.
    pub train: PathBuf,
    /// The files to score on.
    pub parts: Vec<(Part, PathBuf)>,
}

/// A dependency treebank in memory, with the parts that are scored.
#[derive(Clone, Debug)]
pub struct TreebankParts {
    /// Its name in tables.
    pub name: String,
    /// Sentences to learn from.
    pub train: Vec<Sentence>,
    /// Sentences to score on.
    pub parts: Vec<(Part, Vec<Sentence>)>,
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
        Ok(Self {
            name: name_of(folder),
            train: file(folder, "train", endings)?,
            test: file(folder, part.name(), endings)?,
        })
    }

    /// Reads a treebank. Sentences that cannot be read are skipped and reported.
    pub(crate) fn treebank(&self, host: &mut dyn Host) -> Result<TreebankSplit, Error> {
        let mut read = |path: &PathBuf| host.sentences(&[path], BadItems::Skip);
        Ok(TreebankSplit { name: self.name.clone(), train: read(&self.train)?, test: read(&self.test)? })
    }
}

impl FolderParts {
    /// Looks for dependency treebanks of a folder, before any learning starts.
    pub fn find(folder: &Path, parts: &[Part]) -> Result<Self, Error> {
        Self::find_ending(folder, parts, &Folder::TREEBANKS)
    }

    /// Looks for the parts of a corpus under the first of the endings that exists.
    pub fn find_ending(folder: &Path, parts: &[Part], endings: &[&str]) -> Result<Self, Error> {
        let parts = parts.iter().map(|&part| (part, Folder::find(folder, part, endings)));
        let parts: Vec<(Part, Folder)> =
            parts.map(|(part, found)| Ok((part, found?))).collect::<Result<_, Error>>()?;
        Ok(Self {
            name: name_of(folder),
            train: file(folder, "train", endings)?,
            parts: parts.into_iter().map(|(part, found)| (part, found.test)).collect(),
        })
    }

    /// Reads the treebanks. Sentences that cannot be read are skipped and reported.
    pub(crate) fn treebank(&self, host: &mut dyn Host) -> Result<TreebankParts, Error> {
        let mut read = |path: &PathBuf| host.sentences(&[path], BadItems::Skip);
        let train = read(&self.train)?;
        let parts = self.parts.iter().map(|(part, path)| Ok((*part, read(path)?)));
        Ok(TreebankParts { name: self.name.clone(), train, parts: parts.collect::<Result<_, Error>>()? })
    }
}

fn name_of(folder: &Path) -> String {
    let name = folder.file_name();
    name.map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned())
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
