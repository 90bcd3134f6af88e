//! Every tree of every constituency treebank comes back unchanged through the writer and through each transform.

use std::fs::File;
use std::path::{Path, PathBuf};

use eigentree_corpus::compression::decompress;
use eigentree_corpus::format::penn::{self, PennReader};
use eigentree_corpus::tree::binarize::{Direction, Horizontal, binarize, unbinarize};
use eigentree_corpus::tree::heads::HeadRules;
use eigentree_corpus::tree::markov::{Annotated, annotate_parents, remove_parents};
use eigentree_corpus::tree::normal_form::NormalForm;
use eigentree_corpus::tree::strip::{StripConfig, strip};
use eigentree_corpus::tree::unary::{collapse, expand};
use eigentree_corpus::tree::{Tree, marks, root};

fn data() -> Option<PathBuf> {
    let root = std::env::var_os("EIGENTREE_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    root.join("constituency").is_dir().then_some(root)
}

/// All `.ptb` files below `folder`, compressed ones too, in a fixed order.
fn treebanks(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().contains(".ptb") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn check_transforms(tree: &Tree, place: &str) {
    let line = penn::to_line(tree);
    assert_eq!(&line.parse::<Tree>().expect(place), tree, "{place}: write-read");
    assert_eq!(&penn::to_pretty(tree).parse::<Tree>().expect(place), tree, "{place}: pretty write-read");

    let top = tree.root().label().to_owned();
    let protected = marks::protect(tree.clone());
    assert_eq!(&marks::unprotect(protected.clone()), tree, "{place}: protect");
    let unwrapped = root::unwrap_root(protected.clone());
    assert_eq!(root::wrap_root(unwrapped.clone(), &top), protected, "{place}: root");
    let collapsed = collapse(&unwrapped);
    assert_eq!(expand(&collapsed), unwrapped, "{place}: collapse");
    let annotated = annotate_parents(&collapsed, 3, Annotated::PhrasesAndTags);
    assert_eq!(remove_parents(&annotated), collapsed, "{place}: ancestors");
    let directions = [Direction::Left, Direction::Right, Direction::HeadOutward(HeadRules::by_similarity())];
    for direction in directions {
        for horizontal in [Horizontal::Order(0), Horizontal::Order(2), Horizontal::Unlimited] {
            let binary = binarize(&collapsed, &direction, horizontal);
            assert!(
                binary.nodes().all(|node| node.children().count() <= 2),
                "{place}: {direction:?} is binary"
            );
            assert_eq!(unbinarize(&binary), collapsed, "{place}: {direction:?} {horizontal:?}");
        }
    }
    let form = NormalForm { vertical: 2, ..NormalForm::default() };
    assert_eq!(&form.invert(form.apply(tree.clone()), &top), tree, "{place}: normal form");
}

#[test]
fn every_tree_of_every_treebank_comes_back() {
    let Some(data) = data() else {
        eprintln!("SKIPPED: no treebanks; set EIGENTREE_DATA to the folder that holds constituency/");
        return;
    };
    let files = treebanks(&data.join("constituency"));
    assert!(files.len() >= 40, "only {} treebank files", files.len());
    let (mut trees, mut words, mut stripped_words) = (0_u64, 0_u64, 0_u64);
    for path in files {
        let name = path.strip_prefix(&data).expect("below the data folder").display().to_string();
        let input = decompress(File::open(&path).expect("a readable file")).expect("a readable file");
        let rules = StripConfig::default();
        for (number, tree) in PennReader::new(input, &name).enumerate() {
            let tree = tree.expect("a well-formed tree");
            let place = format!("{name}, tree {}", number + 1);
            check_transforms(&tree, &place);
            if let Some((clean, removed)) = strip(&tree, &rules) {
                assert_eq!(removed.restore(&clean).as_ref(), Some(&tree), "{place}: strip");
                stripped_words += clean.word_count() as u64;
            }
            trees += 1;
            words += tree.word_count() as u64;
        }
    }
    println!("{trees} trees, {words} words, {stripped_words} words without empty elements");
    assert!(trees > 280_000, "{trees} trees");
}

/// Stripping the source trees gives the words of the stripped edition that comes with them.
#[test]
fn stripping_the_source_gives_the_stripped_edition() {
    let Some(data) = data() else {
        eprintln!("SKIPPED: no treebanks; set EIGENTREE_DATA to the folder that holds constituency/");
        return;
    };
    for name in ["gum", "craft"] {
        let folder = data.join("constituency").join(name);
        let read = |path: PathBuf| -> Vec<Tree> {
            let input = decompress(File::open(&path).expect("a readable file")).expect("a readable file");
            PennReader::new(input, path.display().to_string())
                .collect::<Result<_, _>>()
                .expect("well-formed trees")
        };
        let clean = read(folder.join("dev.ptb"));
        let raw = read(folder.join("raw/dev.ptb.gz"));
        assert_eq!(clean.len(), raw.len());
        for (clean, raw) in clean.iter().zip(&raw) {
            let (stripped, _) = strip(raw, &StripConfig::default()).expect("words are left");
            assert_eq!(&stripped, clean, "{name}");
        }
    }
}
