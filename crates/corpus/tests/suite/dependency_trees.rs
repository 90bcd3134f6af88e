//! Dependency trees of the real treebanks: counts known from elsewhere, and transforms with their inverses.

use std::path::Path;

use eigentree_corpus::dependency::function_heads::{content_heads, function_heads};
use eigentree_corpus::dependency::projectivize::projectivize;
use eigentree_corpus::dependency::pseudo_projective::{PseudoLabels, pseudo_projectivize};
use eigentree_corpus::dependency::{
    DependencyTree, ModifierSequences, RootRule, is_punctuation, without_words,
};
use eigentree_corpus::format::conllu::{ConlluReader, Sentence};
use eigentree_corpus::ids::LabelId;
use eigentree_corpus::vocab::VocabBuilder;

use crate::data_files::{data_directory, files_below, unpacked};

/// Number of sentences, and of those with a crossing arc, over all three splits, from the description of the data.
const TREEBANKS: [(&str, usize, usize); 22] = [
    ("en_ewt", 16_622, 345),
    ("en_gum", 13_263, 395),
    ("af_afribooms", 1_934, 129),
    ("cs_cltt", 1_121, 138),
    ("fr_sequoia", 3_099, 77),
    ("gd_arcosg", 4_741, 341),
    ("grc_ptnk", 1_576, 248),
    ("ko_gsd", 6_339, 1_006),
    ("mt_mudt", 2_074, 80),
    ("nl_lassysmall", 7_341, 2_171),
    ("pcm_nsc", 9_241, 86),
    ("pt_bosque", 9_357, 827),
    ("te_mtg", 1_328, 2),
    ("th_tud", 3_627, 50),
    ("tr_framenet", 2_698, 7),
    ("ug_udt", 3_456, 282),
    ("vi_vtb", 3_323, 15),
    ("wo_wtb", 2_107, 63),
    ("nc/el_gdt", 2_521, 248),
    ("nc/eu_bdt", 8_993, 3_034),
    ("nc/tr_imst", 5_635, 229),
    ("nc/zh_gsd", 4_997, 16),
];

fn trees(path: &Path, vocab: &mut VocabBuilder<LabelId>) -> Vec<DependencyTree> {
    let bytes = unpacked(path);
    ConlluReader::new(&bytes[..], path.display().to_string())
        .map(|sentence| {
            let sentence = sentence.expect("a sound file");
            DependencyTree::labelled_from_sentence(&sentence, RootRule::Single, vocab).expect("a tree")
        })
        .collect()
}

#[test]
fn non_projective_sentences_are_those_the_data_description_counts() {
    let Some(directory) = data_directory("dependency") else { return };
    for (name, sentences, non_projective) in TREEBANKS {
        let folder = directory.join(name);
        if !folder.is_dir() {
            eprintln!("SKIPPED: no {}", folder.display());
            continue;
        }
        let mut vocab = VocabBuilder::new();
        let trees: Vec<_> =
            files_below(&folder, ".conllu").iter().flat_map(|path| trees(path, &mut vocab)).collect();
        let crossing = trees.iter().filter(|tree| !tree.is_projective()).count();
        assert_eq!((trees.len(), crossing), (sentences, non_projective), "{name}");
        // The linear test and the list of arcs are two algorithms for one question.
        for tree in trees.iter().filter(|tree| !tree.is_projective()) {
            assert!(!tree.non_projective_arcs().is_empty());
        }
    }
}

#[test]
fn function_heads_keep_projective_trees_projective_and_are_undone() {
    let Some(directory) = data_directory("dependency") else { return };
    let (mut changed, mut all) = (0, 0);
    for path in files_below(&directory, ".conllu") {
        let bytes = unpacked(&path);
        for sentence in ConlluReader::new(&bytes[..], path.display().to_string()) {
            let sentence = sentence.expect("a sound file");
            let tree = |sentence: &Sentence| {
                DependencyTree::from_sentence(sentence, RootRule::Single).expect("a tree")
            };
            let function = function_heads(&sentence).expect("no marks");
            if tree(&sentence).is_projective() {
                assert!(tree(&function).is_projective(), "{:?}", sentence.sent_id());
            }
            assert_eq!(content_heads(&function).expect("a tree"), sentence);
            changed += usize::from(function != sentence);
            all += 1;
            let shorter = without_words(&sentence, |word| !is_punctuation(word)).expect("sound columns");
            if !shorter.is_empty() {
                tree(&shorter);
            }
        }
    }
    eprintln!("{changed} of {all} sentences have function words");
    assert!(changed > all / 2 || all == 0);
}

#[test]
fn modifier_sequences_give_every_projective_tree_back() {
    let Some(directory) = data_directory("dependency") else { return };
    let (mut projective, mut lifted) = (0, 0);
    for path in files_below(&directory, ".conllu") {
        for tree in trees(&path, &mut VocabBuilder::new()) {
            let tree = if tree.is_projective() {
                projective += 1;
                tree
            } else {
                lifted += 1;
                assert!(ModifierSequences::of_tree(&tree).is_err());
                projectivize(&tree).tree
            };
            let arrangement = ModifierSequences::of_tree(&tree).unwrap().arrange().unwrap();
            assert!(arrangement.order.iter().copied().eq(0..tree.len()));
            assert_eq!(arrangement.tree.heads(), tree.heads());
        }
    }
    eprintln!("{projective} projective trees, {lifted} projectivised ones");
    assert!(projective > 0 && lifted > 0);
}

#[test]
fn lifting_costs_little_on_english() {
    let Some(directory) = data_directory("dependency/en_ewt") else { return };
    let trees = trees(&directory.join("train.conllu"), &mut VocabBuilder::new());
    let words: usize = trees.iter().map(DependencyTree::len).sum();
    let lifts: Vec<usize> = trees.iter().map(|tree| projectivize(tree).lifted.len()).collect();
    let (sentences, arcs) = (lifts.iter().filter(|&&count| count > 0).count(), lifts.iter().sum::<usize>());
    let sentence_percent = 100.0 * sentences as f64 / trees.len() as f64;
    let arc_percent = 100.0 * arcs as f64 / words as f64;
    eprintln!("{sentences} sentences ({sentence_percent:.2} %), {arcs} arcs ({arc_percent:.3} %)");
    assert!((sentence_percent - 2.3).abs() < 0.05);
    assert!((arc_percent - 0.17).abs() < 0.005);
}

/// The inverse is a search and may fail. These are the minimum shares of lifted arcs that it must recover, on treebanks
/// of very different word order: a change that loses some shows here.
#[test]
fn most_lifted_arcs_are_put_back() {
    for (name, least) in [("en_ewt", 0.92), ("nl_lassysmall", 0.69), ("grc_ptnk", 0.99), ("nc/eu_bdt", 0.91)]
    {
        let Some(directory) = data_directory(&format!("dependency/{name}")) else { return };
        let mut vocab = VocabBuilder::new();
        let originals: Vec<_> =
            files_below(&directory, ".conllu").iter().flat_map(|path| trees(path, &mut vocab)).collect();
        let encoded: Vec<_> =
            originals.iter().map(|tree| pseudo_projectivize(tree, &mut vocab).unwrap()).collect();
        let decoder = PseudoLabels::of_vocab(&vocab.freeze()).unwrap();
        let (mut lifted, mut recovered, mut exact) = (0, 0, 0);
        for (original, encoded) in originals.iter().zip(&encoded) {
            assert!(encoded.tree.is_projective());
            let decoded = decoder.deprojectivize(&encoded.tree).unwrap();
            assert_eq!(decoded.labels(), original.labels());
            if encoded.lifted == 0 {
                assert_eq!(&decoded, original);
                continue;
            }
            exact += usize::from(&decoded == original);
            let columns = original.heads().iter().zip(encoded.tree.heads()).zip(decoded.heads());
            for ((original, encoded), decoded) in columns {
                if original != encoded {
                    lifted += 1;
                    recovered += usize::from(original == decoded);
                } else {
                    assert_eq!(original, decoded, "an arc that was not lifted must stay");
                }
            }
        }
        let share = recovered as f64 / lifted as f64;
        let sentences = encoded.iter().filter(|tree| tree.lifted > 0).count();
        eprintln!(
            "{name}: {lifted} arcs lifted, {:.1} % recovered; {exact} of {sentences} trees exact",
            100.0 * share
        );
        assert!(share >= least, "{name}: {share}");
    }
}
