//! Reads whole treebanks into memory.

use std::path::Path;

use corpus::error::{ReadError, SyntaxError};
use corpus::format::conllu::{ConlluReader, Sentence};
use corpus::format::penn::PennReader;
use corpus::tree::Tree;
use models::learn::Observer;

use super::{BadItems, Forgiving, Format, Source};
use crate::Error;
use crate::files::plain;

/// Number of trees between two calls of the observer.
const CHUNK: u64 = 1024;

/// Trees, and the sentences that were skipped.
#[derive(Debug, Default)]
pub struct Treebank {
    /// In the order of the files.
    pub trees: Vec<Tree>,
    /// The skipped sentences.
    pub skipped: Vec<SyntaxError>,
}

/// Sentences of CoNLL-U, and those that were skipped.
#[derive(Debug, Default)]
pub struct DependencyTreebank {
    /// In the order of the files.
    pub sentences: Vec<Sentence>,
    /// The skipped sentences.
    pub skipped: Vec<SyntaxError>,
}

/// Reads all trees of some files in Penn brackets, in the stage `read`. Fails if there is no tree.
pub fn read_trees(
    paths: &[impl AsRef<Path>],
    bad_items: BadItems,
    observer: &mut dyn Observer,
) -> Result<Treebank, Error> {
    trees_of(&plain(paths), bad_items, observer)
}

fn trees_of(paths: &[&Path], bad_items: BadItems, observer: &mut dyn Observer) -> Result<Treebank, Error> {
    const WANTED: &str = "trees in Penn brackets, such as (S (NP (NN time)) (VP (VBZ flies)))";
    let (trees, skipped) = read_all(paths, bad_items, observer, WANTED, |path| {
        let source = Source::open_as(path, Format::Ptb, "read trees")?;
        let name = source.name().to_owned();
        Ok((PennReader::new(source, &name), name))
    })?;
    Ok(Treebank { trees, skipped })
}

/// Reads all sentences of some files in CoNLL-U, in the stage `read`. Fails if there is no sentence.
pub fn read_sentences(
    paths: &[impl AsRef<Path>],
    bad_items: BadItems,
    observer: &mut dyn Observer,
) -> Result<DependencyTreebank, Error> {
    sentences_of(&plain(paths), bad_items, observer)
}

fn sentences_of(
    paths: &[&Path],
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

/// Reads all items of some files, each of which must have some; also returns what was skipped.
pub(crate) fn read_all<T, I: Iterator<Item = Result<T, ReadError>>>(
    paths: &[&Path],
    bad_items: BadItems,
    observer: &mut dyn Observer,
    wanted: &'static str,
    open: impl Fn(&Path) -> Result<(I, String), Error>,
) -> Result<(Vec<T>, Vec<SyntaxError>), Error> {
    observer.stage("read", None);
    let (mut read, mut skipped) = (Vec::new(), Vec::new());
    for path in paths {
        let (items, name) = open(path)?;
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
    // An interrupt may also have stopped the program that writes our input; then its end is not a regular one.
    if observer.cancelled() {
        return Err(Error::Cancelled);
    }
    if read.is_empty() { Err(Error::NothingReadable { skipped }) } else { Ok((read, skipped)) }
}
