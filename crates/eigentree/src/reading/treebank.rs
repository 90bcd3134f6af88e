//! Whole treebanks in memory.

use std::path::Path;

use corpus::error::SyntaxError;
use corpus::format::penn::PennReader;
use corpus::tree::Tree;
use models::learn::Observer;

use super::{BadItems, Forgiving, Format, Source};
use crate::Error;

/// How many trees are read between two looks at the observer.
const CHUNK: u64 = 1024;

/// Trees, and the places where there was something else.
#[derive(Debug, Default)]
pub struct Treebank {
    /// In the order of the files.
    pub trees: Vec<Tree>,
    /// What was left out.
    pub skipped: Vec<SyntaxError>,
}

/// Reads all trees of some files in Penn brackets, under the stage `read`. An error if there is not a single tree.
pub fn read_trees(
    paths: &[impl AsRef<Path>],
    bad_items: BadItems,
    observer: &mut dyn Observer,
) -> Result<Treebank, Error> {
    observer.stage("read", None);
    let mut treebank = Treebank::default();
    for path in paths {
        let source = Source::open_as(path, Format::Ptb, "read trees")?;
        let name = source.name().to_owned();
        let before = treebank.trees.len() + treebank.skipped.len();
        let mut trees = Forgiving::new(PennReader::new(source, &name), bad_items);
        let mut pending = 0;
        for tree in &mut trees {
            treebank.trees.push(tree?);
            pending += 1;
            if pending == CHUNK {
                observer.advance(pending);
                pending = 0;
                if observer.cancelled() {
                    return Err(Error::Cancelled);
                }
            }
        }
        observer.advance(pending);
        treebank.skipped.append(&mut trees.into_skipped());
        if treebank.trees.len() + treebank.skipped.len() == before {
            return Err(Error::Empty {
                name,
                wanted: "trees in Penn brackets, such as (S (NP (NN time)) (VP (VBZ flies)))",
            });
        }
    }
    // An interrupt may have ended the program that writes our input too: its end is then none.
    if observer.cancelled() {
        return Err(Error::Cancelled);
    }
    match treebank.trees.is_empty() {
        true => Err(Error::NothingReadable { skipped: treebank.skipped }),
        false => Ok(treebank),
    }
}
