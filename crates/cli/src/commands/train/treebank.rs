//! Treebanks to learn from and to score on, with the output opened first, so that what cannot succeed fails at once.

use std::path::PathBuf;

use eigentree::corpus::format::conllu::Sentence;
use eigentree::corpus::tree::Tree;
use eigentree::files::Output;
use eigentree::reading::{BadItems, read_sentences, read_trees};

use crate::args::{TrainData, TreebankData};
use crate::session::Session;

/// Constituency trees.
pub(super) struct Trees {
    pub(super) output: Output,
    pub(super) train: Vec<Tree>,
    pub(super) dev: Option<Vec<Tree>>,
}

impl Trees {
    pub(super) fn open(data: &TrainData, session: &mut Session) -> anyhow::Result<Self> {
        let output = Output::create(&data.output)?;
        let mut read = |paths: &[PathBuf]| -> anyhow::Result<Vec<Tree>> {
            let treebank = read_trees(paths, data.bad_items, &mut session.progress)?;
            session.skipped(&treebank.skipped);
            Ok(treebank.trees)
        };
        let train = read(&data.trees)?;
        let dev = data.dev.as_ref().map(|path| read(std::slice::from_ref(path))).transpose()?;
        Ok(Self { output, train, dev })
    }
}

/// Dependency trees.
pub(super) struct Treebanks {
    pub(super) output: Output,
    pub(super) train: Vec<Sentence>,
    pub(super) dev: Option<Vec<Sentence>>,
}

impl Treebanks {
    pub(super) fn open(data: &TreebankData, session: &mut Session) -> anyhow::Result<Self> {
        let output = Output::create(&data.output)?;
        let train = sentences(&data.treebanks, data.bad_items, session)?;
        let dev =
            data.dev.as_ref().map(|path| sentences(std::slice::from_ref(path), data.bad_items, session));
        Ok(Self { output, train, dev: dev.transpose()? })
    }
}

/// Reads sentences, and reports those that cannot be read.
pub(super) fn sentences(
    paths: &[PathBuf],
    bad_items: BadItems,
    session: &mut Session,
) -> anyhow::Result<Vec<Sentence>> {
    let treebank = read_sentences(paths, bad_items, &mut session.progress)?;
    session.skipped(&treebank.skipped);
    Ok(treebank.sentences)
}
