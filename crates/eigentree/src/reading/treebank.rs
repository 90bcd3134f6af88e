//! Whole treebanks in memory.

use std::path::Path;

use corpus::error::{ReadError, SyntaxError};
use corpus::format::conllu::{ConlluReader, Sentence};
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

/// Sentences of CoNLL-U, and the places where there was something else.
#[derive(Debug, Default)]
pub struct DependencyTreebank {
    /// In the order of the files.
    pub sentences: Vec<Sentence>,
    /// What was left out.
    pub skipped: Vec<SyntaxError>,
}

/// Reads all trees of some files in Penn brackets, under the stage `read`. An error if there is not a single tree.
pub fn read_trees(
    paths: &[impl AsRef<Path>],
    bad_items: BadItems,
    observer: &mut dyn Observer,
) -> Result<Treebank, Error> {
    const WANTED: &str = "trees in Penn brackets, such as (S (NP (NN time)) (VP (VBZ flies)))";
    let (trees, skipped) = read_all(paths, bad_items, observer, WANTED, |path| {
        let source = Source::open_as(path, Format::Ptb, "read trees")?;
        let name = source.name().to_owned();
        Ok((PennReader::new(source, &name), name))
    })?;
    Ok(Treebank { trees, skipped })
}

/// Reads all sentences of some files in CoNLL-U, under the stage `read`. An error if there is not a single one.
pub fn read_sentences(
    paths: &[impl AsRef<Path>],
    bad_items: BadItems,
    observer: &mut dyn Observer,
) -> Result<DependencyTreebank, Error> {
    const WANTED: &str = "sentences in CoNLL-U";
    let (sentences, skipped) = read_all(paths, bad_items, observer, WANTED, |path| {
        let source = Source::open_as(path, Format::Conllu, "read dependency trees")?;
        let name = source.name().to_owned();
        Ok((ConlluReader::new(source, &name), name))
    })?;
    Ok(DependencyTreebank { sentences, skipped })
}

/// Reads all items of some files, each of which must have some, and tells what was left out.
pub(crate) fn read_all<T, I: Iterator<Item = Result<T, ReadError>>>(
    paths: &[impl AsRef<Path>],
    bad_items: BadItems,
    observer: &mut dyn Observer,
    wanted: &'static str,
    open: impl Fn(&Path) -> Result<(I, String), Error>,
) -> Result<(Vec<T>, Vec<SyntaxError>), Error> {
    observer.stage("read", None);
    let (mut read, mut skipped) = (Vec::new(), Vec::new());
    for path in paths {
        let (items, name) = open(path.as_ref())?;
        let before = read.len() + skipped.len();
        let mut items = Forgiving::new(items, bad_items);
        let mut pending = 0;
        for item in &mut items {
            read.push(item?);
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
        skipped.append(&mut items.into_skipped());
        if read.len() + skipped.len() == before {
            return Err(Error::Empty { name, wanted });
        }
    }
    // An interrupt may have ended the program that writes our input too: its end is then none.
    if observer.cancelled() {
        return Err(Error::Cancelled);
    }
    if read.is_empty() { Err(Error::NothingReadable { skipped }) } else { Ok((read, skipped)) }
}
