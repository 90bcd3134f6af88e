//! Shared by tests of parsers: real treebanks, and short ways to learn and parse.

use std::path::{Path, PathBuf};

use corpus::format::penn::PennReader;
use corpus::tree::Tree;
use corpus::tree::normal_form::NormalForm;
use eigentree_grammars::lexicon::Observation;
use eigentree_grammars::pcfg::{Parse, Parser, ParserConfig, Pcfg, PcfgConfig, PcfgLearner, Scratch};
use models::learn::{Learner, Silent};
use models::persist::ModelFile;

/// A treebank of the data directory: `$EIGENTREE_DATA`, or `shared/data` next to the checkout. Prints a notice if there
/// is none.
pub(crate) fn treebank(path: &str) -> Option<Vec<Tree>> {
    let root = match std::env::var_os("EIGENTREE_DATA") {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
    };
    let file = root.join("constituency").join(path);
    if !file.is_file() {
        eprintln!("SKIPPED: no {} (set EIGENTREE_DATA to run this test)", file.display());
        return None;
    }
    let input = corpus::compression::decompress(std::fs::File::open(&file).unwrap()).unwrap();
    Some(PennReader::new(input, path).collect::<Result<_, _>>().unwrap())
}

pub(crate) fn trees(texts: &[&str]) -> Vec<Tree> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

pub(crate) fn learn(trees: &[Tree], normal_form: NormalForm) -> Pcfg {
    learn_with(trees, PcfgConfig { normal_form, ..PcfgConfig::default() })
}

pub(crate) fn learn_with(trees: &[Tree], config: PcfgConfig) -> Pcfg {
    PcfgLearner { config }.learn(trees, &mut Silent).unwrap().model
}

/// The words of a tree with their tags.
pub(crate) fn tagged(tree: &Tree) -> Vec<Observation<'_>> {
    tree.words().zip(tree.tags()).map(|(word, tag)| Observation::Tagged(word, tag)).collect()
}

/// The words of a tree alone.
pub(crate) fn untagged(tree: &Tree) -> Vec<Observation<'_>> {
    tree.words().map(Observation::Word).collect()
}

pub(crate) fn parse(model: &Pcfg, config: ParserConfig, sentence: &[Observation<'_>]) -> Parse {
    Parser::new(model, config).parse(sentence, &mut Scratch::default()).unwrap()
}

/// Runs `work` on each item, on all cores; results are in order. Each thread has its own scratch memory.
pub(crate) fn for_each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T, &mut Scratch) -> R + Sync) -> Vec<R> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let size = items.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let work = &work;
        let running: Vec<_> = items
            .chunks(size)
            .map(|chunk| {
                scope.spawn(move || {
                    let mut scratch = Scratch::default();
                    chunk.iter().map(|item| work(item, &mut scratch)).collect::<Vec<R>>()
                })
            })
            .collect();
        running.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

/// The model file.
pub(crate) fn save(model: &Pcfg) -> Vec<u8> {
    model.to_bytes().unwrap()
}

pub(crate) fn load(bytes: Vec<u8>) -> Pcfg {
    Pcfg::from_bytes(bytes).unwrap()
}
