//! Treebanks as folders with train, dev and test.

use std::path::{Path, PathBuf};

use anyhow::Context;
use eigentree::comparison::dependency::Treebank;
use eigentree::reading::{BadItems, read_sentences};

use crate::args::FolderArgs;
use crate::session::Session;

/// Possible extensions of a part.
const ENDINGS: [&str; 3] = ["conllu", "conllu.gz", "conllu.zst"];

/// A treebank whose files exist.
pub(super) struct Folder {
    name: String,
    train: PathBuf,
    test: PathBuf,
}

impl Folder {
    /// The given treebanks. Missing files are reported before the long work.
    pub(super) fn find(args: &FolderArgs) -> anyhow::Result<Vec<Folder>> {
        let one = |folder: &PathBuf| {
            let part = |name: &str| part(folder, name, &ENDINGS);
            Ok(Folder { name: name_of(folder), train: part("train")?, test: part(args.on.name())? })
        };
        args.folders.iter().map(one).collect()
    }

    /// Reads the treebank; sentences that cannot be read are skipped and reported.
    pub(super) fn read(&self, session: &mut Session) -> anyhow::Result<Treebank> {
        let mut sentences = |path: &Path| -> anyhow::Result<_> {
            let read = read_sentences(&[path], BadItems::Skip, &mut session.progress)?;
            session.skipped(&read.skipped);
            Ok(read.sentences)
        };
        Ok(Treebank { name: self.name.clone(), train: sentences(&self.train)?, test: sentences(&self.test)? })
    }
}

/// The name of a corpus in tables.
pub(super) fn name_of(folder: &Path) -> String {
    let name = folder.file_name();
    name.map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// The file of a part of a corpus, with the first extension that exists.
pub(super) fn part(folder: &Path, name: &str, endings: &[&str]) -> anyhow::Result<PathBuf> {
    let mut files = endings.iter().map(|ending| folder.join(format!("{name}.{ending}")));
    files.find(|file| file.is_file()).with_context(|| {
        let unpacked: Vec<String> = endings
            .iter()
            .filter(|ending| !ending.contains('.'))
            .map(|ending| format!("{name}.{ending}"))
            .collect();
        format!(
            "{} has no {}, plain or compressed; give a folder with train, dev and test files",
            folder.display(),
            unpacked.join(" or ")
        )
    })
}
